//! Idempotency: the same key and parameters are the same execution, by whichever door they come (Host §7).

use super::inner::Inner;
use super::{ApiError, Invocation};
use crate::execution::{Millis, Source, limits};
use crate::secret::{self, Hash};
use crate::store::UsedKey;
use pageport::wire::bridge::ExecutionId;
use pageport::wire::execution::ApiCode;
use pageport::wire::{Json, canonical, number_text};

/// What a call with a key comes down to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyed {
    scope: Hash,
    parameters: Hash,
}

/// The execution a key made before, or what it will be remembered by.
pub(super) enum Use {
    Before(ExecutionId),
    First(Keyed),
}

impl Inner {
    /// Looks a call's key up; `input` and `limit` are those after defaults.
    pub(super) fn look_up(
        &self,
        call: &Invocation,
        input: &Json,
        limit: u32,
        source: Source,
        now: Millis,
    ) -> Result<Option<Use>, ApiError> {
        let Some(key) = &call.idempotency_key else { return Ok(None) };
        let text = |text: &str| Json::from(text);
        let scope = Json::array([text(source.as_str()), text(&call.plugin_id), text(&call.operation_id), text(key)]);
        let page = call.page_session_id.map_or(Json::Null, |page| Json::from(page.to_string()));
        let cursor = call.cursor.as_deref().filter(|cursor| !cursor.is_empty()).map_or(Json::Null, Json::from);
        let parameters = Json::array([input.clone(), page, cursor, Json::from(limit)]);
        let digest = |value: &Json| secret::keyed(&self.settings.key, &canonical(value, number_text));
        let keyed = Keyed { scope: digest(&scope), parameters: digest(&parameters) };
        match self.store.key(&keyed.scope, now).map_err(|_| ApiError::storage())? {
            None => Ok(Some(Use::First(keyed))),
            Some(used) if secret::is_same(&used.parameters, &keyed.parameters) => Ok(Some(Use::Before(used.execution))),
            Some(_) => Err(ApiError::from(ApiCode::IdempotencyConflict).hint("use another key for another call")),
        }
    }

    /// Remembers a key with the execution it made; both are written down together.
    pub(super) fn remember(&mut self, keyed: Keyed, execution: ExecutionId, now: Millis) {
        let Keyed { scope, parameters } = keyed;
        self.unsaved_keys.push(UsedKey { scope, parameters, execution, expires: now.after(limits::KEY_MS) });
    }
}
