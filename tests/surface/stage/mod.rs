//! A page as data: what a vector declares, driven as a browser would drive it.

mod change;
mod code;
mod drive;
mod errors;
mod options;
mod provide;

use code::Role;
use options::config;
use pageport::schema::Interner;
use pageport::surface::{CallId, Config, Handle, Kernel, Now, User};
use pageport::wire::{Json, limits, number_text, to_text};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Where a call's session comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Null,
    Session(String),
    /// The name, and what the resolver does.
    Resolver(String, Value),
}

/// A request that has not been answered.
struct Live {
    envelope: Json,
    source: Source,
    name: String,
    id: CallId,
    item: Value,
    /// What the executor is given, once it is called.
    context: Value,
    output: Option<Json>,
    executor: Option<(Handle, u32)>,
    resolves_later: bool,
    /// Whether the gate, the executor or `expect` has not come to its end.
    waits: bool,
}

/// Page code that ends later.
struct Pending {
    due_ms: f64,
    id: CallId,
    code: Value,
    role: Role,
}

/// A capability as the vector declares it.
#[derive(Clone)]
struct Declared {
    id: String,
    handler: Value,
    expect: Value,
}

/// The page of one vector.
pub(crate) struct Stage {
    pub(crate) kernel: Kernel,
    pub(crate) responses: HashMap<String, Value>,
    /// Which of the page's own functions were called, in order, and with what.
    pub(crate) calls: Vec<Value>,
    /// What `onError` was told of: the capability or the provider that failed.
    errors: Vec<Value>,
    /// Every effect in order, by name: what the guards and providers saw.
    pub(crate) log: Vec<&'static str>,
    pub(crate) ran: u64,
    /// Requests whose signal page code saw aborted.
    pub(crate) aborted: u64,
    page: Value,
    sessions: Map<String, Value>,
    user: Option<Value>,
    declared: HashMap<Handle, Declared>,
    records: Vec<(Handle, Value)>,
    states: Vec<(Handle, String)>,
    state: Map<String, Value>,
    object: Value,
    unavailable: Value,
    /// How often each list of codes was asked.
    turns: HashMap<String, usize>,
    live: HashMap<u32, Live>,
    pending: Vec<Pending>,
    mono_ms: f64,
    /// How far the wall clock is ahead.
    ahead_ms: f64,
}

/// A value of a vector as the kernel holds it.
fn owned(value: &Value) -> Json {
    Json::parse_within(&value.to_string(), 4 * limits::RESULT_UNITS).expect("JSON")
}

fn plain(value: &Json) -> Value {
    serde_json::from_str(&to_text(value, number_text)).expect("JSON")
}

impl Stage {
    pub(crate) fn new(page: &Value, sessions: &Value) -> Self {
        Self::with(page, sessions, |_| ())
    }

    /// A page whose set-up is changed in what no vector says.
    pub(crate) fn with(page: &Value, sessions: &Value, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = config(page);
        change(&mut config);
        let mut kernel = Kernel::new(config, Rc::new(RefCell::new(Interner::new())));
        kernel.open_connection("in-process".into(), "open-session".into());
        let object = page.get("object").map(|object| object["value"].clone());
        let entries = page.get("unavailable").map(|unavailable| unavailable["entries"].clone());
        if object.is_some() {
            kernel.add_object(&owned(&audience(&page["object"], json!({})))).expect("an object");
        }
        if entries.is_some() {
            kernel.add_unavailable();
        }
        let mut made = Self {
            kernel,
            responses: HashMap::new(),
            calls: Vec::new(),
            errors: Vec::new(),
            log: Vec::new(),
            ran: 0,
            aborted: 0,
            page: page.clone(),
            sessions: sessions.as_object().cloned().unwrap_or_default(),
            user: page.get("options").and_then(|options| options.get("user")).cloned(),
            declared: HashMap::new(),
            records: Vec::new(),
            states: Vec::new(),
            state: Map::new(),
            object: object.unwrap_or_default(),
            unavailable: entries.filter(|entries| !entries.is_null()).unwrap_or(json!([])),
            turns: HashMap::new(),
            live: HashMap::new(),
            pending: Vec::new(),
            mono_ms: 0.0,
            ahead_ms: 0.0,
        };
        let begin = json!({
            "regions": page["regions"], "sources": page["records"], "state": page["state"],
            "declare": page["capabilities"],
        });
        made.change(&begin).expect("a page that may be declared");
        made
    }

    /// Moves the clock, ending what is due on the way.
    pub(crate) fn move_to(&mut self, at_ms: f64) {
        loop {
            let due = self.pending.iter().map(|pending| pending.due_ms).fold(self.kernel.next_due_ms(), f64::min);
            if due > at_ms {
                break;
            }
            self.mono_ms = self.mono_ms.max(due);
            let ready = self.pending.iter().position(|pending| pending.due_ms <= self.mono_ms);
            if let Some(index) = ready {
                let Pending { id, code, role, .. } = self.pending.remove(index);
                if let Some(live) = self.known(id) {
                    live.waits = false;
                }
                let input = self.end(id, &code, &role);
                let step = self.kernel.answer(self.now(), id, input, true);
                self.drive(step);
            } else {
                self.tick();
            }
        }
        self.mono_ms = at_ms;
        // A browser looks every second for refusals that are owed an event.
        self.tick();
    }

    fn tick(&mut self) {
        for id in self.kernel.tick(self.now()) {
            let step = self.kernel.answer(self.now(), id, pageport::surface::Input::TimedOut, true);
            self.drive(step);
        }
    }

    /// Sets the wall clock; the other one goes on.
    pub(crate) fn set_clock(&mut self, wall_ms: f64) {
        self.ahead_ms = wall_ms - self.mono_ms;
    }

    fn now(&self) -> Now {
        Now { wall_ms: self.mono_ms + self.ahead_ms, mono_ms: self.mono_ms }
    }

    /// The call, while it is under way.
    fn known(&mut self, id: CallId) -> Option<&mut Live> {
        self.live.get_mut(&id.slot).filter(|live| live.id.serial == id.serial)
    }

    fn user(&self) -> User {
        match &self.user {
            None => User::Unchecked,
            Some(user) => user.as_str().map_or(User::SignedOut, |id| User::Is(id.into())),
        }
    }

    /// The audit events since the last look.
    pub(crate) fn audit(&mut self) -> Vec<Value> {
        let events = std::iter::from_fn(|| self.kernel.take_audit());
        events.map(|event| serde_json::from_str(&to_text(&event, number_text)).expect("JSON")).collect()
    }
}

/// `declared` with the audience of a part of the page.
fn audience(part: &Value, mut declared: Value) -> Value {
    if let Some(audience) = part.get("for") {
        declared["for"] = audience.clone();
    }
    declared
}
