//! The one clock: Unix time at the start, counted on steadily, also while the machine sleeps.

use crate::execution::Millis;
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant as TimerInstant;

/// Unix time that never steps back, whatever a person does to the machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: u64,
    epoch: Millis,
}

impl Clock {
    /// A clock that starts now.
    #[must_use]
    pub fn start() -> Self {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started: steady(), epoch: Millis(whole(epoch)) }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.epoch.after(steady().saturating_sub(self.started))
    }

    /// The moment at which `due` has certainly come; later, when the machine sleeps until then.
    #[must_use]
    pub fn instant(&self, due: Millis) -> TimerInstant {
        TimerInstant::now() + Duration::from_millis(self.now().until(due) + 1)
    }
}

/// Linux counts sleep only here; other systems do so on their usual monotonic clock.
#[cfg(any(target_os = "linux", target_os = "android"))]
const STEADY: ClockId = ClockId::Boottime;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const STEADY: ClockId = ClockId::Monotonic;

/// Milliseconds since some moment before the start. A deadline that stood still while the lid was closed would be
/// hours late, and the history's times wrong.
fn steady() -> u64 {
    let time = clock_gettime(STEADY);
    let whole = u64::try_from(time.tv_sec).unwrap_or(0).saturating_mul(1000);
    whole.saturating_add(u64::try_from(time.tv_nsec).unwrap_or(0) / 1_000_000)
}

fn whole(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
