//! Sessions: what a transport verified, checked again by the kernel at steps 2 and 7 (Surface §5).

use super::Scope;
use crate::wire::{Json, ProtocolCode, has_chars, limits};
use std::rc::Rc;

/// A session in the form the kernel works with.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    /// The agent.
    pub agent_id: String,
    /// The session.
    pub session_id: String,
    /// The user the agent acts for.
    pub user_id: String,
    /// When it ends, in epoch milliseconds.
    pub expires_at: f64,
    /// What it may see and run, at most.
    pub scope: Scope,
    /// For the audit.
    pub delegation_id: Option<String>,
    /// Set means over.
    pub revoked_at: Option<f64>,
    /// Whether this is a connection in open mode.
    pub open: bool,
}

/// What the caller, or its resolver, presented.
#[derive(Clone, Debug)]
pub enum Presented {
    /// No session.
    Nothing,
    /// The literal `null` of a caller that may use open mode.
    Null,
    /// A value that should be a session.
    Value(Json),
    /// A value read before, unchanged.
    Known(Rc<Grant>),
}

/// Who is signed in to the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum User {
    /// The page does not say.
    Unchecked,
    /// Nobody.
    SignedOut,
    /// This user.
    Is(String),
}

impl Grant {
    /// Reads a session; `None` when anything in it breaks a rule. Unknown members are dropped.
    #[must_use]
    pub fn read(value: &Json) -> Option<Self> {
        let text = |name| session_text(value.get(name)?);
        let optional = |name| match value.get(name) {
            None | Some(Json::Null) => Some(None),
            Some(value) => session_text(value).map(Some),
        };
        let Some(Json::Array(entries)) = value.get("scope") else { return None };
        let mut scope = Vec::new();
        for entry in entries {
            scope.push(entry.as_str()?);
        }
        let revoked_at = match value.get("revokedAt") {
            None | Some(Json::Null) => None,
            Some(Json::Number(at)) => Some(*at),
            Some(_) => return None,
        };
        let Some(Json::Number(expires_at)) = value.get("expiresAt") else { return None };
        Some(Self {
            agent_id: text("agentId")?,
            session_id: text("sessionId")?,
            user_id: text("userId")?,
            expires_at: *expires_at,
            scope: Scope::normalise(scope)?,
            delegation_id: optional("delegationId")?,
            revoked_at,
            open: false,
        })
    }

    /// The session of one open-mode connection.
    #[must_use]
    pub fn open(session_id: String, scope: Scope) -> Self {
        Self {
            agent_id: "open".into(),
            session_id,
            user_id: "open".into(),
            expires_at: limits::TIME_MAX,
            scope,
            delegation_id: None,
            revoked_at: None,
            open: true,
        }
    }

    /// Whether it is of the page's user, unexpired and unrevoked, in this order.
    ///
    /// # Errors
    /// The code that says why not.
    pub fn check(&self, user: &User, now_ms: f64) -> Result<(), ProtocolCode> {
        let other_user = match user {
            User::Unchecked => false,
            User::SignedOut => !self.open,
            User::Is(id) => !self.open && *id != self.user_id,
        };
        if other_user {
            Err(ProtocolCode::SessionInvalid)
        } else if now_ms >= self.expires_at {
            Err(ProtocolCode::SessionExpired)
        } else if self.revoked_at.is_some() {
            Err(ProtocolCode::SessionRevoked)
        } else {
            Ok(())
        }
    }

    /// The bucket it draws from.
    #[must_use]
    pub fn rate_key(&self) -> &str {
        if self.open { "open" } else { &self.session_id }
    }

    /// Whether it names the same agent, user and session.
    #[must_use]
    pub fn same_identity(&self, other: &Self) -> bool {
        self.session_id == other.session_id && self.user_id == other.user_id && self.agent_id == other.agent_id
    }
}

fn session_text(value: &Json) -> Option<String> {
    let text = value.as_str()?;
    has_chars(text, 1, limits::SESSION_CHARS).then(|| text.to_owned())
}

/// What the kernel remembers of the last 1024 sessions: who they are, and `T` besides.
#[derive(Debug, Default)]
pub struct SessionMemory<T> {
    known: Vec<Known<T>>,
    clock: u64,
}

#[derive(Debug)]
struct Known<T> {
    session_id: String,
    user_id: String,
    agent_id: String,
    used: u64,
    memory: Box<T>,
}

impl<T: Default> SessionMemory<T> {
    /// The memory of `grant`'s session, made when it is new.
    ///
    /// # Errors
    /// `SESSION_INVALID` when its id was seen with another user or agent.
    pub fn recall(&mut self, grant: &Grant) -> Result<&mut T, ProtocolCode> {
        self.clock += 1;
        match self.known.iter().rposition(|known| known.session_id == grant.session_id) {
            // The one in use is found first the next time.
            Some(place) => {
                let last = self.known.len() - 1;
                self.known.swap(place, last);
            }
            None => self.begin(grant),
        }
        let Some(known) = self.known.last_mut() else { return Err(ProtocolCode::Internal) };
        if known.user_id != grant.user_id || known.agent_id != grant.agent_id {
            return Err(ProtocolCode::SessionInvalid);
        }
        known.used = self.clock;
        Ok(&mut known.memory)
    }

    /// Does something to every memory.
    pub fn each(&mut self, act: fn(&mut T)) {
        self.known.iter_mut().for_each(|known| act(&mut known.memory));
    }

    /// Makes a memory, the last one, in the place of the one used longest ago when there are too many.
    fn begin(&mut self, grant: &Grant) {
        if self.known.len() == limits::SESSIONS {
            let oldest = self.known.iter().map(|known| known.used).min();
            self.known.retain(|known| Some(known.used) != oldest);
        }
        self.known.push(Known {
            session_id: grant.session_id.clone(),
            user_id: grant.user_id.clone(),
            agent_id: grant.agent_id.clone(),
            used: 0,
            memory: Box::default(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(change: impl FnOnce(&mut Vec<(String, Json)>)) -> Json {
        let text = |text: &str| Json::String(text.into());
        let mut members = vec![
            ("agentId".into(), text("agent")),
            ("sessionId".into(), text("s-1")),
            ("userId".into(), text("ada")),
            ("expiresAt".into(), Json::Number(1_000.0)),
            ("scope".into(), Json::Array(vec![text("orders.*")])),
        ];
        change(&mut members);
        Json::Object(members)
    }

    fn set(name: &'static str, value: Json) -> impl FnOnce(&mut Vec<(String, Json)>) {
        move |members| {
            members.retain(|(key, _)| key != name);
            members.push((name.into(), value));
        }
    }

    #[test]
    fn a_session_is_read_strictly() {
        assert!(Grant::read(&session(|_| ())).is_some());
        let read = |name, value| Grant::read(&session(set(name, value))).is_some();
        let text = |text: &str| Json::String(text.into());
        let cases = [
            ("an unknown member", "extra", Json::Bool(true), true),
            ("null instead of a delegation", "delegationId", Json::Null, true),
            ("a delegation", "delegationId", text("d"), true),
            ("an empty delegation", "delegationId", text(""), false),
            ("a revocation", "revokedAt", Json::Number(5.0), true),
            ("a revocation as text", "revokedAt", text("5"), false),
            ("no expiry", "expiresAt", Json::Null, false),
            ("an empty agent", "agentId", text(""), false),
            ("a user of 257 characters", "userId", text(&"u".repeat(257)), false),
            ("a user of 256 wide characters", "userId", text(&"訂".repeat(256)), true),
            ("a number as session id", "sessionId", Json::Number(1.0), false),
            ("a scope that is no list", "scope", text("*"), false),
            ("a scope with a number", "scope", Json::Array(vec![Json::Number(1.0)]), false),
            ("a scope with a star inside", "scope", Json::Array(vec![text("a*b")]), false),
        ];
        for (case, name, value, expected) in cases {
            assert_eq!(read(name, value), expected, "{case}");
        }
        assert_eq!(Grant::read(&Json::Array(Vec::new())), None);
    }

    #[test]
    fn the_checks_have_an_order() {
        let grant = |name, value| Grant::read(&session(set(name, value))).expect("a valid session");
        let revoked = grant("revokedAt", Json::Number(0.0));
        let ada = User::Is("ada".into());
        let cases = [
            ("fine", &revoked_none(), &ada, 999.0, Ok(())),
            ("over at expiresAt", &revoked_none(), &ada, 1_000.0, Err(ProtocolCode::SessionExpired)),
            (
                "another user wins over expiry",
                &revoked_none(),
                &User::Is("bob".into()),
                1_000.0,
                Err(ProtocolCode::SessionInvalid),
            ),
            ("nobody signed in", &revoked_none(), &User::SignedOut, 0.0, Err(ProtocolCode::SessionInvalid)),
            ("the page does not say who", &revoked_none(), &User::Unchecked, 0.0, Ok(())),
            ("revoked, whenever that was", &revoked, &ada, 0.0, Err(ProtocolCode::SessionRevoked)),
            ("expiry wins over revocation", &revoked, &ada, 1_000.0, Err(ProtocolCode::SessionExpired)),
        ];
        for (case, grant, user, now, expected) in cases {
            assert_eq!(grant.check(user, now), expected, "{case}");
        }
    }

    fn revoked_none() -> Grant {
        Grant::read(&session(|_| ())).expect("a valid session")
    }

    #[test]
    fn an_id_belongs_to_one_user_and_agent() {
        let mut memory = SessionMemory::<u32>::default();
        let ada = revoked_none();
        *memory.recall(&ada).expect("new") = 7;
        let bob = Grant { user_id: "bob".into(), ..ada.clone() };
        assert_eq!(memory.recall(&bob).err(), Some(ProtocolCode::SessionInvalid));
        assert_eq!(memory.recall(&ada).map(|value| *value), Ok(7));
        for index in 0..limits::SESSIONS {
            memory.recall(&Grant { session_id: format!("t-{index}"), ..ada.clone() }).expect("new");
        }
        assert_eq!(memory.recall(&bob).map(|value| *value), Ok(0), "1024 others later it is forgotten");
    }
}
