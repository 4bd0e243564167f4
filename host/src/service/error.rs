//! Why a request of a person, an agent or a program was refused (Host §9, §11).

use pageport::wire::execution::ApiCode;
use serde::Serialize;
use serde_json::Value;

/// The `error` of a reply. It never holds a secret or content of a page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// The stable reason.
    pub code: ApiCode,
    /// One short phrase.
    pub message: String,
    /// What helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// More, by code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Milliseconds to wait before the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl ApiError {
    /// The error of a code with a phrase of its own.
    pub fn new(code: ApiCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, details: None, retry_after_ms: None }
    }

    /// Adds what helps.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds more.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// The store does not answer.
    #[must_use]
    pub fn storage() -> Self {
        Self::from(ApiCode::StorageUnavailable).hint("see that the data folder can be written and has room")
    }
}

impl From<ApiCode> for ApiError {
    fn from(code: ApiCode) -> Self {
        Self::new(code, code.message())
    }
}
