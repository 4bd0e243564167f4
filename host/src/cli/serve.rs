//! `pageport serve`: the host, until it is stopped.

use super::command::ServeOptions;
use super::failure::{FAILED, Failure};
use super::print::{Output, line};
use super::{config, plugins};
use crate::control::Control;
use crate::data_folder::{self, DataFolder};
use crate::http::{BindError, Doors, Listeners, is_origin};
use crate::secret;
use crate::service::{Service, Settings};
use crate::store::Store;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

/// The port when nobody names one.
const PORT: u16 = 47_317;

/// Runs the host.
pub(super) async fn run(options: ServeOptions, output: Output) -> Result<(), Failure> {
    let options = config::complete(options)?;
    let allowed_origins = options.allow_origin.iter().map(|text| allowed(text)).collect::<Result<_, _>>()?;
    if options.credential_file.is_some() && options.plugin.len() != 1 {
        return Err(Failure::arguments(
            "--credential-file needs exactly one --plugin",
            "use pageport plugins add for each",
        ));
    }
    let folder = DataFolder::open(&data_folder::resolve(options.data.clone()))?;
    let store = Store::open(&folder.file("operations.db")?).map_err(|error| {
        Failure::new(
            FAILED,
            "storage_unavailable",
            format!("the store can't be used: {error}"),
            "name another folder with --data",
        )
    })?;
    let listeners = Listeners::bind(options.port.unwrap_or(PORT)).await.map_err(refuse)?;
    let port = listeners.port;
    let settings = Settings { is_dev: options.dev, allowed_origins, key: folder.secret("key")?, port };
    let service = Service::start(store, settings)?;
    for dir in &options.plugin {
        let wrong = |_| Failure::arguments("there is no such plugin folder", "name a folder with a manifest.json");
        let dir = dir.canonicalize().map_err(wrong)?;
        let added = service.add_plugin(&dir)?;
        if let Some(file) = &options.credential_file {
            plugins::hand_out(file, &json!(added))?;
            service.hand_out(dir, file.clone());
        }
    }
    let control = Control {
        version: env!("CARGO_PKG_VERSION").into(),
        url: format!("http://127.0.0.1:{port}"),
        token: secret::token(),
    };
    let stop = stopped()?;
    let doors = Doors::new(service.clone(), port, &control.token);
    let timer = tokio::spawn(service.keep_time());
    control.publish(folder.path()).map_err(|error| {
        failed("control.json can't be written", &error, "see that the data folder can be written and has room")
    })?;
    announce(&control, &folder, options.dev, output);
    listeners.serve(doors, stop).await;
    timer.abort();
    control.withdraw(folder.path());
    Ok(())
}

fn announce(control: &Control, folder: &DataFolder, is_dev: bool, output: Output) {
    if is_dev {
        tracing::warn!("--dev: pages of localhost may use plugins, on any port");
    }
    let Control { version, url, .. } = control;
    if output.is_json() {
        line(&json!({ "version": version, "url": url, "data": folder.path().to_string_lossy() }).to_string());
    } else {
        line(&format!("pageport {version} {url}"));
    }
}

/// An origin and the plugin it may use.
fn allowed(text: &str) -> Result<(String, String), Failure> {
    let parts = text.rsplit_once('=').filter(|(origin, plugin)| !plugin.is_empty() && is_origin(origin));
    let (origin, plugin) = parts.ok_or_else(|| {
        Failure::arguments("--allow-origin takes ORIGIN=PLUGIN", "for example https://shop.example=catalog")
    })?;
    Ok((origin.to_owned(), plugin.to_owned()))
}

fn refuse(error: BindError) -> Failure {
    match error {
        BindError::InUse(port) => Failure::new(
            FAILED,
            "port_in_use",
            format!("port {port} is in use"),
            "stop what listens there, or name another port with --port (0 takes a free one)",
        ),
        BindError::Io(error) => {
            failed("the host can't listen", &error, "name another port with --port (0 takes a free one)")
        }
    }
}

fn failed(what: &str, error: &std::io::Error, hint: &str) -> Failure {
    Failure::new(FAILED, "io", format!("{what}: {error}"), hint)
}

/// Comes true with Ctrl-C and SIGTERM.
fn stopped() -> Result<impl Future<Output = ()>, Failure> {
    let listen = |kind| signal(kind).map_err(|error| failed("signals can't be heard", &error, "try again"));
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
