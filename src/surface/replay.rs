//! The built-in replay guard: which request ids a session has used (Surface §5).

use super::digest::{Digests, text_digest};
use crate::wire::limits;

/// Claims in memory, as 128-bit hashes; a full session is refused, never forgotten.
#[derive(Debug, Default)]
pub struct ReplayGuard {
    sessions: Vec<Claims>,
}

#[derive(Debug)]
struct Claims {
    session_id: String,
    ids: Digests,
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
        let id = u128::from(text_digest(0, request_id)) << 64 | u128::from(text_digest(1, request_id));
        let mut known = self.place_of(session_id);
        if known.is_some_and(|place| self.sessions[place].ids.contains(id)) {
            return Claim::Taken;
        }
        if !self.has_room(known) {
            self.sessions.retain(|claims| claims.until_ms > now_ms);
            known = self.place_of(session_id);
        }
        if !self.has_room(known) {
            return Claim::Full;
        }
        let place = known.unwrap_or_else(|| {
            self.sessions.push(Claims { session_id: session_id.to_owned(), ids: Digests::default(), until_ms });
            self.sessions.len() - 1
        });
        // The one in use is found first the next time.
        let last = self.sessions.len() - 1;
        self.sessions.swap(place, last);
        let claims = &mut self.sessions[last];
        if claims.ids.len() >= bound {
            return Claim::Full;
        }
        claims.until_ms = claims.until_ms.max(until_ms);
        claims.ids.place(id);
        Claim::Won
    }

    fn place_of(&self, session_id: &str) -> Option<usize> {
        self.sessions.iter().rposition(|claims| claims.session_id == session_id)
    }

    /// Whether a session, known or new, may claim one more id.
    fn has_room(&self, known: Option<usize>) -> bool {
        self.total() < limits::CLAIMS && (known.is_some() || self.sessions.len() < limits::SESSIONS)
    }

    fn total(&self) -> usize {
        self.sessions.iter().map(|claims| claims.ids.len()).sum()
    }

    /// Forgets the claims of an ended open-mode connection.
    pub fn forget(&mut self, session_id: &str) {
        self.sessions.retain(|claims| claims.session_id != session_id);
    }
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
        assert_eq!(guard.total(), limits::SESSIONS);
    }
}
