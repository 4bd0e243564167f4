//! `pageport.toml`: the options of `serve`, read only when named (Host §1).

use super::command::ServeOptions;
use super::failure::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    port: Option<u16>,
    data: Option<PathBuf>,
    #[serde(default)]
    dev: bool,
    #[serde(default)]
    plugin: Vec<PathBuf>,
    #[serde(default)]
    allow_origin: Vec<String>,
}

/// The options with those of the file behind them; what the command line says wins.
pub(super) fn complete(mut options: ServeOptions) -> Result<ServeOptions, Failure> {
    let Some(path) = options.config.clone() else { return Ok(options) };
    let file = read(&path)?;
    options.port = options.port.or(file.port);
    options.data = options.data.or(file.data);
    options.dev |= file.dev;
    if options.plugin.is_empty() {
        options.plugin = file.plugin;
    }
    if options.allow_origin.is_empty() {
        options.allow_origin = file.allow_origin;
    }
    Ok(options)
}

fn read(path: &Path) -> Result<File, Failure> {
    let wrong = |message: String| {
        let hint = "it has port, data, dev, plugin and allow-origin";
        Failure::arguments(format!("{}: {message}", path.display()), hint)
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("can't be read: {error}")))?;
    toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))
}
