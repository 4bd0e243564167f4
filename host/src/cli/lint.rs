//! `pageport plugins lint`: everything that is wrong with a folder, without a host.

use super::failure::Failure;
use super::print::{self, Output, line};
use super::safe_text::on_terminal;
use crate::plugin::{read_folder, verdict};
use serde_json::json;
use std::path::Path;

/// Prints what was found; fails with exit code 1 when there are errors.
pub(super) fn run(dir: &Path, is_dev: bool, output: Output) -> Result<(), Failure> {
    let wrong = |_| Failure::arguments("there is no such folder", "name a folder with a manifest.json");
    let dir = dir.canonicalize().map_err(wrong)?;
    let folder = read_folder(&dir, is_dev);
    let is_ok = folder.errors.is_empty();
    if output.is_for_people() {
        for (kind, found) in [("error", &folder.errors), ("warning", &folder.warnings)] {
            for violation in found {
                line(&format!("{kind}: {} {}", on_terminal(&violation.pointer), on_terminal(&violation.message)));
            }
        }
        line(if is_ok { "the plugin can be added" } else { "the plugin can't be added" });
    } else {
        print::json(&json!({ "ok": is_ok, "errors": folder.errors, "warnings": folder.warnings }), output);
    }
    if is_ok {
        return Ok(());
    }
    let message = verdict(&folder.errors);
    Err(Failure::new(super::failure::FAILED, "invalid_plugin", message, "correct what is listed and try again"))
}
