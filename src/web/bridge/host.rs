//! What the bridge asks of the shim: the network, timers, and the script's own functions. The shim decides nothing.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The shim's side of a connection. None of its functions throws or runs page code before it returns, except for
    /// `abort` and `reload`, which the bridge calls last.
    #[derive(Debug)]
    pub type Shim;

    /// Milliseconds of a clock that only goes forward.
    #[wasm_bindgen(method)]
    pub fn mono(this: &Shim) -> f64;
    /// Epoch milliseconds.
    #[wasm_bindgen(method)]
    pub fn wall(this: &Shim) -> f64;
    /// A random number from 0 to 1.
    #[wasm_bindgen(method)]
    pub fn jitter(this: &Shim) -> f64;
    /// 32 random lower-case hex digits.
    #[wasm_bindgen(method, js_name = randomId)]
    pub fn random_id(this: &Shim) -> String;
    /// Asks for `tick` in this many milliseconds in place of an earlier wish; a negative number only takes that back.
    #[wasm_bindgen(method)]
    pub fn wake(this: &Shim, after_ms: f64);

    /// Asks for `endpoint` or `unreachable`.
    #[wasm_bindgen(method)]
    pub fn open(this: &Shim);
    /// POSTs JSON text; asks for `answered(number, …)`.
    #[wasm_bindgen(method)]
    pub fn post(this: &Shim, number: u32, url: &str, bearer: &str, body: &str);
    /// Nobody waits for a POST any longer.
    #[wasm_bindgen(method)]
    pub fn cancel(this: &Shim, number: u32);
    /// Opens the stream in place of an earlier one; asks for `streamed`, `event`, `heard` and `lost`.
    #[wasm_bindgen(method)]
    pub fn stream(this: &Shim, number: u32, url: &str, bearer: &str, after: &str);
    /// Ends the stream.
    #[wasm_bindgen(method, js_name = endStream)]
    pub fn end_stream(this: &Shim);
    /// Sends a beacon; whether the browser took it.
    #[wasm_bindgen(method)]
    pub fn beacon(this: &Shim, url: &str, body: &str) -> bool;

    /// The connection stands otherwise; the code and the message say why it stopped.
    #[wasm_bindgen(method)]
    pub fn turned(this: &Shim, word: &str, code: &str, message: &str);
    /// A session was opened.
    #[wasm_bindgen(method)]
    pub fn opened(this: &Shim, page_session_id: &str);
    /// Calls a handler later on; asks for `settled`. `claimed` is the data of the host's reply.
    #[wasm_bindgen(method)]
    pub fn start(this: &Shim, execution: &str, operation: &str, claimed: &JsValue);
    /// Aborts a handler's signal.
    #[wasm_bindgen(method)]
    pub fn abort(this: &Shim, execution: &str, reason: &str);
    /// The promise of the state that was just set is the one of this number.
    #[wasm_bindgen(method, js_name = statePromise)]
    pub fn state_promise(this: &Shim, seq: u32);
    /// A state was answered with its revision, or will not be.
    #[wasm_bindgen(method, js_name = stateSettled)]
    pub fn state_settled(this: &Shim, seq: u32, revision: Option<String>, code: &str, message: &str);
    /// A message from the plugin's hook; `undefined` when an event was none.
    #[wasm_bindgen(method)]
    pub fn message(this: &Shim, message: &JsValue);
    /// `send` was answered with data, or refused.
    #[wasm_bindgen(method)]
    pub fn sent(this: &Shim, number: u32, data: &JsValue, code: Option<String>, message: &str);
    /// Stores a ticket and reloads the document.
    #[wasm_bindgen(method)]
    pub fn reload(this: &Shim, execution: &str, ticket: &str);
    /// A call of `reload()` is rejected; unless it was out of place, a stored ticket is removed too.
    #[wasm_bindgen(method, js_name = reloadFailed)]
    pub fn reload_failed(this: &Shim, execution: &str, out_of_place: bool);
    /// Tells the developer what is wrong with what the script or the host does.
    #[wasm_bindgen(method)]
    pub fn complain(this: &Shim, message: &str, operation: Option<String>);
}
