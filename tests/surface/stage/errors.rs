//! What the page's `onError` is told: which part of its code failed.

use super::Stage;
use super::code::Role;
use pageport::surface::{CallId, Input, Ran};
use serde_json::{Value, json};

impl Stage {
    /// Notes that page code threw, or gave something unusable.
    pub(super) fn note_error(&mut self, id: CallId, role: &Role, threw: bool, input: &Input) {
        let failed = match input {
            Input::Session(answer) => answer.is_err(),
            Input::Token(answer) => answer.is_err(),
            Input::Claimed(answer) => answer.is_err(),
            Input::Confirmed(answer) => answer.is_err(),
            Input::Read(answer) => answer.is_err(),
            Input::Executed(ran) => matches!(ran, Ran::Threw | Ran::BadOutput),
            Input::Expected(_) | Input::Settled => threw,
            _ => false,
        };
        if !failed {
            return;
        }
        let provider = match role {
            Role::Session => Some("session".into()),
            Role::Token => Some("rateLimiter".into()),
            Role::Claim => Some("replayGuard".into()),
            Role::Confirmation => Some("confirm".into()),
            Role::Settling => Some("settle".into()),
            Role::Read(_) => self.kernel.provider(id),
            _ => None,
        };
        self.errors.push(match provider {
            Some(provider) => json!({ "provider": provider }),
            None => json!({ "capability": self.kernel.capability_of(id) }),
        });
    }

    /// What `onError` was told of since the last look.
    pub(crate) fn errors(&mut self) -> Vec<Value> {
        self.take_reports();
        std::mem::take(&mut self.errors)
    }

    /// What the kernel itself has to say comes at the end of a step.
    fn take_reports(&mut self) {
        for report in self.kernel.take_reports() {
            self.errors.push(match (report.capability, report.provider) {
                (Some(capability), _) => json!({ "capability": capability }),
                (None, provider) => json!({ "provider": provider }),
            });
        }
    }
}
