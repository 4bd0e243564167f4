//! `pageport operations`

use super::arguments::{self, member};
use super::client::Client;
use super::command::{InvokeOptions, OperationCommand, ToolArguments};
use super::failure::Failure;
use super::print::{self, Output, line};
use super::safe_text::{in_json, on_terminal};
use super::{table, wait};
use serde_json::{Value, json};

/// Runs one of the commands.
pub(super) async fn run(command: OperationCommand, output: Output) -> Result<(), Failure> {
    match command {
        OperationCommand::List { plugin, tool } => {
            let found = ask("list_plugin_operations", &tool, vec![member("pluginId", plugin)]).await?;
            let members = ["pluginId", "operationId", "category", "effects", "name", "pageSessionIds"];
            let head = ["PLUGIN", "OPERATION", "CATEGORY", "EFFECTS", "NAME", "PAGES"];
            show(&found, &head, &members, "no operations: add a plugin whose manifest allows automation", output);
        }
        OperationCommand::Get { plugin, operation, tool } => {
            let short = vec![member("pluginId", plugin), member("operationId", operation)];
            print::json(&ask("get_plugin_operation", &tool, short).await?, output);
        }
        OperationCommand::Sessions { tool } => {
            let found = ask("list_page_sessions", &tool, Vec::new()).await?;
            let members = ["pageSessionId", "pluginId", "connected", "ready", "login", "title", "pageUrl"];
            let head = ["PAGE", "PLUGIN", "CONNECTED", "READY", "LOGIN", "TITLE", "URL"];
            show(&found, &head, &members, "no pages: open one in the browser", output);
        }
        OperationCommand::Invoke(options) => invoke(options, output).await?,
        OperationCommand::Execution { id, wait, tool } => {
            let short = vec![member("id", id)];
            let arguments = arguments::of_tool("get_plugin_execution", tool.args.as_deref(), short)?;
            let client = Client::connect(&tool.reach).await?;
            let execution = match wait {
                true => wait::until_end(&client, &id_of(&arguments), output).await?,
                false => client.call("get_plugin_execution", &arguments).await?,
            };
            show_execution(&execution, output);
        }
        OperationCommand::History { plugin, state, offset, limit, tool } => {
            let short = vec![
                member("pluginId", plugin),
                member("state", state),
                member("offset", offset),
                member("limit", limit),
            ];
            let found = ask("list_plugin_executions", &tool, short).await?;
            let members = ["executionId", "pluginId", "operationId", "state", "errorCode", "certainty"];
            let head = ["EXECUTION", "PLUGIN", "OPERATION", "STATE", "CODE", "CERTAINTY"];
            show(&found, &head, &members, "no executions", output);
        }
        OperationCommand::Cancel { id, tool } => {
            let execution = ask("cancel_plugin_execution", &tool, vec![member("id", id)]).await?;
            show_execution(&execution, output);
        }
    }
    Ok(())
}

async fn invoke(options: InvokeOptions, output: Output) -> Result<(), Failure> {
    let InvokeOptions { plugin, operation, input, page, cursor, limit, key, wait, tool } = options;
    let input = input.map(|text| arguments::read("--input", &text)).transpose()?;
    let short = vec![
        member("pluginId", plugin),
        member("operationId", operation),
        ("input", input),
        member("pageSessionId", page),
        member("cursor", cursor),
        member("limit", limit),
        member("idempotencyKey", key),
    ];
    let arguments = arguments::of_tool("invoke_plugin_operation", tool.args.as_deref(), short)?;
    let client = Client::connect(&tool.reach).await?;
    let mut execution = client.call("invoke_plugin_operation", &arguments).await?;
    if wait {
        let id = execution["executionId"].as_str().unwrap_or_default().to_owned();
        execution = wait::until_end(&client, &id, output).await?;
    }
    show_execution(&execution, output);
    Ok(())
}

/// The id in arguments that have been checked.
fn id_of(arguments: &str) -> String {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    arguments["id"].as_str().unwrap_or_default().to_owned()
}

async fn ask(tool: &str, given: &ToolArguments, short: Vec<(&'static str, Option<String>)>) -> Result<Value, Failure> {
    let arguments = arguments::of_tool(tool, given.args.as_deref(), short)?;
    Client::connect(&given.reach).await?.call(tool, &arguments).await
}

fn show(found: &Value, head: &[&str], members: &[&str], none: &str, output: Output) {
    if !output.is_for_people() {
        return print::json(found, output);
    }
    table::print(head, &table::rows(found, members), none, output);
    if found["hasMore"] == json!(true) {
        line("there are more: use --offset");
    }
}

fn show_execution(execution: &Value, output: Output) {
    if !output.is_for_people() {
        return print::json(execution, output);
    }
    let state = execution["state"].as_str().unwrap_or_default();
    let colour = match state {
        "succeeded" => "32",
        "queued" | "running" => "36",
        _ => "31",
    };
    let cell = |name| on_terminal(&table::cell(execution, name));
    line(&format!("execution  {}", cell("executionId")));
    line(&format!("operation  {} {}", cell("pluginId"), cell("operationId")));
    line(&format!("state      {} {}", output.colour(colour, state), cell("errorCode")));
    line(&format!("certainty  {}", cell("certainty")));
    line(&format!("result     {}", cell("resultStatus")));
    if !execution["result"].is_null() {
        line(&in_json(&serde_json::to_string_pretty(&execution["result"]).unwrap_or_default()));
    }
}
