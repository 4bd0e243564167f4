//! What callers ask for, and what can be said about it without looking anything up (Host §9).

use super::ApiError;
use crate::execution::{State, limits};
use pageport::wire::Json;
use pageport::wire::bridge::PageSessionId;
use pageport::wire::execution::ApiCode;
use serde::{Deserialize, Deserializer};
use std::ops::RangeInclusive;

/// The arguments of `invoke_plugin_operation`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Invocation {
    /// The plugin.
    pub plugin_id: String,
    /// The operation.
    pub operation_id: String,
    /// The operation's input; `{}` when absent.
    #[serde(default, deserialize_with = "present")]
    pub input: Option<Json>,
    /// The page, when several could run it.
    #[serde(default, deserialize_with = "present")]
    pub page_session_id: Option<PageSessionId>,
    /// Where the last result ended.
    #[serde(default, deserialize_with = "present")]
    pub cursor: Option<String>,
    /// Entries wanted at most; 20 when absent.
    #[serde(default, deserialize_with = "present")]
    pub limit: Option<u32>,
    /// Repeating the call with it gives the same execution.
    #[serde(default, deserialize_with = "present")]
    pub idempotency_key: Option<String>,
    /// Not supported yet.
    #[serde(default, deserialize_with = "present")]
    pub retry_of: Option<Json>,
    /// Not supported yet.
    #[serde(default, deserialize_with = "present")]
    pub resource_id: Option<Json>,
    /// Not supported yet.
    #[serde(default, deserialize_with = "present")]
    pub action_id: Option<Json>,
}

/// The arguments of `list_plugin_executions`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HistoryArguments {
    /// Only this plugin's.
    #[serde(default, deserialize_with = "present")]
    pub plugin_id: Option<String>,
    /// Only those in this state.
    #[serde(default, deserialize_with = "present")]
    pub state: Option<State>,
    /// How many to skip.
    #[serde(default, deserialize_with = "present")]
    pub offset: Option<u32>,
    /// How many to show; 50 when absent.
    #[serde(default, deserialize_with = "present")]
    pub limit: Option<u32>,
}

/// Reads an argument that may be left out, but is something when it is there: `null` is not.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Invocation {
    /// Checks what depends on nothing else.
    ///
    /// # Errors
    ///
    /// `invalid_input` and `invalid_resource`.
    pub fn check(&self) -> Result<(), ApiError> {
        let members = [
            ("retryOf", &self.retry_of, ApiCode::InvalidInput),
            ("resourceId", &self.resource_id, ApiCode::InvalidResource),
            ("actionId", &self.action_id, ApiCode::InvalidResource),
        ];
        if let Some((name, _, code)) = members.into_iter().find(|(_, value, _)| value.is_some()) {
            return Err(ApiError::new(code, format!("{name} is not supported by this host")).hint("leave it out"));
        }
        let is_key = |key: &String| (1..=limits::KEY_CHARS).contains(&key.chars().count());
        if !self.idempotency_key.as_ref().is_none_or(is_key) {
            return Err(ApiError::new(ApiCode::InvalidInput, "idempotencyKey must have 1 to 128 characters"));
        }
        within("limit", self.limit.map(u64::from), 1..=limits::ITEMS as u64)
    }
}

impl HistoryArguments {
    /// Checks what depends on nothing else.
    ///
    /// # Errors
    ///
    /// `invalid_input`.
    pub fn check(&self) -> Result<(), ApiError> {
        within("limit", self.limit.map(u64::from), 1..=u64::from(limits::LIST))
    }
}

/// Refuses a number outside its range.
pub(crate) fn within(name: &str, value: Option<u64>, range: RangeInclusive<u64>) -> Result<(), ApiError> {
    if value.is_none_or(|value| range.contains(&value)) {
        return Ok(());
    }
    let message = format!("{name} must be from {} to {}", range.start(), range.end());
    Err(ApiError::new(ApiCode::InvalidInput, message))
}
