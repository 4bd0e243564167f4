//! `pageport plugins`

use super::client::Client;
use super::command::PluginCommand;
use super::failure::{FAILED, Failure};
use super::print::{self, Output, line};
use super::safe_text::on_terminal;
use super::{lint, table};
use crate::service::write_credential;
use serde_json::{Value, json};
use std::path::Path;

/// Runs one of the commands.
pub(super) async fn run(command: PluginCommand, output: Output) -> Result<(), Failure> {
    match command {
        PluginCommand::Add { dir, credential_file, reach } => {
            let dir = dir
                .canonicalize()
                .map_err(|_| Failure::arguments("there is no such folder", "name a folder with a manifest.json"))?;
            let dir =
                dir.to_str().ok_or_else(|| Failure::arguments("the folder's path must be UTF-8", "move the folder"))?;
            let client = Client::connect(&reach).await?;
            let added = client.call("plugins.add", &json!({ "dir": dir }).to_string()).await?;
            if let Some(file) = credential_file {
                hand_out(&file, &added)?;
            }
            if output.is_for_people() {
                for name in ["pluginId", "generation", "url", "credential"] {
                    line(&format!("{name:11} {}", on_terminal(&table::cell(&added, name))));
                }
            } else {
                print::json(&added, output);
            }
        }
        PluginCommand::Lint { dir, dev } => return lint::run(&dir, dev, output),
        PluginCommand::List { reach } => {
            let found = Client::connect(&reach).await?.call("plugins.list", "{}").await?;
            if output.is_for_people() {
                show(&found, output);
            } else {
                print::json(&found, output);
            }
        }
    }
    Ok(())
}

fn show(found: &Value, output: Output) {
    let mut rows = table::rows(found, &["pluginId", "version", "generation", "sessions", "dir"]);
    let items = found["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (row, item) in rows.iter_mut().zip(items) {
        let errors = item["errors"].as_array().map_or(0, Vec::len);
        row.push(if errors == 0 { "served".into() } else { format!("{errors} errors") });
    }
    let head = ["PLUGIN", "VERSION", "GENERATION", "PAGES", "FOLDER", "STATE"];
    table::print(&head, &rows, "no plugins: pageport plugins add DIR", output);
}

/// Writes what `plugins add` answered for the pages of the plugin.
pub(super) fn hand_out(file: &Path, added: &Value) -> Result<(), Failure> {
    let member = |name| added[name].as_str().unwrap_or_default();
    write_credential(file, member("url"), member("credential")).map_err(|error| {
        let message = format!("{} can't be written: {error}", file.display());
        Failure::new(FAILED, "credential_file", message, "name a file in a folder that can be written")
    })
}
