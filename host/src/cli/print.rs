//! How output looks: for people on a terminal, JSON everywhere else.

use super::safe_text::in_json;
use serde_json::Value;
use std::io::{IsTerminal, Write, stderr, stdout};

/// What is on the other side of standard output and standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    is_json: bool,
    is_terminal: bool,
    has_colour: bool,
    is_error_terminal: bool,
}

impl Output {
    pub(super) fn new(is_json: bool) -> Self {
        let is_terminal = stdout().is_terminal();
        let has_colour = is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { is_json, is_terminal, has_colour, is_error_terminal: stderr().is_terminal() }
    }

    /// Whether JSON was asked for.
    pub(super) const fn is_json(self) -> bool {
        self.is_json
    }

    /// Whether people read standard output.
    pub(super) const fn is_for_people(self) -> bool {
        self.is_terminal && !self.is_json
    }

    /// Whether a progress bar may be drawn on standard error.
    pub(super) const fn has_progress(self) -> bool {
        self.is_error_terminal && !self.is_json
    }

    /// Whether errors are JSON.
    pub(super) const fn is_plain_error(self) -> bool {
        self.is_json || !self.is_error_terminal
    }

    /// The text in a colour, where there are colours.
    pub(super) fn colour(self, code: &str, text: &str) -> String {
        if self.has_colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Prints a line; a reader that went away is no failure of ours.
pub(super) fn line(text: &str) {
    let _ = writeln!(stdout(), "{text}");
}

/// Prints a value as JSON.
pub(super) fn json(value: &Value, output: Output) {
    let pretty = output.is_terminal;
    let text = if pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    let text = text.unwrap_or_default();
    line(&if pretty { in_json(&text) } else { text });
}
