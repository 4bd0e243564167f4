//! Finds the host, makes sure that it is ours, and asks it (Host §1).

use super::command::Reach;
use super::failure::{FAILED, Failure, UNREACHABLE};
use crate::control::Control;
use crate::data_folder::FolderError;
use crate::{data_folder, secret};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client as Http, RequestBuilder, redirect};
use serde_json::Value;
use std::time::Duration;

/// What a greeting may take.
const GREETING: Duration = Duration::from_secs(5);
/// Bytes of the answer to it.
const GREETING_BYTES: usize = 4096;

/// A host that proved that it knows the token.
#[derive(Debug)]
pub(super) struct Client {
    http: Http,
    control: Control,
    /// What one request may take.
    pub(super) timeout: Duration,
}

impl Client {
    /// Finds the host of a data folder.
    pub(super) async fn connect(reach: &Reach) -> Result<Self, Failure> {
        let folder = data_folder::resolve(reach.data.clone());
        // The token in a file that others could have written is not ours to send.
        match data_folder::check_owner(&folder) {
            Ok(()) => {}
            Err(FolderError::Io(..)) => return Err(none()),
            Err(error) => return Err(Failure::from(error).with_exit(UNREACHABLE)),
        }
        let control = Control::read(&folder).map_err(|_| none())?;
        let timeout = Duration::from_secs(reach.timeout);
        let http = Http::builder().no_proxy().redirect(redirect::Policy::none()).timeout(timeout).build();
        let client = Self { http: http.map_err(|_| none())?, control, timeout };
        if client.is_ours().await { Ok(client) } else { Err(none()) }
    }

    /// Whether the host proves that it knows the token; a stranger gets little time and space to answer.
    async fn is_ours(&self) -> bool {
        let nonce = secret::name();
        let hello = self.http.get(format!("{}/hello?nonce={nonce}", self.control.url));
        let Ok(mut response) = hello.timeout(self.timeout.min(GREETING)).send().await else { return false };
        let mut bytes = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > GREETING_BYTES {
                return false;
            }
        }
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let proof = answer["data"]["proof"].as_str().unwrap_or_default();
        secret::is_same(proof.as_bytes(), secret::proof(&self.control.token, &nonce).as_bytes())
    }

    /// Calls a tool with arguments in JSON; answers its data.
    pub(super) async fn call(&self, tool: &str, arguments: &str) -> Result<Value, Failure> {
        let request = self
            .http
            .post(format!("{}/api/v1/{tool}", self.control.url))
            .header(AUTHORIZATION, format!("Bearer {}", self.control.token))
            .header(CONTENT_TYPE, "application/json")
            .body(arguments.to_owned());
        let mut answer = read(request).await.map_err(|error| lost(tool, &error))?;
        match answer["ok"].as_bool() {
            Some(true) => Ok(answer["data"].take()),
            Some(false) if answer["error"].is_object() => Err(Failure::answered(answer["error"].take())),
            _ => Err(Failure::new(
                FAILED,
                "bad_answer",
                "the host answered with something else than a reply",
                "see that the host and this command have the same version",
            )),
        }
    }
}

/// Nobody is there, as far as this command may tell.
fn none() -> Failure {
    Failure::new(
        UNREACHABLE,
        "host_unreachable",
        "no host is running with this data folder",
        "start one: pageport serve",
    )
}

async fn read(request: RequestBuilder) -> Result<Value, reqwest::Error> {
    let bytes = request.send().await?.bytes().await?;
    Ok(serde_json::from_slice(&bytes).unwrap_or_default())
}

/// The host did not answer: whether it did what was asked is not known.
fn lost(tool: &str, error: &reqwest::Error) -> Failure {
    let hint = match tool {
        "invoke_plugin_operation" => {
            "the execution may exist: look for it with pageport operations history, or repeat the call with the same --key"
        }
        _ => "try again",
    };
    if error.is_timeout() {
        Failure::new(FAILED, "timeout", "the host did not answer in time", hint)
    } else {
        Failure::new(UNREACHABLE, "host_unreachable", "the host did not answer", hint)
    }
}
