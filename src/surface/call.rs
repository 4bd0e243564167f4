//! One request on its way: what the kernel asks the driver to do, what the driver answers, and what is known so far.

use super::registry::{Entry, Handle};
use super::{Capability, Confirmation, Grant, Presented, User};
use crate::wire::{BusinessError, Certainty, ConfirmRequest, InvokeResponse, Issue, Json, ProtocolError, RecordRef};
use std::rc::Rc;

/// The two clocks, as the driver read them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Now {
    /// Epoch milliseconds: expiry, claims, audit. The kernel never lets it step back.
    pub wall_ms: f64,
    /// Milliseconds of a clock that only goes forward: how long things take.
    pub mono_ms: f64,
}

/// Names one wait of one call; an answer with an older ticket is too late and ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallId {
    /// The place of the call; another call has it once this one is over.
    pub slot: u32,
    /// The wait.
    pub ticket: u32,
    /// The call, whatever it waits for.
    pub serial: u32,
}

/// What the driver is to do next; it answers with the [`Input`] named.
#[derive(Debug)]
pub enum Effect {
    /// Resolve the session and ask who is signed in → [`Input::Session`].
    ///
    /// With `now_only` a resolver that answers with a promise is not waited for → [`Input::SessionLater`].
    ResolveSession {
        /// Steps 2 and 7c wait; the check right before the executor does not.
        now_only: bool,
    },
    /// Ask the page's limiter → [`Input::Token`].
    TakeToken {
        /// The bucket.
        key: String,
        /// Now, in epoch milliseconds that never step back.
        now_ms: f64,
    },
    /// Ask the page's replay guard → [`Input::Claimed`].
    ClaimId {
        /// The session.
        session_id: String,
        /// The request.
        request_id: String,
        /// Until when, in epoch milliseconds.
        until_ms: f64,
    },
    /// Validate the input → [`Kernel::check_input`](super::Kernel::check_input).
    ValidateInput,
    /// Have the declaration's own validator look at the input → [`Input::Refined`].
    Refine,
    /// Read the arguments as Rust data → [`Input::Arguments`].
    ReadArguments,
    /// Ask the gate → [`Input::Confirmed`].
    Confirm(Box<ConfirmRequest>),
    /// Call a provider → [`Input::Read`].
    Read(Read),
    /// Call the executor → [`Input::Executed`].
    Execute(Box<Start>),
    /// Call `expect` with the output → [`Input::Expected`].
    Expect,
    /// Call `PageOptions.settle` → [`Input::Settled`].
    Settle,
    /// Send the response; the call is over.
    Respond(Reply),
    /// Nothing: the answer was too late, or the call is over already.
    Nothing,
}

/// A provider to call.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// `PageOptions.page` → `{ title, route }`.
    Identity,
    /// The object in focus → any value, or nothing.
    Object(Handle),
    /// A state key → any value.
    State(Handle),
    /// An `unavailable` provider → a list.
    Unavailable(Handle),
    /// A part of a source → `{ total, ids: [id], rows: [row] }`.
    Window {
        /// The source.
        source: Handle,
        /// Its first record.
        offset: f64,
        /// Records with fields.
        limit: f64,
        /// Records by id.
        ids: f64,
    },
    /// One record → a row `{ id, offscreen?, fields }`, or nothing.
    Record {
        /// The source.
        source: Handle,
        /// The record.
        id: String,
        /// Whether the executor gets the item.
        keep: bool,
    },
}

/// What the executor is given besides its input.
#[derive(Debug)]
pub struct Start {
    /// The registration whose executor runs.
    pub capability: Handle,
    /// The record of a row action.
    pub record: Option<RecordRef>,
    /// Whom it runs for.
    pub session: Rc<Grant>,
    /// The request.
    pub request_id: String,
    /// What the gate handed over for the executor.
    pub receipt: Option<Json>,
    /// Whether a gate was asked.
    pub confirmed: bool,
}

/// A response on its way out.
#[derive(Debug)]
pub enum Reply {
    /// The whole response as JSON text.
    Text(String),
    /// A response whose `result.output` the driver attaches.
    Output(Box<InvokeResponse>),
}

/// A guard, a provider or a gate threw, rejected, or gave something unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// What the driver answers.
#[derive(Debug)]
pub enum Input {
    /// To [`Effect::ResolveSession`].
    Session(Result<(Presented, User), Failed>),
    /// To [`Effect::ResolveSession`] with `now_only`: it would take a promise.
    SessionLater,
    /// To [`Effect::TakeToken`]: taken, or when to come back.
    Token(Result<Result<(), Option<f64>>, Failed>),
    /// To [`Effect::ClaimId`]: whether the id is this request's.
    Claimed(Result<bool, Failed>),
    /// To [`Effect::ValidateInput`].
    Validated {
        /// What is wrong; empty when nothing is.
        issues: Vec<Issue>,
        /// The record named in the input.
        record: Option<String>,
    },
    /// To [`Effect::Refine`]: what is wrong; empty when nothing is.
    Refined(Result<Vec<Issue>, Failed>),
    /// To [`Effect::ReadArguments`].
    Arguments(Json),
    /// To [`Effect::Confirm`].
    Confirmed(Result<Confirmation, Failed>),
    /// To [`Effect::Read`]; `Json::Null` for nothing.
    Read(Result<Json, Failed>),
    /// To [`Effect::Execute`].
    Executed(Ran),
    /// To [`Effect::Expect`].
    Expected(bool),
    /// To [`Effect::Settle`].
    Settled,
    /// The wait took too long.
    TimedOut,
}

/// How an executor ended.
#[derive(Debug)]
pub enum Ran {
    /// With an output that is JSON, small enough and what its schema says.
    Output,
    /// With something else.
    BadOutput,
    /// It raised a `SurfaceError`.
    Raised(Raised),
    /// It threw anything else.
    Threw,
}

/// A `SurfaceError` from page code.
#[derive(Debug)]
pub struct Raised {
    /// What the agent is told.
    pub error: BusinessError,
    /// The executor says it had no effect.
    pub not_executed: bool,
}

/// Where a call stands; each name is what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Step 2.
    Session,
    /// Step 4.
    Token,
    /// Step 5.
    Claim,
    /// Step 6.
    Validation,
    /// Step 6, the declaration's own validator.
    Refinement,
    /// Step 7a.
    Availability,
    /// Step 7b, first half: the arguments for the binding.
    Arguments,
    /// Step 7b.
    Confirmation,
    /// Step 7c.
    SessionAgain,
    /// Step 7d.
    AvailabilityAgain,
    /// The state before, for `changed`.
    Before,
    /// Step 7e, first half.
    LastCheck,
    /// Step 7e.
    Executor,
    /// `expect`.
    Expectation,
    /// The page's own flush.
    Settling,
    /// What changed, for `changed` and `after`.
    After,
    /// The context of a describe.
    Context,
}

impl Phase {
    /// Whether the executor has been called.
    pub(super) const fn is_started(self) -> bool {
        matches!(self, Self::Executor | Self::Expectation | Self::Settling | Self::After)
    }
}

/// How an executor ended, kept until the response is made.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) error: Option<BusinessError>,
    pub(super) executed: Certainty,
    pub(super) failed_expectation: bool,
}

/// What is known of a request.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) ticket: u32,
    pub(super) serial: u32,
    pub(super) executor_ticket: Option<u32>,
    pub(super) connection: u32,
    pub(super) transport: Option<String>,
    pub(super) began: Now,
    pub(super) due_ms: f64,
    pub(super) run_due_ms: f64,
    pub(super) read_due_ms: f64,
    pub(super) phase: Phase,
    pub(super) method: &'static str,
    pub(super) request_id: Option<String>,
    pub(super) capability_id: String,
    /// The record that the input names.
    pub(super) named_record: Option<String>,
    pub(super) options: Json,
    pub(super) since: Option<String>,
    pub(super) session: Option<Rc<Grant>>,
    pub(super) capability: Option<Rc<Entry<Capability>>>,
    pub(super) record: Option<RecordRef>,
    pub(super) waited: bool,
    pub(super) arguments_hash: String,
    pub(super) confirmation: Option<Confirmation>,
    pub(super) said_changed: Option<bool>,
    pub(super) observed: bool,
    pub(super) fields_before: Option<Json>,
    pub(super) states_before: Vec<(String, Json)>,
    pub(super) reading: super::context::Reading,
    pub(super) ending: Option<Ending>,
}

impl Call {
    /// Starts to read providers, with their time all before them.
    pub(super) fn begin_reading(&mut self) {
        self.reading = super::context::Reading::default();
        self.read_due_ms = f64::INFINITY;
    }

    pub(super) fn new(connection: u32, began: Now) -> Self {
        Self {
            ticket: 0,
            serial: 0,
            executor_ticket: None,
            connection,
            transport: None,
            began,
            due_ms: f64::INFINITY,
            run_due_ms: f64::INFINITY,
            read_due_ms: f64::INFINITY,
            phase: Phase::Session,
            method: "other",
            request_id: None,
            capability_id: String::new(),
            named_record: None,
            options: Json::Null,
            since: None,
            session: None,
            capability: None,
            record: None,
            waited: false,
            arguments_hash: String::new(),
            confirmation: None,
            said_changed: None,
            observed: false,
            fields_before: None,
            states_before: Vec::new(),
            reading: super::context::Reading::default(),
            ending: None,
        }
    }
}

/// Why a call goes no further.
pub(super) enum Stop {
    /// `ok: false`.
    Protocol(ProtocolError),
    /// `result.error`, before the executor was called.
    Business(BusinessError),
}
