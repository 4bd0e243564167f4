//! `pageport operations`

use super::client::Client;
use super::command::{InvokeOptions, OperationCommand, ToolArguments};
use super::failure::Failure;
use super::print::{self, Output, line};
use super::safe_text::{in_json, on_terminal};
use super::{arguments, table, wait};
use serde_json::{Value, json};

/// Runs one of the commands.
pub(super) async fn run(command: OperationCommand, output: Output) -> Result<(), Failure> {
    match command {
        OperationCommand::List { plugin, tool } => {
            let found = ask("list_plugin_operations", &tool, vec![("pluginId", plugin.map(Value::from))]).await?;
            let members = ["pluginId", "operationId", "category", "effects", "name", "pageSessionIds"];
            let head = ["PLUGIN", "OPERATION", "CATEGORY", "EFFECTS", "NAME", "PAGES"];
            show(&found, &head, &members, "no operations: add a plugin whose manifest allows automation", output);
        }
        OperationCommand::Get { plugin, operation, tool } => {
            let short = vec![("pluginId", plugin.map(Value::from)), ("operationId", operation.map(Value::from))];
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
            let short = vec![("id", id.map(Value::from))];
            let arguments = arguments::of_tool("get_plugin_execution", tool.args.as_deref(), short)?;
            let client = Client::connect(&tool.reach).await?;
            let execution = match wait {
                true => wait::until_end(&client, &arguments["id"], output).await?,
                false => client.call("get_plugin_execution", &arguments).await?,
            };
            show_execution(&execution, output);
        }
        OperationCommand::History { plugin, state, offset, limit, tool } => {
            let short = vec![
                ("pluginId", plugin.map(Value::from)),
                ("state", state.map(Value::from)),
                ("offset", offset.map(Value::from)),
                ("limit", limit.map(Value::from)),
            ];
            let found = ask("list_plugin_executions", &tool, short).await?;
            let members = ["executionId", "pluginId", "operationId", "state", "errorCode", "certainty"];
            let head = ["EXECUTION", "PLUGIN", "OPERATION", "STATE", "CODE", "CERTAINTY"];
            show(&found, &head, &members, "no executions", output);
        }
        OperationCommand::Cancel { id, tool } => {
            let execution = ask("cancel_plugin_execution", &tool, vec![("id", id.map(Value::from))]).await?;
            show_execution(&execution, output);
        }
    }
    Ok(())
}

async fn invoke(options: InvokeOptions, output: Output) -> Result<(), Failure> {
    let InvokeOptions { plugin, operation, input, page, cursor, limit, key, wait, tool } = options;
    let input = input.map(|text| arguments::read("--input", &text)).transpose()?;
    let short = vec![
        ("pluginId", plugin.map(Value::from)),
        ("operationId", operation.map(Value::from)),
        ("input", input),
        ("pageSessionId", page.map(Value::from)),
        ("cursor", cursor.map(Value::from)),
        ("limit", limit.map(Value::from)),
        ("idempotencyKey", key.map(Value::from)),
    ];
    let arguments = arguments::of_tool("invoke_plugin_operation", tool.args.as_deref(), short)?;
    let client = Client::connect(&tool.reach).await?;
    let mut execution = client.call("invoke_plugin_operation", &arguments).await?;
    if wait {
        execution = wait::until_end(&client, &execution["executionId"], output).await?;
    }
    show_execution(&execution, output);
    Ok(())
}

async fn ask(tool: &str, given: &ToolArguments, short: Vec<(&str, Option<Value>)>) -> Result<Value, Failure> {
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
    let member = |name| on_terminal(&table::cell(execution, name));
    line(&format!("execution  {}", member("executionId")));
    line(&format!("operation  {} {}", member("pluginId"), member("operationId")));
    line(&format!("state      {} {}", output.colour(colour, state), member("errorCode")));
    line(&format!("certainty  {}", member("certainty")));
    line(&format!("result     {}", member("resultStatus")));
    if !execution["result"].is_null() {
        line(&in_json(&serde_json::to_string_pretty(&execution["result"]).unwrap_or_default()));
    }
}
