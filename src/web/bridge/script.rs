//! What the page script hands over, and what it is told.

use super::{Bounds, Driver, Input, JsValue, number_text, read};
use crate::operations::page::{Outcome, StateFailure};
use crate::operations::script::read_result;
use crate::wire::bridge::ExecutionId;
use crate::wire::execution::ExecutionCode;
use crate::wire::operations_limits as limits;
use crate::wire::{Fault, to_text};

/// Why a state has no revision, for `setState` to reject with.
pub(super) const fn state_failure(failure: StateFailure) -> (&'static str, &'static str) {
    match failure {
        StateFailure::Superseded => ("superseded", "a newer state took its place"),
        StateFailure::Left => ("left", "the page was left"),
        StateFailure::NotConnected => ("not_connected", "the page is not connected to a host"),
        StateFailure::Failed(failure) => match failure.code {
            Some(code) => (code.as_str(), code.message()),
            None => ("no_answer", "the host did not answer"),
        },
    }
}

impl Driver {
    /// A handler returned this, or threw.
    pub(super) fn handler_settled(&self, id: ExecutionId, operation: &str, returned: Option<&JsValue>) {
        let outcome = match returned {
            Some(value) => self.result(value, operation),
            None => Outcome::Failed(ExecutionCode::PageExecutionFailed),
        };
        self.give(Input::HandlerSettled { execution_id: id, outcome });
    }

    fn result(&self, value: &JsValue, operation: &str) -> Outcome {
        let complain = |message: &str| self.shim.complain(message, Some(operation.into()));
        let wrong_shape = |code| {
            complain("the result must be { data, count?, hasMore?, nextCursor?, truncated? }");
            Outcome::Failed(code)
        };
        let too_large = || {
            complain("the result is larger than 60 KiB");
            Outcome::Failed(ExecutionCode::OutputTooLarge)
        };
        if value.is_undefined() {
            return wrong_shape(ExecutionCode::InvalidOutput);
        }
        // A bound in UTF-16 units lets nothing through that fits in as many bytes.
        let json = match read(value, Bounds::units(limits::RESULT_BYTES + RESULT_FRAME)) {
            Ok(json) => json,
            Err(refusal) if refusal.fault == Fault::Size => return too_large(),
            Err(refusal) => {
                complain(&refusal.message("the result"));
                return Outcome::Failed(ExecutionCode::InvalidOutput);
            }
        };
        match read_result(json) {
            Outcome::Returned(result) if to_text(&*result, number_text).len() > limits::RESULT_BYTES => too_large(),
            Outcome::Failed(code) => wrong_shape(code),
            outcome => outcome,
        }
    }
}

/// Members of a result besides its data that the host never sees, such as `null` in place of a count.
const RESULT_FRAME: usize = 256;
