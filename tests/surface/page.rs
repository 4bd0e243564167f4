//! A page as data: performs the kernel's effects from what a vector declares.

use pageport::schema::{Interner, Plain};
use pageport::surface::{
    CallId, Config, Confirmation, Effect, Failed, Handle, Input, Kernel, Now, Presented, Raised, Ran, Read, Reply,
    Scope, Start, User, default_approval, owned_input,
};
use pageport::wire::{BusinessError, Json, Rate, limits, number_text, to_text};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Where a call's session comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Null,
    Session(String),
    Resolver(String),
}

/// A request that has not been answered.
struct Live {
    envelope: Json,
    source: Source,
    name: String,
    id: CallId,
    item: Option<Value>,
    output: Option<Json>,
}

/// An answer that is due later.
struct Pending {
    due_ms: f64,
    id: CallId,
    answer: Later,
}

enum Later {
    Handler(Value),
    Confirmation(Value),
}

/// The page of one vector.
pub(crate) struct Page {
    pub(crate) kernel: Kernel,
    pub(crate) sessions: Map<String, Value>,
    pub(crate) responses: HashMap<String, Value>,
    /// Every effect in order, by name: what the guards and providers saw.
    pub(crate) log: Vec<&'static str>,
    pub(crate) ran: usize,
    user: Option<Value>,
    identity: Value,
    confirm: Value,
    handlers: HashMap<Handle, (String, Value)>,
    records: Vec<(Handle, Value)>,
    states: Vec<(Handle, String)>,
    state: Map<String, Value>,
    live: HashMap<u32, Live>,
    pending: Vec<Pending>,
    now_ms: f64,
}

/// The option `name` of a vector's page.
fn option<'a>(page: &'a Value, name: &str) -> Option<&'a Value> {
    page.get("options").and_then(|options| options.get(name))
}

fn scope(list: &Value) -> Scope {
    let entries: Vec<&str> =
        list.as_array().expect("a list").iter().map(|entry| entry.as_str().expect("text")).collect();
    Scope::normalise(entries).expect("a valid scope")
}

/// A value of a vector as the kernel holds it.
pub(crate) fn owned(value: &Value) -> Json {
    Json::parse(&value.to_string()).expect("JSON")
}

fn plain(value: &Json) -> Value {
    serde_json::from_str(&to_text(value, number_text)).expect("JSON")
}

impl Page {
    pub(crate) fn new(page: &Value, sessions: &Value, change: impl FnOnce(&mut Config)) -> Self {
        let rate = option(page, "limits").and_then(|limits| limits.get("rate"));
        let number = |name, default| rate.map_or(default, |rate| rate[name].as_f64().expect("a number"));
        let lower = |name, default| {
            option(page, "limits").and_then(|limits| limits.get(name)?.as_u64()).map_or(default, |max| max as usize)
        };
        let mut config = Config {
            app: page["app"].as_str().expect("an app").into(),
            page_session_id: "page-session".into(),
            secret: 7,
            allow: option(page, "allow").map(scope),
            open_scope: option(page, "openMode").map(|open| scope(&open["scope"])),
            max_records: lower("maxRecords", limits::WINDOW_MAX),
            max_result_units: lower("maxResultBytes", limits::RESULT_UNITS),
            rate: Rate {
                capacity: number("capacity", limits::RATE_CAPACITY),
                per_ms: number("perMs", limits::RATE_PER_MS),
            },
            own_limiter: false,
            own_guard: false,
            own_gate: true,
            settles: false,
            audits: true,
            number_text,
        };
        change(&mut config);
        let mut kernel = Kernel::new(config, Rc::new(RefCell::new(Interner::new())));
        kernel.open_connection("in-process".into(), "open-session".into());
        let mut made = Self {
            kernel,
            sessions: sessions.as_object().cloned().unwrap_or_default(),
            responses: HashMap::new(),
            log: Vec::new(),
            ran: 0,
            user: option(page, "user").cloned(),
            identity: json!({ "title": page["title"], "route": page["route"] }),
            confirm: page["confirm"].clone(),
            handlers: HashMap::new(),
            records: Vec::new(),
            states: Vec::new(),
            state: Map::new(),
            live: HashMap::new(),
            pending: Vec::new(),
            now_ms: 0.0,
        };
        for region in page["regions"].as_array().into_iter().flatten() {
            made.kernel.add_region(&owned(region)).expect("a region");
        }
        for source in page["records"].as_array().into_iter().flatten() {
            let mut declared = json!({ "type": source["type"], "gets": true, "fields": source["fields"] });
            for name in ["region", "for"] {
                if let Some(value) = source.get(name) {
                    declared[name] = value.clone();
                }
            }
            let handle = made.kernel.add_source(&owned(&declared)).expect("a source");
            made.records.push((handle, source.clone()));
        }
        for (key, value) in page["state"].as_object().into_iter().flatten() {
            let handle = made.kernel.add_state(&owned(&json!({ "key": key }))).expect("a state key");
            made.states.push((handle, key.clone()));
            made.state.insert(key.clone(), value.clone());
        }
        for capability in page["capabilities"].as_array().into_iter().flatten() {
            made.declare(capability);
        }
        made
    }

    fn declare(&mut self, capability: &Value) {
        let mut declared = capability.clone();
        let handler = declared.as_object_mut().expect("an object").remove("handler").unwrap_or_default();
        let (handle, _) = self.kernel.declare(&owned(&declared), false, &default_approval).expect("a capability");
        self.handlers.insert(handle, (capability["id"].as_str().expect("an id").into(), handler));
    }

    /// Moves the clock, settling what is due on the way.
    pub(crate) fn move_to(&mut self, at_ms: f64) {
        loop {
            let due = self.pending.iter().map(|pending| pending.due_ms).fold(self.kernel.next_due_ms(), f64::min);
            if due > at_ms {
                break;
            }
            self.now_ms = self.now_ms.max(due);
            let ready = self.pending.iter().position(|pending| pending.due_ms <= self.now_ms);
            if let Some(index) = ready {
                let Pending { id, answer, .. } = self.pending.remove(index);
                let input = match answer {
                    Later::Handler(handler) => Input::Executed(self.end_handler(id, &handler)),
                    Later::Confirmation(reply) => Input::Confirmed(confirmation(&reply)),
                };
                let step = self.kernel.answer(self.now(), id, input, true);
                self.drive(step);
            } else {
                for id in self.kernel.tick(self.now()) {
                    let step = self.kernel.answer(self.now(), id, Input::TimedOut, true);
                    self.drive(step);
                }
            }
        }
        self.now_ms = at_ms;
    }

    fn now(&self) -> Now {
        Now { wall_ms: self.now_ms, mono_ms: self.now_ms }
    }

    /// Sends a request under a name.
    pub(crate) fn send(&mut self, envelope: &str, source: Source, name: &str) {
        use pageport::surface::Envelope;
        let (read, json) = match Json::parse_envelope(envelope) {
            Ok(json) => (self.kernel.read_envelope(Plain::from(&json)), json),
            Err((refusal, id)) => (Envelope::unreadable(Some(refusal), id), Json::Null),
        };
        let options = owned_input(&json);
        let step = self.kernel.begin(self.now(), 0, &read, options, None);
        let live = Live { envelope: json, source, name: name.into(), id: step.0, item: None, output: None };
        self.live.insert(step.0.slot, live);
        self.drive(step);
    }

    pub(crate) fn cancel(&mut self, name: &str) {
        let id = self.live.values().find(|live| live.name == name).map(|live| live.id).expect("a call under way");
        let step = self.kernel.cancel(self.now(), id);
        self.drive(step);
    }

    /// Changes the page, as a `change` step or a handler says.
    pub(crate) fn change(&mut self, change: &Value) {
        for (name, members) in change["sessions"].as_object().into_iter().flatten() {
            merge(self.sessions.entry(name.clone()).or_insert(Value::Null), members);
        }
        for (kind, items) in change["records"].as_object().into_iter().flatten() {
            let source =
                self.records.iter_mut().find(|(_, source)| source["type"] == kind.as_str()).map(|(_, source)| source);
            let source = source.expect("a declared type");
            let id_field = source["idField"].as_str().unwrap_or("id").to_owned();
            let list = source["items"].as_array_mut().expect("items");
            for (id, members) in items.as_object().into_iter().flatten() {
                let found = list.iter().position(|item| item[&id_field] == id.as_str());
                match (found, members) {
                    (Some(index), Value::Null) => drop(list.remove(index)),
                    (Some(index), members) => merge(&mut list[index], members),
                    (None, members) => list.push(members.clone()),
                }
            }
        }
        for (key, value) in change["state"].as_object().into_iter().flatten() {
            self.state.insert(key.clone(), value.clone());
        }
        if let Some(user) = change.get("user") {
            self.user = Some(user.clone());
        }
        for id in change["remove"].as_array().into_iter().flatten() {
            let handle = self.handlers.iter().find(|(_, (known, _))| id == known.as_str()).map(|(handle, _)| *handle);
            let handle = handle.expect("a declared id");
            self.handlers.remove(&handle);
            assert!(self.kernel.remove(handle));
        }
        for capability in change["declare"].as_array().into_iter().flatten() {
            self.declare(capability);
        }
    }

    fn drive(&mut self, (mut id, mut effect): (CallId, Effect)) {
        loop {
            let input = match effect {
                Effect::Nothing => return,
                Effect::Respond(reply) => return self.respond(id.slot, reply),
                effect => self.perform(id, effect),
            };
            let Some(input) = input else { return };
            (id, effect) = self.kernel.answer(self.now(), id, input, false);
        }
    }

    fn perform(&mut self, id: CallId, effect: Effect) -> Option<Input> {
        let slot = id.slot;
        Some(match effect {
            Effect::ResolveSession { now_only } => {
                self.log.push(if now_only { "session, now" } else { "session" });
                Input::Session(Ok((self.present(slot), self.user())))
            }
            Effect::TakeToken { .. } => {
                self.log.push("limiter");
                Input::Token(Ok(Ok(())))
            }
            Effect::ClaimId { .. } => {
                self.log.push("guard");
                Input::Claimed(Ok(true))
            }
            Effect::ValidateInput => {
                self.log.push("input");
                let envelope = &self.live[&slot].envelope;
                self.kernel.check_input(id, Plain::from(&owned_input(envelope)))
            }
            Effect::ReadArguments => Input::Arguments(owned_input(&self.live[&slot].envelope)),
            Effect::Confirm(_) => {
                self.log.push("confirm");
                match self.confirm["waits"].as_f64() {
                    Some(waits) => return self.later(id, waits, Later::Confirmation(self.confirm.clone())),
                    None => Input::Confirmed(confirmation(&self.confirm)),
                }
            }
            Effect::Read(read) => Input::Read(Ok(self.read(slot, &read))),
            Effect::Execute(start) => return self.execute(id, &start),
            Effect::Expect => Input::Expected(true),
            Effect::Settle => {
                self.log.push("settle");
                Input::Settled
            }
            Effect::Respond(_) | Effect::Nothing => unreachable!("handled by the caller"),
        })
    }

    fn later(&mut self, id: CallId, waits_ms: f64, answer: Later) -> Option<Input> {
        self.pending.push(Pending { due_ms: self.now_ms + waits_ms, id, answer });
        None
    }

    fn present(&self, slot: u32) -> Presented {
        let (name, is_null) = match &self.live[&slot].source {
            Source::Null => ("", true),
            Source::Session(name) | Source::Resolver(name) => (name.as_str(), false),
        };
        match self.sessions.get(name) {
            _ if is_null => Presented::Null,
            None | Some(Value::Null) => Presented::Nothing,
            Some(session) => Presented::Value(owned(session)),
        }
    }

    fn user(&self) -> User {
        match &self.user {
            None => User::Unchecked,
            Some(user) => user.as_str().map_or(User::SignedOut, |id| User::Is(id.into())),
        }
    }

    fn read(&mut self, slot: u32, read: &Read) -> Json {
        let found = |handle: &Handle, known: &[(Handle, Value)]| {
            known.iter().find(|(other, _)| other == handle).map(|(_, source)| source.clone())
        };
        match read {
            Read::Identity => owned(&self.identity),
            Read::State(handle) => {
                self.log.push("state");
                let key =
                    self.states.iter().find(|(other, _)| other == handle).map(|(_, key)| key).expect("a state key");
                owned(&self.state[key])
            }
            Read::Window { source, offset, limit, ids } => {
                self.log.push("window");
                let source = found(source, &self.records).expect("a source");
                let items = source["items"].as_array().expect("items");
                let part = |count: f64| items.iter().skip(*offset as usize).take(count as usize);
                let id_field = source["idField"].as_str().unwrap_or("id");
                let rows: Vec<Value> = part(*limit).map(|item| row(&source, item)).collect();
                let ids: Vec<&Value> = part(*ids).map(|item| &item[id_field]).collect();
                owned(&json!({ "total": items.len(), "ids": ids, "rows": rows }))
            }
            Read::Record { source, id, keep } => {
                self.log.push("record");
                let source = found(source, &self.records).expect("a source");
                let id_field = source["idField"].as_str().unwrap_or("id");
                let item = source["items"].as_array().expect("items").iter().find(|item| item[id_field] == id.as_str());
                if *keep {
                    self.live.get_mut(&slot).expect("a call under way").item = item.cloned();
                }
                item.map_or(Json::Null, |item| owned(&row(&source, item)))
            }
            Read::Object(_) | Read::Unavailable(_) => Json::Null,
        }
    }

    fn execute(&mut self, id: CallId, start: &Start) -> Option<Input> {
        self.log.push("executor");
        self.ran += 1;
        if start.record.is_some() {
            assert!(self.live[&id.slot].item.is_some(), "a row action runs on a record");
        }
        let (_, handler) = self.handlers[&start.capability].clone();
        if let Some(changed) = handler["said"].as_bool() {
            self.kernel.set_changed(id.slot, id.ticket, changed);
        }
        match handler["waits"].as_f64() {
            Some(waits) => self.later(id, waits, Later::Handler(handler)),
            None => Some(Input::Executed(self.end_handler(id, &handler))),
        }
    }

    fn end_handler(&mut self, id: CallId, handler: &Value) -> Ran {
        let slot = id.slot;
        if self.live.get(&slot).is_none_or(|live| live.id.serial != id.serial) {
            return Ran::Threw;
        }
        self.change(&handler["changes"]);
        if let Some(raised) = handler.get("raises") {
            return Ran::Raised(raise(raised));
        }
        if handler.get("throws").is_some() {
            return Ran::Threw;
        }
        let output = owned(&handler["returns"]);
        if !self.kernel.check_output(id, Plain::from(&output)) {
            return Ran::BadOutput;
        }
        self.live.get_mut(&slot).expect("a call under way").output = Some(output);
        Ran::Output
    }

    fn respond(&mut self, slot: u32, reply: Reply) {
        self.log.push("response");
        let live = self.live.remove(&slot).expect("a call under way");
        let response = match reply {
            Reply::Text(text) => serde_json::from_str(&text).expect("JSON"),
            Reply::Output(response) => {
                let mut output = live.output.expect("an output");
                self.kernel.strip(&mut output);
                let mut response: Value = serde_json::from_str(&to_text(&*response, number_text)).expect("JSON");
                response["result"]["output"] = plain(&output);
                response
            }
        };
        assert!(self.responses.insert(live.name, response).is_none(), "one response a request");
    }

    /// The audit events since the last look.
    pub(crate) fn audit(&mut self) -> Vec<Value> {
        let events = std::iter::from_fn(|| self.kernel.take_audit());
        events.map(|event| serde_json::from_str(&to_text(&event, number_text)).expect("JSON")).collect()
    }
}

fn row(source: &Value, item: &Value) -> Value {
    let fields: Map<String, Value> = source["fields"]
        .as_object()
        .expect("fields")
        .keys()
        .filter_map(|name| item.get(name).map(|value| (name.clone(), value.clone())))
        .collect();
    json!({ "id": item[source["idField"].as_str().unwrap_or("id")], "fields": fields })
}

fn merge(target: &mut Value, members: &Value) {
    match (target.as_object_mut(), members) {
        (Some(target), Value::Object(members)) => {
            target.extend(members.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        _ => *target = members.clone(),
    }
}

fn raise(raised: &Value) -> Raised {
    let error = BusinessError {
        code: raised["code"].as_str().expect("a code").into(),
        message: raised["message"].as_str().expect("a message").into(),
        retryable: raised["retryable"].as_bool().unwrap_or(false),
        retry_after_ms: raised["retryAfterMs"].as_f64(),
        details: raised.get("details").map(owned),
    };
    Raised { error, not_executed: raised["executed"] == Value::Bool(false) }
}

fn confirmation(confirm: &Value) -> Result<Confirmation, Failed> {
    let reply = confirm.get("answers").ok_or(Failed)?;
    Ok(Confirmation {
        approved: reply["approved"] == Value::Bool(true),
        remember: reply["remember"] == Value::Bool(true),
        approval_id: reply["approvalId"].as_str().map(Into::into),
        receipt: reply.get("receipt").map(owned),
    })
}
