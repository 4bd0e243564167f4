//! JSON on the command line: the text, `@file`, or `-` for standard input.

use super::failure::Failure;
use crate::http::check_arguments;
use serde_json::{Map, Value};
use std::io::Read;

/// Reads a JSON value that an option names.
pub(super) fn read(option: &str, text: &str) -> Result<Value, Failure> {
    let source = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("the file can't be read: {error}")),
        None if text == "-" => {
            let mut text = String::new();
            let read = std::io::stdin().lock().take(4 << 20).read_to_string(&mut text);
            read.map(|_| text).map_err(|error| format!("standard input can't be read: {error}"))
        }
        None => Ok(text.to_owned()),
    };
    let wrong = |message: String| Failure::arguments(format!("{option}: {message}"), "give JSON, @FILE or -");
    let source = source.map_err(wrong)?;
    serde_json::from_str(&source)
        .map_err(|error| wrong(format!("no JSON at line {} column {}", error.line(), error.column())))
}

/// The arguments of a tool, from `--args` or from the short form, checked before the host is looked for.
pub(super) fn of_tool(tool: &str, args: Option<&str>, short: Vec<(&str, Option<Value>)>) -> Result<Value, Failure> {
    let value = match args {
        Some(text) => read("--args", text)?,
        None => {
            let known = short.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
            Value::Object(known.collect::<Map<_, _>>())
        }
    };
    check_arguments(tool, value.to_string().as_bytes())
        .map_err(|error| Failure::arguments(error.message, "--help shows what the command takes"))?;
    Ok(value)
}
