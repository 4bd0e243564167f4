//! Adding and listing plugins (Host §2).

use super::inner::{Inner, bye};
use super::{ApiError, Service};
use crate::data_folder::write_private;
use crate::execution::{Happening, Millis};
use crate::plugin::{Folder, Plugin, read_folder, verdict};
use crate::secret;
use crate::store::{Credential, Registration, Store, StoreError};
use pageport::operations::manifest::Violation;
use pageport::wire::bridge::ByeReason;
use pageport::wire::execution::ApiCode;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A plugin that was added, whether it can be served or not.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) registration: Registration,
    pub(super) plugin: Option<Arc<Plugin>>,
    pub(super) errors: Vec<Violation>,
}

/// What adding a plugin answers; the credential is shown only here.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Added {
    /// The plugin.
    pub plugin_id: String,
    /// The generation the credential is for.
    pub generation: u32,
    /// Where pages reach the host.
    pub url: String,
    /// Lets pages of the plugin open sessions; a secret.
    pub credential: String,
}

impl std::fmt::Debug for Added {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Added").field("plugin_id", &self.plugin_id).finish_non_exhaustive()
    }
}

/// One plugin in the list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginRow {
    /// The plugin.
    pub plugin_id: String,
    /// Its version, while it is served.
    pub version: Option<String>,
    /// Its generation.
    pub generation: u32,
    /// Its folder.
    pub dir: String,
    /// How many pages are connected.
    pub sessions: usize,
    /// Why it is not served.
    pub errors: Vec<Violation>,
}

/// Writes what the pages of a plugin need: the address and the credential.
///
/// # Errors
///
/// What the operating system says.
pub fn write_credential(file: &Path, url: &str, credential: &str) -> io::Result<()> {
    write_private(file, json!({ "url": url, "credential": credential }).to_string().as_bytes())
}

/// Reads the folders of all plugins again.
pub(super) fn restore(store: &mut Store, is_dev: bool) -> Result<BTreeMap<String, Entry>, StoreError> {
    let mut entries = BTreeMap::new();
    for mut registration in store.registrations()? {
        let folder = read_folder(Path::new(&registration.dir), is_dev);
        if folder.digest != registration.digest {
            registration.generation += 1;
            registration.digest = folder.digest;
            store.register(&registration)?;
        }
        entries.insert(registration.plugin.clone(), entry(registration, folder));
    }
    Ok(entries)
}

/// A folder that can't be added, with everything that is wrong with it.
fn invalid(errors: &[Violation]) -> ApiError {
    ApiError::new(ApiCode::InvalidInput, verdict(errors))
        .hint("pageport plugins lint shows what is wrong with a folder")
        .details(json!({ "errors": errors }))
}

fn entry(registration: Registration, folder: Folder) -> Entry {
    let mut errors = folder.errors;
    let mut plugin = None;
    match folder.manifest {
        Some(manifest) if manifest.id != registration.plugin => {
            errors.push(Violation { pointer: "/id".into(), message: "must stay what it was when it was added".into() });
        }
        Some(manifest) => match Plugin::serve(manifest, registration.generation) {
            Ok(served) => plugin = Some(Arc::new(served)),
            Err(error) => errors.push(Violation { pointer: error.pointer, message: error.message }),
        },
        None => {}
    }
    Entry { registration, plugin, errors }
}

impl Service {
    /// Adds a plugin's folder, or reads it again.
    ///
    /// # Errors
    ///
    /// `invalid_input` with every violation, `plugin_exists`, `storage_unavailable`.
    pub fn add_plugin(&self, dir: &Path) -> Result<Added, ApiError> {
        let wrong =
            |message: &str| ApiError::new(ApiCode::InvalidInput, message).hint("name a folder with a manifest.json");
        if !dir.is_absolute() {
            return Err(wrong("the folder's path must be absolute"));
        }
        let dir = dir.canonicalize().map_err(|_| wrong("there is no such folder"))?;
        let name = dir.to_str().ok_or_else(|| wrong("the folder's path must be UTF-8"))?.to_owned();
        // Files are read before anything is locked.
        let is_dev = self.with(|inner, _| inner.settings.is_dev);
        let folder = read_folder(&dir, is_dev);
        let Some(manifest) = &folder.manifest else {
            return Err(invalid(&folder.errors));
        };
        let id = manifest.id.clone();
        let added = self.with(|inner, now| inner.add_plugin(id, name, folder, now))?;
        if let Some(file) = self.credential_files().get(&dir)
            && let Err(error) = write_credential(file, &added.url, &added.credential)
        {
            tracing::error!("{} can't be written: {error}", file.display());
        }
        Ok(added)
    }

    /// Writes each new credential of this plugin folder into a file from now on.
    pub fn hand_out(&self, dir: PathBuf, file: PathBuf) {
        self.credential_files().insert(dir, file);
    }

    /// Every plugin that was added.
    #[must_use]
    pub fn plugins(&self) -> Vec<PluginRow> {
        self.with(|inner, _| {
            let sessions = |id: &str| inner.sessions.values().filter(|it| &*it.plugin == id).count();
            inner
                .plugins
                .iter()
                .map(|(id, entry)| PluginRow {
                    plugin_id: id.clone(),
                    version: entry.plugin.as_ref().map(|plugin| plugin.version.to_string()),
                    generation: entry.registration.generation,
                    dir: entry.registration.dir.clone(),
                    sessions: sessions(id),
                    errors: entry.errors.clone(),
                })
                .collect()
        })
    }
}

impl Inner {
    pub(super) fn add_plugin(
        &mut self,
        id: String,
        dir: String,
        folder: Folder,
        now: Millis,
    ) -> Result<Added, ApiError> {
        let mut others = self.plugins.values().map(|entry| &entry.registration).filter(|it| it.plugin != id);
        if let Some(other) = others.find(|it| it.dir == dir) {
            return Err(invalid(&[Violation {
                pointer: "/id".into(),
                message: format!("must stay what it was when the folder was added: {}", other.plugin),
            }]));
        }
        let known = self.plugins.get(&id).map(|entry| entry.registration.clone());
        if known.as_ref().is_some_and(|known| known.dir != dir) {
            return Err(ApiError::new(ApiCode::PluginExists, format!("{id} is added already, from another folder"))
                .hint("give one of them another id"));
        }
        let is_same = known.as_ref().is_some_and(|known| known.digest == folder.digest);
        let before = known.map_or(0, |known| known.generation);
        let generation = if is_same { before } else { before + 1 };
        let registration = Registration { plugin: id.clone(), dir, generation, digest: folder.digest };
        let credential = format!("{id}~{generation}~{}", secret::token());
        let good_for = Credential { plugin: id.clone(), generation };
        let write = |store: &mut Store| {
            store.register(&registration)?;
            store.add_credential(&secret::hash(&credential), &good_for, now)
        };
        write(&mut self.store).map_err(|error| {
            tracing::error!("the store failed: {error}");
            ApiError::storage()
        })?;
        if !is_same {
            self.end_plugin(&id, now);
        }
        self.plugins.insert(id.clone(), entry(registration, folder));
        let url = format!("http://127.0.0.1:{}/bridge/v1", self.settings.port);
        Ok(Added { plugin_id: id, generation, url, credential })
    }

    /// The sessions of an old generation end, and everything that ran in them.
    fn end_plugin(&mut self, plugin: &str, now: Millis) {
        let pages: Vec<_> = self.sessions.values().filter(|it| &*it.plugin == plugin).map(|it| it.id).collect();
        for page in pages {
            if let Some(session) = self.sessions.get_mut(&page) {
                session.send(bye(ByeReason::PluginChanged), now);
            }
            self.end_session(page, Happening::PluginChanged, now);
        }
    }
}
