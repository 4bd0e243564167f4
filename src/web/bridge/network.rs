//! POSTs, the stream and the beacon: what the machine sends, and what comes back.

use super::{
    Answer, Bounds, Driver, Endpoint, Failure, Input, JsValue, Link, Opened, PageCall, Post, Ticket, What, number_text,
    read, read_answer, read_answers,
};
use crate::operations::page::{Outgoing, fit_beacon, lose_result};
use crate::web::host::member_of;
use crate::wire::bridge::{AttemptId, BridgeEvent, CompleteBody, EventNumber, LeaveBody, OpenBody, Reaction};
use crate::wire::operations_limits as limits;
use crate::wire::{Json, to_text};
use serde::Serialize;

/// `token`, `reports` and `close` in a beacon, without the two texts.
const LEAVE_FRAME: usize = 64;

impl Driver {
    /// Takes a call of the machine; it goes out with the next POST.
    pub(super) fn push(&self, ticket: Ticket, call: &PageCall) {
        let alone = self.outbox.borrow_mut().push(ticket, call, number_text);
        if let Some(outgoing) = alone {
            self.send(outgoing);
        }
    }

    /// Sends what may be sent now.
    pub(super) fn flush(&self) {
        loop {
            let outgoing = self.outbox.borrow_mut().take();
            let Some(outgoing) = outgoing else { return };
            self.send(outgoing);
        }
    }

    fn send(&self, outgoing: Outgoing) {
        let number = self.post(outgoing.path, &outgoing.body, What::Calls(outgoing.tickets.clone()));
        if number == 0 {
            self.outbox.borrow_mut().settle(&outgoing.tickets);
        }
        for ticket in outgoing.tickets {
            self.next.borrow_mut().push(match number {
                0 => Input::Settled { ticket, answer: Answer::Failed(Failure::NO_ANSWER) },
                _ => Input::Sent(ticket),
            });
        }
    }

    /// POSTs under the session's token and returns its number, 0 without a session.
    pub(super) fn post(&self, path: &str, body: &str, what: What) -> u32 {
        let session = self.session.borrow();
        let (Some(endpoint), Some(opened)) = (&session.endpoint, &session.opened) else { return 0 };
        let number = self.next_number();
        self.posts.borrow_mut().push(Post { number, what });
        self.shim.post(number, &[&endpoint.url, path].concat(), &opened.token, body);
        number
    }

    /// The host is there: opens a session.
    pub(super) fn open(&self, endpoint: Endpoint, title: &str, page_url: &str) {
        let body = OpenBody::Plugin(self.script.open(endpoint.generation, title, page_url));
        let number = self.next_number();
        // An answer to an earlier attempt is worth nothing, and browsers open few connections to one host.
        self.abort_post(&|post| matches!(post.what, What::Open));
        self.posts.borrow_mut().push(Post { number, what: What::Open });
        let text = to_text(&body, number_text);
        self.shim.post(number, &[&endpoint.url, "/open"].concat(), &endpoint.credential, &text);
        let mut session = self.session.borrow_mut();
        session.endpoint = Some(endpoint);
        session.opened = None;
    }

    pub(super) fn open_failed(&self, failure: Failure) {
        self.give(Input::OpenFailed { failure, jitter: self.shim.jitter() });
    }

    /// Nobody waits for a call any longer; its POST is aborted when it carries no other.
    pub(super) fn drop_post(&self, ticket: Ticket) {
        let was_last = self.outbox.borrow_mut().forget(ticket);
        let is_done = |tickets: &[Ticket]| tickets == [ticket] || (was_last && tickets.contains(&ticket));
        self.abort_post(&|post| matches!(&post.what, What::Calls(tickets) if is_done(tickets)));
    }

    fn abort_post(&self, is_wanted: &dyn Fn(&Post) -> bool) {
        if let Some(post) = self.take_post(is_wanted) {
            self.shim.cancel(post.number);
        }
    }

    fn take_post(&self, is_wanted: &dyn Fn(&Post) -> bool) -> Option<Post> {
        let mut posts = self.posts.borrow_mut();
        let index = posts.iter().position(is_wanted)?;
        Some(posts.swap_remove(index))
    }

    /// A POST was answered; status 0 when it was not.
    pub(super) fn answered(&self, number: u32, status: u16, value: &JsValue) {
        let Some(post) = self.take_post(&|post| post.number == number) else { return };
        let body = read(value, Bounds::PARSED).ok();
        self.note_refusal(body.as_ref());
        match post.what {
            What::Open => self.open_answered(&answer(status, body.as_ref())),
            What::Message => self.message_answered(number, &answer(status, body.as_ref()), value),
            What::Calls(tickets) => {
                self.outbox.borrow_mut().settle(&tickets);
                let answers = match (status, tickets.len()) {
                    (0, count) => vec![Answer::Failed(Failure::NO_ANSWER); count],
                    (status, 1) => vec![read_answer(status, body.as_ref())],
                    (status, count) => read_answers(status, body.as_ref(), count),
                };
                let data = member_of(value, "data").unwrap_or(JsValue::UNDEFINED);
                self.reply.replace((tickets.clone(), data));
                for (ticket, answer) in tickets.into_iter().zip(answers) {
                    self.give(Input::Settled { ticket, answer });
                }
                self.reply.take();
                self.flush();
            }
        }
    }

    /// Keeps what the host says with this answer, for the person who wonders why the page is not connected.
    fn note_refusal(&self, body: Option<&Json>) {
        let error = body.and_then(|body| body.get("error"));
        let text = |name| error.and_then(|error| error.get(name)).and_then(Json::as_str);
        let hint = text("hint").map(|hint| ["; ", hint].concat()).unwrap_or_default();
        self.refusal.replace(text("message").map(|message| message.to_owned() + &hint).unwrap_or_default());
    }

    fn open_answered(&self, answer: &Answer) {
        let opened = match answer {
            Answer::Done(data) => Opened::read(data).map_err(|_| Failure::NO_ANSWER),
            Answer::Failed(failure) => Err(*failure),
        };
        match opened {
            Ok(opened) => {
                self.shim.opened(&opened.page_session_id.to_string());
                {
                    let mut session = self.session.borrow_mut();
                    session.opened = Some(opened);
                    session.opening = self.numbers.get();
                    session.is_base_only = false;
                }
                self.give(Input::SessionOpened);
            }
            Err(failure) => self.open_failed(failure),
        }
    }

    /// The data of the reply that answers this ticket, as JavaScript has it.
    pub(super) fn data_for(&self, ticket: Ticket) -> JsValue {
        let (tickets, data) = &*self.reply.borrow();
        if tickets.len() < 2 {
            return data.clone();
        }
        let index = tickets.iter().position(|known| *known == ticket).unwrap_or_default();
        let entry = member_of(data, &index.to_string()).unwrap_or(JsValue::UNDEFINED);
        member_of(&entry, "data").unwrap_or(JsValue::UNDEFINED)
    }

    pub(super) fn open_stream(&self, after: Option<EventNumber>) {
        let session = self.session.borrow();
        let (Some(endpoint), Some(opened)) = (&session.endpoint, &session.opened) else { return };
        let number = self.next_number();
        self.stream.set(number);
        let base = [&endpoint.url, "/events"].concat();
        let url = if session.is_base_only { &base } else { &opened.events_url };
        let after = after.map(|after| after.to_string()).unwrap_or_default();
        self.shim.stream(number, url, &opened.token, &after);
    }

    /// The stream was answered: it delivers from now on, or was refused.
    pub(super) fn streamed(&self, number: u32, status: u16, value: &JsValue) {
        if number != self.stream.get() {
            return;
        }
        if status == 200 {
            return self.give(Input::StreamOpen);
        }
        self.stream.set(0);
        let body = read(value, Bounds::PARSED).ok();
        self.note_refusal(body.as_ref());
        let jitter = self.shim.jitter();
        match read_answer(status, body.as_ref()) {
            Answer::Failed(failure) => self.give(Input::StreamRefused { failure, jitter }),
            Answer::Done(_) => self.give(Input::StreamLost { jitter }),
        }
    }

    /// The stream ended; `never_reached`: its address did not answer at all.
    pub(super) fn lost(&self, number: u32, never_reached: bool) {
        if number != self.stream.get() {
            return;
        }
        self.stream.set(0);
        if never_reached {
            let mut session = self.session.borrow_mut();
            session.is_base_only = !session.is_base_only;
        }
        self.give(Input::StreamLost { jitter: self.shim.jitter() });
    }

    /// An event of the stream: its id, and its data.
    pub(super) fn event(&self, stream: u32, id: &str, data: &JsValue) {
        if stream != self.stream.get() {
            return;
        }
        let json = read(data, Bounds::PARSED).unwrap_or(Json::Null);
        let event = BridgeEvent::read(&json);
        let number = id.parse::<EventNumber>();
        if let Err(misfit) = &event {
            self.shim.complain(&misfit.message(), None);
        }
        let input = match (event, number) {
            (Ok(Some(BridgeEvent::Bye(bye))), _) => Input::Bye(bye.reason),
            (Ok(Some(BridgeEvent::Invoke(invoke))), Ok(number)) => {
                let attempt_id = AttemptId::parse(&self.shim.random_id()).unwrap_or(AttemptId::from_bytes([0; 16]));
                Input::Invoke { number, invoke, attempt_id }
            }
            (Ok(Some(BridgeEvent::Cancel(cancel))), Ok(number)) => Input::Cancel { number, cancel },
            (Ok(Some(BridgeEvent::Message(_))), Ok(number)) => {
                self.message.replace(member_of(data, "message").unwrap_or(JsValue::UNDEFINED));
                Input::Event { number }
            }
            // From a newer host, or broken: that it arrived is all there is to say, and it need not come again.
            (_, Ok(number)) => Input::Event { number },
            (Err(_), _) => return,
            (_, Err(_)) => return self.shim.complain("event: its id must be a whole number", None),
        };
        self.give(input);
        self.message.take();
    }

    /// The last word: results in the order of their size while they fit, and none when the browser refuses.
    pub(super) fn leave(&self, reports: Vec<CompleteBody>, close: bool) {
        let session = self.session.borrow();
        let (Some(endpoint), Some(opened)) = (&session.endpoint, &session.opened) else { return };
        let url = [&endpoint.url, "/leave"].concat();
        let room = limits::LEAVE_BYTES - LEAVE_FRAME - opened.token.len();
        let mut body =
            LeaveBody { token: opened.token.clone(), reports: fit_beacon(reports, room, number_text), close };
        if !self.shim.beacon(&url, &text(&body)) {
            body.reports = body.reports.iter().map(lose_result).collect();
            self.shim.beacon(&url, &text(&body));
        }
    }

    /// `pageApi.send`: the number of the POST, 0 without a session.
    pub(super) fn send_message(&self, body: &str) -> u32 {
        if self.link.get() == Link::Stopped {
            return 0;
        }
        self.post("/message", body, What::Message)
    }

    fn message_answered(&self, number: u32, answer: &Answer, value: &JsValue) {
        match answer {
            Answer::Done(_) => {
                let data = member_of(value, "data").unwrap_or(JsValue::NULL);
                self.shim.sent(number, &data, None, "");
            }
            Answer::Failed(failure) => {
                let code = failure.code.map_or("no_answer", |code| code.as_str());
                let message = failure.code.map_or("the host did not answer", |code| code.message());
                self.shim.sent(number, &JsValue::UNDEFINED, Some(code.into()), message);
                // It may be the end of a session before this one.
                let is_current = number > self.session.borrow().opening;
                if is_current && matches!(failure.reaction, Reaction::Reopen | Reaction::Stop) {
                    self.give(Input::StreamRefused { failure: *failure, jitter: self.shim.jitter() });
                }
            }
        }
    }
}

fn text<B: Serialize>(body: &B) -> String {
    to_text(body, number_text)
}

/// The reply to a single call; status 0 when there was none.
fn answer(status: u16, body: Option<&Json>) -> Answer {
    match status {
        0 => Answer::Failed(Failure::NO_ANSWER),
        status => read_answer(status, body),
    }
}
