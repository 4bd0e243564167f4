//! Every code an agent can receive, one table each: protocol level and business level.

use serde::{Serialize, Serializer};

macro_rules! codes {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $name:ident = $wire:literal, $message:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $type { $($(#[$doc])* $name,)+ }

        impl $type {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The text on the wire; it never changes its meaning.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Self::$name => $wire),+ } }

            /// The phrase sent where nothing more precise is known.
            #[must_use]
            pub const fn message(self) -> &'static str { match self { $(Self::$name => $message),+ } }

            /// The code with this wire text.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

codes! {
    /// Why a request was not understood or not allowed: `error.code` of a response with `ok: false` (Surface §1).
    ProtocolCode {
        /// The envelope, the describe options or the invoke input break a rule.
        InvalidRequest = "INVALID_REQUEST", "the request is not valid";
        /// Another protocol version.
        ProtocolVersionUnsupported = "PROTOCOL_VERSION_UNSUPPORTED", "this protocol version is not supported";
        /// A method other than `describe` and `invoke`.
        MethodNotSupported = "METHOD_NOT_SUPPORTED", "this method is not supported";
        /// No session was presented.
        SessionRequired = "SESSION_REQUIRED", "a session is required";
        /// The session is malformed, or belongs to another user.
        SessionInvalid = "SESSION_INVALID", "the session is not valid here";
        /// `now >= expiresAt`.
        SessionExpired = "SESSION_EXPIRED", "the session has expired";
        /// `revokedAt` is set.
        SessionRevoked = "SESSION_REVOKED", "the session was revoked";
        /// Outside `C_eff`: unknown, hidden or out of scope, which look the same.
        CapabilityNotExposed = "CAPABILITY_NOT_EXPOSED", "this capability is not exposed to the session";
        /// The limiter said no, or too many requests wait for an answer.
        RateLimited = "RATE_LIMITED", "too many requests";
        /// The request id was claimed before in this session.
        ReplayDetected = "REPLAY_DETECTED", "this request id was used before; check the business state";
        /// The session resolver, the limiter or the replay guard failed, hung or is full.
        GuardUnavailable = "GUARD_UNAVAILABLE", "a guard did not answer";
        /// A defect of Pageport itself.
        Internal = "INTERNAL", "pageport failed; reload the page";
    }
}

codes! {
    /// Why the page did not do what was asked: `result.error.code` of a response with `ok: true` (Surface §4).
    BusinessCode {
        /// The record is unknown, gone or unavailable.
        RecordNotAvailable = "RECORD_NOT_AVAILABLE", "the record is not available";
        /// The user may not do this.
        PermissionDenied = "PERMISSION_DENIED", "permission denied";
        /// The capability is unavailable now.
        PreconditionFailed = "PRECONDITION_FAILED", "the capability is not available now";
        /// `expect` did not hold after the executor.
        ExpectationFailed = "EXPECTATION_FAILED", "the expected outcome was not observed";
        /// The person, or the gate, said no.
        ApprovalDenied = "APPROVAL_DENIED", "the action was not approved";
        /// Nobody answered in time.
        ApprovalExpired = "APPROVAL_EXPIRED", "nobody answered the confirmation in time";
        /// A person has to go on.
        HandoffRequired = "HANDOFF_REQUIRED", "a person has to take over";
        /// The caller, or the page, cancelled.
        Cancelled = "CANCELLED", "the call was cancelled";
        /// The executor took too long.
        TimedOut = "TIMED_OUT", "the action took too long";
        /// The executor threw.
        ExecutionFailed = "EXECUTION_FAILED", "the action failed";
        /// The executor's output is not JSON, too large, or not what its schema says.
        InvalidOutput = "INVALID_OUTPUT", "the action returned an unusable output";
    }
}

codes! {
    /// What `createPage` and the methods of a page throw at the developer: `PageportError.code`.
    PageCode {
        /// An option or a declaration breaks a rule; the message names its path.
        InvalidOption = "INVALID_OPTION", "an option is not valid";
        /// Something live has this id already.
        DuplicateId = "DUPLICATE_ID", "this id is taken";
        /// A documented bound was reached.
        LimitExceeded = "LIMIT_EXCEEDED", "a limit was reached";
        /// The page or the connection is closed.
        Closed = "CLOSED", "the page is closed";
        /// The page's Content-Security-Policy lacks `'wasm-unsafe-eval'`.
        WasmBlockedByCsp = "WASM_BLOCKED_BY_CSP", "the page's Content-Security-Policy blocks WebAssembly";
        /// The WebAssembly module could not be loaded.
        WasmLoadFailed = "WASM_LOAD_FAILED", "the WebAssembly module could not be loaded";
        /// Neither a page nor a worker.
        UnsupportedEnvironment = "UNSUPPORTED_ENVIRONMENT", "a page or a worker is needed";
    }
}

/// Whether `code` may be raised by an application: `^[A-Z][A-Z0-9_]{2,63}$` and not a protocol-level code.
#[must_use]
pub fn is_raisable(code: &str) -> bool {
    (3..=64).contains(&code.len())
        && code.starts_with(|first: char| first.is_ascii_uppercase())
        && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && ProtocolCode::parse(code).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_text_parses_back_and_none_stands_twice() {
        let mut seen: Vec<&str> = Vec::new();
        for code in ProtocolCode::ALL {
            assert_eq!(ProtocolCode::parse(code.as_str()), Some(*code));
            seen.push(code.as_str());
        }
        for code in BusinessCode::ALL {
            assert_eq!(BusinessCode::parse(code.as_str()), Some(*code));
            assert!(is_raisable(code.as_str()), "{}", code.as_str());
            seen.push(code.as_str());
        }
        let total = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), total);
    }

    #[test]
    fn an_application_may_raise_its_own_words_only() {
        let cases = [
            ("an own word", "ALREADY_APPROVED", true),
            ("three characters", "NO1", true),
            ("two characters", "NO", false),
            ("lower case", "Nope", false),
            ("a digit first", "1NO", false),
            ("a protocol code", "RATE_LIMITED", false),
            ("65 characters", &"A".repeat(65), false),
        ];
        for (case, code, expected) in cases {
            assert_eq!(is_raisable(code), expected, "{case}");
        }
    }
}
