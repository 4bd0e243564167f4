//! How often something may happen: so many times in a window.

use crate::execution::Millis;

/// A count that starts anew with each window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    start: Millis,
    count: u32,
}

impl Window {
    /// Counts one more.
    ///
    /// # Errors
    ///
    /// The milliseconds to wait when there were `most` in this window.
    pub(super) fn count(&mut self, now: Millis, most: u32, window_ms: u64) -> Result<(), u64> {
        let end = self.start.after(window_ms);
        if now >= end {
            *self = Self { start: now, count: 0 };
        } else if self.count >= most {
            return Err(now.until(end));
        }
        self.count += 1;
        Ok(())
    }
}
