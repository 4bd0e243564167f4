//! The one exported class: what the shim calls. Every method takes `&self`, and no borrow is alive in page code.

use super::driver::{Driver, Live};
use super::host::{Host, input_of, parse};
use super::sessions::Sessions;
use super::value::{envelope, interner, learn_keys, number_text, read, show};
use crate::schema::Interner;
use crate::surface::{
    CallId, Config, Effect as Step, Handle, Hooks, Input, Kernel, Now, Rejection, Scope, default_approval,
};
use crate::wire::{
    Approval, Bounds, Effect, Fault, FirstMisfit, Json, Misfit, PageCode, Rate, Reader, Refusal, limits, to_text,
};
use js_sys::JsString;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

thread_local! {
    /// The names that schemas ask for: one table for the module, mirrored in JavaScript.
    static KEYS: Rc<RefCell<Interner>> = Rc::new(RefCell::new(interner()));
}

/// One page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    driver: Driver,
}

#[wasm_bindgen]
impl Core {
    /// Sets a page up. `options` is the data of `PageOptions`; `random` are two random words of hex.
    ///
    /// # Errors
    /// `INVALID_OPTION`, with the path of what is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue, host: Host, random: &str) -> Result<Core, JsValue> {
        let config = read_options(options, random).map_err(|error| reject(&host, error.into()))?;
        let has_user = config.1;
        let keys = KEYS.with(Rc::clone);
        let kernel = Kernel::new(config.0, Rc::clone(&keys));
        learn_keys(&keys.borrow());
        let driver = Driver {
            kernel: RefCell::new(kernel),
            host,
            has_user,
            live: RefCell::new(Vec::new()),
            sessions: RefCell::new(Sessions::default()),
            templates: Cell::new(0),
            armed_ms: Cell::new(f64::INFINITY),
            clock: Cell::new(None),
        };
        Ok(Core { driver })
    }

    /// Declares a capability and returns its handle.
    ///
    /// # Errors
    /// `INVALID_OPTION`, `DUPLICATE_ID` or `LIMIT_EXCEEDED`.
    pub fn declare(&self, declaration: &JsValue, expects: bool, refines: bool) -> Result<u32, JsValue> {
        let value = self.data(declaration, "declare")?;
        // Page code is asked before the kernel is borrowed.
        let reads = self.approval_for(Effect::Read);
        let writes = self.approval_for(Effect::Write);
        let destroys = self.approval_for(Effect::Destructive);
        let policy = |effect| match effect {
            Effect::Read => reads,
            Effect::Write => writes,
            Effect::Destructive => destroys,
        };
        let declared = self.driver.kernel.borrow_mut().declare(&value, Hooks { expects, refines }, &policy);
        KEYS.with(|keys| learn_keys(&keys.borrow()));
        let (handle, unknown) = declared.map_err(|error| reject(&self.driver.host, error))?;
        for keyword in unknown {
            let id = value.get("id").and_then(Json::as_str).map(Into::into);
            let message = ["the schema keyword at ", &keyword, " means nothing here and is ignored"].concat();
            self.driver.host.error(&JsValue::UNDEFINED, Some(message), id, None);
        }
        self.driver.host.changed();
        Ok(handle.0)
    }

    /// The page's policy for an effect; one that throws, or says anything else, means always.
    fn approval_for(&self, effect: Effect) -> Approval {
        let word = match effect {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Destructive => "destructive",
        };
        match self.driver.host.approval_for(word) {
            Ok(value) if value.is_undefined() => default_approval(effect),
            Ok(value) => match value.as_string().as_deref() {
                Some("none") => Approval::None,
                Some("ask") => Approval::Ask,
                _ => Approval::Always,
            },
            Err(error) => {
                self.driver.host.error(&error, None, None, Some("policy".into()));
                Approval::Always
            }
        }
    }

    /// Registers a source, a region, a state key, the object in focus or a provider of what is unavailable.
    ///
    /// # Errors
    /// `INVALID_OPTION`, `DUPLICATE_ID` or `LIMIT_EXCEEDED`.
    pub fn register(&self, kind: &str, declaration: &JsValue) -> Result<u32, JsValue> {
        let value = self.data(declaration, kind)?;
        let mut kernel = self.driver.kernel.borrow_mut();
        let registered = match kind {
            "records" => kernel.add_source(&value),
            "region" => kernel.add_region(&value),
            "state" => kernel.add_state(&value),
            "object" => kernel.add_object(&value),
            _ => Ok(kernel.add_unavailable()),
        };
        drop(kernel);
        let handle = registered.map_err(|error| reject(&self.driver.host, error))?;
        self.driver.host.changed();
        Ok(handle.0)
    }

    /// Removes what the handle names.
    pub fn remove(&self, handle: u32) {
        let removed = self.driver.kernel.borrow_mut().remove(Handle(handle));
        if removed {
            self.driver.host.changed();
        }
    }

    /// Leaves a notice for every session that may see it.
    ///
    /// # Errors
    /// `INVALID_OPTION`.
    pub fn feedback(&self, item: &JsValue) -> Result<(), JsValue> {
        let value = self.data(item, "feedback")?;
        let left = self.driver.kernel.borrow_mut().add_feedback(&value);
        left.map_err(|error| reject(&self.driver.host, error))
    }

    /// `ctx.feedback`.
    ///
    /// # Errors
    /// `INVALID_OPTION`.
    #[wasm_bindgen(js_name = callFeedback)]
    pub fn call_feedback(&self, slot: u32, ticket: u32, item: &JsValue) -> Result<(), JsValue> {
        let value = self.data(item, "feedback")?;
        let left = self.driver.kernel.borrow_mut().add_call_feedback(slot, ticket, &value);
        left.map_err(|error| reject(&self.driver.host, error))
    }

    /// `ctx.changed`.
    #[wasm_bindgen(js_name = callChanged)]
    pub fn call_changed(&self, slot: u32, ticket: u32, changed: bool) {
        self.driver.kernel.borrow_mut().set_changed(slot, ticket, changed);
    }

    /// The session source of a running executor, for `ctx.checkSession`.
    #[wasm_bindgen(js_name = callSource)]
    pub fn call_source(&self, slot: u32, ticket: u32) -> JsValue {
        let calls = self.driver.live.borrow();
        let live = calls.get(slot as usize).and_then(Option::as_ref);
        live.map_or(JsValue::UNDEFINED, |live| live.source_for(ticket))
    }

    /// `ctx.checkSession` with the session resolved anew: the code that forbids to go on, if one does.
    #[wasm_bindgen(js_name = callRecheck)]
    pub fn call_recheck(&self, slot: u32, ticket: u32, session: &JsValue, is_null_source: bool) -> Option<String> {
        let mut answer = self.driver.presented(&Ok(session.clone()));
        if is_null_source {
            answer = answer.map(|(_, user)| (crate::surface::Presented::Null, user));
        }
        let now = self.driver.now();
        let checked = self.driver.kernel.borrow_mut().recheck(now, slot, ticket, answer);
        checked.err().map(|code| code.as_str().into())
    }

    /// Opens a connection; `session_id` is random and used in open mode only.
    #[wasm_bindgen(js_name = openConnection)]
    pub fn open_connection(&self, transport: &str, session_id: &str) -> u32 {
        self.driver.kernel.borrow_mut().open_connection(transport.into(), session_id.into())
    }

    /// Closes a connection: its waiting calls are cancelled, a started executor goes on.
    #[wasm_bindgen(js_name = closeConnection)]
    pub fn close_connection(&self, connection: u32) {
        let waiting = self.driver.kernel.borrow_mut().close_connection(connection);
        self.cut_short(waiting, Kernel::cancel);
    }

    /// Answers every call under way: with what is known, or as cancelled.
    pub fn close(&self) {
        let all = self.driver.kernel.borrow().all_calls();
        self.cut_short(all, Kernel::end);
    }

    fn cut_short(&self, calls: Vec<CallId>, how: fn(&mut Kernel, Now, CallId) -> (CallId, Step)) {
        for id in calls {
            let now = self.driver.now();
            let step = how(&mut self.driver.kernel.borrow_mut(), now, id);
            self.driver.drive(step);
        }
        self.driver.after_step();
    }

    /// Begins a request and returns a number for [`Core::cancel`].
    ///
    /// `is_parsed`: the value was made from JSON text by the caller and nobody else holds it. `held` is handed back
    /// with the response. `is_cancelled`: the caller gave up before it began.
    #[expect(clippy::too_many_arguments, reason = "one crossing")]
    pub fn begin(
        &self,
        connection: u32,
        request: &JsValue,
        is_parsed: bool,
        source: JsValue,
        transport: Option<String>,
        held: JsValue,
        is_cancelled: bool,
    ) -> u32 {
        let walked = match request.dyn_ref::<JsString>() {
            Some(text) if text.length() as usize > limits::REQUEST_UNITS => Err((refusal(Fault::Size), None)),
            Some(_) => match parse(request) {
                Ok(value) => envelope(&value, Bounds::PARSED, false),
                Err(_) => Err((refusal(Fault::Syntax), None)),
            },
            None => envelope(request, Bounds::REQUEST, !is_parsed),
        };
        let (read_envelope, value) = {
            let kernel = self.driver.kernel.borrow();
            match walked {
                Ok(copy) => (show(&copy.value, |live| kernel.read_envelope(live)), copy.value),
                Err((refused, id)) => (crate::surface::Envelope::unreadable(Some(refused), id), JsValue::UNDEFINED),
            }
        };
        let options = match read_envelope.is_invoke() {
            true => Json::Null,
            false => self.options_of(&value),
        };
        let now = self.driver.now();
        let mut step = self.driver.kernel.borrow_mut().begin(now, connection, &read_envelope, options, transport);
        let id = step.0;
        let live = Live::new(id.serial, held, value, source);
        let place = id.slot as usize;
        {
            let mut calls = self.driver.live.borrow_mut();
            if calls.len() <= place {
                calls.resize_with(place + 1, || None);
            }
            calls[place] = Some(live);
        }
        if is_cancelled && !matches!(step.1, Step::Respond(_)) {
            let cancelled = self.driver.kernel.borrow_mut().cancel(now, id);
            // A describe is answered all the same.
            if !matches!(cancelled.1, Step::Nothing) {
                step = cancelled;
            }
        }
        self.driver.drive(step);
        self.driver.after_step();
        id.serial
    }

    fn options_of(&self, envelope: &JsValue) -> Json {
        let input = input_of(envelope);
        match input.is_undefined() {
            true => Json::Object(Vec::new()),
            false => read(&input, Bounds::PARSED).unwrap_or(Json::Null),
        }
    }

    /// Cancels a request; nothing when it was answered already.
    pub fn cancel(&self, serial: u32) {
        let mut calls = self.driver.kernel.borrow().all_calls();
        calls.retain(|id| id.serial == serial);
        self.cut_short(calls, Kernel::cancel);
    }

    /// Takes what a thenable settled with.
    pub fn settled(&self, slot: u32, ticket: u32, fulfilled: bool, value: JsValue) {
        self.driver.settled(slot, ticket, if fulfilled { Ok(value) } else { Err(value) });
    }

    /// The time that was asked for has come.
    pub fn tick(&self) {
        self.driver.armed_ms.set(f64::INFINITY);
        let now = self.driver.now();
        let due = self.driver.kernel.borrow_mut().tick(now);
        for id in due {
            let step = self.driver.kernel.borrow_mut().answer(now, id, Input::TimedOut, true);
            self.driver.drive(step);
        }
        self.driver.host.audit();
        self.driver.after_step();
    }

    /// The next audit event as JSON text. A blank after it: it stands for `count` events that were dropped.
    #[wasm_bindgen(js_name = takeAudit)]
    pub fn take_audit(&self) -> Option<String> {
        let mut kernel = self.driver.kernel.borrow_mut();
        let lost = kernel.take_lost();
        let is_lost = lost.is_some();
        let event = lost.or_else(|| kernel.take_audit())?;
        let mut text = to_text(&*event, kernel.number_text());
        if is_lost {
            text.push(' ');
        }
        Some(text)
    }

    /// Audit events that found no room.
    #[wasm_bindgen(js_name = auditDropped)]
    pub fn audit_dropped(&self) -> u32 {
        self.driver.kernel.borrow().audit_dropped()
    }

    /// Requests without a response.
    #[wasm_bindgen(js_name = inFlight)]
    pub fn in_flight(&self) -> u32 {
        u32::try_from(self.driver.kernel.borrow().in_flight()).unwrap_or(u32::MAX)
    }

    /// Connections that are open, the page's own not counted.
    pub fn connections(&self) -> u32 {
        u32::try_from(self.driver.kernel.borrow().open_connections()).unwrap_or(u32::MAX)
    }

    /// Reads what a developer passed; anything that is not JSON is refused with its path.
    fn data(&self, value: &JsValue, subject: &str) -> Result<Json, JsValue> {
        read(value, Bounds::units(limits::DECLARED_UNITS)).map_err(|refused| {
            let message = [subject, ": ", &refused.message("the value")].concat();
            reject(&self.driver.host, Rejection::new(PageCode::InvalidOption, message))
        })
    }
}

fn refusal(fault: Fault) -> Refusal {
    Refusal { fault, pointer: String::new() }
}

fn reject(host: &Host, rejection: Rejection) -> JsValue {
    host.page_error(rejection.code.as_str(), &rejection.message)
}

/// The data of `PageOptions`, and whether the page says who is signed in.
fn read_options(options: &JsValue, random: &str) -> Result<(Config, bool), Box<Misfit>> {
    let json = read(options, Bounds::REQUEST).unwrap_or(Json::Null);
    let first = FirstMisfit::new("createPage");
    let mut fields = first.fields(&json);
    let mut config = Config {
        app: fields.text("app", 1, 64).to_owned(),
        page_session_id: random.get(..32).unwrap_or_default().into(),
        secret: u64::from_str_radix(random.get(32..48).unwrap_or_default(), 16).unwrap_or_default(),
        allow: fields.optional("allow").and_then(|list| scope(&list)),
        open_scope: fields.optional_object("openMode").and_then(|mut open| {
            let list = scope(&open.required("scope"));
            open.finish();
            list
        }),
        max_records: limits::WINDOW_MAX,
        max_result_units: limits::RESULT_UNITS,
        rate: Rate { capacity: limits::RATE_CAPACITY, per_ms: limits::RATE_PER_MS },
        own_limiter: fields.optional_flag("rateLimiter").unwrap_or(false),
        own_guard: fields.optional_flag("replayGuard").unwrap_or(false),
        own_gate: fields.optional_flag("confirm").unwrap_or(false),
        settles: fields.optional_flag("settle").unwrap_or(false),
        audits: fields.optional_flag("audit").unwrap_or(false),
        number_text,
    };
    let has_user = fields.optional_flag("user").unwrap_or(false);
    if let Some(mut lower) = fields.optional_object("limits") {
        if let Some(max) = lower.optional_whole("maxRecords", 1, limits::WINDOW_MAX) {
            config.max_records = max;
        }
        if let Some(max) = lower.optional_whole("maxResultBytes", 1_024, limits::RESULT_UNITS) {
            config.max_result_units = max;
        }
        if let Some(mut rate) = lower.optional_object("rate") {
            let capacity = rate.required("capacity").whole(1, limits::RATE_CAPACITY as usize);
            let per_ms = rate.required("perMs").whole(limits::RATE_PER_MS as usize, limits::TIME_MAX as usize);
            config.rate = Rate { capacity: capacity as f64, per_ms: per_ms as f64 };
            rate.finish();
        }
        lower.finish();
    }
    fields.finish();
    first.check()?;
    Ok((config, has_user))
}

fn scope(list: &Reader<'_>) -> Option<Scope> {
    let scope = Scope::read(list);
    if scope.is_none() {
        list.refuse("must be ids, prefixes ending in *, or *");
    }
    scope
}
