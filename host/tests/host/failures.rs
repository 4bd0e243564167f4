//! How commands fail: the exit code, and `{code, message, hint}` on standard error (Host §1).

use crate::host::text;
use crate::program::{Program, pageport};
use pageport_host::secret;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The error, which is the last line.
fn told(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().last().unwrap_or_default();
    let error: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("no error on stderr: {text}"));
    assert!(error["message"].is_string() && error["hint"].is_string(), "{error}");
    error
}

/// Runs a command that fails; answers the exit code, the error's code and the error.
pub(crate) fn run(command: &mut Command) -> (Option<i32>, String, Value) {
    let output = command.output().unwrap();
    let error = told(&output);
    (output.status.code(), text(&error["code"]), error)
}

#[test]
fn arguments_out_of_bounds_are_told_before_the_host_is_looked_for() {
    let nowhere = tempfile::tempdir().unwrap();
    let long = "k".repeat(129);
    let id = secret::name();
    let late = json!({ "id": id, "waitMs": 60_001 }).to_string();
    let wrong: &[&[&str]] = &[
        &["operations", "invoke", "a", "b", "--limit", "0"],
        &["operations", "invoke", "a", "b", "--limit", "101"],
        &["operations", "invoke", "a", "b", "--key", ""],
        &["operations", "invoke", "a", "b", "--key", &long],
        &["operations", "invoke", "a", "b", "--input", r#"{"q":1,"q":2}"#],
        &["operations", "invoke", "a", "b", "--input", "{} {}"],
        &["operations", "history", "--limit", "0"],
        &["operations", "history", "--limit", "101"],
        &["operations", "execution", "--args", &late],
        &["operations", "list", "--args", r#"{"pluginId":"a","pluginId":"b"}"#],
        &["operations", "list", "--args", r#"{"pluginId":null}"#],
        &["operations", "list", "--args", r#"["a"]"#],
        &["operations", "list", "--args", "@/dev/zero"],
        // What the parser of the command line finds is told in the same way.
        &["operations", "dance"],
        &["operations", "get", "catalog"],
        &["operations", "list", "--args", "{}", "catalog"],
        &["serve", "--port", "70000"],
        &["serve", "--nonsense"],
    ];
    for arguments in wrong {
        let (exit, code, error) = run(pageport().args(*arguments).env("PAGEPORT_DATA", nowhere.path()));
        assert_eq!((exit, code.as_str()), (Some(2), "invalid_arguments"), "{arguments:?}: {error}");
    }
    for (arguments, names) in [
        (["operations", "execution", "x"], "32 lower-case hex digits"),
        (["operations", "history", "--state=sleeping"], "queued"),
        (["operations", "invoke", "--args={}"], "pluginId"),
    ] {
        let (_, _, error) = run(pageport().args(arguments).env("PAGEPORT_DATA", nowhere.path()));
        assert!(text(&error["message"]).contains(names), "{arguments:?}: {error}");
    }
    for help in [&["--help"][..], &["--version"], &["operations", "invoke", "--help"]] {
        let output = pageport().args(help).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty() && !output.stdout.is_empty(), "{help:?}");
    }
}

#[test]
fn an_origin_that_no_page_has_is_refused() {
    // A folder that can't be made: a host that takes the origin fails there, and not here.
    let data = Path::new("/proc/pageport");
    for origin in [
        "https://a.example?x=p",
        "https://a.example#f=p",
        "https://a.example/=p",
        "https://a.example:443=p",
        "http://a.example:80=p",
        "https://a b=p",
        "https://A.example=p",
        "https://a.example=",
        "null=p",
    ] {
        let mut command = pageport();
        command.args(["serve", "--port", "0", "--allow-origin", origin, "--data"]).arg(data);
        assert_eq!(run(&mut command).0, Some(2), "{origin}");
    }
}

#[test]
fn a_path_that_is_no_text_is_no_reason_to_panic() {
    let dir = tempfile::tempdir().unwrap();
    let strange = dir.path().join(OsStr::from_bytes(b"\xff\xfe"));
    fs::create_dir(&strange).unwrap();
    let host = Program::start(&[]);
    let add = || {
        let mut command = pageport();
        command.args(["plugins", "add"]).arg(&strange).arg("--data").arg(host.data());
        command
    };
    let (exit, code, _) = run(&mut add());
    assert_eq!((exit, code.as_str()), (Some(2), "invalid_arguments"));
    let mut command = pageport();
    command.args(["serve", "--port", "0", "--json", "--data"]).arg(strange.join("data")).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let line: Value = serde_json::from_str(&line).unwrap();
    assert!(text(&line["url"]).starts_with("http://127.0.0.1:"), "{line}");
}

#[test]
fn a_folder_that_is_not_trusted_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o777)).unwrap();
    let (exit, code, error) = run(pageport().args(["operations", "list", "--data"]).arg(dir.path()));
    assert_eq!((exit, code.as_str()), (Some(3), "data_folder"), "{error}");
}

#[test]
fn nobody_reading_is_no_reason_to_panic() {
    let (read, out) = std::io::pipe().unwrap();
    let err = out.try_clone().unwrap();
    drop(read);
    let mut command = pageport();
    command.args(["operations", "dance"]).stdout(out).stderr(err);
    assert_eq!(command.status().unwrap().code(), Some(2));
    let nowhere = tempfile::tempdir().unwrap();
    let (read, err) = std::io::pipe().unwrap();
    drop(read);
    let mut command = pageport();
    command.args(["operations", "list", "--data"]).arg(nowhere.path()).stderr(err);
    assert_eq!(command.status().unwrap().code(), Some(3));
}

#[test]
fn every_command_uses_the_same_folder() {
    let dir = tempfile::tempdir().unwrap();
    let place = |name: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o770)).unwrap();
        path.canonicalize().unwrap()
    };
    let (named, own) = (place("named"), place("own"));
    let (base, home) = (dir.path().join("base"), dir.path().join("home"));
    let (shared, usual) = (place("base/pageport"), place("home/.local/share/pageport"));
    let nothing = Path::new("");
    // Of --data, PAGEPORT_DATA, XDG_DATA_HOME and HOME the first that says something counts.
    let cases = [
        (Some(&named), own.as_path(), base.as_path(), &named),
        (None, own.as_path(), base.as_path(), &own),
        (None, nothing, base.as_path(), &shared),
        (None, nothing, nothing, &usual),
    ];
    for (option, own, base, expected) in cases {
        for arguments in [&["serve", "--port", "0"][..], &["operations", "list"], &["plugins", "list"]] {
            let mut command = pageport();
            command.args(arguments).env("PAGEPORT_DATA", own).env("XDG_DATA_HOME", base).env("HOME", &home);
            if let Some(option) = option {
                command.arg("--data").arg(option);
            }
            // It is refused by its name, since others may write to it.
            let (_, code, error) = run(&mut command);
            assert_eq!(code, "data_folder", "{error}");
            assert!(text(&error["message"]).contains(&expected.display().to_string()), "{arguments:?}: {error}");
        }
    }
}
