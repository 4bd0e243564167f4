//! Reads a plugin's manifest and lists everything that is wrong with it at once (Host §2).
//!
//! A manifest is either valid, with every default filled in, or it comes with all its violations, each with a JSON
//! Pointer. Names that occur twice in an object are for the parser to refuse, before this.

mod domain;
mod lint;
mod operation;
mod plugin;
mod resource;

pub use domain::{UrlParts, covers, domain_fault, matches_any};
pub use lint::{Violation, is_id};

use crate::wire::manifest::Manifest;
use crate::wire::{Json, NumberText};
use lint::{Lint, Node};

/// How a manifest is read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Whether `localhost` is a domain.
    pub is_dev: bool,
    /// Prints numbers as ECMAScript does; to measure schemas.
    pub number_text: NumberText,
}

/// A manifest, and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadManifest {
    /// The manifest; only without errors.
    pub manifest: Option<Manifest>,
    /// Why it is not valid.
    pub errors: Vec<Violation>,
    /// What is worth a thought.
    pub warnings: Vec<Violation>,
}

/// Reads a manifest.
#[must_use]
pub fn read_manifest(source: &Json, options: ReadOptions) -> ReadManifest {
    let mut lint = Lint::default();
    let manifest = plugin::read(&Node::root(source), options, &mut lint);
    let Lint { errors, warnings } = lint;
    ReadManifest { manifest: manifest.filter(|_| errors.is_empty()), errors, warnings }
}
