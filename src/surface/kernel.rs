//! The kernel: what a page declared, who is connected, and every call under way. The steps are in `pipeline`.

use super::audit::RefusalMeter;
use super::call::{Call, CallId, Effect, Input, Now, Phase};
use super::envelope::{Envelope, EnvelopeKeys};
use super::registry::View;
use super::shown::Shown;
use super::{AuditQueue, Grant, Materials, RateLimiter, Registry, ReplayGuard, Scope, SessionMemory, User};
use crate::schema::{Interner, Value};
use crate::wire::{Feedback, Json, NumberText, ProtocolCode, ProtocolError, Rate, limits};
use std::cell::RefCell;
use std::rc::Rc;

/// How a page is set up. Everything else of `PageOptions` is the driver's business.
#[derive(Clone, Debug)]
pub struct Config {
    /// `PageOptions.app`.
    pub app: String,
    /// Names this document; random.
    pub page_session_id: String,
    /// Makes the names of `ref` fields unpredictable; random.
    pub secret: u64,
    /// `C_host`.
    pub allow: Option<Scope>,
    /// The scope of open mode, when it is on.
    pub open_scope: Option<Scope>,
    /// Records of one window at most.
    pub max_records: usize,
    /// UTF-16 units of a result at most.
    pub max_result_units: usize,
    /// The token bucket of each session.
    pub rate: Rate,
    /// Whether the page brings its own limiter.
    pub own_limiter: bool,
    /// Whether the page brings its own replay guard.
    pub own_guard: bool,
    /// Whether the page brings its own `confirm`; else the built-in dialog asks, and only so many may wait for it.
    pub own_gate: bool,
    /// Whether the page has a `settle`.
    pub settles: bool,
    /// Whether the page has an audit sink.
    pub audits: bool,
    /// Prints numbers as ECMAScript does.
    pub number_text: NumberText,
}

/// A client, or the page itself.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) transport: String,
    open: Option<Rc<Grant>>,
    outstanding: usize,
    pub(super) refusals: RefusalMeter,
    is_open: bool,
}

/// A notice of the page.
#[derive(Debug)]
pub(super) struct Notice {
    pub(super) number: u64,
    pub(super) item: Feedback,
    pub(super) audience: Option<Scope>,
    pub(super) session_id: Option<String>,
}

/// Something for the page's `onError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What went wrong, in plain words.
    pub message: String,
    /// The capability concerned.
    pub capability: Option<String>,
    /// The provider concerned.
    pub provider: Option<String>,
}

/// One page. Pure: every input is an argument, every effect is returned.
#[derive(Debug)]
pub struct Kernel {
    pub(super) config: Config,
    pub(super) keys: Rc<RefCell<Interner>>,
    envelope_keys: EnvelopeKeys,
    pub(super) registry: Registry,
    pub(super) sessions: SessionMemory<Shown>,
    pub(super) limiter: RateLimiter,
    pub(super) replay: ReplayGuard,
    pub(super) materials: Materials,
    pub(super) notices: Vec<Notice>,
    pub(super) notice_count: u64,
    pub(super) connections: Vec<Connection>,
    calls: Vec<Option<Box<Call>>>,
    free: Vec<u32>,
    tickets: u32,
    pub(super) audit: AuditQueue,
    pub(super) reports: Vec<Report>,
    pub(super) user: User,
    clock_ms: f64,
}

impl Kernel {
    /// A page that has declared nothing yet. `keys` are the names that schemas and envelopes ask for.
    #[must_use]
    pub fn new(config: Config, keys: Rc<RefCell<Interner>>) -> Self {
        let envelope_keys = EnvelopeKeys::new(&mut keys.borrow_mut());
        Self {
            envelope_keys,
            keys,
            registry: Registry::default(),
            sessions: SessionMemory::default(),
            limiter: RateLimiter::new(config.rate),
            replay: ReplayGuard::default(),
            materials: Materials::default(),
            notices: Vec::new(),
            notice_count: 0,
            connections: Vec::new(),
            calls: Vec::new(),
            free: Vec::new(),
            tickets: 0,
            audit: AuditQueue::default(),
            reports: Vec::new(),
            user: User::Unchecked,
            clock_ms: f64::NEG_INFINITY,
            config,
        }
    }

    pub(super) fn call(&self, id: CallId) -> Option<&Call> {
        self.calls.get(id.slot as usize)?.as_deref().filter(|call| call.serial == id.serial)
    }

    /// The calls that wait for the person.
    pub(super) fn confirming(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter().flatten().map(Box::as_ref).filter(|call| call.phase == Phase::Confirmation)
    }

    /// The call whose executor was started under this ticket.
    pub(super) fn running(&mut self, slot: u32, ticket: u32) -> Option<&mut Call> {
        let call = self.calls.get_mut(slot as usize)?.as_deref_mut()?;
        (call.executor_ticket == Some(ticket)).then_some(call)
    }

    pub(super) fn take_running(&mut self, slot: u32, ticket: u32) -> Option<Box<Call>> {
        let place = self.calls.get_mut(slot as usize)?;
        place.take_if(|call| call.executor_ticket == Some(ticket))
    }

    pub(super) fn return_running(&mut self, slot: u32, call: Box<Call>) {
        self.calls[slot as usize] = Some(call);
    }

    /// Opens a connection; `session_id` is random and used in open mode only.
    pub fn open_connection(&mut self, transport: String, session_id: String) -> u32 {
        let open = self.config.open_scope.clone().map(|scope| Rc::new(Grant::open(session_id, scope)));
        let refusals = RefusalMeter::default();
        let connection = Connection { transport, open, outstanding: 0, refusals, is_open: true };
        let unused = |old: &Connection| !old.is_open && old.outstanding == 0 && !old.refusals.owes();
        let place = self.connections.iter().position(unused).unwrap_or(self.connections.len());
        if place == self.connections.len() {
            self.connections.push(connection);
        } else {
            self.connections[place] = connection;
        }
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// Closes a connection and returns its calls that have to be cancelled; a started executor goes on.
    pub fn close_connection(&mut self, connection: u32) -> Vec<CallId> {
        let Some(closed) = self.connections.get_mut(connection as usize) else { return Vec::new() };
        closed.is_open = false;
        if let Some(open) = &closed.open {
            self.replay.forget(&open.session_id);
        }
        self.live(&|call| call.connection == connection && !call.phase.is_started())
    }

    /// Every call under way.
    #[must_use]
    pub fn all_calls(&self) -> Vec<CallId> {
        self.live(&|_| true)
    }

    fn live(&self, wanted: &dyn Fn(&Call) -> bool) -> Vec<CallId> {
        let mut live = Vec::new();
        for (slot, call) in (0..).zip(&self.calls) {
            if let Some(call) = call.as_ref().filter(|call| wanted(call)) {
                live.push(CallId { slot, ticket: call.ticket, serial: call.serial });
            }
        }
        live
    }

    /// Connections that are open, the page's own not counted.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.connections.iter().skip(1).filter(|connection| connection.is_open).count()
    }

    /// Reads an envelope that passed the value rules.
    pub fn read_envelope<V: Value>(&self, value: V) -> Envelope {
        Envelope::read(value, &self.envelope_keys)
    }

    /// Begins a request. `transport` overrides the connection's word in the audit.
    pub fn begin(
        &mut self,
        now: Now,
        connection: u32,
        envelope: &Envelope,
        options: Json,
        transport: Option<String>,
    ) -> (CallId, Effect) {
        let now = self.advance(now);
        let mut call = Call::new(connection, now);
        call.transport = transport;
        call.method = envelope.audited_method();
        call.request_id = envelope.request_id().map(Into::into);
        call.capability_id = envelope.capability().into();
        call.options = options;
        let place = &mut self.connections[connection as usize];
        place.outstanding += 1;
        let refused = if place.outstanding > limits::OUTSTANDING {
            Err(ProtocolError::new(ProtocolCode::RateLimited))
        } else {
            envelope.check()
        };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.calls.push(None);
            u32::try_from(self.calls.len() - 1).unwrap_or(u32::MAX)
        });
        let effect = match refused {
            Err(error) => self.refuse(now, &mut call, error),
            Ok(()) => {
                call.phase = Phase::Session;
                call.due_ms = now.mono_ms + limits::GUARD_MS;
                Effect::ResolveSession { now_only: false }
            }
        };
        self.put_back(slot, Box::new(call), effect)
    }

    /// Takes an answer; `waited` tells whether it came later than its effect.
    pub fn answer(&mut self, now: Now, id: CallId, input: Input, waited: bool) -> (CallId, Effect) {
        let now = self.advance(now);
        let place = self.calls.get_mut(id.slot as usize);
        let Some(mut call) = place.and_then(|place| place.take_if(|call| call.ticket == id.ticket)) else {
            return (id, Effect::Nothing);
        };
        call.waited |= waited;
        let effect = self.step(now, &mut call, input);
        self.put_back(id.slot, call, effect)
    }

    /// Cancels a call: it is answered at once, except that a describe is answered as usual and that a call whose
    /// executor has settled goes on to its end. Nothing when it is over.
    pub fn cancel(&mut self, now: Now, id: CallId) -> (CallId, Effect) {
        self.cut_short(now, id, Self::cancel_call)
    }

    /// Answers a call at once, whatever it waits for: the page closes.
    pub fn end(&mut self, now: Now, id: CallId) -> (CallId, Effect) {
        self.cut_short(now, id, Self::end_call)
    }

    fn cut_short(&mut self, now: Now, id: CallId, how: fn(&mut Self, Now, &mut Call) -> Effect) -> (CallId, Effect) {
        let now = self.advance(now);
        let place = self.calls.get_mut(id.slot as usize);
        let Some(mut call) = place.and_then(|place| place.take_if(|call| call.serial == id.serial)) else {
            return (id, Effect::Nothing);
        };
        let effect = how(self, now, &mut call);
        self.put_back(id.slot, call, effect)
    }

    /// The calls that have waited too long, each to be answered with [`Input::TimedOut`] and driven before the next:
    /// page code that runs in between may begin others.
    pub fn tick(&mut self, now: Now) -> Vec<CallId> {
        let now = self.advance(now);
        for index in 0..self.connections.len() {
            let owed = self.connections[index].refusals.settle(now.mono_ms);
            self.push_owed(now, index, owed);
        }
        self.live(&|call| call.due_ms <= now.mono_ms)
    }

    /// When `tick` is next needed, on the clock that only goes forward.
    #[must_use]
    pub fn next_due_ms(&self) -> f64 {
        let calls = self.calls.iter().flatten().map(|call| call.due_ms);
        calls.fold(f64::INFINITY, f64::min)
    }

    /// Whether refusals are owed an audit event within a second.
    #[must_use]
    pub fn owes_audit(&self) -> bool {
        self.connections.iter().any(|connection| connection.refusals.owes())
    }

    pub(super) fn advance(&mut self, now: Now) -> Now {
        self.clock_ms = self.clock_ms.max(now.wall_ms);
        Now { wall_ms: self.clock_ms, ..now }
    }

    fn put_back(&mut self, slot: u32, mut call: Box<Call>, effect: Effect) -> (CallId, Effect) {
        // A call that nothing happened to goes on waiting for the same answer.
        if !matches!(effect, Effect::Nothing) {
            self.tickets = self.tickets.wrapping_add(1);
            call.ticket = self.tickets;
            if call.serial == 0 {
                call.serial = call.ticket;
            }
        }
        let id = CallId { slot, ticket: call.ticket, serial: call.serial };
        match &effect {
            Effect::Respond(_) => {
                self.connections[call.connection as usize].outstanding -= 1;
                self.free.push(slot);
            }
            Effect::Execute(_) => {
                call.executor_ticket = Some(call.ticket);
                self.calls[slot as usize] = Some(call);
            }
            _ => self.calls[slot as usize] = Some(call),
        }
        (id, effect)
    }

    /// The open-mode session of a call's connection.
    pub(super) fn open_grant(&self, call: &Call) -> Option<Rc<Grant>> {
        self.connections.get(call.connection as usize)?.open.clone()
    }

    /// What narrows `C_page` for a session.
    pub(super) fn view<'a>(&'a self, grant: &'a Grant) -> View<'a> {
        View { allow: self.config.allow.as_ref(), scope: &grant.scope }
    }

    /// What to tell the page's `onError`.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// Requests without a response.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.calls.iter().flatten().count()
    }

    /// Removes approval material from something an agent will see.
    pub fn strip(&self, value: &mut Json) {
        self.materials.strip(value);
    }

    /// The provider that a call waits for, as `incomplete` names it.
    #[must_use]
    pub fn provider(&self, id: CallId) -> Option<String> {
        self.call(id)?.reading.waiting_for()
    }

    /// The capability of a call, as declared.
    #[must_use]
    pub fn capability_of(&self, id: CallId) -> Option<&str> {
        self.call(id)?.capability.as_ref().map(|entry| entry.value.info.id.as_str())
    }

    /// The registration whose capability a call is for.
    #[must_use]
    pub fn handle_of(&self, id: CallId) -> Option<super::Handle> {
        self.call(id)?.capability.as_ref().map(|entry| entry.handle)
    }

    /// Whether an output has to be stripped even without a reserved member.
    #[must_use]
    pub fn has_material(&self) -> bool {
        !self.materials.is_empty()
    }

    /// UTF-16 units of a result at most.
    #[must_use]
    pub fn max_result_units(&self) -> usize {
        self.config.max_result_units
    }

    /// Prints numbers as ECMAScript does.
    #[must_use]
    pub fn number_text(&self) -> NumberText {
        self.config.number_text
    }
}
