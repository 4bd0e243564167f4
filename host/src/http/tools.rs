//! The tools by name: arguments in, data out (Host §9).

use super::body;
use crate::execution::{Source, limits};
use crate::service::{ApiError, HistoryArguments, Invocation, Service, present, within};
use pageport::wire::bridge::ExecutionId;
use pageport::wire::execution::ApiCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Tools of the table that this host has not yet.
const MISSING: &[&str] =
    &["invoke_plugin_batch", "get_plugin_batch", "cancel_plugin_batch", "get_artifact", "read_text_artifact"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OfPlugin {
    #[serde(default, deserialize_with = "present")]
    plugin_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OneOperation {
    plugin_id: String,
    operation_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OneExecution {
    id: ExecutionId,
    #[serde(default)]
    wait_ms: u64,
}

impl OneExecution {
    fn check(&self) -> Result<(), ApiError> {
        within("waitMs", Some(self.wait_ms), 0..=limits::WAIT_MS)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ById {
    id: ExecutionId,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    dir: PathBuf,
}

/// Calls a tool.
pub(super) async fn call(service: &Service, tool: &str, arguments: &[u8]) -> Result<Value, ApiError> {
    match tool {
        "list_plugin_operations" => {
            let asked: OfPlugin = read(arguments)?;
            list(service.operations(asked.plugin_id.as_deref()))
        }
        "get_plugin_operation" => {
            let asked: OneOperation = read(arguments)?;
            data(service.operation(&asked.plugin_id, &asked.operation_id)?)
        }
        "list_page_sessions" => {
            let Nothing {} = read(arguments)?;
            list(service.sessions())
        }
        "invoke_plugin_operation" => {
            let call: Invocation = read(arguments)?;
            let mut execution = data(service.invoke(call, Source::Automation)?)?;
            execution["next"] = json!("get_plugin_execution");
            Ok(execution)
        }
        "get_plugin_execution" => {
            let asked: OneExecution = read(arguments)?;
            asked.check()?;
            data(service.execution(asked.id, asked.wait_ms).await?)
        }
        "cancel_plugin_execution" => {
            let asked: ById = read(arguments)?;
            data(service.cancel(asked.id)?)
        }
        "list_plugin_executions" => {
            let asked: HistoryArguments = read(arguments)?;
            data(service.history(&asked)?)
        }
        "plugins.add" => {
            let asked: Folder = read(arguments)?;
            data(service.add_plugin(&asked.dir)?)
        }
        "plugins.list" => {
            let Nothing {} = read(arguments)?;
            list(service.plugins())
        }
        _ if MISSING.contains(&tool) => {
            Err(ApiError::new(ApiCode::NotFound, format!("{tool} is not supported by this host")))
        }
        _ => Err(ApiError::new(ApiCode::NotFound, "there is no such tool")),
    }
}

/// Whether a tool takes these arguments, as far as that can be told without the host.
///
/// # Errors
///
/// What a host would answer.
pub fn check(tool: &str, arguments: &[u8]) -> Result<(), ApiError> {
    match tool {
        "list_plugin_operations" => read::<OfPlugin>(arguments).map(drop),
        "get_plugin_operation" => read::<OneOperation>(arguments).map(drop),
        "invoke_plugin_operation" => read::<Invocation>(arguments)?.check(),
        "get_plugin_execution" => read::<OneExecution>(arguments)?.check(),
        "cancel_plugin_execution" => read::<ById>(arguments).map(drop),
        "list_plugin_executions" => read::<HistoryArguments>(arguments)?.check(),
        "plugins.add" => read::<Folder>(arguments).map(drop),
        _ => read::<Nothing>(arguments).map(drop),
    }
}

fn read<T: DeserializeOwned>(arguments: &[u8]) -> Result<T, ApiError> {
    Ok(body::parse(arguments)?)
}

fn data(value: impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(|_| ApiError::storage())
}

/// A list that is shown whole.
fn list<T: Serialize>(items: Vec<T>) -> Result<Value, ApiError> {
    let total = items.len();
    Ok(json!({ "items": data(items)?, "total": total, "offset": 0, "hasMore": false }))
}
