//! Taking an invoke: everything is checked before anything is written down (Host §3, §4).

use super::inner::Inner;
use super::key::Use;
use super::{ApiError, Invocation, Service};
use crate::execution::{
    Binding, Candidate, Certainty, Choice, Execution, Millis, Phase, Refused, Source, State, Summary, choose, hint,
    limits,
};
use crate::plugin::{Plugin, Served};
use crate::secret;
use pageport::schema::Plain;
use pageport::wire::bridge::{ExecutionId, PageSessionId};
use pageport::wire::execution::ApiCode;
use pageport::wire::{Json, canonical, number_text};
use serde_json::json;
use std::sync::Arc;

impl Service {
    /// Takes an invoke; answers with the execution, which is written down: a new one, or the one its key made before.
    ///
    /// # Errors
    ///
    /// Any code of Host §9 that an invoke may get.
    pub fn invoke(&self, call: Invocation, source: Source) -> Result<Summary, ApiError> {
        // In one go: between two, somebody else's trouble with the store could pass for this one's.
        self.with(|inner, now| {
            let (id, is_new) = inner.submit(call, source, now)?;
            inner.settle(now);
            if inner.is_saved() {
                return inner.visible(id, now);
            }
            if is_new {
                inner.withdraw(id);
            }
            Err(ApiError::storage())
        })
    }
}

impl Inner {
    pub(super) fn submit(
        &mut self,
        call: Invocation,
        source: Source,
        now: Millis,
    ) -> Result<(ExecutionId, bool), ApiError> {
        if self.is_stopping {
            return Err(ApiCode::Stopping.into());
        }
        if !self.is_saved() {
            return Err(ApiError::storage());
        }
        call.check()?;
        let (plugin, operation) = self.exposed(&call.plugin_id, &call.operation_id)?;
        let input = call.input.clone().unwrap_or_else(|| Json::Object(Vec::new()));
        let text = check_input(&operation, &input)?;
        let limit = call.limit.unwrap_or(limits::ITEMS_DEFAULT);
        let keyed = match self.look_up(&call, &input, limit, source, now)? {
            Some(Use::Before(id)) => return Ok((id, false)),
            Some(Use::First(keyed)) => Some(keyed),
            None => None,
        };
        let cursor = call.cursor.filter(|cursor| !cursor.is_empty());
        let page = match &cursor {
            // A cursor names its page; who names another one gets no further below.
            Some(cursor) => {
                let page = self.cursors.page(cursor, now).filter(|page| self.sessions.contains_key(page));
                let page = page.ok_or_else(cursor_expired)?;
                Some(call.page_session_id.unwrap_or(page))
            }
            None => call.page_session_id,
        };
        let page = self.choose_page(&plugin, &operation, page)?;
        if let Some(holder) = self.engine.holder(page) {
            return Err(page_busy(page, holder));
        }
        let session = self.sessions.get(&page).ok_or(ApiCode::PageUnavailable)?;
        let revision = session.revision.ok_or(ApiCode::PageUnavailable)?;
        let binding = Binding {
            plugin: Arc::clone(&plugin.id),
            operation: Arc::clone(&operation.id),
            input: text.into(),
            page,
            revision,
        };
        let cursor = match cursor {
            Some(name) => self.cursors.resolve(&name, &binding, now).ok_or_else(cursor_expired)?.to_owned(),
            None => String::new(),
        };
        let id = ExecutionId::from_bytes(secret::random());
        let admitted = self.engine.admit(Execution {
            id,
            plugin: Arc::clone(&plugin.id),
            plugin_version: Arc::clone(&plugin.version),
            operation: Arc::clone(&operation.id),
            page,
            revision,
            source,
            rules: operation.rules,
            input: Arc::new(input),
            cursor,
            limit,
            phase: Phase::Queued,
            state: State::Queued,
            certainty: Certainty::NotStarted,
            code: None,
            progress: None,
            cancel_requested: false,
            cancel_confirmed: false,
            is_held: false,
            attempt: None,
            created: now,
            updated: now,
            started: None,
            accepted: None,
            deadline: None,
            heard: None,
            outcome: None,
            is_evicted: false,
            next_cursor: None,
        });
        admitted.map_err(|refused| match refused {
            Refused::PageBusy(holder) => page_busy(page, holder),
            _ => ApiError::from(ApiCode::QueueFull).hint("wait until some of them have ended"),
        })?;
        if let Some(keyed) = keyed {
            self.remember(keyed, id, now);
        }
        Ok((id, true))
    }

    /// An operation that automation may see.
    pub(super) fn exposed(&self, plugin: &str, operation: &str) -> Result<(Arc<Plugin>, Arc<Served>), ApiError> {
        let found = self.plugins.get(plugin).and_then(|entry| entry.plugin.clone());
        let found = found.and_then(|plugin| plugin.operation(operation).cloned().map(|operation| (plugin, operation)));
        let (plugin, operation) = found.ok_or_else(|| {
            ApiError::from(ApiCode::OperationUnavailable).hint("list_plugin_operations shows what there is")
        })?;
        if !operation.declaration.automation {
            return Err(ApiError::from(ApiCode::AutomationDisabled).hint("the plugin's manifest does not allow it"));
        }
        Ok((plugin, operation))
    }

    /// The pages of a plugin as a choice sees them.
    pub(super) fn candidates(&self, plugin: &Plugin, operation: &Served) -> Vec<Candidate> {
        let of_plugin = self.sessions.values().filter(|it| it.plugin == plugin.id);
        of_plugin
            .map(|it| Candidate {
                page: it.id,
                declares: it.script == operation.declaration.page_script
                    && it.operations.contains(&operation.declaration.id),
                matches: operation.matches(&it.url),
                connected: it.is_connected,
                ready: it.ready,
                logged_in: it.has_login(operation.declaration.requires_login),
            })
            .collect()
    }

    fn choose_page(
        &self,
        plugin: &Plugin,
        operation: &Served,
        named: Option<PageSessionId>,
    ) -> Result<PageSessionId, ApiError> {
        match choose(&self.candidates(plugin, operation), named) {
            Choice::Page(page) => Ok(page),
            Choice::None(reason) => {
                Err(ApiError::from(ApiCode::PageUnavailable).hint(hint(reason)).details(json!({ "reason": reason })))
            }
            Choice::Ambiguous(pages) => {
                let candidates: Vec<_> = pages.iter().filter_map(|page| self.discovery(*page)).collect();
                Err(ApiError::from(ApiCode::PageAmbiguous)
                    .hint("repeat the call with the pageSessionId of one of them")
                    .details(json!({ "candidates": candidates })))
            }
        }
    }
}

/// Checks an input; answers its canonical text.
fn check_input(operation: &Served, input: &Json) -> Result<String, ApiError> {
    let text = canonical(input, number_text);
    if text.len() > limits::INPUT_BYTES {
        return Err(ApiError::from(ApiCode::InputTooLarge).hint("an input has at most 32 KiB"));
    }
    operation.input.validate(Plain::from(input)).map_err(|issues| {
        ApiError::from(ApiCode::InvalidInput)
            .hint("get_plugin_operation shows the schema of the input")
            .details(json!({ "issues": issues }))
    })?;
    Ok(text)
}

fn page_busy(page: PageSessionId, holder: ExecutionId) -> ApiError {
    ApiError::from(ApiCode::PageBusyUnknown)
        .hint("reload the page, or wait until it has stopped")
        .details(json!({ "pageSessionId": page, "executionId": holder }))
}

fn cursor_expired() -> ApiError {
    ApiError::from(ApiCode::CursorExpired).hint("start again without a cursor")
}
