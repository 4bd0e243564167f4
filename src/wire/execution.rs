//! The words of executions, shared by the host, its doors and the documentation (Host §5, §9).

words! {
    /// Where an execution stands.
    ExecutionState {
        /// Waits for its page and for a slot.
        Queued = "queued";
        /// Was sent to its page.
        Running = "running";
        /// Ended with a result.
        Succeeded = "succeeded";
        /// Ended without one.
        Failed = "failed";
        /// Was cancelled.
        Cancelled = "cancelled";
        /// Took too long somewhere.
        TimedOut = "timed_out";
        /// Its page, plugin or host went away.
        Interrupted = "interrupted";
    }
}

impl ExecutionState {
    /// Whether it never changes again.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

words! {
    /// Whether it is known what an execution did.
    ExecutionCertainty {
        /// Its handler never started.
        NotStarted = "not_started";
        /// What happened is known.
        Confirmed = "confirmed";
        /// It may have done something: not safe to try again.
        Unknown = "unknown";
    }
}

macro_rules! execution_codes {
    ($($(#[$doc:meta])* $name:ident = $wire:literal, $($state:ident)|+, $message:literal;)+) => {
        words! {
            /// Why an execution did not succeed: its `errorCode`.
            ExecutionCode { $($(#[$doc])* $name = $wire;)+ }
        }

        impl ExecutionCode {
            /// The states an execution with this code may have.
            #[must_use]
            pub const fn states(self) -> &'static [ExecutionState] {
                match self { $(Self::$name => &[$(ExecutionState::$state),+]),+ }
            }

            /// The phrase for it.
            #[must_use]
            pub const fn message(self) -> &'static str { match self { $(Self::$name => $message),+ } }
        }
    };
}

execution_codes! {
    /// Waited longer than the queue allows.
    QueueTimeout = "queue_timeout", TimedOut, "the execution waited too long for its page";
    /// The page did not claim it in time.
    ClaimTimeout = "claim_timeout", TimedOut, "the page did not claim the execution in time";
    /// No heartbeat came.
    HeartbeatTimeout = "heartbeat_timeout", TimedOut, "the page stopped reporting";
    /// The deadline passed.
    ExecutionTimeout = "execution_timeout", TimedOut, "the operation took too long";
    /// The reload's ticket expired.
    ReloadExpired = "reload_expired", TimedOut, "the page did not come back from its reload in time";
    /// The page has no handler for it.
    NoHandler = "no_handler", Failed, "the page has no handler for the operation";
    /// An earlier handler has not settled.
    PageBusyUnknown = "page_busy_unknown", Failed, "the page still runs something else; reload it";
    /// The page went, navigated, or is in another state.
    PageChanged = "page_changed", Interrupted, "the page changed or went away";
    /// The plugin was reloaded, disabled or removed.
    PluginChanged = "plugin_changed", Interrupted, "the plugin changed";
    /// The host stopped.
    HostStopped = "host_stopped", Interrupted, "the host stopped";
    /// The host started anew.
    HostRestarted = "host_restarted", Interrupted, "the host was restarted";
    /// The handler threw, or stopped unasked.
    PageExecutionFailed = "page_execution_failed", Failed | Cancelled, "the operation failed on the page";
    /// The reload failed.
    ReloadFailed = "reload_failed", Failed, "the page could not be reloaded";
    /// The result did not fit into the page's last message.
    ResultLost = "result_lost", Failed, "the result was lost when the page was left";
    /// The result is not what its schema says.
    InvalidOutput = "invalid_output", Failed, "the operation returned an unusable result";
    /// The result is too large.
    OutputTooLarge = "output_too_large", Failed, "the operation returned too much";
    /// The result's page of items contradicts itself.
    InvalidPagination = "invalid_pagination", Failed, "the operation returned a wrong count or cursor";
    /// The plugin's hook failed.
    ResultProcessingFailed = "result_processing_failed", Failed, "the plugin could not process the result";
    /// It ended by itself after a cancel request; the result is dropped.
    CancelUnconfirmed = "cancel_unconfirmed", Cancelled, "cancelled, but the operation may have finished";
}

macro_rules! api_codes {
    ($($(#[$doc:meta])* $name:ident = $wire:literal, $status:literal, $message:literal;)+) => {
        words! {
            /// Why the host refused a request of a program, a person or an agent: `error.code`.
            ApiCode { $($(#[$doc])* $name = $wire;)+ }
        }

        impl ApiCode {
            /// The HTTP status.
            #[must_use]
            pub const fn status(self) -> u16 { match self { $(Self::$name => $status),+ } }

            /// The phrase sent where nothing more precise is known.
            #[must_use]
            pub const fn message(self) -> &'static str { match self { $(Self::$name => $message),+ } }
        }
    };
}

api_codes! {
    /// The arguments, or the operation's input, break a rule.
    InvalidInput = "invalid_input", 400, "the input is not valid";
    /// The batch is empty, too long, or one of its items is refused.
    InvalidBatch = "invalid_batch", 400, "the batch is not valid";
    /// The resource or its action does not fit.
    InvalidResource = "invalid_resource", 400, "the resource is not valid here";
    /// The range of a text read does not fit.
    InvalidRange = "invalid_range", 400, "the range is not valid";
    /// The token is missing or wrong.
    Unauthorized = "unauthorized", 401, "not authorised";
    /// The operation is not exposed to automation.
    AutomationDisabled = "automation_disabled", 403, "automation is switched off for this operation";
    /// Only the inspector may do this.
    DesktopOnly = "desktop_only", 403, "this is only possible in the inspector";
    /// Nothing has this id.
    NotFound = "not_found", 404, "there is nothing with this id";
    /// No such operation.
    OperationUnavailable = "operation_unavailable", 404, "there is no such operation";
    /// No page can run it now.
    PageUnavailable = "page_unavailable", 409, "no page can run this now";
    /// Several pages could run it.
    PageAmbiguous = "page_ambiguous", 409, "several pages can run this; name one";
    /// The page still runs something that has ended for the host.
    PageBusyUnknown = "page_busy_unknown", 409, "the page still runs something else; reload it";
    /// The key was used with other parameters.
    IdempotencyConflict = "idempotency_conflict", 409, "this key was used with other parameters";
    /// The operation cannot be cancelled while it runs.
    NotCancellable = "not_cancellable", 409, "this cannot be cancelled while it runs";
    /// Trying again could do something twice.
    RetryUnsafe = "retry_unsafe", 409, "trying again is not safe";
    /// Tried again often enough.
    RetryLimit = "retry_limit", 409, "this was tried again often enough";
    /// The cursor is not valid any more, or here.
    CursorExpired = "cursor_expired", 409, "the cursor is not valid any more";
    /// Another folder has this plugin's id.
    PluginExists = "plugin_exists", 409, "a plugin with this id is added already";
    /// The input is too large.
    InputTooLarge = "input_too_large", 413, "the input is too large";
    /// The body has another content type.
    UnsupportedType = "unsupported_type", 415, "the content type is not supported";
    /// Too much is active.
    QueueFull = "queue_full", 429, "too many executions are active";
    /// The history holds only work that may not be removed.
    HistoryFull = "history_full", 429, "the history is full";
    /// Too many requests.
    RateLimited = "rate_limited", 429, "too many requests";
    /// The store does not answer.
    StorageUnavailable = "storage_unavailable", 503, "the store is not available";
    /// The host is stopping.
    Stopping = "stopping", 503, "the host is stopping";
}

words! {
    /// Why no page can run an operation: `details.reason` of `page_unavailable`.
    UnavailableReason {
        /// No page of the plugin is open.
        NoPage = "no_page";
        /// It is not connected.
        Disconnected = "disconnected";
        /// It is not ready.
        NotReady = "not_ready";
        /// Somebody has to sign in there.
        LoginRequired = "login_required";
        /// Its URL is not one of `pageMatch`.
        NoMatch = "no_match";
        /// Its script does not handle the operation.
        NotDeclared = "not_declared";
    }
}

words! {
    /// Who asked for an execution.
    CallSource {
        /// A person in the inspector.
        Desktop = "desktop";
        /// The CLI, MCP or HTTP.
        Automation = "automation";
    }
}

words! {
    /// What became of an execution's result.
    ResultStatus {
        /// It can be read.
        Available = "available";
        /// Its time is over.
        Expired = "expired";
        /// It was removed.
        Cleaned = "cleaned";
        /// It was never stored.
        NeverPersisted = "never_persisted";
    }
}

words! {
    /// Whether an artifact can be read.
    ArtifactStatus {
        /// It can.
        Available = "available";
        /// It does not exist yet.
        Pending = "pending";
        /// Its time is over.
        Expired = "expired";
        /// It is gone.
        Unavailable = "unavailable";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_parses_back_and_belongs_to_a_terminal_state() {
        for code in ExecutionCode::ALL {
            assert_eq!(ExecutionCode::parse(code.as_str()), Some(*code));
            assert!(code.states().iter().all(|state| state.is_terminal()), "{}", code.as_str());
            assert!(!code.message().is_empty());
        }
        for code in ApiCode::ALL {
            assert_eq!(ApiCode::parse(code.as_str()), Some(*code));
            assert!((400..600).contains(&code.status()), "{}", code.as_str());
            assert!(!code.message().is_empty());
        }
    }
}
