//! A host for the tests: the real service and doors on a free port, with a plugin of every kind of operation.

use crate::page::reply;
use pageport_host::control::Control;
use pageport_host::data_folder::DataFolder;
use pageport_host::http::{Doors, Listeners};
use pageport_host::service::{Service, Settings};
use pageport_host::store::Store;
use reqwest::{Client, StatusCode, redirect};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) const TOKEN: &str = "the control token of a test";

pub(crate) struct Host {
    pub(crate) http: Client,
    pub(crate) url: String,
    pub(crate) port: u16,
    pub(crate) credential: String,
    pub(crate) generation: u32,
    pub(crate) plugin: PathBuf,
    pub(crate) data: PathBuf,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<()>,
    timer: JoinHandle<()>,
    _folder: DataFolder,
    dir: TempDir,
}

/// A manifest with one operation of each kind that the tests need.
pub(crate) fn manifest() -> Value {
    let item = json!({ "type": "object", "additionalProperties": false, "properties": {
        "id": { "type": "string" }, "kind": { "type": "string" }, "title": { "type": "string" }, "pageUrl": { "type": "string" } } });
    let operation = |name: &str, more: Value| {
        let mut operation = json!({
            "name": name, "category": "search", "pageScript": "page", "effects": ["read"], "automation": true,
            "inputSchema": { "type": "object", "additionalProperties": false, "required": ["q"],
                "properties": { "q": { "type": "string", "maxLength": 40000 } } },
            "outputSchema": { "type": "object", "additionalProperties": false, "properties": {
                "items": { "type": "array", "items": item }, "note": { "type": "string" } } },
        });
        for (key, value) in more.as_object().unwrap() {
            operation[key] = value.clone();
        }
        operation
    };
    json!({
        "id": "catalog", "version": "1.0.0", "name": "Catalog", "domains": ["shop.example"],
        "permissions": ["inject-page-script", "page-bridge"],
        "pageScripts": [{ "id": "page", "file": "page.js", "bridge": true }, { "id": "other", "file": "page.js", "bridge": true }],
        "operations": {
            "search": operation("Search", json!({ "cancellable": true, "safeRetry": true })),
            "order": operation("Order", json!({ "effects": ["page"], "category": "custom" })),
            "slow": operation("Slow", json!({ "timeoutSeconds": 1, "cancellable": true })),
            "hidden": operation("Hidden", json!({ "automation": false })),
            "member": operation("Member", json!({ "requiresLogin": true })),
            "cart": operation("Cart", json!({ "pageMatch": [{ "host": "shop.example", "path": "/cart*" }] })),
            "elsewhere": operation("Elsewhere", json!({ "pageScript": "other" })),
        },
    })
}

/// Writes a plugin's folder.
pub(crate) fn write_plugin(dir: &Path, manifest: &Value) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    std::fs::write(dir.join("page.js"), "pageApi.operations.handle('search', () => ({ data: {} }));").unwrap();
}

impl Host {
    pub(crate) async fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        write_plugin(&dir.path().join("plugin"), &manifest());
        Self::start_in(dir).await
    }

    /// Starts a host in the folder of one that has stopped.
    pub(crate) async fn start_in(dir: TempDir) -> Self {
        let folder = DataFolder::open(&dir.path().join("data")).unwrap();
        let store = Store::open(&folder.file("operations.db").unwrap()).unwrap();
        let listeners = Listeners::bind(0).await.unwrap();
        let port = listeners.port;
        let allowed = vec![("https://friend.example".to_owned(), "catalog".to_owned())];
        let service = Service::start(
            store,
            Settings { is_dev: false, allowed_origins: allowed, key: folder.secret("key").unwrap(), port },
        )
        .unwrap();
        let plugin = dir.path().join("plugin");
        let added = service.add_plugin(&plugin).unwrap();
        let doors = Doors::new(service.clone(), port, TOKEN);
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(async move {
            listeners.serve(doors, async { drop(stopped.await) }).await;
        });
        Self {
            http: Client::builder().no_proxy().redirect(redirect::Policy::none()).build().unwrap(),
            url: format!("http://127.0.0.1:{port}"),
            port,
            timer: tokio::spawn(service.keep_time()),
            credential: added.credential,
            generation: added.generation,
            plugin,
            data: folder.path().to_owned(),
            stop: Some(stop),
            served,
            _folder: folder,
            dir,
        }
    }

    /// Tells the command line where it is.
    pub(crate) fn publish(&self) {
        let control = Control { version: "0".into(), url: self.url.clone(), token: TOKEN.into() };
        control.publish(&self.data).unwrap();
    }

    /// Stops in order; answers the folder.
    pub(crate) async fn stop(mut self) -> TempDir {
        drop(self.stop.take());
        (&mut self.served).await.unwrap();
        self.timer.abort();
        self.dir
    }

    /// Calls a tool of the automation door.
    pub(crate) async fn api(&self, tool: &str, arguments: Value) -> (StatusCode, Value) {
        let request = self.http.post(format!("{}/api/v1/{tool}", self.url)).bearer_auth(TOKEN);
        reply(request.header("content-type", "application/json").body(arguments.to_string()).send().await.unwrap())
            .await
    }

    /// Calls a tool that succeeds; answers its data.
    pub(crate) async fn ask(&self, tool: &str, arguments: Value) -> Value {
        let (status, answer) = self.api(tool, arguments).await;
        assert_eq!(status, 200, "{answer}");
        answer["data"].clone()
    }

    /// Calls a tool that is refused; answers the error.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> Value {
        let (_, answer) = self.api(tool, arguments).await;
        assert_eq!(answer["ok"], false, "{answer}");
        answer["error"].clone()
    }

    /// Invokes an operation of the test plugin; answers the execution's id.
    pub(crate) async fn invoke(&self, operation: &str, more: Value) -> String {
        let execution = self.ask("invoke_plugin_operation", invocation(operation, more)).await;
        text(&execution["executionId"])
    }

    pub(crate) async fn execution(&self, id: &str) -> Value {
        self.ask("get_plugin_execution", json!({ "id": id })).await
    }

    /// Waits for the end of an execution.
    pub(crate) async fn end(&self, id: &str) -> Value {
        let execution = self.ask("get_plugin_execution", json!({ "id": id, "waitMs": 20_000 })).await;
        assert_ne!(execution["state"], "running", "{execution}");
        execution
    }
}

pub(crate) fn invocation(operation: &str, more: Value) -> Value {
    let mut call = json!({ "pluginId": "catalog", "operationId": operation, "input": { "q": "x" } });
    for (name, value) in more.as_object().unwrap() {
        call[name] = value.clone();
    }
    call
}

/// A string of a reply; nothing when there is none.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Waits until something is true.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut is_true: impl FnMut() -> F) {
    let start = Instant::now();
    while !is_true().await {
        assert!(start.elapsed() < Duration::from_secs(20), "{what} did not happen");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
