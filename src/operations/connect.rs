//! What a page connects as, and where to: the plugin's script and the host's endpoint (Operations §4, §6).

use super::manifest::is_id;
use crate::wire::bridge::OpenPlugin;
use crate::wire::operations_limits as limits;
use crate::wire::{FirstMisfit, Json, Misfit};

/// What a page needs of a plugin's manifest. Whether the manifest is valid as a whole, the host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The plugin.
    pub plugin_id: String,
    /// Its version.
    pub plugin_version: String,
    /// The page script.
    pub script_id: String,
    /// The operations that this script handles.
    pub operations: Vec<String>,
}

impl Script {
    /// Reads `{ plugin: { manifest, scriptId } }`.
    ///
    /// # Errors
    /// What does not fit.
    pub fn read(options: &Json) -> Result<Self, Box<Misfit>> {
        let first = FirstMisfit::new("connectHost");
        let mut fields = first.fields(options).required("plugin").object();
        let script_id = fields.text("scriptId", 1, limits::NAME_ID_CHARS);
        let manifest = fields.required("manifest");
        let mut manifest = manifest.object();
        let plugin_id = manifest.text("id", 1, limits::NAME_ID_CHARS);
        if !is_id(plugin_id) {
            manifest.refuse("id", "must be 1 to 64 letters, digits, dots, hyphens and underscores");
        }
        let plugin_version = manifest.text("version", 1, limits::NAME_ID_CHARS);
        let has_bridge = |script: &Json| {
            script.get("id").and_then(Json::as_str) == Some(script_id)
                && script.get("bridge").and_then(Json::as_bool) == Some(true)
        };
        let scripts = manifest.required("pageScripts");
        if !scripts.json().as_array().is_some_and(|scripts| scripts.iter().any(has_bridge)) {
            scripts.refuse("must have the script that scriptId names, with bridge: true");
        }
        let operations = manifest.required("operations");
        let operations = operations.json().as_object().unwrap_or_else(|| {
            operations.refuse("must be an object");
            &[]
        });
        let is_own = |operation: &Json| operation.get("pageScript").and_then(Json::as_str) == Some(script_id);
        let mut own = Vec::new();
        for (id, operation) in operations {
            if is_own(operation) {
                own.push(id.clone());
            }
        }
        first.check()?;
        Ok(Self {
            plugin_id: plugin_id.to_owned(),
            plugin_version: plugin_version.to_owned(),
            script_id: script_id.to_owned(),
            operations: own,
        })
    }

    /// The body of `/open`.
    #[must_use]
    pub fn open(&self, generation: u32, title: &str, page_url: &str) -> OpenPlugin {
        OpenPlugin {
            plugin_id: self.plugin_id.clone(),
            script_id: self.script_id.clone(),
            plugin_version: self.plugin_version.clone(),
            generation,
            title: super::script::cut_title(title).to_owned(),
            page_url: page_url.to_owned(),
            operations: self.operations.clone(),
        }
    }
}

/// Where the host is, and what lets a page in.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Ends in `/bridge/v1`.
    pub url: String,
    /// The bearer of `/open`; a secret.
    pub credential: String,
    /// The plugin's generation, as the credential names it.
    pub generation: u32,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.url)
    }
}

impl Endpoint {
    /// Reads `{ host: { url, credential } }`.
    ///
    /// # Errors
    /// What does not fit; never the credential itself.
    pub fn read(options: &Json, plugin_id: &str) -> Result<Self, Box<Misfit>> {
        let first = FirstMisfit::new("connectHost");
        let mut fields = first.fields(options).required("host").object();
        let url = fields.text("url", 1, limits::PAGE_URL_BYTES);
        let address = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        if !address.is_some_and(|rest| rest.ends_with("/bridge/v1") && !rest.contains(['?', '#', '@', ' '])) {
            fields.refuse("url", "must be the host's address with /bridge/v1 at the end");
        }
        let credential = fields.text("credential", 1, 256);
        let mut parts = credential.split('~');
        let names_plugin = parts.next() == Some(plugin_id);
        let generation = parts.next().and_then(|text| text.parse().ok());
        let is_secret = parts.next().is_some_and(|secret| secret.len() == 43) && parts.next().is_none();
        if !names_plugin || generation.is_none() || !is_secret {
            fields.refuse("credential", "must be one that the host issued for this plugin");
        }
        first.check()?;
        Ok(Self { url: url.to_owned(), credential: credential.to_owned(), generation: generation.unwrap_or_default() })
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"{"id":"catalog","version":"1.0.0","pageScripts":[{"id":"page","bridge":true},{"id":"deaf"}],
        "operations":{"search":{"pageScript":"page"},"other":{"pageScript":"deaf"},"text":{"pageScript":"page"}}}"#;

    fn read(manifest: &str, script_id: &str) -> Result<Script, String> {
        let plugin =
            Json::object([("manifest", Json::parse(manifest).expect("JSON")), ("scriptId", Json::from(script_id))]);
        Script::read(&Json::object([("plugin", plugin)])).map_err(|misfit| misfit.message())
    }

    #[test]
    fn a_script_knows_its_own_operations() {
        let script = read(MANIFEST, "page").expect("fits");
        assert_eq!(script.operations, ["search", "text"]);
        let open = script.open(3, &"é".repeat(200), "https://a.example/");
        assert_eq!((open.plugin_id.as_str(), open.generation, open.title.chars().count()), ("catalog", 3, 128));
    }

    #[test]
    fn a_manifest_without_the_script_is_refused() {
        let no_script =
            "connectHost: plugin.manifest.pageScripts must have the script that scriptId names, with bridge: true";
        for (case, manifest, script_id, expected) in [
            ("a script without bridge", MANIFEST, "deaf", no_script),
            ("no such script", MANIFEST, "nope", no_script),
            (
                "no id",
                r#"{"version":"1","pageScripts":[],"operations":{}}"#,
                "page",
                "connectHost: plugin.manifest.id is required",
            ),
            ("no object", "[]", "page", "connectHost: plugin.manifest must be an object"),
        ] {
            assert_eq!(read(manifest, script_id).expect_err(case), expected, "{case}");
        }
    }

    #[test]
    fn an_endpoint_is_a_bridge_and_a_credential_of_the_plugin() {
        let secret = "x".repeat(43);
        let read = |url: &str, credential: &str| {
            let host = Json::object([("url", Json::from(url)), ("credential", Json::from(credential))]);
            Endpoint::read(&Json::object([("host", host)]), "catalog")
                .map(|endpoint| endpoint.generation)
                .map_err(|misfit| misfit.message())
        };
        let good = format!("catalog~12~{secret}");
        assert_eq!(read("http://127.0.0.1:47317/bridge/v1", &good), Ok(12));
        for url in ["", "ftp://a/bridge/v1", "http://a/bridge/v2", "http://a@b/bridge/v1", "http://a/bridge/v1?x"] {
            let error = read(url, &good).expect_err(url);
            assert!(error.starts_with("connectHost: host.url must be"), "{error}");
        }
        for credential in [format!("other~12~{secret}"), format!("catalog~x~{secret}"), "catalog~12~short".into()] {
            let error = read("http://127.0.0.1:1/bridge/v1", &credential).expect_err("refused");
            assert_eq!(error, "connectHost: host.credential must be one that the host issued for this plugin");
        }
    }
}
