//! Sends requests and performs the kernel's effects.

use super::code::{Role, is_later};
use super::{Live, Source, Stage, plain};
use pageport::schema::Plain;
use pageport::surface::{CallId, Effect, Envelope, Input, Read, Reply, Start, owned_input};
use pageport::wire::{Json, number_text, to_text};
use serde_json::{Value, json};

impl Stage {
    /// Sends the request of a step, or of page code, under a name.
    pub(crate) fn take_request(&mut self, step: &Value, name: &str) {
        let text = step["text"].as_str().map_or_else(|| step["request"].to_string(), Into::into);
        let source = match step["session"].as_str() {
            None => Source::Null,
            Some(session) => match step.get("resolver") {
                Some(code) => Source::Resolver(session.into(), code.clone()),
                None => Source::Session(session.into()),
            },
        };
        let (read, envelope) = match Json::parse_envelope(&text) {
            Ok(json) => (self.kernel.read_envelope(Plain::from(&json)), json),
            Err((refusal, id)) => (Envelope::unreadable(Some(refusal), id), Json::Null),
        };
        let options = owned_input(&envelope);
        let transport = step["transport"].as_str().map(Into::into);
        let mut begun = self.kernel.begin(self.now(), 0, &read, options, transport);
        let live = Live {
            envelope,
            source,
            name: name.into(),
            id: begun.0,
            item: Value::Null,
            context: Value::Null,
            output: None,
            executor: None,
            resolves_later: false,
            waits: false,
        };
        self.live.insert(begun.0.slot, live);
        if step["cancelled"] == Value::Bool(true) && !matches!(begun.1, Effect::Respond(_)) {
            let cancelled = self.kernel.cancel(self.now(), begun.0);
            // A describe is answered all the same.
            if !matches!(cancelled.1, Effect::Nothing) {
                begun = cancelled;
            }
        }
        self.drive(begun);
    }

    pub(crate) fn cancel(&mut self, name: &str) {
        let id = self.live.values().find(|live| live.name == name).map(|live| live.id);
        if let Some(id) = id {
            let step = self.kernel.cancel(self.now(), id);
            self.drive(step);
        }
    }

    pub(super) fn drive(&mut self, (mut id, mut effect): (CallId, Effect)) {
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
        self.log.push(match &effect {
            Effect::ResolveSession { now_only: false } => "session",
            Effect::ResolveSession { now_only: true } => "session, now",
            Effect::TakeToken { .. } => "limiter",
            Effect::ClaimId { .. } => "guard",
            Effect::ValidateInput => "input",
            Effect::Refine => "refine",
            Effect::ReadArguments => "arguments",
            Effect::Confirm(_) => "confirm",
            Effect::Read(Read::State(_)) => "state",
            Effect::Read(Read::Window { .. }) => "window",
            Effect::Read(Read::Record { .. }) => "record",
            Effect::Read(_) => "page",
            Effect::Execute(_) => "executor",
            Effect::Expect => "expect",
            Effect::Settle => "settle",
            Effect::Respond(_) | Effect::Nothing => "nothing",
        });
        match effect {
            Effect::ResolveSession { now_only } => self.resolve(id, now_only),
            Effect::TakeToken { key, now_ms } => {
                self.calls.push(json!({ "limiter": { "key": key, "nowMs": now_ms } }));
                self.run(id, "limiter", &self.page["rateLimiter"].clone(), Role::Token)
            }
            Effect::ClaimId { session_id, request_id, until_ms } => {
                let claim = json!({ "sessionId": session_id, "requestId": request_id, "untilMs": until_ms });
                self.calls.push(json!({ "guard": claim }));
                self.run(id, "guard", &self.page["replayGuard"].clone(), Role::Claim)
            }
            Effect::ValidateInput => {
                let input = self.input(id);
                Some(self.kernel.check_input(id, Plain::from(&input)))
            }
            // No vector has a validator: it is a function of a library.
            Effect::Refine => Some(Input::Refined(Ok(Vec::new()))),
            Effect::ReadArguments => Some(Input::Arguments(self.input(id))),
            Effect::Confirm(request) => {
                let request: Value = serde_json::from_str(&to_text(&*request, number_text)).expect("JSON");
                self.calls.push(json!({ "confirm": request }));
                self.run(id, "confirm", &self.page["confirm"].clone(), Role::Confirmation)
            }
            Effect::Read(read) => self.provide(id, read),
            Effect::Execute(start) => self.execute(id, &start),
            Effect::Expect => {
                let live = self.known(id).expect("a call under way");
                let output = live.output.as_ref().map(plain).unwrap_or_default();
                let (handle, _) = live.executor.expect("an executor");
                self.calls.push(json!({ "expect": output }));
                let code = self.declared[&handle].expect.clone();
                self.run(id, &format!("expect {}", handle.0), &code, Role::Expectation)
            }
            Effect::Settle => {
                self.calls.push(json!("settle"));
                self.run(id, "settle", &self.page["settle"].clone(), Role::Settling)
            }
            Effect::Respond(_) | Effect::Nothing => unreachable!("handled by the caller"),
        }
    }

    fn input(&self, id: CallId) -> Json {
        owned_input(&self.live[&id.slot].envelope)
    }

    fn resolve(&mut self, id: CallId, now_only: bool) -> Option<Input> {
        let live = self.known(id).expect("a call under way");
        let (source, resolves_later) = (live.source.clone(), live.resolves_later);
        let Source::Resolver(name, code) = &source else {
            return Some(Input::Session(Ok((self.presented(&source), self.user()))));
        };
        if now_only && resolves_later {
            return Some(Input::SessionLater);
        }
        self.calls.push(json!({ "resolver": name }));
        let code = self.turn(&format!("resolver {}", id.serial), code);
        self.known(id).expect("a call under way").resolves_later = is_later(&code);
        if now_only && is_later(&code) {
            return Some(Input::SessionLater);
        }
        self.run_taken(id, code, Role::Session)
    }

    fn execute(&mut self, id: CallId, start: &Start) -> Option<Input> {
        self.ran += 1;
        let Start { capability, record, session, request_id, receipt, confirmed } = start;
        let declared = self.declared[capability].clone();
        self.calls.push(json!({ "executor": declared.id }));
        let live = self.known(id).expect("a call under way");
        let mut context = json!({
            "input": plain(&owned_input(&live.envelope)),
            "session": { "agentId": session.agent_id, "userId": session.user_id, "sessionId": session.session_id },
            "requestId": request_id,
        });
        if let Some(record) = record {
            assert!(!live.item.is_null(), "a row action runs on a record");
            context["record"] = json!({ "id": record.id, "type": record.kind, "item": live.item });
        }
        if *confirmed {
            context["approval"] = receipt.as_ref().map_or(json!({}), |receipt| json!({ "receipt": plain(receipt) }));
        }
        live.context = context;
        live.executor = Some((*capability, id.ticket));
        self.run(id, &format!("handler {}", capability.0), &declared.handler, Role::Execution)
    }

    fn respond(&mut self, slot: u32, reply: Reply) {
        self.log.push("response");
        let live = self.live.remove(&slot).expect("a call under way");
        self.aborted += u64::from(live.waits);
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
}
