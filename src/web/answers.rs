//! Turns what page code gave into the kernel's terms; whatever it should not have given is reported and counts as failed.

use super::driver::{Driver, Wait};
use super::host::{member_of, without_details};
use super::value::{read, show, snapshot};
use crate::surface::{CallId, Confirmation, Failed, Input, Raised, Ran, Read};
use crate::wire::{Bounds, BusinessError, Issue, Json, is_raisable, limits};
use wasm_bindgen::prelude::*;

impl Driver {
    /// Turns what page code gave into the kernel's terms.
    pub(super) fn interpret(&self, id: CallId, wait: Wait, outcome: Result<JsValue, JsValue>) -> Input {
        match wait {
            Wait::Session => Input::Session(self.presented(&outcome)),
            Wait::Token => Input::Token(self.checked(outcome, "rateLimiter", |value| {
                let member = |name| member_of(value, name).unwrap_or(JsValue::UNDEFINED);
                match member("ok").as_bool()? {
                    true => Some(Ok(())),
                    false => Some(Err(member("retryAfterMs").as_f64().filter(|ms| ms.is_finite() && *ms >= 0.0))),
                }
            })),
            Wait::Claim => Input::Claimed(self.checked(outcome, "replayGuard", JsValue::as_bool)),
            Wait::Confirmation => Input::Confirmed(self.checked(outcome, "confirm", read_confirmation)),
            Wait::Read(wanted) => Input::Read(self.read_provided(id, &wanted, outcome)),
            Wait::Execution => {
                self.with_live(id, |live| live.is_running = false);
                Input::Executed(self.ran(id, outcome))
            }
            Wait::Expectation => {
                let capability = self.kernel.borrow().capability_of(id).map(Into::into);
                match outcome {
                    Ok(held) => Input::Expected(held == JsValue::TRUE),
                    Err(error) => {
                        self.host.error(&error, None, capability, None);
                        Input::Expected(false)
                    }
                }
            }
            Wait::Refinement => Input::Refined(self.checked(outcome, "inputSchema", read_pointers)),
            Wait::Settling => {
                if let Err(error) = outcome {
                    self.host.error(&error, None, None, Some("settle".into()));
                }
                Input::Settled
            }
        }
    }

    /// What a guard or a gate said; anything it should not have said is reported and counts as failed.
    pub(super) fn checked<T>(
        &self,
        outcome: Result<JsValue, JsValue>,
        name: &str,
        read: impl FnOnce(&JsValue) -> Option<T>,
    ) -> Result<T, Failed> {
        let read = outcome.as_ref().ok().and_then(read);
        read.ok_or_else(|| self.failed(outcome, name))
    }

    pub(super) fn failed(&self, outcome: Result<JsValue, JsValue>, name: &str) -> Failed {
        match outcome {
            Ok(_) => {
                self.host.error(&JsValue::UNDEFINED, Some("gave an unusable answer".into()), None, Some(name.into()));
            }
            Err(error) => self.host.error(&error, None, None, Some(name.into())),
        }
        Failed
    }

    pub(super) fn read_provided(
        &self,
        id: CallId,
        wanted: &Read,
        outcome: Result<JsValue, JsValue>,
    ) -> Result<Json, Failed> {
        let read = outcome.and_then(|value| match wanted {
            Read::Object(_) if value.is_undefined() => Ok(Json::Null),
            Read::Record { .. } if value.is_undefined() => Ok(Json::Null),
            Read::Record { keep, .. } => {
                let row = read_context(&member_of(&value, "row")?)?;
                if *keep {
                    let item = member_of(&value, "item")?;
                    self.with_live(id, |live| live.item = item);
                }
                Ok(row)
            }
            _ => read_context(&value),
        });
        read.map_err(|error| {
            let provider = self.kernel.borrow().provider(id);
            match error.as_string() {
                Some(message) => self.host.error(&JsValue::UNDEFINED, Some(message), None, provider),
                None => self.host.error(&error, None, None, provider),
            }
            Failed
        })
    }

    pub(super) fn ran(&self, id: CallId, outcome: Result<JsValue, JsValue>) -> Ran {
        match outcome {
            Ok(value) => self.output(id, value),
            Err(error) => match read_raised(&self.host.raised(&error)) {
                Some(raised) => Ran::Raised(raised),
                None => {
                    let capability = self.kernel.borrow().capability_of(id).map(Into::into);
                    self.host.error(&error, None, capability, None);
                    Ran::Threw
                }
            },
        }
    }

    /// Copies an output, checks it, and removes approval material.
    pub(super) fn output(&self, id: CallId, value: JsValue) -> Ran {
        let value = if value.is_undefined() { JsValue::NULL } else { value };
        let max = self.kernel.borrow().max_result_units();
        let copy = match snapshot(&value, Bounds::units(max), true) {
            Ok(copy) => copy,
            Err(refusal) => {
                let capability = self.kernel.borrow().capability_of(id).map(Into::into);
                let message = refusal.message("the output");
                self.host.error(&JsValue::UNDEFINED, Some(message), capability, None);
                return Ran::BadOutput;
            }
        };
        let kernel = self.kernel.borrow();
        if !show(&copy.value, |live| kernel.check_output(id, live)) {
            let capability = kernel.capability_of(id).map(Into::into);
            drop(kernel);
            let message = "the output is not what outputSchema says";
            self.host.error(&JsValue::UNDEFINED, Some(message.into()), capability, None);
            return Ran::BadOutput;
        }
        self.with_live(id, |live| {
            live.output = copy.value;
            live.is_output_marked = copy.is_marked;
        });
        Ran::Output
    }
}

/// Reads what a provider gave: bounded, its texts cut; the kernel cuts them to their final length.
fn read_context(value: &JsValue) -> Result<Json, JsValue> {
    let units = 4 * limits::RESULT_UNITS;
    super::value::read_cut(value, Bounds::units(units), 2 * limits::STRING_UNITS as u32)
        .map_err(|refusal| JsValue::from_str(&refusal.message("the value")))
}

fn is_absent(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

fn read_confirmation(value: &JsValue) -> Option<Confirmation> {
    let member = |name| member_of(value, name).ok();
    let approval_id = member("approvalId")?;
    let receipt = member("receipt")?;
    let receipt = match is_absent(&receipt) {
        true => None,
        false => Some(
            read(&receipt, Bounds::REQUEST).ok().filter(|json| matches!(json, Json::String(_) | Json::Object(_)))?,
        ),
    };
    Some(Confirmation {
        approved: member("approved")? == JsValue::TRUE,
        remember: member("remember")? == JsValue::TRUE,
        approval_id: if is_absent(&approval_id) { None } else { Some(approval_id.as_string()?) },
        receipt,
    })
}

/// What a `SurfaceError` says, as far as it keeps to the rules; one that does not is any other thrown value.
fn read_raised(value: &JsValue) -> Option<Raised> {
    if value.is_undefined() {
        return None;
    }
    // Details that are no JSON are left out; the code stands without them.
    let details = member_of(value, "details").ok().filter(|details| !details.is_undefined());
    let details = details.and_then(|details| read(&details, Bounds::REQUEST).ok());
    let json = read(&without_details(value), Bounds::REQUEST).ok()?;
    let code = json.get("code")?.as_str().filter(|code| is_raisable(code))?;
    let error = BusinessError {
        code: code.into(),
        message: json.get("message")?.as_str()?.into(),
        retryable: json.get("retryable").and_then(Json::as_bool).unwrap_or(false),
        retry_after_ms: json.get("retryAfterMs").and_then(Json::as_f64),
        details,
    };
    Some(Raised { error, not_executed: json.get("executed").and_then(Json::as_bool) == Some(false) })
}

/// Where the declaration's own validator found something wrong, as JSON Pointers.
fn read_pointers(value: &JsValue) -> Option<Vec<Issue>> {
    let json = read(value, Bounds::REQUEST).ok()?;
    let pointers = json.as_array()?.iter().take(limits::ISSUES);
    pointers.map(|pointer| Some(Issue::of_validator(pointer.as_str()?.to_owned()))).collect()
}
