//! Why a command failed: its exit code, and `{code, message, hint}` on standard error (Host §1).

use super::print::Output;
use super::safe_text::{in_json, on_terminal};
use crate::data_folder::FolderError;
use crate::service::ApiError;
use serde_json::{Value, json};
use std::io::{self, Write, stderr};

/// The request failed.
pub(super) const FAILED: u8 = 1;
/// The arguments are wrong.
pub(super) const ARGUMENTS: u8 = 2;
/// The host is not reachable, or does not know us.
pub(super) const UNREACHABLE: u8 = 3;

/// What a command ends with when it fails.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// The exit code.
    pub(super) exit: u8,
    error: Value,
}

impl Failure {
    /// A failure with a code of its own.
    pub(super) fn new(exit: u8, code: &str, message: impl Into<String>, hint: &str) -> Self {
        let mut error = json!({ "code": code, "message": message.into() });
        if !hint.is_empty() {
            error["hint"] = json!(hint);
        }
        Self { exit, error }
    }

    /// Wrong arguments, found before the host is looked for.
    pub(super) fn arguments(message: impl Into<String>, hint: &str) -> Self {
        Self::new(ARGUMENTS, "invalid_arguments", message, hint)
    }

    /// The same, with another exit code.
    pub(super) const fn with_exit(mut self, exit: u8) -> Self {
        self.exit = exit;
        self
    }

    /// Says how to go on when it is not known whether the host did what was asked.
    pub(super) fn hint_if_lost(mut self, hint: impl FnOnce() -> String) -> Self {
        if matches!(self.error["code"].as_str(), Some("timeout" | "host_unreachable")) {
            self.error["hint"] = json!(hint());
        }
        self
    }

    /// What the host answered.
    pub(super) fn answered(error: Value) -> Self {
        let exit = if error["code"] == "unauthorized" { UNREACHABLE } else { FAILED };
        Self { exit, error }
    }

    pub(super) fn print(&self, output: Output) {
        // A reader that went away is no failure of ours.
        let _ = self.write(&mut stderr().lock(), output);
    }

    fn write(&self, to: &mut impl Write, output: Output) -> io::Result<()> {
        if output.is_plain_error() {
            let text = serde_json::to_string(&self.error).unwrap_or_default();
            return writeln!(to, "{}", in_json(&text));
        }
        let of = |value: &Value, name| on_terminal(value[name].as_str().unwrap_or_default());
        writeln!(to, "error: {} ({})", of(&self.error, "message"), of(&self.error, "code"))?;
        for (list, members) in LISTS {
            for item in self.error["details"][*list].as_array().into_iter().flatten() {
                let cells: Vec<_> = members.iter().map(|name| of(item, *name)).collect();
                writeln!(to, "  {}", cells.join(" "))?;
            }
        }
        if self.error["hint"].is_string() {
            writeln!(to, "hint: {}", of(&self.error, "hint"))?;
        }
        Ok(())
    }
}

/// What people are shown of an error's details: the lists, and of each entry these members.
const LISTS: &[(&str, &[&str])] = &[
    ("errors", &["pointer", "message"]),
    ("issues", &["path", "message"]),
    ("candidates", &["pageSessionId", "pageUrl", "title"]),
];

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        // What follows the first paragraph is for people: tips and the usage.
        let first = text.split("\n\n").next().unwrap_or_default();
        let words: Vec<_> = first.strip_prefix("error: ").unwrap_or(first).split_whitespace().collect();
        Self::arguments(words.join(" "), "--help shows what the command takes")
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let (message, hint) = error.describe();
        Self::new(FAILED, "data_folder", message, hint)
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self { exit: FAILED, error: json!(error) }
    }
}
