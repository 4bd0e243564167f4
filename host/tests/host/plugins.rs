//! What happens to a plugin whose folder changes, and to those who used it (Host §2).

use crate::host::{Host, manifest, write_plugin};
use crate::page::{ORIGIN, Page, open_body, send};
use serde_json::{Value, json};

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_changed_plugin_ends_its_sessions_and_old_credentials_say_so() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, id);
    page.claim(&id).await;
    let same = host.ask("plugins.add", json!({ "dir": host.plugin })).await;
    assert_eq!(same["generation"], host.generation, "nothing changed");
    let mut manifest = crate::host::manifest();
    manifest["version"] = json!("1.1.0");
    write_plugin(&host.plugin, &manifest);
    let added = host.ask("plugins.add", json!({ "dir": host.plugin })).await;
    assert_eq!(added["generation"], host.generation + 1);
    assert_eq!(stream.event().await.unwrap().data["reason"], "plugin_changed");
    assert!(stream.event().await.is_none(), "the stream ends");
    let execution = host.end(&id).await;
    assert_eq!((&execution["state"], &execution["errorCode"]), (&json!("interrupted"), &json!("plugin_changed")));
    assert_eq!(page.code("ack", json!({ "ack": 0 })).await, "session_gone");
    let (status, answer) = send(&host, "open", &host.credential, ORIGIN, &open_body(host.generation)).await;
    assert_eq!((status.as_u16(), code(&answer)), (410, "plugin_changed"));
}

#[tokio::test]
async fn a_folder_stays_the_plugin_it_was_added_as() {
    let host = Host::start().await;
    let (page, _stream) = Page::ready(&host).await;
    let mut other = manifest();
    other["id"] = json!("another");
    write_plugin(&host.plugin, &other);
    let refused = host.refusal("plugins.add", json!({ "dir": host.plugin })).await;
    assert_eq!(
        (&refused["code"], &refused["details"]["errors"][0]["pointer"]),
        (&json!("invalid_input"), &json!("/id"))
    );
    let listed = host.ask("plugins.list", json!({})).await;
    assert_eq!((&listed["total"], &listed["items"][0]["pluginId"]), (&json!(1), &json!("catalog")), "{listed}");
    assert_eq!(page.code("ack", json!({ "ack": 0 })).await, "", "nothing happened to its pages");
}

#[tokio::test]
async fn a_plugin_that_became_invalid_is_told_with_everything_and_the_old_one_goes_on() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let mut wrong = manifest();
    wrong["domains"] = json!(["com"]);
    wrong["operations"]["search"]["effects"] = json!([]);
    write_plugin(&host.plugin, &wrong);
    let refused = host.refusal("plugins.add", json!({ "dir": host.plugin })).await;
    assert_eq!(refused["details"]["errors"].as_array().unwrap().len(), 3, "{refused}");
    let id = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, id);
    page.claim(&id).await;
}

#[tokio::test]
async fn sixteen_credentials_are_good_and_the_oldest_goes() {
    let host = Host::start().await;
    let mut credentials = vec![host.credential.clone()];
    for _ in 0..16 {
        let added = host.ask("plugins.add", json!({ "dir": host.plugin })).await;
        credentials.push(added["credential"].as_str().unwrap().to_owned());
    }
    let mut refused = Vec::new();
    for credential in &credentials {
        let (_, answer) = send(&host, "open", credential, ORIGIN, &open_body(host.generation)).await;
        refused.push(code(&answer) == "credential_refused");
    }
    assert_eq!(refused.iter().position(|is_refused| !is_refused), Some(1), "{refused:?}");
    assert!(!refused[1..].contains(&true), "{refused:?}");
}
