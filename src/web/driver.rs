//! The driver: performs what the kernel asks for and answers it. Decide first, then act, with nothing borrowed.

use super::host::{
    Host, attach_output, fill_template, id_of, ignore, input_of, is_thenable, keep_template, member_of, parse_own,
    without_details,
};
use super::sessions::{Sessions, read_session, token_of};
use super::value::{read, show, snapshot, to_js};
use crate::surface::{
    CallId, Confirmation, Effect, Failed, Input, Kernel, Now, Presented, Raised, Ran, Read, Reply, Start, User,
};
use crate::wire::{
    Bounds, BusinessError, Certainty, ConfirmRequest, Fidelity, InvokeResponse, Json, is_raisable, limits, to_text,
};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// What a call holds on to in JavaScript.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) serial: u32,
    pub(super) request: JsValue,
    pub(super) envelope: JsValue,
    pub(super) source: JsValue,
    item: JsValue,
    output: JsValue,
    handle: u32,
    executor_ticket: Option<u32>,
    wait: Option<(u32, Wait)>,
    is_running: bool,
    /// Whether its session resolver answers with a promise.
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
enum Wait {
    Session,
    Token,
    Claim,
    Confirmation,
    Read(Read),
    Execution,
    Expectation,
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
            Effect::TakeToken { key } => {
                let now_ms = self.now().wall_ms;
                self.wait_or(id, Wait::Token, self.host.take(&key, now_ms))
            }
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

    /// Turns what page code gave into the kernel's terms.
    fn interpret(&self, id: CallId, wait: Wait, outcome: Result<JsValue, JsValue>) -> Input {
        match wait {
            Wait::Session => Input::Session(self.presented(&outcome)),
            Wait::Token => Input::Token(self.checked(outcome, "rateLimiter", |value| {
                let member = |name| member_of(value, name).unwrap_or(JsValue::UNDEFINED);
                match member("ok").as_bool()? {
                    true => Some(Ok(())),
                    false => Some(Err(member("retryAfterMs").as_f64().filter(|ms| ms.is_finite() && *ms >= 0.0))),
                }
            })),
            Wait::Claim => Input::Claimed(self.checked(outcome, "replayGuard", JsValue::as_bool)),
            Wait::Confirmation => Input::Confirmed(self.checked(outcome, "confirm", read_confirmation)),
            Wait::Read(wanted) => Input::Read(self.read_provided(id, &wanted, outcome)),
            Wait::Execution => {
                self.with_live(id, |live| live.is_running = false);
                Input::Executed(self.ran(id, outcome))
            }
            Wait::Expectation => {
                let capability = self.kernel.borrow().capability_of(id).map(Into::into);
                match outcome {
                    Ok(held) => Input::Expected(held == JsValue::TRUE),
                    Err(error) => {
                        self.host.error(&error, None, capability, None);
                        Input::Expected(false)
                    }
                }
            }
            Wait::Settling => {
                if let Err(error) = outcome {
                    self.host.error(&error, None, None, Some("settle".into()));
                }
                Input::Settled
            }
        }
    }

    /// What a guard or a gate said; anything it should not have said is reported and counts as failed.
    fn checked<T>(
        &self,
        outcome: Result<JsValue, JsValue>,
        name: &str,
        read: impl FnOnce(&JsValue) -> Option<T>,
    ) -> Result<T, Failed> {
        let read = outcome.as_ref().ok().and_then(read);
        read.ok_or_else(|| self.failed(outcome, name))
    }

    fn failed(&self, outcome: Result<JsValue, JsValue>, name: &str) -> Failed {
        match outcome {
            Ok(_) => {
                self.host.error(&JsValue::UNDEFINED, Some("gave an unusable answer".into()), None, Some(name.into()));
            }
            Err(error) => self.host.error(&error, None, None, Some(name.into())),
        }
        Failed
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
        match resolver.call0(&JsValue::UNDEFINED).and_then(|value| is_thenable(&value).map(|waits| (value, waits))) {
            Ok((thenable, true)) => {
                self.with_live(id, |live| live.resolves_later = true);
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
        let asked = self.host.confirm(&held, &parse_own(&text));
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

    fn read_provided(&self, id: CallId, wanted: &Read, outcome: Result<JsValue, JsValue>) -> Result<Json, Failed> {
        let read = outcome.and_then(|value| match wanted {
            Read::Object(_) if value.is_undefined() => Ok(Json::Null),
            Read::Record { .. } if value.is_undefined() => Ok(Json::Null),
            Read::Record { keep, .. } => {
                let row = read_context(&member_of(&value, "row")?)?;
                if *keep {
                    let item = member_of(&value, "item")?;
                    self.with_live(id, |live| live.item = item);
                }
                Ok(row)
            }
            _ => read_context(&value),
        });
        read.map_err(|error| {
            let provider = self.kernel.borrow().provider(id);
            match error.as_string() {
                Some(message) => self.host.error(&JsValue::UNDEFINED, Some(message), None, provider),
                None => self.host.error(&error, None, None, provider),
            }
            Failed
        })
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

    fn ran(&self, id: CallId, outcome: Result<JsValue, JsValue>) -> Ran {
        match outcome {
            Ok(value) => self.output(id, value),
            Err(error) => match read_raised(&self.host.raised(&error)) {
                Some(raised) => Ran::Raised(raised),
                None => {
                    let capability = self.kernel.borrow().capability_of(id).map(Into::into);
                    self.host.error(&error, None, capability, None);
                    Ran::Threw
                }
            },
        }
    }

    /// Copies an output, checks it, and removes approval material.
    fn output(&self, id: CallId, value: JsValue) -> Ran {
        let value = if value.is_undefined() { JsValue::NULL } else { value };
        let max = self.kernel.borrow().max_result_units();
        let copy = match snapshot(&value, Bounds::units(max), true) {
            Ok(copy) => copy,
            Err(refusal) => {
                let capability = self.kernel.borrow().capability_of(id).map(Into::into);
                let message = refusal.message("the output");
                self.host.error(&JsValue::UNDEFINED, Some(message), capability, None);
                return Ran::BadOutput;
            }
        };
        let kernel = self.kernel.borrow();
        if !show(&copy.value, |live| kernel.check_output(id, live)) {
            let capability = kernel.capability_of(id).map(Into::into);
            drop(kernel);
            let message = "the output is not what outputSchema says";
            self.host.error(&JsValue::UNDEFINED, Some(message.into()), capability, None);
            return Ran::BadOutput;
        }
        self.with_live(id, |live| live.output = copy.value);
        Ran::Output
    }

    /// Step 8 for an output: it waits in JavaScript, so that it is stripped here, by the kernel's rules.
    fn stripped(&self, output: JsValue) -> JsValue {
        let kernel = self.kernel.borrow();
        let marked = snapshot(&output, Bounds::PARSED, false).is_ok_and(|copy| copy.is_marked);
        if !marked && !kernel.has_material() {
            return output;
        }
        match read(&output, Bounds::PARSED) {
            Ok(mut json) => {
                kernel.strip(&mut json);
                to_js(&json)
            }
            Err(_) => JsValue::NULL,
        }
    }

    fn respond(&self, id: CallId, reply: Reply) {
        let place = self
            .live
            .borrow_mut()
            .get_mut(id.slot as usize)
            .and_then(|place| place.take_if(|live| live.serial == id.serial));
        let Some(live) = place else { return };
        if live.is_running || live.wait.is_some() {
            // Nobody waits for the executor or the dialog any longer.
            self.host.abort(&live.request);
        }
        self.host.audit();
        match reply {
            Reply::Text(text) => self.host.reply(&live.request, &JsValue::UNDEFINED, Some(text)),
            Reply::Output(response) => {
                let output = self.stripped(live.output);
                let id = id_of(&live.envelope);
                let response = self.shape(&response, &id, &output);
                self.host.reply(&live.request, &response, None);
            }
        }
    }

    /// A response with its output: from a template where there is nothing but the output to add.
    fn shape(&self, response: &InvokeResponse, id: &JsValue, output: &JsValue) -> JsValue {
        let number_text = self.kernel.borrow().number_text();
        if response.result.after.is_some() {
            return attach_output(&to_text(response, number_text), output);
        }
        let certainty = |certainty| match certainty {
            Certainty::Yes => 0,
            Certainty::No => 1,
            Certainty::Unknown => 2,
        };
        let fidelity = match response.result.fidelity {
            Fidelity::High => 0,
            Fidelity::Auto => 1,
            Fidelity::Low => 2,
        };
        let status = &response.result.status;
        let code = (certainty(status.executed) * 3 + certainty(status.changed)) * 3 + fidelity;
        if self.templates.get() & (1 << code) == 0 {
            self.templates.set(self.templates.get() | (1 << code));
            keep_template(code, &to_text(response, number_text));
        }
        fill_template(code, id, output)
    }
}

/// Reads what a provider gave: bounded, its texts cut; the kernel cuts them to their final length.
fn read_context(value: &JsValue) -> Result<Json, JsValue> {
    let units = 4 * limits::RESULT_UNITS;
    super::value::read_cut(value, Bounds::units(units), 2 * limits::STRING_UNITS as u32)
        .map_err(|refusal| JsValue::from_str(&refusal.message("the value")))
}

fn is_absent(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

fn read_confirmation(value: &JsValue) -> Option<Confirmation> {
    let member = |name| member_of(value, name).ok();
    let approval_id = member("approvalId")?;
    let receipt = member("receipt")?;
    let receipt = match is_absent(&receipt) {
        true => None,
        false => Some(
            read(&receipt, Bounds::REQUEST).ok().filter(|json| matches!(json, Json::String(_) | Json::Object(_)))?,
        ),
    };
    Some(Confirmation {
        approved: member("approved")? == JsValue::TRUE,
        remember: member("remember")? == JsValue::TRUE,
        approval_id: if is_absent(&approval_id) { None } else { Some(approval_id.as_string()?) },
        receipt,
    })
}

/// What a `SurfaceError` says, as far as it keeps to the rules; one that does not is any other thrown value.
fn read_raised(value: &JsValue) -> Option<Raised> {
    if value.is_undefined() {
        return None;
    }
    // Details that are no JSON are left out; the code stands without them.
    let details = member_of(value, "details").ok().filter(|details| !details.is_undefined());
    let details = details.and_then(|details| read(&details, Bounds::REQUEST).ok());
    let json = read(&without_details(value), Bounds::REQUEST).ok()?;
    let code = json.get("code")?.as_str().filter(|code| is_raisable(code))?;
    let error = BusinessError {
        code: code.into(),
        message: json.get("message")?.as_str()?.into(),
        retryable: json.get("retryable").and_then(Json::as_bool).unwrap_or(false),
        retry_after_ms: json.get("retryAfterMs").and_then(Json::as_f64),
        details,
    };
    Some(Raised { error, not_executed: json.get("executed").and_then(Json::as_bool) == Some(false) })
}
