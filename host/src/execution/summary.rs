//! An execution as callers see it and as the store keeps it (Host §9).

use super::{Certainty, EndCode, ResultStatus, Source, State};
use super::{Execution, Millis, limits};
use pageport::wire::Json;
use pageport::wire::bridge::{ExecutionId, PageSessionId, Revision};
use serde::Serialize;
use std::sync::Arc;

/// One execution; a list leaves the result out.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Its id.
    pub execution_id: ExecutionId,
    /// Its place in a batch.
    pub index: u32,
    /// The plugin.
    pub plugin_id: Arc<str>,
    /// The plugin's version at submit.
    pub plugin_version: Arc<str>,
    /// The operation.
    pub operation_id: Arc<str>,
    /// The page it is bound to.
    pub page_session_id: PageSessionId,
    /// The page's revision it is bound to.
    pub revision: Revision,
    /// How often it was continued after a reload.
    pub reload_count: u32,
    /// Who called.
    pub source: Source,
    /// Where it is.
    pub state: State,
    /// What is known of its effects.
    pub certainty: Certainty,
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<EndCode>,
    /// The last progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<f64>,
    /// Whether a cancel was asked for while it ran.
    pub cancel_requested: bool,
    /// Whether it is certain that it was cancelled.
    pub cancel_confirmed: bool,
    /// What became of the result.
    pub result_status: ResultStatus,
    /// The result, when it is available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    /// Whether the result is only what the schema lets the store keep.
    pub result_projection: bool,
    /// Until when the result is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_expires_at: Option<Millis>,
    /// When it was submitted.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
    /// When it was dispatched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Millis>,
    /// When it was claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_at: Option<Millis>,
    /// When its time is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Millis>,
    /// Resources it published.
    pub resource_ids: [String; 0],
    /// Downloads it created.
    pub download_task_ids: [String; 0],
    /// Artifacts it made.
    pub artifact_ids: [String; 0],
}

impl Execution {
    /// When its result is dropped.
    #[must_use]
    pub fn result_expires(&self) -> Option<Millis> {
        let kept = self.rules.result_ms.min(limits::RESULT_MS);
        (self.state == State::Succeeded).then(|| self.updated.after(kept))
    }

    /// The execution as callers see it, without its result.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let result_status = match (self.state, &self.outcome) {
            (State::Succeeded, Some(_)) => ResultStatus::Available,
            (State::Succeeded, None) if self.is_evicted => ResultStatus::Cleaned,
            (State::Succeeded, None) => ResultStatus::Expired,
            _ => ResultStatus::NeverPersisted,
        };
        Summary {
            execution_id: self.id,
            index: 0,
            plugin_id: Arc::clone(&self.plugin),
            plugin_version: Arc::clone(&self.plugin_version),
            operation_id: Arc::clone(&self.operation),
            page_session_id: self.page,
            revision: self.revision,
            reload_count: 0,
            source: self.source,
            state: self.state,
            certainty: self.certainty,
            error_code: self.code,
            progress: self.progress,
            cancel_requested: self.cancel_requested,
            cancel_confirmed: self.cancel_confirmed,
            result_status,
            result: None,
            result_projection: false,
            result_expires_at: self.outcome.as_ref().and_then(|_| self.result_expires()),
            created_at: self.created,
            updated_at: self.updated,
            started_at: self.started,
            accepted_at: self.accepted,
            deadline: self.deadline,
            resource_ids: [],
            download_task_ids: [],
            artifact_ids: [],
        }
    }
}
