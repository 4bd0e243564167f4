//! Plugins as the host serves them (Host §2).

mod folder;

pub use folder::{Folder, read_folder, verdict};

use crate::execution::Rules;
use pageport::operations::manifest::{UrlParts, covers, matches_any};
use pageport::schema::{Interner, Profile, Schema, SchemaError};
use pageport::wire::manifest::{Manifest, Operation};
use std::collections::HashMap;
use std::sync::Arc;

/// A valid plugin, in one generation.
#[derive(Debug)]
pub struct Plugin {
    /// Its id.
    pub id: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
    /// Grows when the folder's content changed.
    pub generation: u32,
    /// What its folder says.
    pub manifest: Manifest,
    operations: HashMap<String, Arc<Served>>,
}

/// An operation with its schemas compiled.
#[derive(Debug)]
pub struct Served {
    /// Its id.
    pub id: Arc<str>,
    /// What the manifest says.
    pub declaration: Operation,
    /// Describes the input.
    pub input: Schema,
    /// Describes the result's data.
    pub output: Schema,
    /// What an execution of it goes by.
    pub rules: Rules,
}

impl Plugin {
    /// Serves a valid manifest.
    ///
    /// # Errors
    ///
    /// When a schema does not compile, which a valid manifest's do.
    pub fn serve(manifest: Manifest, generation: u32) -> Result<Self, SchemaError> {
        let operations = manifest.operations.iter().map(|it| Ok((it.id.clone(), Arc::new(Served::compile(it)?))));
        Ok(Self {
            id: manifest.id.as_str().into(),
            version: manifest.version.as_str().into(),
            generation,
            operations: operations.collect::<Result<_, _>>()?,
            manifest,
        })
    }

    /// An operation.
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<&Arc<Served>> {
        self.operations.get(id)
    }

    /// The operations in the order of the manifest.
    pub fn operations(&self) -> impl Iterator<Item = &Arc<Served>> {
        self.manifest.operations.iter().filter_map(|it| self.operations.get(&it.id))
    }

    /// Whether pages of an origin may use the plugin: a host of its domains, on the default port (Host §3).
    #[must_use]
    pub fn allows(&self, origin: UrlParts<'_>, is_dev: bool) -> bool {
        let is_local = origin.host == "localhost" || origin.host.ends_with(".localhost");
        let is_port = origin.port.is_none() || (is_dev && is_local);
        is_port && self.manifest.domains.iter().any(|domain| covers(domain, origin.host))
    }

    /// Whether automation sees anything of the plugin.
    #[must_use]
    pub fn is_exposed(&self) -> bool {
        self.manifest.operations.iter().any(|it| it.automation)
    }
}

impl Served {
    fn compile(declaration: &Operation) -> Result<Self, SchemaError> {
        let compile = |source, profile| Schema::compile(source, profile, &mut Interner::new());
        let result_ms = u64::from(declaration.result_ttl_seconds) * 1000;
        Ok(Self {
            id: declaration.id.as_str().into(),
            input: compile(&declaration.input_schema, Profile::Operation)?,
            output: compile(&declaration.output_schema, Profile::OperationOutput)?,
            rules: Rules {
                timeout_ms: u64::from(declaration.timeout_seconds) * 1000,
                cancellable: declaration.cancellable,
                safe_retry: declaration.safe_retry,
                allow_reload: declaration.allow_reload,
                result_ms: if result_ms == 0 { u64::MAX } else { result_ms },
            },
            declaration: declaration.clone(),
        })
    }

    /// Whether it can run on a page with this URL.
    #[must_use]
    pub fn matches(&self, url: &str) -> bool {
        UrlParts::parse(url).is_some_and(|url| matches_any(&self.declaration.page_match, url))
    }
}
