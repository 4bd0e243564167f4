//! How soon a session or a stream is asked for again (Operations §4).

use crate::wire::operations_limits as limits;

#[derive(Debug)]
pub(super) struct Pace {
    failures: u32,
    /// When something was asked for last.
    asked_ms: f64,
    /// When the stream began to deliver.
    streaming_ms: f64,
}

impl Pace {
    pub(super) const fn new() -> Self {
        Self { failures: 0, asked_ms: f64::NEG_INFINITY, streaming_ms: f64::INFINITY }
    }

    pub(super) const fn asked(&mut self, now_ms: f64) {
        self.asked_ms = now_ms;
    }

    pub(super) const fn streaming(&mut self, now_ms: f64) {
        self.streaming_ms = now_ms;
    }

    /// A stream that lasted makes up for the failures before it; one that opens and ends at once does not.
    pub(super) fn ended(&mut self, now_ms: f64) {
        if now_ms - self.streaming_ms >= limits::STEADY_MS {
            self.failures = 0;
        }
    }

    /// Notes a failure and tells whether it is the first one.
    pub(super) const fn fails_first(&mut self) -> bool {
        let is_first = self.failures == 0;
        if is_first {
            self.failures = 1;
        }
        is_first
    }

    /// Full jitter on a doubling pause; whatever a page makes of its random numbers, there is one.
    pub(super) fn pause_ms(&mut self, jitter: f64) -> f64 {
        let longest = limits::BACKOFF_MIN_MS * f64::from(1_u32 << self.failures.min(10));
        self.failures = self.failures.saturating_add(1);
        let jitter = if jitter.is_nan() { 1.0 } else { jitter.clamp(0.0, 1.0) };
        (longest.min(limits::BACKOFF_MAX_MS) * jitter).max(limits::RETRY_PAUSE_MS)
    }

    /// The earliest time after a sign that it may work again: now, but a storm of signs is none of attempts.
    pub(super) const fn soonest_ms(&self, now_ms: f64) -> f64 {
        now_ms.max(self.asked_ms + limits::BACKOFF_MIN_MS)
    }
}
