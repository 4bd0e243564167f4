//! Every legal transition of an execution on the page, as data: tests visit each, the documentation lists them.

/// Where an execution stands on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunState {
    /// The page never heard of it.
    Unknown,
    /// It waits for a state that is on its way.
    Waiting,
    /// The host is asked whether the page may run it.
    Claiming,
    /// The host is told that the page will not run it.
    Rejecting,
    /// Its handler runs.
    Running,
    /// Its handler runs, with an aborted signal.
    Aborted,
    /// Its handler asked for a reload.
    Reloading,
    /// Its handler runs although its end was reported, or nobody waits for it: the page is busy.
    Detached,
    /// Its end is being reported.
    Reporting,
    /// Its end could not be reported yet.
    Kept,
    /// The page is done with it.
    Ended,
}

/// What moves it, as the page sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum On {
    /// Its invoke event.
    Invoke,
    /// Its cancel event.
    Cancel,
    /// A state was answered.
    State,
    /// Its claim was answered.
    Claim,
    /// Its rejection was answered.
    Reject,
    /// A heartbeat was answered.
    Beat,
    /// Its terminal report was answered, or another POST while it was kept.
    Report,
    /// Its handler settled.
    Handler,
    /// Its handler asked for a reload.
    Reload,
    /// The host answered that.
    ReloadTicket,
    /// The document stayed.
    ReloadStayed,
    /// Time passed.
    Tick,
    /// The document has another URL, as it is noticed or as a state says.
    Navigated,
    /// The page was hidden.
    Hidden,
    /// The page sent its last word.
    Leave,
    /// The page is back, or its stream is open again.
    Shown,
    /// The host no longer knows the session, or the connection is over.
    Gone,
}

/// One legal transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it stood.
    pub from: RunState,
    /// What happened.
    pub on: On,
    /// Where it stands now.
    pub to: RunState,
    /// When it goes this way.
    pub when: &'static str,
}

macro_rules! transitions {
    ($($from:ident { $($on:ident => $to:ident, $when:literal;)+ })+) => {
        /// All of them. What is not listed does not happen: an input that comes too late, twice or out of place
        /// changes nothing.
        pub const TRANSITIONS: &[Transition] = &[$($(
            Transition { from: RunState::$from, on: On::$on, to: RunState::$to, when: $when },
        )+)+];
    };
}

transitions! {
    Unknown {
        Invoke => Waiting, "a state is on its way";
        Invoke => Claiming, "the revision is the page's";
        Invoke => Rejecting, "no time, no handler, busy, or another revision";
    }
    Waiting {
        State => Claiming, "the revision is the page's";
        State => Rejecting, "the revision is another one, or the state failed";
        Cancel => Ended, "the host needs no answer";
        Navigated => Rejecting, "stale_revision";
        Tick => Claiming, "the state takes too long and the revision is the page's";
        Tick => Rejecting, "the state takes too long and the revision is another one, or the deadline passed";
        Leave => Kept, "told by the beacon: not started";
        Shown => Reporting, "hidden and back without a last word: not started";
        Gone => Ended, "nobody waits for it";
    }
    Claiming {
        Claim => Running, "the host agrees and nothing changed";
        Claim => Reporting, "the host agrees but something changed, or it never answered: not started";
        Claim => Kept, "the same, while the page is hidden";
        Claim => Ended, "the host refuses";
        Cancel => Reporting, "between two attempts";
        State => Reporting, "between two attempts, and the revision is another one";
        Navigated => Reporting, "between two attempts";
        Tick => Reporting, "no answer came: not started";
        Tick => Kept, "no answer came and the page is hidden";
        Leave => Kept, "told by the beacon: not started";
        Gone => Ended, "nobody waits for it";
    }
    Rejecting {
        Reject => Ended, "the host knows, or it was said often enough";
        Tick => Ended, "it was said often enough, or the claim window is over";
        Leave => Kept, "told by the beacon: not started";
        Gone => Ended, "nobody waits for it";
    }
    Running {
        Handler => Reporting, "succeeded, or failed";
        Cancel => Aborted, "cancelled";
        Beat => Aborted, "the caller cancelled, or the host refuses";
        State => Aborted, "page_changed: the revision is another one";
        Navigated => Aborted, "page_changed";
        Hidden => Aborted, "page_hidden";
        Tick => Aborted, "timed_out, or lost_connection after 75 s without an answer";
        Reload => Reloading, "allowed, for the first time";
        Gone => Detached, "lost_connection";
    }
    Aborted {
        Handler => Reporting, "cancelled, with the reason";
        Handler => Kept, "the same, while the page is hidden";
        Leave => Detached, "told by the beacon: cancelled, not stopped";
        Gone => Detached, "nobody waits for it";
    }
    Reloading {
        ReloadTicket => Running, "the host refuses";
        ReloadTicket => Aborted, "aborted meanwhile";
        ReloadTicket => Reporting, "the host refuses, or aborted meanwhile, and the handler has settled";
        ReloadTicket => Kept, "the same, while the page is hidden";
        ReloadStayed => Running, "reload_failed";
        ReloadStayed => Aborted, "reload_failed, and aborted meanwhile";
        ReloadStayed => Reporting, "reload_failed, and the handler has settled";
        ReloadStayed => Kept, "the same, while the page is hidden";
        Tick => Running, "no ticket came, or the document stayed for 30 s";
        Tick => Aborted, "the same, and aborted meanwhile";
        Tick => Reporting, "the same, and the handler has settled";
        Tick => Kept, "the same, while the page is hidden";
        Leave => Detached, "the page goes into a cache instead: cancelled, not stopped";
        Leave => Kept, "the same, and the handler has settled";
        Gone => Detached, "lost_connection";
        Gone => Ended, "the handler has settled, nobody waits for it";
    }
    Detached {
        Handler => Reporting, "its end was reported: it has stopped";
        Handler => Kept, "the same, while the page is hidden";
        Handler => Ended, "nobody waits for it";
    }
    Reporting {
        Report => Ended, "the host knows";
        Report => Kept, "it was said often enough";
        Tick => Kept, "it was said often enough";
        Leave => Kept, "told by the beacon, and said again if the page comes back";
        Gone => Ended, "nobody waits for it";
    }
    Kept {
        Report => Ended, "the host knows, or newer reports needed the room";
        Gone => Ended, "nobody waits for it";
    }
}
