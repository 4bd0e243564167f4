//! A page's connection to the host: performs what [`operations::page`](crate::operations::page) decides.
//!
//! All effects of a step are performed before the next input is taken, those that may run page code last.

mod exports;
mod host;
mod network;
mod script;

pub use exports::Bridge;
pub use host::Shim;

use super::value::{number_text, read};
use crate::operations::connect::{Endpoint, Script};
use crate::operations::page::{Effect, Input, Link, Outbox, Page, PageCall, Stopped, Ticket};
use crate::wire::Bounds;
use crate::wire::bridge::{Answer, ByeReason, Failure, Opened, read_answer, read_answers};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsValue;

/// What a POST under way is.
#[derive(Debug)]
enum What {
    Open,
    /// Calls of the machine; several share one POST.
    Calls(Vec<Ticket>),
    /// `pageApi.send`
    Message,
}

#[derive(Debug)]
struct Post {
    number: u32,
    what: What,
}

/// Where the page is connected to.
#[derive(Debug, Default)]
struct Session {
    endpoint: Option<Endpoint>,
    opened: Option<Opened>,
    /// The newest number when it was opened.
    opening: u32,
    /// The host's own address for streams was out of reach: its base URL serves too.
    is_base_only: bool,
}

/// One document's connection.
#[derive(Debug)]
struct Driver {
    shim: Shim,
    script: Script,
    machine: RefCell<Page>,
    outbox: RefCell<Outbox>,
    posts: RefCell<Vec<Post>>,
    session: RefCell<Session>,
    /// Numbers POSTs and streams.
    numbers: Cell<u32>,
    stream: Cell<u32>,
    link: Cell<Link>,
    /// What the host said when it refused.
    refusal: RefCell<String>,
    /// The reply that is being taken: the tickets it answers, and its data.
    reply: RefCell<(Vec<Ticket>, JsValue)>,
    /// The message that is being taken.
    message: RefCell<JsValue>,
    /// What came of the effects that are being performed.
    next: RefCell<Vec<Input>>,
}

impl Driver {
    /// Takes one input and performs what comes of it.
    fn give(&self, input: Input) {
        let effects = self.machine.borrow_mut().step(self.shim.mono(), input);
        let mut last = Vec::new();
        for effect in effects {
            match effect {
                Effect::Abort { .. } | Effect::StoreAndReload(_) => last.push(effect),
                effect => self.perform(effect),
            }
        }
        self.flush();
        let link = self.machine.borrow().link();
        if self.link.replace(link) != link && link != Link::Stopped {
            self.shim.turned(word(link), "", "");
        }
        for effect in last {
            self.perform(effect);
        }
        loop {
            let next = self.next.borrow_mut().pop();
            let Some(next) = next else { break };
            self.give(next);
        }
    }

    fn next_number(&self) -> u32 {
        self.numbers.set(self.numbers.get().wrapping_add(1));
        self.numbers.get()
    }

    fn perform(&self, effect: Effect) {
        let shim = &self.shim;
        match effect {
            Effect::OpenSession => shim.open(),
            Effect::OpenStream { after } => self.open_stream(after),
            Effect::CloseStream => {
                self.stream.set(0);
                shim.end_stream();
            }
            Effect::Stop(why) => self.stopped(why),
            Effect::Post { ticket, call } => self.push(ticket, &call),
            Effect::Drop(ticket) => self.drop_post(ticket),
            Effect::Start { execution_id, operation_id, ticket, .. } => {
                shim.start(&execution_id.to_string(), &operation_id, &self.data_for(ticket));
            }
            Effect::Abort { execution_id, reason } => shim.abort(&execution_id.to_string(), reason.as_str()),
            Effect::StatePromise { seq } => shim.state_promise(seq),
            Effect::StateSettled { seq, outcome } => match outcome {
                Ok(revision) => shim.state_settled(seq, Some(revision.to_string()), "", ""),
                Err(failure) => {
                    let (code, message) = script::state_failure(failure);
                    shim.state_settled(seq, None, code, message);
                }
            },
            Effect::Deliver => shim.message(&self.message.take()),
            Effect::StoreAndReload(ticket) => {
                let id = ticket.execution_id.to_string();
                let stored =
                    crate::operations::script::ticket_to_json(&ticket, &self.script.plugin_version, shim.wall());
                shim.reload(&id, &crate::wire::to_text(&stored, number_text));
            }
            Effect::ReloadFailed(id) => shim.reload_failed(&id.to_string(), false),
            Effect::ReloadRefused(id) => shim.reload_failed(&id.to_string(), true),
            Effect::ResumeFailed(_) => shim.complain("the reload of this page could not be continued", None),
            Effect::Leave { reports, close } => self.leave(reports, close),
            Effect::Arm(at_ms) => shim.wake(at_ms.map_or(-1.0, |at_ms| (at_ms - shim.mono()).max(0.0))),
        }
    }

    fn stopped(&self, why: Stopped) {
        let mut refusal = self.refusal.take();
        let (code, message) = match why {
            Stopped::Refused(Failure { code: Some(code), .. }) => (code.as_str(), code.message()),
            Stopped::Refused(_) => ("refused", "the host refused the page"),
            Stopped::Bye(reason) => {
                refusal.clear();
                (reason.as_str(), goodbye(reason))
            }
        };
        self.shim.turned(word(Link::Stopped), code, if refusal.is_empty() { message } else { &refusal });
    }
}

const fn word(link: Link) -> &'static str {
    match link {
        Link::Connecting => "connecting",
        Link::Open => "open",
        Link::Reconnecting => "reconnecting",
        Link::Stopped => "stopped",
    }
}

const fn goodbye(reason: ByeReason) -> &'static str {
    match reason {
        ByeReason::Replaced => "another connection of this page took over",
        ByeReason::PluginChanged => "the plugin has changed; load the page again",
        ByeReason::Removed => "the plugin was removed",
        ByeReason::Stopping => "the host is stopping",
    }
}
