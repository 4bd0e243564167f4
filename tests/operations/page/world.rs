//! A driver that performs nothing: it remembers effects, hands out answers, and checks what always holds.

use pageport::operations::page::{Effect, Input, On, Outcome, Page, PageCall, RunState, Snapshot, Ticket};
use pageport::wire::Json;
use pageport::wire::bridge::{
    AbortReason, Answer, AttemptId, BridgeCode, Call, Cancel, CompleteBody, ExecutionId, Failure, Invoke, Login,
    OperationResult, Reaction, Revision, TerminalState,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Something that happens to a world.
pub(crate) type Change = fn(&mut World);

pub(crate) const URL: &str = "https://shop.example.com/a";

pub(crate) fn execution(number: u8) -> ExecutionId {
    ExecutionId::from_bytes([number; 16])
}

pub(crate) fn revision(number: u8) -> Revision {
    Revision::from_bytes([number; 16])
}

pub(crate) fn done(text: &str) -> Answer {
    Answer::Done(Json::parse(text).expect("JSON"))
}

pub(crate) fn refused(code: BridgeCode) -> Answer {
    Answer::Failed(Failure::refused(code))
}

pub(crate) const NO_ANSWER: Answer = Answer::Failed(Failure::NO_ANSWER);

pub(crate) fn known(number: u8) -> Answer {
    done(&format!(r#"{{"revision":"{}"}}"#, revision(number)))
}

pub(crate) fn claimed(allow_reload: bool, remaining_ms: f64) -> Answer {
    done(&format!(
        r#"{{"input":{{}},"cursor":"","limit":20,"reloadCount":0,"allowReload":{allow_reload},"remainingMs":{remaining_ms}}}"#
    ))
}

pub(crate) fn returned() -> Outcome {
    let (data, next_cursor) = (Json::Null, String::new());
    Outcome::Returned(Arc::new(OperationResult { data, count: 0.0, has_more: false, next_cursor, truncated: false }))
}

pub(crate) fn snapshot(context: &str) -> Snapshot {
    Snapshot { title: "A".into(), page_url: URL.into(), ready: true, login: Login::Unknown, context: context.into() }
}

pub(crate) struct World {
    pub(crate) page: Page,
    pub(crate) now: f64,
    pub(crate) posts: BTreeMap<Ticket, PageCall>,
    /// Executions whose handler runs.
    pub(crate) handlers: BTreeSet<ExecutionId>,
    pub(crate) aborts: BTreeMap<ExecutionId, AbortReason>,
    pub(crate) starts: BTreeMap<ExecutionId, u32>,
    /// Terminal reports the host has taken, in order.
    pub(crate) taken: Vec<CompleteBody>,
    /// When each heartbeat went out, and its progress.
    pub(crate) beats: Vec<(f64, Option<f64>)>,
    pub(crate) beacons: Vec<(Vec<CompleteBody>, bool)>,
    /// States whose promise is pending.
    pub(crate) pending: BTreeSet<u32>,
    pub(crate) armed: Option<f64>,
    pub(crate) transitions: BTreeSet<(RunState, On, RunState)>,
    pub(crate) event: u32,
    sent: Vec<Ticket>,
    invoked: BTreeMap<ExecutionId, Revision>,
    reports: BTreeMap<ExecutionId, Vec<CompleteBody>>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            page: Page::new(URL, false),
            now: 0.0,
            posts: BTreeMap::new(),
            handlers: BTreeSet::new(),
            aborts: BTreeMap::new(),
            starts: BTreeMap::new(),
            taken: Vec::new(),
            beats: Vec::new(),
            beacons: Vec::new(),
            pending: BTreeSet::new(),
            armed: None,
            transitions: BTreeSet::new(),
            event: 0,
            sent: Vec::new(),
            invoked: BTreeMap::new(),
            reports: BTreeMap::new(),
        }
    }

    /// Connected, with a handler for `op`, and ready under revision 1.
    pub(crate) fn ready() -> Self {
        let mut world = Self::new();
        world.give(Input::Handle("op".into()));
        world.give(Input::Connect);
        world.give(Input::SessionOpened);
        world.give(Input::StreamOpen);
        world.give(Input::SetState(snapshot("")));
        world.answer_all(&known(1));
        assert_eq!(world.page.revision(), Some(revision(1)));
        world
    }

    /// Ready, with execution 1 in its handler.
    pub(crate) fn running(allow_reload: bool) -> Self {
        let mut world = Self::ready();
        world.invoke(1, 1);
        world.answer_all(&claimed(allow_reload, 120_000.0));
        assert_eq!(world.state(1), RunState::Running);
        world
    }

    pub(crate) fn state(&self, number: u8) -> RunState {
        self.page.state_of(execution(number))
    }

    pub(crate) fn invoke(&mut self, number: u8, under: u8) -> Vec<Effect> {
        self.invoke_with(number, under, "op", 120_000.0)
    }

    pub(crate) fn invoke_with(&mut self, number: u8, under: u8, operation: &str, remaining_ms: f64) -> Vec<Effect> {
        self.event += 1;
        let execution_id = execution(number);
        let invoke = Invoke {
            execution_id,
            operation_id: operation.into(),
            revision: revision(under),
            reload_count: 0,
            remaining_ms,
        };
        self.invoked.entry(execution_id).or_insert(invoke.revision);
        self.give(Input::Invoke { number: self.event, invoke, attempt_id: AttemptId::from_bytes([number; 16]) })
    }

    pub(crate) fn cancel(&mut self, number: u8) -> Vec<Effect> {
        self.event += 1;
        let cancel = Cancel { execution_id: execution(number), reason: AbortReason::Cancelled };
        self.give(Input::Cancel { number: self.event, cancel })
    }

    pub(crate) fn settle(&mut self, number: u8, outcome: Outcome) -> Vec<Effect> {
        self.handlers.remove(&execution(number));
        self.give(Input::HandlerSettled { execution_id: execution(number), outcome })
    }

    /// Lets time pass, with every tick that was asked for.
    pub(crate) fn wait(&mut self, ms: f64) {
        let end = self.now + ms;
        while let Some(at) = self.armed.filter(|at| *at <= end) {
            assert!(at > self.now || self.now == 0.0, "a tick in the past");
            self.now = at;
            self.armed = None;
            self.give(Input::Tick);
        }
        self.now = end;
    }

    /// Answers one POST; like a host, takes a terminal report that it calls done.
    pub(crate) fn answer(&mut self, ticket: Ticket, answer: Answer) -> Vec<Effect> {
        let call = self.posts.get(&ticket).cloned();
        if let (Some(PageCall::Call(Call::Complete(body))), Answer::Done(_)) = (call, &answer) {
            self.taken.push(body);
        }
        self.give(Input::Settled { ticket, answer })
    }

    /// Answers every POST under way.
    pub(crate) fn answer_all(&mut self, answer: &Answer) {
        for ticket in self.posts.keys().copied().collect::<Vec<_>>() {
            self.answer(ticket, answer.clone());
        }
    }

    /// The calls under way, by name.
    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.posts.values().map(name).collect()
    }

    /// The terminal reports under way.
    pub(crate) fn completes(&self) -> Vec<CompleteBody> {
        let complete = |call: &PageCall| match call {
            PageCall::Call(Call::Complete(body)) => Some(CompleteBody { ack: None, ..body.clone() }),
            _ => None,
        };
        self.posts.values().filter_map(complete).collect()
    }

    pub(crate) fn give(&mut self, input: Input) -> Vec<Effect> {
        let before: Vec<_> = self.invoked.keys().map(|id| (*id, self.page.state_of(*id))).collect();
        let on = self.classify(&input);
        if let Input::Settled { ticket, .. } = &input {
            self.posts.remove(ticket);
        }
        let cause = format!("{input:?}");
        let effects = self.page.step(self.now, input);
        for effect in &effects {
            self.perform(effect);
        }
        // The driver is never slow: what it is given is on its way at once, once all effects are performed.
        while let Some(ticket) = self.sent.pop() {
            for effect in self.page.step(self.now, Input::Sent(ticket)) {
                self.perform(&effect);
            }
        }
        for (id, from) in before {
            let to = self.page.state_of(id);
            if let Some(on) = on.filter(|_| from != to) {
                self.transitions.insert((from, on, to));
            }
            assert!(on.is_some() || from == to, "{from:?} -> {to:?} by {cause}");
        }
        effects
    }

    fn classify(&self, input: &Input) -> Option<On> {
        Some(match input {
            Input::Invoke { .. } => On::Invoke,
            Input::Cancel { .. } => On::Cancel,
            Input::Bye(_) | Input::StreamRefused { .. } => On::Gone,
            Input::Settled {
                answer: Answer::Failed(Failure { reaction: Reaction::Reopen | Reaction::Stop, .. }),
                ..
            } => On::Gone,
            Input::Settled { ticket, .. } => match self.posts.get(ticket)? {
                PageCall::Call(Call::State(_)) => On::State,
                PageCall::Call(Call::Claim(_)) => On::Claim,
                PageCall::Call(Call::Reject(_)) => On::Reject,
                PageCall::Call(Call::Heartbeat(_)) => On::Beat,
                PageCall::Call(Call::Complete(_) | Call::Reply(_)) => On::Report,
                PageCall::Reload(_) => On::ReloadTicket,
                PageCall::ReloadAbort(_) | PageCall::Resume(_) | PageCall::Ack(_) => On::Report,
            },
            Input::HandlerSettled { .. } => On::Handler,
            Input::Reload { .. } => On::Reload,
            Input::ReloadStayed(_) => On::ReloadStayed,
            Input::Navigated { .. } | Input::SetState(_) => On::Navigated,
            Input::Hidden => On::Hidden,
            Input::Leave { .. } => On::Leave,
            Input::Shown | Input::Wake | Input::StreamOpen => On::Shown,
            Input::Tick | Input::Heard => On::Tick,
            _ => return None,
        })
    }

    fn perform(&mut self, effect: &Effect) {
        match effect {
            Effect::Post { ticket, call } => {
                self.check_revision(call);
                if let PageCall::Call(Call::Complete(body)) = call {
                    self.check_report(body);
                }
                if let PageCall::Call(Call::Heartbeat(body)) = call {
                    self.beats.push((self.now, body.progress));
                }
                self.posts.insert(*ticket, call.clone());
                self.sent.push(*ticket);
            }
            Effect::Drop(ticket) => drop(self.posts.remove(ticket)),
            Effect::Start { execution_id, .. } => {
                assert!(self.handlers.is_empty(), "two handlers at once");
                self.handlers.insert(*execution_id);
                *self.starts.entry(*execution_id).or_default() += 1;
                assert_eq!(self.starts[execution_id], 1, "started twice");
            }
            Effect::Abort { execution_id, reason } => {
                assert!(self.handlers.contains(execution_id), "aborted what does not run");
                assert_eq!(self.aborts.insert(*execution_id, *reason), None, "aborted twice");
            }
            Effect::StatePromise { seq } => drop(self.pending.insert(*seq)),
            Effect::StateSettled { seq, .. } => drop(self.pending.remove(seq)),
            Effect::Leave { reports, close } => {
                reports.iter().for_each(|body| self.check_report(body));
                self.beacons.push((reports.clone(), *close));
            }
            Effect::Arm(at) => self.armed = *at,
            _ => {}
        }
    }

    /// Operations §2, step 6.
    fn check_revision(&self, call: &PageCall) {
        let (id, revision) = match call {
            PageCall::Call(Call::Claim(body)) => (body.execution_id, body.revision),
            PageCall::Call(Call::Reject(body)) => (body.execution_id, body.revision),
            PageCall::Call(Call::Heartbeat(body)) => (body.execution_id, body.revision),
            PageCall::Call(Call::Complete(body)) => (body.execution_id, body.revision),
            PageCall::Reload(body) => (body.execution_id, body.revision),
            PageCall::ReloadAbort(body) => (body.execution_id, body.revision),
            _ => return,
        };
        assert_eq!(self.invoked.get(&id), Some(&revision), "another revision than it was claimed under");
    }

    /// Operations §2, step 5: one terminal report; later ones only say that the handler has stopped, or that its
    /// result came too late.
    fn check_report(&mut self, body: &CompleteBody) {
        let reports = self.reports.entry(body.execution_id).or_default();
        if let Some(last) = reports.last() {
            let is_late = body.state == TerminalState::Cancelled && body.reason == Some(AbortReason::TimedOut);
            let same = |body: &CompleteBody| (body.state, body.code.clone(), body.reason, body.started);
            assert!(
                same(last) == same(body) || (is_late && last.state == TerminalState::Succeeded),
                "{last:?} then {body:?}"
            );
            assert!(body.stopped || !last.stopped, "running again");
        }
        assert_eq!(body.result.is_some(), body.state == TerminalState::Succeeded);
        assert_eq!(body.code.is_some(), body.state == TerminalState::Failed);
        assert_eq!(body.reason.is_some(), body.state == TerminalState::Cancelled);
        reports.push(body.clone());
    }
}

pub(crate) fn name(call: &PageCall) -> &'static str {
    match call {
        PageCall::Call(Call::State(_)) => "state",
        PageCall::Call(Call::Claim(_)) => "claim",
        PageCall::Call(Call::Reject(_)) => "reject",
        PageCall::Call(Call::Heartbeat(_)) => "heartbeat",
        PageCall::Call(Call::Complete(_)) => "complete",
        PageCall::Call(Call::Reply(_)) => "reply",
        PageCall::Reload(_) => "reload",
        PageCall::ReloadAbort(_) => "reload-abort",
        PageCall::Resume(_) => "resume",
        PageCall::Ack(_) => "ack",
    }
}
