//! JSON on the command line: the text, `@file`, or `-` for standard input; it goes to the host as it was written.

use super::failure::Failure;
use crate::execution::limits;
use crate::http::check_arguments;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fs::File;
use std::io::{Read, stdin};

/// Reads a JSON value that an option names; answers its text.
pub(super) fn read(option: &str, text: &str) -> Result<String, Failure> {
    let wrong = |message: String| Failure::arguments(format!("{option}: {message}"), "give JSON, @FILE or -");
    let text = match text.strip_prefix('@') {
        Some(path) => File::open(path)
            .map_err(|error| format!("the file can't be read: {error}"))
            .and_then(|file| bounded(file, "the file")),
        None if text == "-" => bounded(stdin().lock(), "standard input"),
        None => Ok(text.to_owned()),
    };
    let value = RawValue::from_string(text.map_err(wrong)?);
    let value = value.map_err(|error| wrong(format!("no JSON at line {} column {}", error.line(), error.column())))?;
    Ok(value.get().to_owned())
}

/// Reads what a host would take, and no more.
fn bounded(source: impl Read, name: &str) -> Result<String, String> {
    let most = limits::API_BYTES;
    let mut text = String::new();
    let read = source.take(most as u64 + 1).read_to_string(&mut text);
    match read.map_err(|error| format!("{name} can't be read: {error}"))? {
        length if length > most => Err(format!("{name} is larger than {} MiB", most >> 20)),
        _ => Ok(text),
    }
}

/// An argument of a short form, as JSON.
pub(super) fn member(name: &'static str, value: Option<impl Into<Value>>) -> (&'static str, Option<String>) {
    (name, value.map(|value| value.into().to_string()))
}

/// The arguments of a tool as JSON, from `--args` or from the short form, checked before the host is looked for.
pub(super) fn of_tool(
    tool: &str,
    args: Option<&str>,
    short: Vec<(&'static str, Option<String>)>,
) -> Result<String, Failure> {
    let text = match args {
        Some(text) => read("--args", text)?,
        None => {
            let members = short.into_iter().filter_map(|(name, value)| Some(format!("{name:?}:{}", value?)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    };
    check_arguments(tool, text.as_bytes()).map_err(|error| {
        // There it is the body of a request.
        let message = match error.message.strip_prefix("the body ") {
            Some(rest) => format!("the arguments as JSON: it {rest}"),
            None => error.message,
        };
        Failure::arguments(message, "--help shows what the command takes")
    })?;
    Ok(text)
}
