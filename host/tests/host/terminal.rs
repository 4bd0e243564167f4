//! What people see on a terminal: tables, a bar, and nothing that a page could do to it (Host §1).

use crate::host::{Host, text};
use crate::page::Page;
use crate::program::pageport;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use tokio::sync::oneshot;

const HOSTILE: &str = "Sale \u{1b}[2J\u{9b}31m\u{7}\r\u{202e}elas\u{2066}\u{200f}";

/// Runs a command on a terminal; answers everything that it shows there, and the exit code.
fn show(data: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    watch(data, arguments, |_| {})
}

/// As [`show`]; `seen` gets what is shown so far, each time something is added.
fn watch(data: &Path, arguments: &[&str], mut seen: impl FnMut(&[u8])) -> (String, Option<i32>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes())).to_owned();
    let slave = || OpenOptions::new().read(true).write(true).open(&name).unwrap();
    let mut command = pageport();
    command.args(arguments).arg("--data").arg(data).env_remove("NO_COLOR").stdout(slave()).stderr(slave());
    let mut child = command.spawn().unwrap();
    // The terminal ends when nobody has it open any more.
    drop(command);
    let mut shown = Vec::new();
    let mut chunk = [0; 4096];
    let mut master = File::from(master);
    while let Ok(length @ 1..) = master.read(&mut chunk) {
        shown.extend_from_slice(&chunk[..length]);
        seen(&shown);
    }
    (String::from_utf8(shown).unwrap(), child.wait().unwrap().code())
}

/// Takes our own colours away; what is left must be harmless.
fn plain(shown: &str) -> String {
    let mut plain = shown.replace("\r\n", "\n");
    for own in ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[36m", "\u{1b}[0m", "\r\u{1b}[K"] {
        plain = plain.replace(own, "");
    }
    let active = |character: char| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!plain.contains(active), "{plain:?}");
    plain
}

#[tokio::test(flavor = "multi_thread")]
async fn text_of_pages_does_nothing_to_a_terminal() {
    let host = Host::start().await;
    host.publish();
    let (mut page, mut stream) = Page::ready(&host).await;
    page.state(json!({ "title": HOSTILE })).await;
    let (shown, exit) = show(&host.data, &["operations", "sessions"]);
    let sessions = plain(&shown);
    assert!(exit == Some(0) && sessions.contains(r"Sale \u{1b}[2J\u{9b}31m"), "{sessions}");
    assert!(sessions.contains("PAGE") && sessions.contains(&page.id), "{sessions}");
    assert_eq!(show(&host.data, &["operations", "sessions", "--json"]).0.matches('\u{1b}').count(), 0);

    let (second, _other) = Page::ready(&host).await;
    let (shown, exit) = show(&host.data, &["operations", "invoke", "catalog", "search", "--input", r#"{"q":"x"}"#]);
    let candidates = plain(&shown);
    assert_eq!(exit, Some(1));
    assert!(candidates.contains("page_ambiguous") && candidates.contains("hint: "), "{candidates}");
    assert!(candidates.contains(&page.id) && candidates.contains(&second.id), "people choose here: {candidates}");

    let id = host.invoke("search", json!({ "pageSessionId": page.id })).await;
    stream.invoke().await;
    page.claim(&id).await;
    page.post("heartbeat", page.with(&id, json!({ "progress": 50 }))).await;
    let (data, asked) = (host.data.clone(), id.clone());
    let (half, halfway) = oneshot::channel::<()>();
    let mut half = Some(half);
    let seen = move |shown: &[u8]| {
        if shown.windows(4).any(|part| part == b"50 %") {
            drop(half.take());
        }
    };
    let command = ["operations".to_owned(), "execution".into(), asked, "--wait".into()];
    let watching = tokio::task::spawn_blocking(move || watch(&data, &command.each_ref().map(String::as_str), seen));
    assert!(halfway.await.is_err(), "the bar was seen");
    page.succeed(&id, json!({ "note": HOSTILE }), json!({})).await;
    let (shown, exit) = watching.await.unwrap();
    assert!(shown.contains("###############---------------]  50 % running"), "{shown}");
    let ended = plain(&shown);
    assert!(exit == Some(0) && ended.contains("state      succeeded"), "{ended}");
    assert!(ended.contains(r"\u001b[2J\u009b31m"), "the result, as JSON: {ended}");
    assert_eq!(text(&host.execution(&id).await["result"]["data"]["note"]), HOSTILE, "nothing is changed but the view");
}
