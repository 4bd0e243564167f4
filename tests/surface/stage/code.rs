//! Page code as data: whose turn it is, what it does, and what its end means to the kernel.

use super::{Pending, Source, Stage, owned};
use pageport::schema::Plain;
use pageport::surface::{CallId, Confirmation, Failed, Input, Presented, Raised, Ran, Read, User};
use pageport::wire::{Bounds, BusinessError, Json, is_raisable, limits, measure, number_text};
use serde_json::{Value, json};

/// What page code was called for.
#[derive(Clone, Debug)]
pub(super) enum Role {
    Session,
    Token,
    Claim,
    Confirmation,
    Read(Read),
    Execution,
    Expectation,
    Settling,
}

/// How page code ended.
pub(super) enum Outcome {
    /// It does what it is there for: a source yields its items, a resolver its session.
    Natural,
    Value(Value),
    Threw,
    Raised(Value),
}

impl Stage {
    /// The code whose turn it is, of a list the last one for ever.
    pub(super) fn turn(&mut self, key: &str, code: &Value) -> Value {
        let Value::Array(list) = code else { return code.clone() };
        let turn = self.turns.entry(key.into()).or_default();
        *turn += 1;
        list[(*turn).min(list.len()) - 1].clone()
    }

    /// Calls page code; nothing when its answer comes later, or never.
    pub(super) fn run(&mut self, id: CallId, key: &str, code: &Value, role: Role) -> Option<Input> {
        let code = self.turn(key, code);
        self.begin_code(id, &code);
        self.run_taken(id, code, role)
    }

    /// Calls page code whose turn was taken.
    pub(super) fn run_taken(&mut self, id: CallId, code: Value, role: Role) -> Option<Input> {
        let is_later = is_later(&code);
        if let Some(live) = self.known(id) {
            live.waits = is_later && matches!(role, Role::Confirmation | Role::Execution | Role::Expectation);
        }
        if !is_later {
            return Some(self.end(id, &code, &role));
        }
        if let Some(waits_ms) = code["waits"].as_f64() {
            self.pending.push(Pending { due_ms: self.mono_ms + waits_ms, id, code, role });
        }
        None
    }

    /// What a handler tells its context before anything else.
    fn begin_code(&mut self, id: CallId, code: &Value) {
        let Some(ticket) = self.known(id).and_then(|live| live.executor).map(|(_, ticket)| ticket) else { return };
        let said = &code["said"];
        for changed in said.as_array().map_or_else(|| vec![said], |list| list.iter().collect()) {
            if let Some(changed) = changed.as_bool() {
                self.kernel.set_changed(id.slot, ticket, changed);
            }
        }
        for item in code["feedback"].as_array().into_iter().flatten() {
            self.kernel.add_call_feedback(id.slot, ticket, &owned(item)).expect("feedback");
        }
    }

    /// Page code comes to its end.
    pub(super) fn end(&mut self, id: CallId, code: &Value, role: &Role) -> Input {
        self.change(&code["changes"]).expect("a change that may be made");
        if let Some(sent) = code.get("sends") {
            self.take_request(sent, sent["as"].as_str().expect("a name"));
        }
        let outcome = self.outcome(id, code);
        let threw = matches!(outcome, Outcome::Threw | Outcome::Raised(_));
        let input = self.interpret(id, role, outcome);
        self.note_error(id, role, threw, &input);
        input
    }

    fn outcome(&mut self, id: CallId, code: &Value) -> Outcome {
        if code["checks"] == Value::Bool(true)
            && let Some(reason) = self.recheck(id)
        {
            self.aborted += 1;
            let message = "the session no longer allows this";
            return Outcome::Raised(
                json!({ "code": "PERMISSION_DENIED", "message": message, "details": { "reason": reason } }),
            );
        }
        if let Some(raised) = code.get("raises") {
            return Outcome::Raised(raised.clone());
        }
        if code.get("throws").is_some() {
            return Outcome::Threw;
        }
        let context = self.known(id).map(|live| live.context.clone()).unwrap_or_default();
        code.get("returns").map_or(Outcome::Natural, |value| Outcome::Value(filled(value, &context)))
    }

    /// `ctx.checkSession`: the code that forbids to go on.
    fn recheck(&mut self, id: CallId) -> Option<String> {
        let (ticket, source) = self.known(id).map(|live| (live.executor, live.source.clone()))?;
        let answer = Ok((self.presented(&source), self.user()));
        let checked = self.kernel.recheck(self.now(), id.slot, ticket?.1, answer);
        checked.err().map(|code| code.as_str().into())
    }

    /// The session that a source stands for now.
    pub(super) fn presented(&self, source: &Source) -> Presented {
        let name = match source {
            Source::Null => return Presented::Null,
            Source::Session(name) | Source::Resolver(name, _) => name,
        };
        present(self.sessions.get(name).unwrap_or(&Value::Null))
    }

    fn interpret(&mut self, id: CallId, role: &Role, outcome: Outcome) -> Input {
        match (role, outcome) {
            (Role::Session, outcome) => Input::Session(self.resolved(id, outcome)),
            (Role::Token, Outcome::Value(answer)) => Input::Token(match answer["ok"].as_bool() {
                Some(true) => Ok(Ok(())),
                Some(false) => Ok(Err(answer["retryAfterMs"].as_f64().filter(|ms| *ms >= 0.0))),
                None => Err(Failed),
            }),
            (Role::Token, _) => Input::Token(Err(Failed)),
            (Role::Claim, Outcome::Value(answer)) => Input::Claimed(answer.as_bool().ok_or(Failed)),
            (Role::Claim, _) => Input::Claimed(Err(Failed)),
            (Role::Confirmation, Outcome::Value(reply)) => Input::Confirmed(Ok(confirmation(&reply))),
            (Role::Confirmation, _) => Input::Confirmed(Err(Failed)),
            (Role::Read(read), outcome) => Input::Read(self.provided(id, read, outcome)),
            (Role::Execution, outcome) => Input::Executed(self.executed(id, outcome)),
            (Role::Expectation, outcome) => Input::Expected(matches!(outcome, Outcome::Value(Value::Bool(true)))),
            (Role::Settling, _) => Input::Settled,
        }
    }

    fn resolved(&mut self, id: CallId, outcome: Outcome) -> Result<(Presented, User), Failed> {
        let presented = match outcome {
            Outcome::Natural => {
                let source = self.known(id).map(|live| live.source.clone()).ok_or(Failed)?;
                self.presented(&source)
            }
            Outcome::Value(value) => present(&value),
            Outcome::Threw | Outcome::Raised(_) => return Err(Failed),
        };
        Ok((presented, self.user()))
    }

    fn executed(&mut self, id: CallId, outcome: Outcome) -> Ran {
        let output = match outcome {
            Outcome::Natural => Json::Null,
            Outcome::Value(value) => match Json::parse_within(&value.to_string(), 4 * limits::RESULT_UNITS) {
                Ok(output) => output,
                Err(_) => return Ran::BadOutput,
            },
            Outcome::Raised(raised) if is_raisable(raised["code"].as_str().unwrap_or_default()) => {
                return Ran::Raised(raise(&raised));
            }
            Outcome::Raised(_) | Outcome::Threw => return Ran::Threw,
        };
        let bounds = Bounds::units(self.kernel.max_result_units());
        if measure(&output, bounds, number_text).is_err() || !self.kernel.check_output(id, Plain::from(&output)) {
            return Ran::BadOutput;
        }
        if let Some(live) = self.known(id) {
            live.output = Some(output);
        }
        Ran::Output
    }
}

/// Whether the code gives a promise.
pub(super) fn is_later(code: &Value) -> bool {
    code["hangs"] == Value::Bool(true) || code.get("waits").is_some()
}

fn present(session: &Value) -> Presented {
    if session.is_null() { Presented::Nothing } else { Presented::Value(owned(session)) }
}

/// The value with what the context holds in place of each `{ "$context": pointer }`.
fn filled(value: &Value, context: &Value) -> Value {
    match value {
        Value::Object(members) => match members.get("$context").and_then(Value::as_str) {
            Some(pointer) => context.pointer(pointer).cloned().unwrap_or_default(),
            None => members.iter().map(|(key, member)| (key.clone(), filled(member, context))).collect(),
        },
        Value::Array(items) => items.iter().map(|item| filled(item, context)).collect(),
        other => other.clone(),
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

fn confirmation(reply: &Value) -> Confirmation {
    Confirmation {
        approved: reply["approved"] == Value::Bool(true),
        remember: reply["remember"] == Value::Bool(true),
        approval_id: reply["approvalId"].as_str().map(Into::into),
        receipt: reply.get("receipt").map(owned),
    }
}
