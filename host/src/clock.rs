//! The one clock: Unix time at the start, counted on monotonically.

use crate::execution::Millis;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::time::Instant as TimerInstant;

/// Unix time that never steps back, whatever a person does to the machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    epoch: Millis,
}

impl Clock {
    /// A clock that starts now.
    #[must_use]
    pub fn start() -> Self {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started: Instant::now(), epoch: Millis(whole(epoch)) }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.epoch.after(whole(self.started.elapsed()))
    }

    /// The moment at which `due` has certainly come.
    #[must_use]
    pub fn instant(&self, due: Millis) -> TimerInstant {
        TimerInstant::now() + Duration::from_millis(self.now().until(due) + 1)
    }
}

fn whole(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
