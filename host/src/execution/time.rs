//! A point in time.

use serde::Serialize;

/// Milliseconds of Unix time that never step back; the edge of the host makes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Millis(pub u64);

impl Millis {
    /// This many milliseconds later.
    #[must_use]
    pub const fn after(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from here to a later point; 0 when that is over.
    #[must_use]
    pub const fn until(self, later: Self) -> u64 {
        later.0.saturating_sub(self.0)
    }
}
