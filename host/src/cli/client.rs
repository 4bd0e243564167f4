//! Finds the host, makes sure that it is ours, and asks it (Host §1).

use super::command::Reach;
use super::failure::{FAILED, Failure, UNREACHABLE};
use crate::control::Control;
use crate::{data_folder, secret};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client as Http, RequestBuilder, redirect};
use serde_json::Value;
use std::time::Duration;

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
        let none = || {
            Failure::new(
                UNREACHABLE,
                "host_unreachable",
                "no host is running with this data folder",
                "start one: pageport serve",
            )
        };
        // The token in a file that others could have written is not ours to send.
        data_folder::check_owner(&folder).map_err(|_| none())?;
        let control = Control::read(&folder).map_err(|_| none())?;
        let timeout = Duration::from_secs(reach.timeout);
        let http = Http::builder().no_proxy().redirect(redirect::Policy::none()).timeout(timeout).build();
        let http = http.map_err(|_| none())?;
        let client = Self { http, control, timeout };
        let nonce = secret::name();
        let hello = client.http.get(format!("{}/hello?nonce={nonce}", client.control.url));
        let answer = read(hello).await.map_err(|_| none())?;
        let proof = answer["data"]["proof"].as_str().unwrap_or_default();
        if !secret::is_same(proof.as_bytes(), secret::proof(&client.control.token, &nonce).as_bytes()) {
            return Err(none());
        }
        Ok(client)
    }

    /// Calls a tool; answers its data.
    pub(super) async fn call(&self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let request = self
            .http
            .post(format!("{}/api/v1/{tool}", self.control.url))
            .header(AUTHORIZATION, format!("Bearer {}", self.control.token))
            .header(CONTENT_TYPE, "application/json")
            .body(arguments.to_string());
        let mut answer = read(request).await.map_err(|error| lost(tool, &error))?;
        if answer["ok"] == true { Ok(answer["data"].take()) } else { Err(Failure::answered(answer["error"].take())) }
    }
}

async fn read(request: RequestBuilder) -> Result<Value, reqwest::Error> {
    let bytes = request.send().await?.bytes().await?;
    Ok(serde_json::from_slice(&bytes).unwrap_or_default())
}

/// The host did not answer: whether it did what was asked is not known.
fn lost(tool: &str, error: &reqwest::Error) -> Failure {
    let exit = if error.is_connect() { UNREACHABLE } else { FAILED };
    let message = if error.is_timeout() { "the host did not answer in time" } else { "the host did not answer" };
    let hint = match tool {
        "invoke_plugin_operation" => {
            "the execution may exist: look for it with pageport operations history, or repeat the call with the same --key"
        }
        _ => "try again",
    };
    Failure::new(exit, if error.is_timeout() { "timeout" } else { "host_unreachable" }, message, hint)
}
