//! Session values at the border: read into Rust once per content, shown to executors as one frozen object.

use super::host::{session_token, session_view};
use super::value::read;
use crate::surface::{Grant, Presented};
use crate::wire::{Bounds, Json};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// How many contents are kept; a page has few sessions alive at a time.
const KEPT: usize = 32;

#[derive(Debug)]
struct Known {
    token: u32,
    grant: Rc<Grant>,
    view: Option<JsValue>,
}

/// A number for the content of a session object, 0 when it has to be read each time. Runs getters, if it has any.
pub(super) fn token_of(value: &JsValue) -> u32 {
    if value.is_object() { session_token(value).unwrap_or(0) } else { 0 }
}

/// What a value that should be a session presents. Runs getters, if it has any.
pub(super) fn read_session(value: &JsValue) -> Presented {
    if value.is_null() || value.is_undefined() {
        return Presented::Nothing;
    }
    let json = read(value, Bounds::REQUEST).unwrap_or(Json::Null);
    match Grant::read(&json) {
        Some(grant) => Presented::Known(Rc::new(grant)),
        None => Presented::Value(json),
    }
}

/// The sessions last presented.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    known: Vec<Known>,
}

impl Sessions {
    /// The session that was read under this token.
    pub(super) fn known(&self, token: u32) -> Option<Rc<Grant>> {
        self.known.iter().find(|known| known.token == token).map(|known| Rc::clone(&known.grant))
    }

    /// Keeps what was read, unless the token says that it cannot be told from other content.
    pub(super) fn keep(&mut self, token: u32, grant: &Rc<Grant>) {
        if token == 0 || self.known.iter().any(|known| known.token == token) {
            return;
        }
        if self.known.len() == KEPT {
            self.known.remove(0);
        }
        self.known.push(Known { token, grant: Rc::clone(grant), view: None });
    }

    /// The session as executors see it.
    pub(super) fn view(&mut self, grant: &Rc<Grant>) -> JsValue {
        let make = || session_view(&grant.agent_id, &grant.user_id, &grant.session_id);
        match self.known.iter_mut().find(|known| Rc::ptr_eq(&known.grant, grant)) {
            Some(known) => known.view.get_or_insert_with(make).clone(),
            None => make(),
        }
    }
}
