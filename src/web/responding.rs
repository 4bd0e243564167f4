//! A response on its way out: stripped, given its shape, handed to the shim.

use super::driver::{Driver, Wait};
use super::host::{attach_output, fill_template, id_of, keep_template};
use super::value::{read, to_js};
use crate::surface::{CallId, Reply};
use crate::wire::{Bounds, Certainty, Fidelity, InvokeResponse, to_text};
use wasm_bindgen::JsValue;

impl Driver {
    /// Step 8 for an output: it waits in JavaScript, so that it is stripped here, by the kernel's rules.
    fn stripped(&self, output: JsValue, is_marked: bool) -> JsValue {
        let kernel = self.kernel.borrow();
        if !is_marked && !kernel.has_material() {
            return output;
        }
        match read(&output, Bounds::PARSED) {
            Ok(mut json) => {
                kernel.strip(&mut json);
                to_js(&json)
            }
            Err(_) => JsValue::NULL,
        }
    }

    pub(super) fn respond(&self, id: CallId, reply: Reply) {
        let place = self
            .live
            .borrow_mut()
            .get_mut(id.slot as usize)
            .and_then(|place| place.take_if(|live| live.serial == id.serial));
        let Some(live) = place else { return };
        let asks = matches!(live.wait, Some((_, Wait::Confirmation | Wait::Expectation)));
        if live.is_running || asks {
            // Nobody waits for the executor or the dialog any longer.
            self.host.abort(&live.request);
        }
        self.host.audit();
        match reply {
            Reply::Text(text) => self.host.reply(&live.request, &JsValue::UNDEFINED, Some(text)),
            Reply::Output(response) => {
                let output = self.stripped(live.output, live.is_output_marked);
                let id = id_of(&live.envelope);
                let response = self.shape(&response, &id, &output);
                self.host.reply(&live.request, &response, None);
            }
        }
    }

    /// A response with its output: from a template where there is nothing but the output to add.
    fn shape(&self, response: &InvokeResponse, id: &JsValue, output: &JsValue) -> JsValue {
        let number_text = self.kernel.borrow().number_text();
        if response.result.after.is_some() {
            return attach_output(&to_text(response, number_text), output);
        }
        let certainty = |certainty| match certainty {
            Certainty::Yes => 0,
            Certainty::No => 1,
            Certainty::Unknown => 2,
        };
        let fidelity = match response.result.fidelity {
            Fidelity::High => 0,
            Fidelity::Auto => 1,
            Fidelity::Low => 2,
        };
        let status = &response.result.status;
        let code = (certainty(status.executed) * 3 + certainty(status.changed)) * 3 + fidelity;
        if self.templates.get() & (1 << code) == 0 {
            self.templates.set(self.templates.get() | (1 << code));
            keep_template(code, &to_text(response, number_text));
        }
        fill_template(code, id, output)
    }
}
