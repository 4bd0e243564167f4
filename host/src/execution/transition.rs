//! Every transition of an execution, as data (Host §5).
//!
//! What is not in the table does not happen: a late or repeated input finds no row and changes nothing.

use super::{EndCode, State};
use pageport::wire::bridge::AbortReason as Reason;

/// Where an execution is, finer than its state: what may happen next depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Waits for a slot.
    Queued,
    /// Dispatched, not claimed.
    Sent,
    /// Claimed: the handler may run.
    Claimed,
    /// Claimed, and a cancel was asked for.
    Cancelling,
    /// Terminal.
    Ended,
}

impl Phase {
    /// Every phase.
    pub const ALL: &[Self] = &[Self::Queued, Self::Sent, Self::Claimed, Self::Cancelling, Self::Ended];

    /// Whether a handler may be running on the page.
    #[must_use]
    pub const fn is_claimed(self) -> bool {
        matches!(self, Self::Claimed | Self::Cancelling)
    }
}

/// What can happen to an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is a row of the table below, which says what it does")]
pub enum Happening {
    Dispatch,
    Claim,
    Cancel,
    QueueDue,
    ClaimDue,
    SilenceDue,
    DeadlineDue,
    RejectNoHandler,
    RejectBusy,
    RejectStale,
    RejectExpired,
    PageLost,
    PluginChanged,
    HostStopped,
    HostRestarted,
    /// The page reports `cancelled` because of a change of the page or of the connection.
    PageAborted,
    /// The page reports `cancelled` because its time was over.
    PageTimedOut,
    /// The page reports `cancelled` for any other reason.
    PageCancelled,
    PageFailed,
    ReloadFailed,
    ResultLost,
    Succeeded,
    InvalidOutput,
    OutputTooLarge,
    InvalidPagination,
}

/// What a transition makes of the certainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// Leaves it.
    Same,
    /// Effects may happen from here on.
    Unknown,
    /// What happened is known.
    Confirmed,
    /// Confirmed when the operation only reads and may be repeated.
    ConfirmedIfSafe,
}

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To a phase in which it still runs.
    Phase(Phase),
    /// To its end.
    End(State, Option<EndCode>),
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// From any of these phases …
    pub from: &'static [Phase],
    /// … when this happens …
    pub on: Happening,
    /// … to here.
    pub to: Goal,
    /// What it says of the certainty.
    pub sureness: Sureness,
    /// Sent to a page that was told of the execution.
    pub tell: Option<Reason>,
    /// Whether it sets `cancelConfirmed`.
    pub confirms: bool,
}

const QUEUED: &[Phase] = &[Phase::Queued];
const SENT: &[Phase] = &[Phase::Sent];
const CLAIMED: &[Phase] = &[Phase::Claimed];
const CANCELLING: &[Phase] = &[Phase::Cancelling];
const HANDLED: &[Phase] = &[Phase::Claimed, Phase::Cancelling];
const DISPATCHED: &[Phase] = &[Phase::Sent, Phase::Claimed, Phase::Cancelling];
const UNCLAIMED: &[Phase] = &[Phase::Queued, Phase::Sent];
const LIVE: &[Phase] = &[Phase::Queued, Phase::Sent, Phase::Claimed, Phase::Cancelling];

const fn go(from: &'static [Phase], on: Happening, to: Phase) -> Transition {
    Transition { from, on, to: Goal::Phase(to), sureness: Sureness::Same, tell: None, confirms: false }
}

const fn end(from: &'static [Phase], on: Happening, state: State, code: EndCode) -> Transition {
    Transition { from, on, to: Goal::End(state, Some(code)), sureness: Sureness::Same, tell: None, confirms: false }
}

impl Transition {
    const fn plain(mut self) -> Self {
        if let Goal::End(state, _) = self.to {
            self.to = Goal::End(state, None);
        }
        self
    }

    const fn sure(mut self, sureness: Sureness) -> Self {
        self.sureness = sureness;
        self
    }

    const fn tell(mut self, reason: Reason) -> Self {
        self.tell = Some(reason);
        self
    }

    const fn confirm(mut self) -> Self {
        self.confirms = true;
        self
    }
}

use EndCode as Code;
use Happening as On;
use Sureness::{Confirmed, ConfirmedIfSafe, Unknown};

/// The table.
#[rustfmt::skip]
pub const TRANSITIONS: &[Transition] = &[
    go(QUEUED, On::Dispatch, Phase::Sent),
    go(SENT, On::Claim, Phase::Claimed).sure(Unknown),

    end(QUEUED, On::QueueDue, State::TimedOut, Code::QueueTimeout),
    end(SENT, On::ClaimDue, State::TimedOut, Code::ClaimTimeout).tell(Reason::TimedOut),
    end(HANDLED, On::SilenceDue, State::TimedOut, Code::HeartbeatTimeout).tell(Reason::LostConnection),
    end(DISPATCHED, On::DeadlineDue, State::TimedOut, Code::ExecutionTimeout).tell(Reason::TimedOut),

    end(SENT, On::RejectNoHandler, State::Failed, Code::NoHandler),
    end(SENT, On::RejectBusy, State::Failed, Code::PageBusyUnknown),
    end(SENT, On::RejectStale, State::Interrupted, Code::PageChanged),
    end(SENT, On::RejectExpired, State::TimedOut, Code::ExecutionTimeout),

    end(LIVE, On::PageLost, State::Interrupted, Code::PageChanged).tell(Reason::PageChanged),
    end(LIVE, On::PluginChanged, State::Interrupted, Code::PluginChanged).tell(Reason::LostConnection),
    end(LIVE, On::HostStopped, State::Interrupted, Code::HostStopped).tell(Reason::LostConnection),
    end(LIVE, On::HostRestarted, State::Interrupted, Code::HostRestarted),

    end(UNCLAIMED, On::Cancel, State::Cancelled, Code::PageExecutionFailed).plain().confirm().tell(Reason::Cancelled),
    go(CLAIMED, On::Cancel, Phase::Cancelling).tell(Reason::Cancelled),

    end(DISPATCHED, On::PageAborted, State::Interrupted, Code::PageChanged),
    end(DISPATCHED, On::PageTimedOut, State::TimedOut, Code::ExecutionTimeout),
    end(SENT, On::PageCancelled, State::Cancelled, Code::PageExecutionFailed).confirm(),
    end(CLAIMED, On::PageCancelled, State::Cancelled, Code::PageExecutionFailed).confirm(),
    end(CANCELLING, On::PageCancelled, State::Cancelled, Code::PageExecutionFailed).plain().confirm(),

    end(CLAIMED, On::PageFailed, State::Failed, Code::PageExecutionFailed).sure(ConfirmedIfSafe),
    end(CLAIMED, On::ReloadFailed, State::Failed, Code::ReloadFailed).sure(ConfirmedIfSafe),
    end(CLAIMED, On::ResultLost, State::Failed, Code::ResultLost).sure(ConfirmedIfSafe),
    end(CLAIMED, On::InvalidOutput, State::Failed, Code::InvalidOutput).sure(ConfirmedIfSafe),
    end(CLAIMED, On::OutputTooLarge, State::Failed, Code::OutputTooLarge).sure(ConfirmedIfSafe),
    end(CLAIMED, On::InvalidPagination, State::Failed, Code::InvalidPagination).sure(ConfirmedIfSafe),
    end(CLAIMED, On::Succeeded, State::Succeeded, Code::PageExecutionFailed).plain().sure(Confirmed),

    end(CANCELLING, On::PageFailed, State::Cancelled, Code::CancelUnconfirmed),
    end(CANCELLING, On::ReloadFailed, State::Cancelled, Code::CancelUnconfirmed),
    end(CANCELLING, On::ResultLost, State::Cancelled, Code::CancelUnconfirmed),
    end(CANCELLING, On::InvalidOutput, State::Cancelled, Code::CancelUnconfirmed),
    end(CANCELLING, On::OutputTooLarge, State::Cancelled, Code::CancelUnconfirmed),
    end(CANCELLING, On::InvalidPagination, State::Cancelled, Code::CancelUnconfirmed),
    end(CANCELLING, On::Succeeded, State::Cancelled, Code::CancelUnconfirmed),
];

/// The line for a phase and a happening, when there is one.
#[must_use]
pub fn transition(from: Phase, on: Happening) -> Option<&'static Transition> {
    TRANSITIONS.iter().find(|row| row.on == on && row.from.contains(&from))
}
