//! Reads a plugin's folder: the manifest and the files it names, with everything that is wrong (Host §2).

use crate::secret::Hash;
use pageport::operations::manifest::{ReadOptions, Violation, read_manifest};
use pageport::wire::manifest::Manifest;
use pageport::wire::{Json, number_text, operations_limits};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::{fs, io};

/// Bytes of a manifest.
const MANIFEST_BYTES: u64 = 1024 * 1024;
/// Bytes of a script.
const SCRIPT_BYTES: u64 = 256 * 1024;

/// What was found in a folder.
#[derive(Debug)]
pub struct Folder {
    /// The manifest; only without errors.
    pub manifest: Option<Manifest>,
    /// Why the plugin is not served.
    pub errors: Vec<Violation>,
    /// What is worth a thought.
    pub warnings: Vec<Violation>,
    /// The hash of everything that was read.
    pub digest: Hash,
}

/// How many errors a plugin has, in words.
#[must_use]
pub fn verdict(errors: &[Violation]) -> String {
    format!("the plugin has {} error{}", errors.len(), if errors.len() == 1 { "" } else { "s" })
}

/// Reads a folder, which is a real path.
#[must_use]
pub fn read_folder(dir: &Path, is_dev: bool) -> Folder {
    let mut digest = Sha256::new();
    let mut folder = read(dir, is_dev, &mut digest).unwrap_or_else(|violation| Folder {
        manifest: None,
        errors: vec![violation],
        warnings: Vec::new(),
        digest: Hash::default(),
    });
    folder.digest = digest.finalize().into();
    folder
}

fn read(dir: &Path, is_dev: bool, digest: &mut Sha256) -> Result<Folder, Violation> {
    let bytes = read_file(dir, "manifest.json", MANIFEST_BYTES).map_err(|fault| violation("", fault))?;
    add(digest, "manifest.json", &bytes);
    let text = String::from_utf8(bytes).map_err(|_| violation("", "manifest.json must be UTF-8"))?;
    let source = Json::parse_strict(&text, operations_limits::MANIFEST_UNITS)
        .map_err(|refusal| violation(&refusal.pointer, refusal.fault.message()))?;
    let read = read_manifest(&source, ReadOptions { is_dev, number_text });
    let mut folder =
        Folder { manifest: read.manifest, errors: read.errors, warnings: read.warnings, digest: Hash::default() };
    for (index, script) in folder.manifest.iter().flat_map(|it| it.page_scripts.iter().enumerate()) {
        match read_file(dir, &script.file, SCRIPT_BYTES) {
            Ok(bytes) => add(digest, &script.file, &bytes),
            Err(fault) => folder.errors.push(violation(&format!("/pageScripts/{index}/file"), fault)),
        }
    }
    if dir.join("main.js").symlink_metadata().is_ok() {
        match read_file(dir, "main.js", SCRIPT_BYTES) {
            Ok(bytes) => add(digest, "main.js", &bytes),
            Err(fault) => folder.errors.push(violation("", fault)),
        }
    }
    if !folder.errors.is_empty() {
        folder.manifest = None;
    }
    Ok(folder)
}

/// Reads a regular file that is inside the folder after links are resolved.
fn read_file(dir: &Path, name: &str, max: u64) -> Result<Vec<u8>, String> {
    let fault = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("{name} is missing"),
        _ => format!("{name} can't be read: {}", error.kind()),
    };
    let path = dir.join(name).canonicalize().map_err(fault)?;
    if !path.starts_with(dir) {
        return Err(format!("{name} must be inside the plugin's folder"));
    }
    let data = fs::metadata(&path).map_err(fault)?;
    if !data.is_file() {
        return Err(format!("{name} must be a regular file"));
    }
    if data.len() > max {
        return Err(format!("{name} must not be larger than {} KiB", max / 1024));
    }
    fs::read(&path).map_err(fault)
}

fn violation(pointer: &str, message: impl Into<String>) -> Violation {
    Violation { pointer: pointer.to_owned(), message: message.into() }
}

/// Adds a file so that no two sets of files have the same bytes.
fn add(digest: &mut Sha256, name: &str, bytes: &[u8]) {
    for part in [name.as_bytes(), bytes] {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
}
