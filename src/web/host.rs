//! What the driver asks of the shim, which carries it to page code; and what it asks of the platform.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The shim's side: clocks, timers, and the page's own functions. It decides nothing.
    #[derive(Debug)]
    pub type Host;

    /// Epoch milliseconds.
    #[wasm_bindgen(method)]
    pub fn wall(this: &Host) -> f64;
    /// Milliseconds of a clock that only goes forward.
    #[wasm_bindgen(method)]
    pub fn mono(this: &Host) -> f64;
    /// Asks for `tick` in this many milliseconds, in place of an earlier wish.
    #[wasm_bindgen(method)]
    pub fn wake(this: &Host, after_ms: f64);
    /// Asks for `settled(slot, ticket, …)` when the thenable settles.
    #[wasm_bindgen(method)]
    pub fn watch(this: &Host, thenable: &JsValue, slot: u32, ticket: u32);
    /// Hands a response over: as a value, or as text.
    #[wasm_bindgen(method)]
    pub fn reply(this: &Host, request: &JsValue, response: &JsValue, text: Option<String>);
    /// Audit events are waiting.
    #[wasm_bindgen(method)]
    pub fn audit(this: &Host);
    /// The declarations changed.
    #[wasm_bindgen(method)]
    pub fn changed(this: &Host);
    /// Tells the page's developer what page code threw, or what Pageport has to say.
    #[wasm_bindgen(method)]
    pub fn error(
        this: &Host,
        error: &JsValue,
        message: Option<String>,
        capability: Option<String>,
        provider: Option<String>,
    );
    /// The error that a call of the page's developer throws.
    #[wasm_bindgen(method, js_name = pageError)]
    pub fn page_error(this: &Host, code: &str, message: &str) -> JsValue;
    /// Aborts what page code holds of a request: a dialog, an executor.
    #[wasm_bindgen(method)]
    pub fn abort(this: &Host, request: &JsValue);

    /// `PageOptions.user`.
    #[wasm_bindgen(method, catch)]
    pub fn user(this: &Host) -> Result<JsValue, JsValue>;
    /// `PageOptions.rateLimiter`.
    #[wasm_bindgen(method, catch)]
    pub fn take(this: &Host, key: &str, now_ms: f64) -> Result<JsValue, JsValue>;
    /// `PageOptions.replayGuard`.
    #[wasm_bindgen(method, catch)]
    pub fn claim(this: &Host, session_id: &str, request_id: &str, until_ms: f64) -> Result<JsValue, JsValue>;
    /// `PageOptions.policy.approvalFor`; `undefined` when there is none.
    #[wasm_bindgen(method, catch, js_name = approvalFor)]
    pub fn approval_for(this: &Host, effect: &str) -> Result<JsValue, JsValue>;
    /// The gate: the page's own, or the built-in dialog, which offers to remember the answer where it may be.
    #[wasm_bindgen(method, catch)]
    pub fn confirm(
        this: &Host,
        request: &JsValue,
        confirmation: &JsValue,
        may_remember: bool,
    ) -> Result<JsValue, JsValue>;
    /// `PageOptions.page`.
    #[wasm_bindgen(method, catch)]
    pub fn identity(this: &Host) -> Result<JsValue, JsValue>;
    /// A state key, the object in focus, or an `unavailable` provider.
    #[wasm_bindgen(method, catch)]
    pub fn provide(this: &Host, handle: u32) -> Result<JsValue, JsValue>;
    /// A part of a source: `{ total, ids, rows }`.
    #[wasm_bindgen(method, catch)]
    pub fn window(this: &Host, handle: u32, offset: f64, limit: f64, ids: f64) -> Result<JsValue, JsValue>;
    /// One record of a source: `{ row, item }`, or nothing.
    #[wasm_bindgen(method, catch)]
    pub fn record(this: &Host, handle: u32, id: &str) -> Result<JsValue, JsValue>;
    /// Calls an executor. `record` is `undefined`, or its id and type.
    #[wasm_bindgen(method, catch)]
    pub fn execute(
        this: &Host,
        request: &JsValue,
        handle: u32,
        slot: u32,
        ticket: u32,
        envelope: &JsValue,
        session: &JsValue,
        record: &JsValue,
        item: &JsValue,
        receipt: &JsValue,
    ) -> Result<JsValue, JsValue>;
    /// Calls `expect` with the context of the executor and its output.
    #[wasm_bindgen(method, catch)]
    pub fn expect(this: &Host, request: &JsValue, handle: u32, output: &JsValue) -> Result<JsValue, JsValue>;
    /// Has the declaration's own validator look at a copy of the input: JSON Pointers of what is wrong, or a promise.
    #[wasm_bindgen(method, catch)]
    pub fn refine(this: &Host, request: &JsValue, handle: u32, input: &JsValue) -> Result<JsValue, JsValue>;
    /// `PageOptions.settle`.
    #[wasm_bindgen(method, catch)]
    pub fn settle(this: &Host) -> Result<JsValue, JsValue>;
    /// What a `SurfaceError` says, as a plain object; `undefined` for any other thrown value.
    #[wasm_bindgen(method)]
    pub fn raised(this: &Host, error: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/web/driver.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    pub(super) fn parse(text: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = parse)]
    pub(super) fn parse_own(text: &str) -> JsValue;
    #[wasm_bindgen(catch, js_name = isThenable)]
    pub(super) fn is_thenable(value: &JsValue) -> Result<bool, JsValue>;
    pub(super) fn ignore(thenable: &JsValue);
    #[wasm_bindgen(js_name = inputOf)]
    pub(super) fn input_of(envelope: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = idOf)]
    pub(super) fn id_of(envelope: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = withoutDetails)]
    pub(super) fn without_details(raised: &JsValue) -> JsValue;
    #[wasm_bindgen(catch, js_name = memberOf)]
    pub(super) fn member_of(value: &JsValue, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = keepTemplate)]
    pub(super) fn keep_template(code: u32, text: &str);
    #[wasm_bindgen(js_name = fillTemplate)]
    pub(super) fn fill_template(code: u32, id: &JsValue, output: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = attachOutput)]
    pub(super) fn attach_output(text: &str, output: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = sessionView)]
    pub(super) fn session_view(agent_id: &str, user_id: &str, session_id: &str) -> JsValue;
    #[wasm_bindgen(catch, js_name = sessionToken)]
    pub(super) fn session_token(session: &JsValue) -> Result<u32, JsValue>;
}
