//! The exported class: what the shim calls. Every method takes `&self`, and no borrow is alive in page code.

use super::{Bounds, Driver, Endpoint, Input, Link, Outbox, Page, Script, Session, Shim, number_text, read};
use crate::operations::manifest::is_id;
use crate::operations::script::{is_progress, read_state, ticket_from_json};
use crate::wire::bridge::{ExecutionId, Failure};
use crate::wire::operations_limits as limits;
use crate::wire::{Json, Misfit, to_text};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// A page's connection to a host.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bridge {
    driver: Driver,
}

#[wasm_bindgen]
impl Bridge {
    /// Sets a connection up. `options` is `{ plugin: { manifest, scriptId } }`.
    ///
    /// # Errors
    /// A text that says what does not fit.
    #[wasm_bindgen(constructor)]
    pub fn new(shim: Shim, options: &JsValue, page_url: &str, auto_state: bool) -> Result<Bridge, JsValue> {
        let script = Script::read(&data(options, "connectHost")?).map_err(say)?;
        let driver = Driver {
            shim,
            script,
            machine: RefCell::new(Page::new(page_url, auto_state)),
            outbox: RefCell::new(Outbox::default()),
            posts: RefCell::new(Vec::new()),
            session: RefCell::new(Session::default()),
            numbers: Cell::new(0),
            stream: Cell::new(0),
            link: Cell::new(Link::Connecting),
            refusal: RefCell::new(String::new()),
            reply: RefCell::new((Vec::new(), JsValue::UNDEFINED)),
            message: RefCell::new(JsValue::UNDEFINED),
            next: RefCell::new(Vec::new()),
        };
        Ok(Bridge { driver })
    }

    /// `pageApi.pluginId`, `pluginVersion` and `scriptId`, in this order.
    pub fn identity(&self) -> Vec<String> {
        let Script { plugin_id, plugin_version, script_id, .. } = &self.driver.script;
        vec![plugin_id.clone(), plugin_version.clone(), script_id.clone()]
    }

    /// The page may connect now.
    pub fn connect(&self) {
        self.driver.give(Input::Connect);
    }

    /// Where the host is, `{ host: { url, credential } }`: opens a session there.
    ///
    /// # Errors
    /// A text that says what does not fit.
    pub fn endpoint(&self, options: &JsValue, title: &str, page_url: &str) -> Result<(), JsValue> {
        let endpoint = self.read_endpoint(options)?;
        self.driver.open(endpoint, title, page_url);
        Ok(())
    }

    /// Checks `{ host: { url, credential } }`.
    ///
    /// # Errors
    /// A text that says what does not fit.
    #[wasm_bindgen(js_name = checkEndpoint)]
    pub fn check_endpoint(&self, options: &JsValue) -> Result<(), JsValue> {
        self.read_endpoint(options).map(drop)
    }

    /// Nobody knows where the host is, for now.
    pub fn unreachable(&self) {
        self.driver.open_failed(Failure::NO_ANSWER);
    }

    /// A POST was answered: its status, 0 without an answer, and its JSON.
    pub fn answered(&self, number: u32, status: u16, body: &JsValue) {
        self.driver.answered(number, status, body);
    }

    /// The stream was answered: its status, and its JSON when it is refused.
    pub fn streamed(&self, number: u32, status: u16, body: &JsValue) {
        self.driver.streamed(number, status, body);
    }

    /// The stream ended; `never_reached`: its address did not answer at all.
    pub fn lost(&self, number: u32, never_reached: bool) {
        self.driver.lost(number, never_reached);
    }

    /// Something arrived on the stream.
    pub fn heard(&self) {
        self.driver.give(Input::Heard);
    }

    /// An event of the stream.
    pub fn event(&self, stream: u32, id: &str, data: &JsValue) {
        self.driver.event(stream, id, data);
    }

    /// The time that was asked for has come.
    pub fn tick(&self) {
        self.driver.give(Input::Tick);
    }

    /// A handler is to be registered: 0 when it is, 1 for a bad id, 2 for one that is taken, 3 when it is registered
    /// although the manifest does not name it.
    pub fn handle(&self, operation: &str) -> u32 {
        if !is_id(operation) {
            return 1;
        }
        if self.driver.machine.borrow().has_handler(operation) {
            return 2;
        }
        self.driver.give(Input::Handle(operation.into()));
        if self.driver.script.operations.iter().any(|known| known == operation) { 0 } else { 3 }
    }

    /// A handler is unregistered.
    pub fn unhandle(&self, operation: &str) {
        self.driver.give(Input::Unhandle(operation.into()));
    }

    /// `ctx.report`; `false` when it is no percentage. NaN keeps the last one.
    pub fn progress(&self, execution: &str, value: f64, keep: bool) -> bool {
        if !keep && !is_progress(value) {
            return false;
        }
        if let Some(execution_id) = ExecutionId::parse(execution) {
            self.driver.give(Input::Progress { execution_id, progress: (!keep).then_some(value) });
        }
        true
    }

    /// A handler returned or threw.
    pub fn settled(&self, execution: &str, operation: &str, returned: bool, value: &JsValue) {
        if let Some(id) = ExecutionId::parse(execution) {
            self.driver.handler_settled(id, operation, returned.then_some(value));
        }
    }

    /// `setState`: its promise is announced by `statePromise` before this returns.
    ///
    /// # Errors
    /// A text that says what does not fit.
    #[wasm_bindgen(js_name = setState)]
    pub fn set_state(&self, state: &JsValue, title: &str, page_url: &str) -> Result<(), JsValue> {
        let state = read_state(&data(state, "setState")?, title, page_url).map_err(say)?;
        self.driver.give(Input::SetState(state));
        Ok(())
    }

    /// `send`: the number of its POST, 0 without a session.
    ///
    /// # Errors
    /// A text that says what does not fit.
    pub fn send(&self, message: &JsValue) -> Result<u32, JsValue> {
        let message = data(message, "send")?;
        let body = to_text(&Json::object([("message", message)]), number_text);
        if body.len() > limits::BODY_BYTES {
            return Err(JsValue::from("send: the message is larger than 64 KiB"));
        }
        Ok(self.driver.send_message(&body))
    }

    /// The document may have another URL.
    pub fn navigated(&self, page_url: &str, title: &str) {
        self.driver.give(Input::Navigated { url: page_url.into(), title: title.into() });
    }

    /// `ctx.reload()`; `can_store` says whether the storage took a trial write.
    pub fn reload(&self, execution: &str, can_store: bool) {
        if let Some(execution_id) = ExecutionId::parse(execution) {
            self.driver.give(Input::Reload { execution_id, can_store });
        }
    }

    /// The document stays although it was to be reloaded.
    #[wasm_bindgen(js_name = reloadStayed)]
    pub fn reload_stayed(&self, execution: &str) {
        if let Some(id) = ExecutionId::parse(execution) {
            self.driver.give(Input::ReloadStayed(id));
        }
    }

    /// A stored ticket was found, and removed, when the page started.
    #[wasm_bindgen(js_name = ticketFound)]
    pub fn ticket_found(&self, stored: &JsValue) {
        let json = read(stored, Bounds::units(limits::TICKET_CHARS)).unwrap_or(Json::Null);
        let version = &self.driver.script.plugin_version;
        if let Some(ticket) = ticket_from_json(&json, version, self.driver.shim.wall()) {
            self.driver.give(Input::TicketFound(ticket));
        }
    }

    /// `hasPendingReload()`
    #[wasm_bindgen(js_name = hasPendingReload)]
    pub fn has_pending_reload(&self) -> bool {
        self.driver.machine.borrow().has_pending_reload(self.driver.shim.mono())
    }

    /// `pagehide` or `freeze`, the first listener.
    pub fn hidden(&self) {
        self.driver.give(Input::Hidden);
    }

    /// `pagehide` or `freeze`, the last listener.
    pub fn leave(&self, persisted: bool) {
        self.driver.give(Input::Leave { persisted });
    }

    /// `pageshow`, or `resume`.
    pub fn shown(&self) {
        self.driver.give(Input::Shown);
    }

    /// `online`, or the page can be seen.
    pub fn wake(&self) {
        self.driver.give(Input::Wake);
    }

    fn read_endpoint(&self, options: &JsValue) -> Result<Endpoint, JsValue> {
        Endpoint::read(&data(options, "connectHost")?, &self.driver.script.plugin_id).map_err(say)
    }
}

/// Reads what a developer passed; anything that is not JSON is refused with its path.
fn data(value: &JsValue, subject: &str) -> Result<Json, JsValue> {
    read(value, Bounds::PARSED)
        .map_err(|refusal| JsValue::from([subject, ": ", &refusal.message("the value")].concat()))
}

#[expect(clippy::boxed_local, reason = "errors are boxed where they are made")]
fn say(misfit: Box<Misfit>) -> JsValue {
    JsValue::from(misfit.message())
}
