//! How commands fail: the exit code, and `{code, message, hint}` on standard error (Host §1).

use crate::host::text;
use crate::program::{Program, pageport};
use pageport_host::secret;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
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

fn run(command: &mut Command) -> (Option<i32>, String, Value) {
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

/// A program that says it is the host, and can prove it, but answers with something else.
fn impostor(data: &Path, answers: impl Fn(usize, &str) -> Option<String> + Send + 'static) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let control = json!({ "version": "0", "url": url, "token": "t" });
    fs::write(data.join("control.json"), control.to_string()).unwrap();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let mut heard = vec![0; 4096];
            let length = stream.read(&mut heard).unwrap();
            let heard = String::from_utf8_lossy(&heard[..length]).into_owned();
            match answers(number, &heard) {
                // Whether anybody still reads it is not the impostor's business.
                Some(answer) => drop(stream.write_all(answer.as_bytes())),
                None => std::mem::forget(stream),
            }
        }
    });
}

fn proof(heard: &str) -> String {
    let nonce = &heard["GET /hello?nonce=".len()..][..32];
    let body = json!({ "ok": true, "data": { "proof": secret::proof("t", nonce) } }).to_string();
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn a_host_that_does_not_answer_as_one_is_told_apart() {
    type Answer = fn(usize, &str) -> Option<String>;
    let endless = |_: usize, _: &str| Some(format!("HTTP/1.1 200 OK\r\n\r\n{}", " ".repeat(64 << 20)));
    let cases: [(&str, Answer, i32, &str); 5] = [
        ("nothing after the greeting", |at, heard| (at == 0).then(|| proof(heard)), 1, "timeout"),
        ("nothing at all", |_, _| None, 3, "host_unreachable"),
        ("a greeting without an end", endless, 3, "host_unreachable"),
        (
            "no JSON",
            |at, heard| {
                Some(if at == 0 { proof(heard) } else { "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi".into() })
            },
            1,
            "bad_answer",
        ),
        (
            "the end of the connection",
            |at, heard| Some(if at == 0 { proof(heard) } else { String::new() }),
            3,
            "host_unreachable",
        ),
    ];
    for (case, answers, exit, code) in cases {
        let dir = tempfile::tempdir().unwrap();
        impostor(dir.path(), answers);
        let mut command = pageport();
        command.args(["operations", "list", "--timeout", "1", "--data"]).arg(dir.path());
        let (found, told, error) = run(&mut command);
        assert_eq!((found, told.as_str()), (Some(exit), code), "{case}: {error}");
    }
}

#[test]
fn a_wait_that_is_cut_off_says_how_to_go_on() {
    let id = secret::name();
    let dir = tempfile::tempdir().unwrap();
    let taken = json!({ "ok": true, "data": { "executionId": id, "state": "running" } }).to_string();
    impostor(dir.path(), move |at, heard| match at {
        0 => Some(proof(heard)),
        1 => Some(format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{taken}", taken.len())),
        _ => Some(String::new()),
    });
    let mut command = pageport();
    command.args(["operations", "invoke", "catalog", "search", "--wait", "--data"]).arg(dir.path());
    let (exit, code, error) = run(&mut command);
    assert_eq!((exit, code.as_str()), (Some(3), "host_unreachable"));
    assert!(text(&error["hint"]).contains(&format!("pageport operations execution {id}")), "{error}");
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
