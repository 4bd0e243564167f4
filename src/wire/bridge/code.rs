//! Why the host refuses what a page sent: code, HTTP status and what the page does, one table (Operations §4).

/// What the page does about a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Abort what runs, drop kept reports, open a new session, send the state again.
    Reopen,
    /// Stop for good; the connection's state says why.
    Stop,
    /// That call fails and is not sent again.
    Fail,
    /// That execution ends on the page; nothing is sent again.
    End,
    /// Send again, as far as the call allows it.
    Retry,
}

macro_rules! bridge_codes {
    ($($(#[$doc:meta])* $name:ident = $wire:literal, $status:literal, $reaction:ident, $message:literal;)+) => {
        words! {
            /// Why the host refused a call of a page: `error.code` of its reply.
            BridgeCode { $($(#[$doc])* $name = $wire;)+ }
        }

        impl BridgeCode {
            /// The HTTP status of a reply with this code.
            #[must_use]
            pub const fn status(self) -> u16 { match self { $(Self::$name => $status),+ } }

            /// What the page does about it.
            #[must_use]
            pub const fn reaction(self) -> Reaction { match self { $(Self::$name => Reaction::$reaction),+ } }

            /// The phrase sent where nothing more precise is known.
            #[must_use]
            pub const fn message(self) -> &'static str { match self { $(Self::$name => $message),+ } }
        }
    };
}

bridge_codes! {
    /// The body is not what the call takes.
    InvalidInput = "invalid_input", 400, Fail, "the body is not valid";
    /// The token is unknown: the session ended, or the host started anew.
    SessionGone = "session_gone", 401, Reopen, "the page session is gone";
    /// The page's origin may not use this plugin.
    OriginRefused = "origin_refused", 403, Stop, "this origin is not allowed";
    /// The credential is unknown or revoked.
    CredentialRefused = "credential_refused", 403, Stop, "the credential is not valid";
    /// There is no such call, or nothing with this id.
    NotFound = "not_found", 404, Fail, "there is nothing here";
    /// The page was loaded with another revision of its state.
    StaleRevision = "stale_revision", 409, End, "the page has another revision now";
    /// Another attempt claimed the execution.
    AlreadyClaimed = "already_claimed", 409, End, "the execution is claimed already";
    /// The execution has ended.
    ExecutionEnded = "execution_ended", 409, End, "the execution has ended";
    /// The execution waits for its page to load again.
    ReloadPending = "reload_pending", 409, End, "the execution waits for a reload";
    /// The ticket does not fit this page.
    ReloadMismatch = "reload_mismatch", 409, End, "the ticket does not fit this page";
    /// The plugin has another version now.
    PluginChanged = "plugin_changed", 410, Stop, "the plugin has changed; load the page again";
    /// The body is too large.
    TooLarge = "too_large", 413, Fail, "the body is too large";
    /// The body has another content type.
    UnsupportedType = "unsupported_type", 415, Fail, "the content type is not supported";
    /// Too many calls.
    RateLimited = "rate_limited", 429, Retry, "too many calls";
    /// All sessions of the plugin are busy.
    SessionLimit = "session_limit", 429, Retry, "too many pages are connected";
    /// A defect of the host.
    Internal = "internal", 500, Retry, "the host failed";
    /// The store does not answer.
    StorageUnavailable = "storage_unavailable", 503, Retry, "the store is not available";
    /// The host is stopping.
    Stopping = "stopping", 503, Retry, "the host is stopping";
}

impl Reaction {
    /// The reaction to a code from a newer host, by its HTTP status.
    #[must_use]
    pub const fn to_status(status: u16) -> Self {
        match status {
            401 => Self::Reopen,
            403 | 410 => Self::Stop,
            408 | 429 | 500.. => Self::Retry,
            409 => Self::End,
            _ => Self::Fail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reacts_as_its_status_and_parses_back() {
        for code in BridgeCode::ALL {
            assert_eq!(BridgeCode::parse(code.as_str()), Some(*code));
            assert_eq!(Reaction::to_status(code.status()), code.reaction(), "{}", code.as_str());
            assert!(!code.message().is_empty());
        }
    }
}
