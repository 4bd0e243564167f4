//! Session values at the border: read into Rust once per content, shown to executors as one frozen object.

use super::host::{session_token, session_view};
use super::value::read;
use crate::surface::{Grant, Presented};
use crate::wire::Bounds;
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

/// The sessions last presented.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    known: Vec<Known>,
}

impl Sessions {
    /// What a value that should be a session presents.
    pub(super) fn present(&mut self, value: &JsValue) -> Presented {
        if value.is_null() || value.is_undefined() {
            return Presented::Nothing;
        }
        let token = if value.is_object() { session_token(value).unwrap_or(0) } else { 0 };
        if let Some(known) = self.known.iter().find(|known| known.token == token && token != 0) {
            return Presented::Known(Rc::clone(&known.grant));
        }
        let Ok(json) = read(value, Bounds::REQUEST) else { return Presented::Value(crate::wire::Json::Null) };
        match Grant::read(&json) {
            Some(grant) if token != 0 => {
                let grant = Rc::new(grant);
                self.keep(token, Rc::clone(&grant));
                Presented::Known(grant)
            }
            _ => Presented::Value(json),
        }
    }

    fn keep(&mut self, token: u32, grant: Rc<Grant>) {
        if self.known.len() == KEPT {
            self.known.remove(0);
        }
        self.known.push(Known { token, grant, view: None });
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
