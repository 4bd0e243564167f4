//! What goes into the page's state machine and what comes out.

use crate::wire::bridge::{
    AbortReason, AckBody, Answer, ByeReason, Call, Cancel, Claimed, CompleteBody, EventNumber, ExecutionId, Failure,
    Invoke, Login, OperationResult, ReloadAbortBody, ReloadBody, ResumeBody, Revision,
};
use crate::wire::execution::ExecutionCode;
use std::sync::Arc;

/// Names one POST.
pub type Ticket = u32;

/// Something happened. Late and repeated inputs are harmless.
#[derive(Clone, Debug)]
pub enum Input {
    /// The page may connect now.
    Connect,
    /// `/open` was answered: there is a new session.
    SessionOpened,
    /// `/open` was not; `jitter` is a random number from 0 to 1.
    OpenFailed {
        /// Why.
        failure: Failure,
        /// Spreads the next attempt.
        jitter: f64,
    },
    /// The stream delivers.
    StreamOpen,
    /// Something arrived on the stream, be it a comment.
    Heard,
    /// The stream ended, or was silent for too long; `jitter` is a random number from 0 to 1.
    StreamLost {
        /// Spreads the next attempt.
        jitter: f64,
    },
    /// The host refused the stream; `jitter` is a random number from 0 to 1.
    StreamRefused {
        /// Why.
        failure: Failure,
        /// Spreads the next attempt.
        jitter: f64,
    },
    /// `online`, or the page became visible: connect again at once.
    Wake,
    /// An `invoke` event; `attempt_id` is a new random id.
    Invoke {
        /// The event's number.
        number: EventNumber,
        /// The event.
        invoke: Invoke,
        /// For its claim.
        attempt_id: crate::wire::bridge::AttemptId,
    },
    /// A `cancel` event.
    Cancel {
        /// The event's number.
        number: EventNumber,
        /// The event.
        cancel: Cancel,
    },
    /// A `message` or `surface` event, which others handle.
    Event {
        /// The event's number.
        number: EventNumber,
    },
    /// A `bye` event.
    Bye(ByeReason),
    /// A POST is on its way: its time runs from here.
    Sent(Ticket),
    /// A POST was answered, or failed.
    Settled {
        /// Which.
        ticket: Ticket,
        /// How.
        answer: Answer,
    },
    /// A handler was registered.
    Handle(Box<str>),
    /// A handler was unregistered.
    Unhandle(Box<str>),
    /// `report(progress)`, 0–100; `None` keeps the last one.
    Progress {
        /// The execution.
        execution_id: ExecutionId,
        /// How far it is.
        progress: Option<f64>,
    },
    /// A handler returned or threw.
    HandlerSettled {
        /// The execution.
        execution_id: ExecutionId,
        /// How.
        outcome: Outcome,
    },
    /// `setState`.
    SetState(Snapshot),
    /// The document has another URL now.
    Navigated {
        /// The URL.
        url: Box<str>,
        /// The title.
        title: Box<str>,
    },
    /// `reload()`; `can_store` says whether the storage took a trial write.
    Reload {
        /// The execution.
        execution_id: ExecutionId,
        /// Whether a ticket can be stored.
        can_store: bool,
    },
    /// The document stays although it was to be reloaded.
    ReloadStayed(ExecutionId),
    /// A ticket was found, and removed, when the page started.
    TicketFound(StoredTicket),
    /// `pagehide` or `freeze`, first listener.
    Hidden,
    /// `pagehide` or `freeze`, last listener.
    Leave {
        /// Whether the page may come back from a cache.
        persisted: bool,
    },
    /// `pageshow` from a cache, or `resume`.
    Shown,
    /// Time passed.
    Tick,
}

/// How a handler ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It returned a result that is JSON.
    Returned(Arc<OperationResult>),
    /// It threw (`page_execution_failed`), or returned something else (`invalid_output`).
    Failed(ExecutionCode),
}

/// What the page says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The title; cut to 128 code points before it gets here.
    pub title: Box<str>,
    /// The URL.
    pub page_url: Box<str>,
    /// Whether operations may run.
    pub ready: bool,
    /// Whether somebody is signed in.
    pub login: Login,
    /// Names the current target.
    pub context: Box<str>,
}

/// What a page keeps across its one reload; times are the page's.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTicket {
    /// The execution.
    pub execution_id: ExecutionId,
    /// The host's ticket.
    pub ticket: Box<str>,
    /// The operation.
    pub operation_id: Box<str>,
    /// Milliseconds until it expires.
    pub expires_in_ms: f64,
}

/// Something to do. The driver performs effects in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// POST `/open` → [`Input::SessionOpened`], [`Input::OpenFailed`].
    OpenSession,
    /// GET the stream, after the event with this number → [`Input::StreamOpen`], [`Input::StreamLost`].
    OpenStream {
        /// `Last-Event-ID`.
        after: Option<EventNumber>,
    },
    /// End the stream.
    CloseStream,
    /// The event that was given as [`Input::Event`] is a new one.
    Deliver,
    /// The connection is over for good.
    Stop(Stopped),
    /// Send → [`Input::Sent`], [`Input::Settled`].
    Post {
        /// Names it.
        ticket: Ticket,
        /// What.
        call: PageCall,
    },
    /// The answer to a POST no longer matters: abort it, or ignore it.
    Drop(Ticket),
    /// Call the handler → [`Input::HandlerSettled`]. The input is in the answer to the claim.
    Start {
        /// The execution.
        execution_id: ExecutionId,
        /// Whose handler.
        operation_id: Box<str>,
        /// The claim's POST.
        ticket: Ticket,
        /// What else the handler gets.
        claimed: Box<Claimed>,
    },
    /// Abort a handler's signal.
    Abort {
        /// The execution.
        execution_id: ExecutionId,
        /// The word its reason carries.
        reason: AbortReason,
    },
    /// The promise of [`Input::SetState`] is the one of this number: the same one for the same number.
    StatePromise {
        /// The state's number.
        seq: u32,
    },
    /// A state was answered, or will not be.
    StateSettled {
        /// The state's number.
        seq: u32,
        /// Its revision, or why it has none.
        outcome: Result<Revision, StateFailure>,
    },
    /// Store the ticket, then reload → [`Input::Hidden`], [`Input::ReloadStayed`].
    StoreAndReload(StoredTicket),
    /// Remove a ticket and reject `reload()`.
    ReloadFailed(ExecutionId),
    /// Reject this call of `reload()`: there was one before, or the handler does not run.
    ReloadRefused(ExecutionId),
    /// A found ticket cannot be used; `hasPendingReload` is false from here.
    ResumeFailed(ExecutionId),
    /// Send the beacon.
    Leave {
        /// What the host should still know.
        reports: Vec<CompleteBody>,
        /// Whether the page will not come back.
        close: bool,
    },
    /// Call [`Input::Tick`] at this time, and no longer at the one before; `None` for never.
    Arm(Option<f64>),
}

/// A POST of the page with its body.
#[derive(Clone, Debug, PartialEq)]
pub enum PageCall {
    /// One that may share a POST with others.
    Call(Call),
    /// `/reload`
    Reload(ReloadBody),
    /// `/reload-abort`
    ReloadAbort(ReloadAbortBody),
    /// `/resume`
    Resume(ResumeBody),
    /// `/ack`
    Ack(AckBody),
}

/// Why a state has no revision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StateFailure {
    /// Another state took its place.
    Superseded,
    /// The page was left.
    Left,
    /// The host did not answer often enough, or refused.
    Failed(Failure),
    /// There is no connection, or it is over.
    NotConnected,
}

/// How a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The host was not reached yet.
    Connecting,
    /// The stream delivers.
    Open,
    /// It did before, and will be opened again.
    Reconnecting,
    /// It is over for good.
    Stopped,
}

/// Why a connection is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stopped {
    /// The host refused.
    Refused(Failure),
    /// The host said goodbye.
    Bye(ByeReason),
}
