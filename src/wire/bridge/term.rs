//! The words of the protocol (Operations §1, §2, §4).

words! {
    /// Why a handler's signal was aborted: the `message` of its reason.
    AbortReason {
        /// The caller cancelled.
        Cancelled = "cancelled";
        /// The page is another one: its URL, login, context or readiness changed.
        PageChanged = "page_changed";
        /// The page was hidden for good or for the back-forward cache.
        PageHidden = "page_hidden";
        /// The host is out of reach, or no longer knows the page.
        LostConnection = "lost_connection";
        /// The deadline passed.
        TimedOut = "timed_out";
    }
}

words! {
    /// What the page says about the person's login.
    Login {
        /// It does not say.
        Unknown = "unknown";
        /// Somebody is signed in.
        Authenticated = "authenticated";
        /// Somebody has to sign in.
        Required = "required";
    }
}

words! {
    /// Why a page does not even claim an execution.
    RejectCode {
        /// No time is left.
        Expired = "expired";
        /// No handler is registered.
        NoHandler = "no_handler";
        /// An earlier handler has not settled.
        PageBusyUnknown = "page_busy_unknown";
        /// The page has another revision, or none.
        StaleRevision = "stale_revision";
    }
}

words! {
    /// How a page says an execution ended.
    TerminalState {
        /// The handler returned a result.
        Succeeded = "succeeded";
        /// The handler failed; `code` says how.
        Failed = "failed";
        /// The signal was aborted; `reason` says why.
        Cancelled = "cancelled";
    }
}

words! {
    /// Why the host ends a stream.
    ByeReason {
        /// A newer stream of the same session took over.
        Replaced = "replaced";
        /// The plugin was reloaded: open again with its new script.
        PluginChanged = "plugin_changed";
        /// The plugin was removed or disabled.
        Removed = "removed";
        /// The host stops; it may come back.
        Stopping = "stopping";
    }
}
