//! Whoever else may be where a host was: what commands make of answers that are none.

use crate::failures::run;
use crate::host::text;
use crate::program::pageport;
use pageport_host::secret;
use serde_json::json;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

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
        command.args(["operations", "list", "--timeout", "2", "--data"]).arg(dir.path());
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
