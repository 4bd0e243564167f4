//! The driver: performs what the kernel asks for and answers it. Decide first, then act, with nothing borrowed.

use super::host::{Host, ignore, input_of, is_thenable, parse_own};
use super::sessions::{Sessions, read_session, token_of};
use super::value::{read, show, snapshot, to_js};
use crate::surface::{CallId, Effect, Failed, Input, Kernel, Now, Presented, Ran, Read, Start, User};
use crate::wire::{Bounds, ConfirmRequest, Json, to_text};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// What a call holds on to in JavaScript.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) serial: u32,
    pub(super) request: JsValue,
    pub(super) envelope: JsValue,
    pub(super) source: JsValue,
    pub(super) item: JsValue,
    /// A copy of ours, which no page code gets hold of.
    pub(super) output: JsValue,
    /// Whether a name in it begins like those of approval material.
    pub(super) is_output_marked: bool,
    handle: u32,
    executor_ticket: Option<u32>,
    pub(super) wait: Option<(u32, Wait)>,
    pub(super) is_running: bool,
    /// Whether its session resolver last answered with a promise.
    resolves_later: bool,
}

impl Live {
    pub(super) fn new(serial: u32, request: JsValue, envelope: JsValue, source: JsValue) -> Self {
        Self {
            serial,
            request,
            envelope,
            source,
            item: JsValue::UNDEFINED,
            output: JsValue::UNDEFINED,
            is_output_marked: false,
            handle: 0,
            executor_ticket: None,
            wait: None,
            is_running: false,
            resolves_later: false,
        }
    }

    /// The session source, for the executor that was started under this ticket.
    pub(super) fn source_for(&self, ticket: u32) -> JsValue {
        match self.executor_ticket == Some(ticket) {
            true => self.source.clone(),
            false => JsValue::UNDEFINED,
        }
    }
}

/// What a promise was made for.
#[derive(Clone, Debug)]
pub(super) enum Wait {
    Session,
    Token,
    Claim,
    Confirmation,
    Read(Read),
    Execution,
    Expectation,
    Refinement,
    Settling,
}

/// An effect performed: its answer, or a thenable to wait for.
enum Done {
    Now(Input),
    Later(JsValue, Wait),
}

/// One page and everything it holds on to.
#[derive(Debug)]
pub(super) struct Driver {
    pub(super) kernel: RefCell<Kernel>,
    pub(super) host: Host,
    pub(super) has_user: bool,
    pub(super) live: RefCell<Vec<Option<Live>>>,
    pub(super) sessions: RefCell<Sessions>,
    pub(super) templates: Cell<u32>,
    pub(super) armed_ms: Cell<f64>,
    /// The clocks, read once between two pieces of page code.
    pub(super) clock: Cell<Option<Now>>,
}

impl Driver {
    pub(super) fn now(&self) -> Now {
        let now = self.clock.get().unwrap_or_else(|| Now { wall_ms: self.host.wall(), mono_ms: self.host.mono() });
        self.clock.set(Some(now));
        now
    }

    /// Performs effects until one has to wait.
    pub(super) fn drive(&self, (mut id, mut effect): (CallId, Effect)) {
        loop {
            let done = match effect {
                Effect::Nothing => break,
                Effect::Respond(reply) => {
                    self.respond(id, reply);
                    break;
                }
                effect => self.perform(id, effect),
            };
            match done {
                Done::Now(input) => (id, effect) = self.answer(id, input, false),
                Done::Later(thenable, wait) => {
                    self.with_live(id, |live| live.wait = Some((id.ticket, wait)));
                    self.host.watch(&thenable, id.slot, id.ticket);
                    break;
                }
            }
        }
    }

    fn answer(&self, id: CallId, input: Input, waited: bool) -> (CallId, Effect) {
        let now = self.now();
        self.kernel.borrow_mut().answer(now, id, input, waited)
    }

    /// Takes what a thenable settled with; one that nobody waits for any longer is let go.
    pub(super) fn settled(&self, slot: u32, ticket: u32, outcome: Result<JsValue, JsValue>) {
        let waiting = self.live.borrow_mut().get_mut(slot as usize).and_then(Option::as_mut).and_then(|live| {
            let (_, wait) = live.wait.take_if(|(expected, _)| *expected == ticket)?;
            Some((live.serial, wait))
        });
        let Some((serial, wait)) = waiting else { return };
        let id = CallId { slot, ticket, serial };
        let input = self.interpret(id, wait, outcome);
        self.drive(self.answer(id, input, true));
        self.after_step();
    }

    /// What has to be done after every step: errors, audit, timers.
    pub(super) fn after_step(&self) {
        let (reports, due_ms, owes) = {
            let mut kernel = self.kernel.borrow_mut();
            (kernel.take_reports(), kernel.next_due_ms(), kernel.owes_audit())
        };
        for report in reports {
            self.host.error(&JsValue::UNDEFINED, Some(report.message), report.capability, report.provider);
        }
        let now_ms = self.now().mono_ms;
        // Whatever comes next comes later.
        self.clock.set(None);
        let due_ms = if owes { due_ms.min(now_ms + 1_000.0) } else { due_ms };
        if due_ms < self.armed_ms.get() {
            self.armed_ms.set(due_ms);
            self.host.wake((due_ms - now_ms).max(0.0));
        }
    }

    /// What a call holds on to; nothing when it is over and its place perhaps another's.
    pub(super) fn with_live<R>(&self, id: CallId, act: impl FnOnce(&mut Live) -> R) -> Option<R> {
        self.live.borrow_mut().get_mut(id.slot as usize)?.as_mut().filter(|live| live.serial == id.serial).map(act)
    }

    fn taken(&self, id: CallId, pick: impl FnOnce(&Live) -> JsValue) -> JsValue {
        self.with_live(id, |live| pick(live)).unwrap_or(JsValue::UNDEFINED)
    }

    fn perform(&self, id: CallId, effect: Effect) -> Done {
        match effect {
            Effect::ResolveSession { now_only } => self.resolve(id, now_only),
            Effect::TakeToken { key, now_ms } => self.wait_or(id, Wait::Token, self.host.take(&key, now_ms)),
            Effect::ClaimId { session_id, request_id, until_ms } => {
                self.wait_or(id, Wait::Claim, self.host.claim(&session_id, &request_id, until_ms))
            }
            Effect::ValidateInput => {
                let mut input = self.input(id);
                if input.is_undefined() {
                    input = to_js(&Json::Object(Vec::new()));
                }
                let kernel = self.kernel.borrow();
                Done::Now(show(&input, |live| kernel.check_input(id, live)))
            }
            Effect::Refine => {
                let handle = self.kernel.borrow().handle_of(id).map_or(0, |handle| handle.0);
                let request = self.taken(id, |live| live.request.clone());
                let input =
                    snapshot(&self.input(id), Bounds::PARSED, true).map_or(JsValue::UNDEFINED, |copy| copy.value);
                self.wait_or(id, Wait::Refinement, self.host.refine(&request, handle, &input))
            }
            Effect::ReadArguments => {
                let input = read(&self.input(id), Bounds::PARSED).unwrap_or_else(|_| Json::Object(Vec::new()));
                Done::Now(Input::Arguments(input))
            }
            Effect::Confirm(request) => self.confirm(id, &request),
            Effect::Read(wanted) => {
                let called = self.call_provider(&wanted);
                self.wait_or(id, Wait::Read(wanted), called)
            }
            Effect::Execute(start) => self.execute(id, &start),
            Effect::Expect => {
                let held = self.with_live(id, |live| (live.request.clone(), live.handle, live.output.clone()));
                let Some((request, handle, output)) = held else { return Done::Now(Input::Expected(false)) };
                // A copy of its own: what was checked is what leaves.
                let copy = snapshot(&output, Bounds::PARSED, true).map_or(JsValue::NULL, |copy| copy.value);
                self.wait_or(id, Wait::Expectation, self.host.expect(&request, handle, &copy))
            }
            Effect::Settle => self.wait_or(id, Wait::Settling, self.host.settle()),
            Effect::Respond(_) | Effect::Nothing => Done::Now(Input::TimedOut),
        }
    }

    fn input(&self, id: CallId) -> JsValue {
        let envelope = self.taken(id, |live| live.envelope.clone());
        input_of(&envelope)
    }

    /// An answer that came at once, or a thenable that will bring it.
    fn wait_or(&self, id: CallId, wait: Wait, called: Result<JsValue, JsValue>) -> Done {
        self.clock.set(None);
        match called.and_then(|value| is_thenable(&value).map(|waits| (value, waits))) {
            Ok((thenable, true)) => Done::Later(thenable, wait),
            Ok((value, false)) => Done::Now(self.interpret(id, wait, Ok(value))),
            Err(error) => Done::Now(self.interpret(id, wait, Err(error))),
        }
    }

    fn resolve(&self, id: CallId, now_only: bool) -> Done {
        let held = self.with_live(id, |live| (live.source.clone(), live.resolves_later));
        let (source, resolves_later) = held.unwrap_or((JsValue::UNDEFINED, false));
        let Some(resolver) = source.dyn_ref::<js_sys::Function>() else {
            let presented = match source.is_null() {
                true => Presented::Null,
                false => self.present(&source),
            };
            return Done::Now(Input::Session(self.user().map(|user| (presented, user))));
        };
        if now_only && resolves_later {
            return Done::Now(Input::SessionLater);
        }
        self.clock.set(None);
        let answer = resolver.call0(&JsValue::UNDEFINED);
        let answer = answer.and_then(|value| is_thenable(&value).map(|waits| (value, waits)));
        self.with_live(id, |live| live.resolves_later = matches!(answer, Ok((_, true))));
        match answer {
            Ok((thenable, true)) => {
                if now_only {
                    ignore(&thenable);
                    return Done::Now(Input::SessionLater);
                }
                Done::Later(thenable, Wait::Session)
            }
            Ok((value, false)) => Done::Now(Input::Session(self.presented(&Ok(value)))),
            Err(error) => Done::Now(Input::Session(self.presented(&Err(error)))),
        }
    }

    /// Reads a session with nothing borrowed: it may have getters, which are page code.
    fn present(&self, value: &JsValue) -> Presented {
        let token = token_of(value);
        if let Some(grant) = self.sessions.borrow().known(token) {
            return Presented::Known(grant);
        }
        let read = read_session(value);
        if let Presented::Known(grant) = &read {
            self.sessions.borrow_mut().keep(token, grant);
        }
        read
    }

    pub(super) fn presented(&self, outcome: &Result<JsValue, JsValue>) -> Result<(Presented, User), Failed> {
        match outcome {
            Ok(value) => {
                let presented = self.present(value);
                self.user().map(|user| (presented, user))
            }
            Err(error) => {
                self.host.error(error, None, None, Some("session".into()));
                Err(Failed)
            }
        }
    }

    fn user(&self) -> Result<User, Failed> {
        if !self.has_user {
            return Ok(User::Unchecked);
        }
        self.clock.set(None);
        self.checked(self.host.user(), "user", |value| match value.as_string() {
            Some(id) => Some(User::Is(id)),
            None => value.is_null().then_some(User::SignedOut),
        })
    }

    fn confirm(&self, id: CallId, request: &ConfirmRequest) -> Done {
        let text = to_text(request, self.kernel.borrow().number_text());
        let held = self.taken(id, |live| live.request.clone());
        let may_remember = self.kernel.borrow().may_remember(id);
        let asked = self.host.confirm(&held, &parse_own(&text), may_remember);
        self.wait_or(id, Wait::Confirmation, asked)
    }

    fn call_provider(&self, wanted: &Read) -> Result<JsValue, JsValue> {
        match wanted {
            Read::Identity => self.host.identity(),
            Read::Object(handle) | Read::State(handle) | Read::Unavailable(handle) => self.host.provide(handle.0),
            Read::Window { source, offset, limit, ids } => self.host.window(source.0, *offset, *limit, *ids),
            Read::Record { source, id, .. } => self.host.record(source.0, id),
        }
    }

    fn execute(&self, id: CallId, start: &Start) -> Done {
        let session = self.sessions.borrow_mut().view(&start.session);
        let held = self.with_live(id, |live| {
            live.executor_ticket = Some(id.ticket);
            live.handle = start.capability.0;
            live.is_running = true;
            (live.request.clone(), live.envelope.clone(), live.item.clone())
        });
        let Some((request, envelope, item)) = held else { return Done::Now(Input::Executed(Ran::Threw)) };
        let record = start.record.as_ref().map_or(JsValue::UNDEFINED, |record| {
            to_js(&Json::object([("id", Json::from(record.id.as_str())), ("type", Json::from(record.kind.as_str()))]))
        });
        let receipt = match (&start.receipt, start.confirmed) {
            (Some(receipt), _) => to_js(&Json::object([("receipt", receipt.clone())])),
            (None, true) => to_js(&Json::Object(Vec::new())),
            (None, false) => JsValue::UNDEFINED,
        };
        let CallId { slot, ticket, .. } = id;
        let called = self.host.execute(
            &request,
            start.capability.0,
            slot,
            ticket,
            &envelope,
            &session,
            &record,
            &item,
            &receipt,
        );
        self.wait_or(id, Wait::Execution, called)
    }
}
