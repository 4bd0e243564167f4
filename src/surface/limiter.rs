//! The built-in rate limiter: a token bucket per key (Surface §5).

use crate::wire::{Rate, limits};

/// One bucket per session, or per open mode.
#[derive(Debug)]
pub struct RateLimiter {
    rate: Rate,
    buckets: Vec<Bucket>,
}

#[derive(Debug)]
struct Bucket {
    key: String,
    tokens: f64,
    at_ms: f64,
}

impl RateLimiter {
    /// A limiter whose buckets start full.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, buckets: Vec::new() }
    }

    /// Takes one token of `key`'s bucket.
    ///
    /// # Errors
    /// The milliseconds until one is there, when the bucket is empty.
    pub fn take(&mut self, key: &str, now_ms: f64) -> Result<(), f64> {
        let Rate { capacity, per_ms } = self.rate;
        match self.buckets.iter().rposition(|bucket| bucket.key == key) {
            // The one in use is found first the next time.
            Some(place) => {
                let last = self.buckets.len() - 1;
                self.buckets.swap(place, last);
            }
            None => {
                self.make_room(now_ms);
                self.buckets.push(Bucket { key: key.to_owned(), tokens: capacity, at_ms: now_ms });
            }
        }
        let Some(bucket) = self.buckets.last_mut() else { return Err(per_ms) };
        let gained = (now_ms - bucket.at_ms).max(0.0) / per_ms;
        bucket.tokens = (bucket.tokens + gained).min(capacity);
        bucket.at_ms = now_ms;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            Ok(())
        } else {
            Err(((1.0 - bucket.tokens) * per_ms).ceil())
        }
    }

    /// Full buckets say nothing, so they go first; then the one used longest ago.
    fn make_room(&mut self, now_ms: f64) {
        if self.buckets.len() < limits::SESSIONS {
            return;
        }
        let Rate { capacity, per_ms } = self.rate;
        self.buckets.retain(|bucket| bucket.tokens + (now_ms - bucket.at_ms) / per_ms < capacity);
        if self.buckets.len() >= limits::SESSIONS {
            let oldest = self.buckets.iter().map(|bucket| bucket.at_ms).fold(f64::INFINITY, f64::min);
            if let Some(place) = self.buckets.iter().position(|bucket| bucket.at_ms == oldest) {
                self.buckets.remove(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_one_token_a_second() {
        let mut limiter = RateLimiter::new(Rate { capacity: 20.0, per_ms: 1_000.0 });
        for _ in 0..20 {
            assert_eq!(limiter.take("a", 0.0), Ok(()));
        }
        let cases = [
            ("empty", 0.0, Err(1_000.0)),
            ("half way", 500.0, Err(500.0)),
            ("due", 1_000.0, Ok(())),
            ("empty again", 1_000.0, Err(1_000.0)),
        ];
        for (case, at, expected) in cases {
            assert_eq!(limiter.take("a", at), expected, "{case}");
        }
        assert_eq!(limiter.take("b", 1_000.0), Ok(()), "another key has its own bucket");
        assert_eq!(limiter.take("a", 0.0), Err(1_000.0), "a clock that steps back gives nothing");
    }

    #[test]
    fn the_buckets_stay_bounded() {
        let mut limiter = RateLimiter::new(Rate { capacity: 1.0, per_ms: 1e9 });
        for index in 0..(limits::SESSIONS + 50) {
            assert_eq!(limiter.take(&index.to_string(), index as f64), Ok(()));
        }
        assert_eq!(limiter.buckets.len(), limits::SESSIONS);
        assert!(limiter.take("1073", 1_100.0).is_err(), "the newest is still known");
    }
}
