//! The built-in replay guard: which request ids a session has used (Surface §5).

use crate::wire::limits;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Claims in memory, as 128-bit hashes; a full session is refused, never forgotten.
#[derive(Debug, Default)]
pub struct ReplayGuard {
    sessions: HashMap<String, Claims>,
    total: usize,
}

#[derive(Debug)]
struct Claims {
    ids: HashSet<u128>,
    until_ms: f64,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The id is this request's now.
    Won,
    /// The id was used before.
    Taken,
    /// There is no room to remember it.
    Full,
}

impl ReplayGuard {
    /// Claims `request_id` for `session_id`, to be remembered until `until_ms`, by at most `bound` ids.
    pub fn claim(&mut self, session_id: &str, request_id: &str, until_ms: f64, now_ms: f64, bound: usize) -> Claim {
        let id = digest(request_id);
        if let Some(claims) = self.sessions.get(session_id)
            && claims.ids.contains(&id)
        {
            return Claim::Taken;
        }
        let known = self.sessions.contains_key(session_id);
        if self.total >= limits::CLAIMS || (!known && self.sessions.len() >= limits::SESSIONS) {
            self.drop_expired(now_ms);
        }
        if self.total >= limits::CLAIMS
            || (!self.sessions.contains_key(session_id) && self.sessions.len() >= limits::SESSIONS)
        {
            return Claim::Full;
        }
        let claims = self.sessions.entry(session_id.to_owned()).or_insert(Claims { ids: HashSet::new(), until_ms });
        if claims.ids.len() >= bound {
            return Claim::Full;
        }
        claims.until_ms = claims.until_ms.max(until_ms);
        claims.ids.insert(id);
        self.total += 1;
        Claim::Won
    }

    /// Forgets the claims of an ended open-mode connection.
    pub fn forget(&mut self, session_id: &str) {
        if let Some(claims) = self.sessions.remove(session_id) {
            self.total -= claims.ids.len();
        }
    }

    fn drop_expired(&mut self, now_ms: f64) {
        let total = &mut self.total;
        self.sessions.retain(|_, claims| {
            let live = claims.until_ms > now_ms;
            if !live {
                *total -= claims.ids.len();
            }
            live
        });
    }
}

fn digest(id: &str) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        id.hash(&mut hasher);
        hasher.finish()
    };
    (u128::from(half(0)) << 64) | u128::from(half(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = limits::SESSION_CLAIMS;

    #[test]
    fn an_id_is_won_once_per_session() {
        let mut guard = ReplayGuard::default();
        assert_eq!(guard.claim("s", "1", 10.0, 0.0, MANY), Claim::Won);
        assert_eq!(guard.claim("s", "1", 10.0, 0.0, MANY), Claim::Taken);
        assert_eq!(guard.claim("s", "1", 10.0, 99.0, MANY), Claim::Taken, "an expired claim is still no second run");
        assert_eq!(guard.claim("t", "1", 10.0, 0.0, MANY), Claim::Won, "another session has its own ids");
    }

    #[test]
    fn a_full_session_is_refused_and_others_go_on() {
        let mut guard = ReplayGuard::default();
        for index in 0..3 {
            assert_eq!(guard.claim("s", &index.to_string(), 10.0, 0.0, 3), Claim::Won);
        }
        assert_eq!(guard.claim("s", "new", 10.0, 0.0, 3), Claim::Full);
        assert_eq!(guard.claim("s", "0", 10.0, 0.0, 3), Claim::Taken, "nothing is forgotten");
        assert_eq!(guard.claim("t", "new", 10.0, 0.0, 3), Claim::Won);
    }

    #[test]
    fn a_newcomer_takes_the_place_of_expired_sessions_only() {
        let mut guard = ReplayGuard::default();
        for index in 0..limits::SESSIONS {
            let until = if index == 0 { 5.0 } else { 10.0 };
            assert_eq!(guard.claim(&index.to_string(), "1", until, 0.0, MANY), Claim::Won);
        }
        assert_eq!(guard.claim("new", "1", 10.0, 4.0, MANY), Claim::Full, "nobody has expired");
        assert_eq!(guard.claim("new", "1", 10.0, 5.0, MANY), Claim::Won, "session 0 has");
        assert_eq!(guard.claim("newer", "1", 10.0, 5.0, MANY), Claim::Full);
        guard.forget("3");
        assert_eq!(guard.claim("newer", "1", 10.0, 5.0, MANY), Claim::Won, "a closed connection made room");
        assert_eq!(guard.total, limits::SESSIONS);
    }
}
