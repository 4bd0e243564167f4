//! The program itself: what it prints, how it ends, and where it refuses to start.

use crate::host::{manifest, text, write_plugin};
use crate::program::{Program, pageport};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

fn error(stderr: &[u8]) -> Value {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().rev().find(|line| line.starts_with('{')).unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|_| panic!("no error on stderr: {text}"))
}

#[test]
fn every_violation_of_a_plugin_is_listed_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut wrong = manifest();
    wrong["domains"] = json!(["localhost", "co.uk"]);
    wrong["surprise"] = json!(1);
    wrong["operations"]["search"]["effects"] = json!([]);
    wrong["operations"]["search"]["inputSchema"]["additionalProperties"] = json!(true);
    wrong["operations"]["order"]["safeRetry"] = json!(true);
    write_plugin(dir.path(), &wrong);
    let output = pageport().args(["plugins", "lint"]).arg(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pointers: Vec<_> = report["errors"].as_array().unwrap().iter().map(|it| text(&it["pointer"])).collect();
    for pointer in [
        "/domains/0",
        "/domains/1",
        "/surprise",
        "/operations/search/effects",
        "/operations/search/inputSchema/additionalProperties",
        "/operations/order/safeRetry",
    ] {
        assert!(pointers.iter().any(|found| found == pointer), "{pointer} is missing in {pointers:?}");
    }
    assert_eq!(error(&output.stderr)["code"], "invalid_plugin");
}

#[test]
fn a_folder_is_checked_beyond_its_manifest() {
    type Spoil = fn(&Path);
    let cases: [(&str, Spoil, &str); 6] = [
        ("no manifest", |dir| fs::remove_file(dir.join("manifest.json")).unwrap(), "manifest.json is missing"),
        (
            "a repeated name",
            |dir| fs::write(dir.join("manifest.json"), r#"{"id":"a","id":"b"}"#).unwrap(),
            "occurs twice",
        ),
        ("no JSON", |dir| fs::write(dir.join("manifest.json"), "{").unwrap(), "is not JSON"),
        ("no script", |dir| fs::remove_file(dir.join("page.js")).unwrap(), "page.js is missing"),
        (
            "a large script",
            |dir| fs::write(dir.join("page.js"), " ".repeat(256 * 1024 + 1)).unwrap(),
            "larger than 256 KiB",
        ),
        (
            "a script outside",
            |dir| {
                fs::remove_file(dir.join("page.js")).unwrap();
                std::os::unix::fs::symlink("/etc/hostname", dir.join("page.js")).unwrap();
            },
            "inside the plugin's folder",
        ),
    ];
    for (case, spoil, message) in cases {
        let dir = tempfile::tempdir().unwrap();
        write_plugin(dir.path(), &manifest());
        spoil(dir.path());
        let output = pageport().args(["plugins", "lint"]).arg(dir.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{case}");
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(report.contains(message), "{case}: {report}");
    }
    let dir = tempfile::tempdir().unwrap();
    write_plugin(dir.path(), &manifest());
    let output = pageport().args(["plugins", "lint"]).arg(dir.path()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn wrong_arguments_are_told_before_the_host_is_looked_for() {
    let nowhere = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = pageport().args(arguments).env("PAGEPORT_DATA", nowhere.path()).output().unwrap();
        (output.status.code(), output.stderr)
    };
    let wrong: &[&[&str]] = &[
        &["nothing"],
        &["operations", "invoke", "catalog"],
        &["operations", "invoke", "catalog", "search", "--input", "{"],
        &["operations", "invoke", "catalog", "search", "--input", "@/does/not/exist"],
        &["operations", "invoke", "--args", r#"{"pluginId":"a","operationId":"b","extra":1}"#],
        &["operations", "invoke", "catalog", "search", "--page", "x"],
        &["operations", "execution", "x"],
        &["operations", "execution"],
        &["operations", "history", "--state", "sleeping"],
        &["operations", "list", "--timeout", "0"],
        &["operations", "list", "--timeout", "301"],
        &["plugins", "add", "/does/not/exist"],
        &["serve", "--credential-file", "x"],
        &["serve", "--allow-origin", "https://a.example/path=p"],
        &["serve", "--config", "/does/not/exist"],
    ];
    for arguments in wrong {
        assert_eq!(run(arguments).0, Some(2), "{arguments:?}");
    }
    let (exit, stderr) = run(&["operations", "list"]);
    assert_eq!((exit, text(&error(&stderr)["code"])), (Some(3), "host_unreachable".into()));
    assert!(error(&stderr)["hint"].is_string());
}

#[test]
fn a_stale_file_does_not_send_the_token_to_a_stranger() {
    let dir = tempfile::tempdir().unwrap();
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", stranger.local_addr().unwrap());
    let listening = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = stranger.accept().unwrap();
        let mut heard = vec![0; 4096];
        let length = stream.read(&mut heard).unwrap();
        let body = r#"{"ok":true,"data":{"proof":"00"}}"#;
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()).unwrap();
        String::from_utf8_lossy(&heard[..length]).into_owned()
    });
    let control = json!({ "version": "0", "url": url, "token": "the old token" });
    fs::write(dir.path().join("control.json"), control.to_string()).unwrap();
    let output = pageport().args(["operations", "list", "--data"]).arg(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let heard = listening.join().unwrap();
    assert!(heard.starts_with("GET /hello?nonce=") && !heard.contains("the old token"), "{heard}");
}

#[test]
fn the_host_says_why_it_does_not_start() {
    let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = busy.local_addr().unwrap().port().to_string();
    let fine = tempfile::tempdir().unwrap();
    let open = tempfile::tempdir().unwrap();
    fs::set_permissions(open.path(), Permissions::from_mode(0o770)).unwrap();
    let broken = tempfile::tempdir().unwrap();
    fs::write(broken.path().join("operations.db"), "no database at all, whatever the name says").unwrap();
    let unreadable = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("key", unreadable.path().join("key")).unwrap();
    let plugin = tempfile::tempdir().unwrap();
    write_plugin(plugin.path(), &json!({}));
    let plugin = plugin.path().display().to_string();
    let data = |dir: &tempfile::TempDir| dir.path().display().to_string();
    let mut cases = vec![
        ("a port in use", vec!["--port", &port], data(&fine), "port_in_use"),
        ("a folder others may write to", vec!["--port", "0"], data(&open), "data_folder"),
        ("a folder that can't be made", vec!["--port", "0"], "/proc/pageport".into(), "data_folder"),
        ("a file that is no database", vec!["--port", "0"], data(&broken), "storage_unavailable"),
        ("a key that is there, but can't be read", vec!["--port", "0"], data(&unreadable), "data_folder"),
        ("an invalid plugin", vec!["--port", "0", "--plugin", &plugin], data(&fine), "invalid_input"),
    ];
    let foreign = tempfile::tempdir().unwrap();
    if chown(foreign.path(), Some(12_345), None).is_ok() {
        cases.push(("somebody else's folder", vec!["--port", "0"], data(&foreign), "data_folder"));
    }
    for (case, arguments, data, code) in cases {
        let output = pageport().arg("serve").args(arguments).args(["--data", &data]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{case}");
        let told = error(&output.stderr);
        assert!(told["code"] == code && told["hint"].is_string(), "{case}: {told}");
        assert!(output.stdout.is_empty(), "{case}");
    }
}

#[test]
fn a_folder_that_is_read_only_is_no_data_folder() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o500)).unwrap();
    if fs::write(data.join("probe"), "").is_ok() {
        return; // whoever may write everywhere has no read-only folder
    }
    let output = pageport().args(["serve", "--port", "0", "--data"]).arg(&data).output().unwrap();
    assert_eq!((output.status.code(), text(&error(&output.stderr)["code"])), (Some(1), "data_folder".into()));
}

#[test]
fn the_host_serves_its_commands_and_leaves_nothing_open() {
    let host = Program::start(&[]);
    let second = pageport().args(["serve", "--port", "0", "--data"]).arg(host.data()).output().unwrap();
    assert_eq!(error(&second.stderr)["code"], "data_folder", "one host a folder");
    let mode = |name: &str| fs::metadata(host.data().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("control.json"), mode("operations.db")), (0o700, 0o600, 0o600));

    let file = host.dir().join("page.json");
    let added = host.run(&["plugins", "add", &host.plugin(), "--credential-file", &file.display().to_string()]);
    assert_eq!((&added["pluginId"], &added["generation"]), (&json!("catalog"), &json!(1)));
    let written: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(written, json!({ "url": added["url"], "credential": added["credential"] }));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let parts: Vec<_> = text(&added["credential"]).split('~').map(str::to_owned).collect();
    assert_eq!((parts[0].as_str(), parts[1].as_str(), parts[2].len()), ("catalog", "1", 43));
    assert_eq!(host.run(&["plugins", "list"])["items"][0]["errors"], json!([]));
    assert_eq!(host.run(&["operations", "list", "catalog"])["total"], 6);
    assert_eq!(host.run(&["operations", "list", "--args", r#"{"pluginId":"x"}"#])["total"], 0);
    assert_eq!(host.run(&["operations", "sessions"])["total"], 0);
    assert_eq!(host.run(&["operations", "history"])["items"], json!([]));

    let invoke = host.command(&["operations", "invoke", "catalog", "search", "--input", r#"{"q":"x"}"#, "--wait"]);
    assert_eq!(invoke.status.code(), Some(1));
    assert_eq!(error(&invoke.stderr)["details"]["reason"], "no_page");

    let other = tempfile::tempdir().unwrap();
    write_plugin(other.path(), &manifest());
    let twice = host.command(&["plugins", "add", &other.path().display().to_string()]);
    assert_eq!(error(&twice.stderr)["code"], "plugin_exists");

    let (dir, output) = host.terminate();
    assert!(output.status.success(), "{output:?}");
    assert!(!dir.path().join("data/control.json").exists(), "the host takes its file with it");
}

#[test]
fn a_plugin_is_read_again_at_start_and_listed_with_its_errors() {
    let host = Program::start(&[]);
    host.run(&["plugins", "add", &host.plugin()]);
    let (dir, _) = host.terminate();
    fs::remove_file(dir.path().join("plugin/page.js")).unwrap();
    let host = Program::start_in(dir, &[]);
    let listed = host.run(&["plugins", "list"]);
    let row = &listed["items"][0];
    assert_eq!((&row["version"], &row["generation"]), (&Value::Null, &json!(2)), "{row}");
    assert_eq!(row["errors"][0]["pointer"], "/pageScripts/0/file");
    assert_eq!(host.run(&["operations", "list"])["total"], 0, "not served");
}

#[test]
fn a_file_of_options_is_read_when_it_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = dir.path().join("plugin");
    write_plugin(&plugin, &manifest());
    let config = dir.path().join("pageport.toml");
    fs::write(&config, format!("port = 1\ndev = true\nplugin = [{:?}]\n", plugin)).unwrap();
    let host = Program::start_in(dir, &["--config", &config.display().to_string()]);
    assert_eq!(host.run(&["plugins", "list"])["total"], 1);
    let (dir, _) = host.terminate();
    fs::write(&config, "colour = 'red'").unwrap();
    let output = pageport().arg("serve").arg("--config").arg(&config).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "an unknown key");
    drop(dir);
}
