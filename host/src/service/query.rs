//! What callers may look at, and cancel (Host §8, §9).

use super::inner::Inner;
use super::{ApiError, HistoryArguments, Service};
use crate::execution::{Binding, Millis, Phase, Refused, ResultStatus, Summary, limits};
use crate::plugin::{Plugin, Served};
use crate::secret;
use crate::store::Query;
use pageport::wire::bridge::{ExecutionId, Login, OperationResult, PageSessionId, Revision};
use pageport::wire::execution::ApiCode;
use pageport::wire::manifest::{MatchRule, OperationCategory, OperationEffect};
use pageport::wire::{Json, canonical, number_text};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// An operation in the list; `get` adds the rest.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationRow {
    plugin_id: Arc<str>,
    plugin_version: Arc<str>,
    operation_id: Arc<str>,
    name: String,
    description: String,
    category: OperationCategory,
    effects: Vec<OperationEffect>,
    requires_login: bool,
    cancellable: bool,
    safe_retry: bool,
    allow_reload: bool,
    timeout_seconds: u32,
    page_session_ids: Vec<PageSessionId>,
    #[serde(flatten)]
    details: Option<Details>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    input_schema: Json,
    output_schema: Json,
    examples: Vec<Json>,
    page_match: Vec<MatchRule>,
    locales: serde_json::Value,
}

/// A page as callers see it: a snapshot, checked again at submit.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    plugin_id: Arc<str>,
    script_id: String,
    page_session_id: PageSessionId,
    title: String,
    page_url: String,
    connected: bool,
    ready: bool,
    login: Login,
    revision: Option<Revision>,
    operations: Vec<String>,
}

/// A part of a list, newest first.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// The part.
    pub items: Vec<Summary>,
    /// How many there are in all.
    pub total: u32,
    /// How many were skipped.
    pub offset: u32,
    /// Whether there are more.
    pub has_more: bool,
}

impl Service {
    /// The operations that automation may see, of one plugin or of all.
    #[must_use]
    pub fn operations(&self, plugin: Option<&str>) -> Vec<OperationRow> {
        self.with(|inner, _| {
            let plugins = inner.plugins.values().filter_map(|entry| entry.plugin.as_ref());
            let plugins = plugins.filter(|it| plugin.is_none_or(|id| *it.id == *id));
            plugins
                .flat_map(|plugin| {
                    let exposed = plugin.operations().filter(|it| it.declaration.automation);
                    exposed.map(|operation| inner.row(plugin, operation)).collect::<Vec<_>>()
                })
                .collect()
        })
    }

    /// One operation with its schemas.
    ///
    /// # Errors
    ///
    /// `operation_unavailable` and `automation_disabled`.
    pub fn operation(&self, plugin: &str, operation: &str) -> Result<OperationRow, ApiError> {
        self.with(|inner, _| {
            let (plugin, operation) = inner.exposed(plugin, operation)?;
            let mut row = inner.row(&plugin, &operation);
            let it = &operation.declaration;
            let locales = it.locales.iter().map(|locale| (locale.tag.clone(), serde_json::json!(locale)));
            row.details = Some(Details {
                input_schema: it.input_schema.clone(),
                output_schema: it.output_schema.clone(),
                examples: it.examples.clone(),
                page_match: it.page_match.clone(),
                locales: serde_json::Value::Object(locales.collect()),
            });
            Ok(row)
        })
    }

    /// The pages of plugins that automation may see.
    #[must_use]
    pub fn sessions(&self) -> Vec<Discovery> {
        self.with(|inner, _| inner.sessions.keys().filter_map(|page| inner.discovery(*page)).collect())
    }

    /// An execution; waits until it ends, at most `wait_ms`.
    ///
    /// # Errors
    ///
    /// `not_found` and `storage_unavailable`.
    pub async fn execution(&self, id: ExecutionId, wait_ms: u64) -> Result<Summary, ApiError> {
        let mut changes = self.0.changes.subscribe();
        let until = tokio::time::Instant::now() + Duration::from_millis(wait_ms.min(limits::WAIT_MS));
        loop {
            changes.borrow_and_update();
            let (found, is_stopping) = self.with(|inner, now| (inner.visible(id, now), inner.is_stopping));
            let found = found?;
            if wait_ms == 0 || found.state.is_terminal() || is_stopping {
                return Ok(found);
            }
            if !matches!(tokio::time::timeout_at(until, changes.changed()).await, Ok(Ok(()))) {
                return self.with(|inner, now| inner.visible(id, now));
            }
        }
    }

    /// The executions that automation may see.
    ///
    /// # Errors
    ///
    /// `invalid_input` and `storage_unavailable`.
    pub fn history(&self, arguments: &HistoryArguments) -> Result<HistoryPage, ApiError> {
        arguments.check()?;
        let limit = arguments.limit.unwrap_or(limits::LIST_DEFAULT);
        let offset = arguments.offset.unwrap_or(0);
        let plugin = arguments.plugin_id.as_deref();
        self.with(|inner, _| {
            let exposed = inner.exposed_names();
            let query = Query { exposed: &exposed, plugin, state: arguments.state, offset, limit };
            let page = inner.store.history(&query).map_err(|_| ApiError::storage())?;
            let has_more = page.total > offset.saturating_add(u32::try_from(page.items.len()).unwrap_or(u32::MAX));
            let known = |stored: Summary| inner.engine.get(stored.execution_id).map_or(stored, |it| it.summary());
            Ok(HistoryPage { items: page.items.into_iter().map(known).collect(), total: page.total, offset, has_more })
        })
    }

    /// Cancels an execution; what has ended stays as it is.
    ///
    /// # Errors
    ///
    /// `not_found`, `not_cancellable` and `storage_unavailable`.
    pub fn cancel(&self, id: ExecutionId) -> Result<Summary, ApiError> {
        self.with(|inner, now| {
            let found = inner.visible(id, now)?;
            if found.state.is_terminal() {
                return Ok(found);
            }
            inner.engine.cancel(id, now).map_err(|refused| match refused {
                Refused::NotCancellable => {
                    ApiError::from(ApiCode::NotCancellable).hint("wait until it ends, or reload its page")
                }
                _ => ApiError::from(ApiCode::NotFound),
            })?;
            inner.settle(now);
            if inner.is_saved() { inner.visible(id, now) } else { Err(ApiError::storage()) }
        })
    }
}

impl Inner {
    fn row(&self, plugin: &Plugin, operation: &Served) -> OperationRow {
        let eligible = self.candidates(plugin, operation).into_iter().filter(|it| it.obstacle().is_none());
        let it = &operation.declaration;
        OperationRow {
            plugin_id: Arc::clone(&plugin.id),
            plugin_version: Arc::clone(&plugin.version),
            operation_id: Arc::clone(&operation.id),
            name: it.name.clone(),
            description: it.description.clone(),
            category: it.category,
            effects: it.effects.clone(),
            requires_login: it.requires_login,
            cancellable: it.cancellable,
            safe_retry: it.safe_retry,
            allow_reload: it.allow_reload,
            timeout_seconds: it.timeout_seconds,
            page_session_ids: eligible.map(|it| it.page).collect(),
            details: None,
        }
    }

    /// A page, when automation may see its plugin.
    pub(super) fn discovery(&self, page: PageSessionId) -> Option<Discovery> {
        let session = self.sessions.get(&page)?;
        let plugin = self.plugins.get(&*session.plugin)?.plugin.as_ref()?;
        let fits =
            |id: &&String| plugin.operation(id).is_some_and(|it| it.declaration.automation && it.matches(&session.url));
        plugin.is_exposed().then(|| Discovery {
            plugin_id: Arc::clone(&session.plugin),
            script_id: session.script.clone(),
            page_session_id: page,
            title: session.title.clone(),
            page_url: session.url.clone(),
            connected: session.is_connected,
            ready: session.ready,
            login: session.login,
            revision: session.revision,
            operations: session.operations.iter().filter(fits).cloned().collect(),
        })
    }

    /// `plugin/operation` of everything automation may see.
    fn exposed_names(&self) -> Vec<String> {
        let plugins = self.plugins.values().filter_map(|entry| entry.plugin.as_ref());
        let names = plugins.flat_map(|plugin| {
            plugin.operations().filter(|it| it.declaration.automation).map(|it| format!("{}/{}", plugin.id, it.id))
        });
        names.collect()
    }

    /// An execution that automation may see.
    pub(super) fn visible(&mut self, id: ExecutionId, now: Millis) -> Result<Summary, ApiError> {
        let found = match self.summary(id, now) {
            Some(found) => Some(found),
            None => self.store.execution(id).map_err(|_| ApiError::storage())?,
        };
        let found = found.filter(|it| self.exposed(&it.plugin_id, &it.operation_id).is_ok());
        found.ok_or_else(|| ApiError::from(ApiCode::NotFound).hint("list_plugin_executions shows what there is"))
    }

    /// An execution that is remembered, with its result while that is kept.
    pub(super) fn summary(&mut self, id: ExecutionId, now: Millis) -> Option<Summary> {
        let it = self.engine.get(id)?;
        if it.phase == Phase::Ended && it.result_expires().is_some_and(|expires| expires <= now) {
            self.engine.drop_outcome(id);
        }
        let it = self.engine.get(id)?;
        let mut summary = it.summary();
        if summary.result_status == ResultStatus::Available {
            summary.result =
                it.outcome.as_ref().map(|outcome| result(outcome, it.next_cursor.as_deref().unwrap_or_default()));
        }
        Some(summary)
    }

    /// Gives the plugin's cursor in a result a name of the host's.
    pub(super) fn name_cursor(&mut self, id: ExecutionId, now: Millis) {
        let Some(it) = self.engine.get(id).filter(|it| it.next_cursor.is_none()) else { return };
        let Some(outcome) = it.outcome.as_ref().filter(|outcome| outcome.has_more) else { return };
        let binding = Binding {
            plugin: Arc::clone(&it.plugin),
            operation: Arc::clone(&it.operation),
            input: canonical(&it.input, number_text).into(),
            page: it.page,
            revision: it.revision,
        };
        let name = secret::name();
        self.cursors.issue(name.clone(), binding, outcome.next_cursor.clone(), now);
        self.engine.name_cursor(id, name);
    }
}

/// The result as callers get it.
fn result(outcome: &OperationResult, cursor: &str) -> Json {
    let pagination = Json::object([
        ("cursor", Json::from(cursor)),
        ("hasMore", Json::from(outcome.has_more)),
        ("count", Json::from(outcome.count)),
        ("truncated", Json::from(outcome.truncated)),
    ]);
    Json::object([("data", outcome.data.clone()), ("pagination", pagination)])
}
