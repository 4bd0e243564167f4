//! What a session was shown, so that `after` and `since` can tell what is new (Surface §3, §4).

use super::context::WindowSpec;
use super::digest::{Digests, digest, hex, text_digest};
use super::registry::{Entry, Handle};
use super::{Capability, Grant, Scope};
use crate::wire::{CapabilityDelta, CapabilityInfo, Json, RecordRef, limits};
use std::rc::Rc;

/// A capability list, as ids and content.
pub(super) type Listing = Vec<(String, u64)>;

/// Capabilities as sessions see them.
pub(super) type Infos = Vec<Rc<CapabilityInfo>>;

/// What one session was shown and allowed.
#[derive(Debug, Default)]
pub(super) struct Shown {
    scope: Option<Scope>,
    expires_at: f64,
    baselines: Vec<(String, Listing)>,
    /// The list last shown.
    pub(super) capabilities: Option<Listing>,
    /// The window last shown.
    pub(super) window: Option<WindowSpec>,
    records: Vec<(RecordRef, u64)>,
    /// The state last shown.
    pub(super) states: Option<Vec<(String, u64)>>,
    /// The newest notice shown.
    pub(super) notice: u64,
    refs: Digests,
    refs_forgotten: u32,
    remembered: Vec<Handle>,
}

impl Shown {
    /// Forgets what another scope or expiry was shown, and what was remembered under another scope.
    pub(super) fn follow(&mut self, grant: &Grant) {
        if self.scope.as_ref() != Some(&grant.scope) {
            self.remembered.clear();
            self.records.clear();
            self.window = None;
            self.states = None;
        } else if self.expires_at == grant.expires_at {
            return;
        }
        self.scope = Some(grant.scope.clone());
        self.expires_at = grant.expires_at;
        self.baselines.clear();
        self.capabilities = None;
    }

    /// Forgets what a person allowed: another one is signed in.
    pub(super) fn forget_remembered(&mut self) {
        self.remembered.clear();
    }

    /// Whether the person wants this registration allowed without being asked again.
    pub(super) fn is_remembered(&self, capability: Handle) -> bool {
        self.remembered.contains(&capability)
    }

    /// Remembers the person's answer.
    pub(super) fn remember(&mut self, capability: Handle) {
        if !self.is_remembered(capability) {
            self.remembered.push(capability);
        }
    }

    /// Notes the list that is shown now.
    pub(super) fn note_capabilities(&mut self, revision: &str, listing: &Listing) {
        if !self.baselines.iter().any(|(known, _)| known == revision) {
            if self.baselines.len() == limits::BASELINES {
                self.baselines.remove(0);
            }
            self.baselines.push((revision.into(), listing.clone()));
        }
        self.capabilities = Some(listing.clone());
    }

    /// The difference from the list of `since`, when this session was shown it.
    pub(super) fn delta(&self, since: &str, list: &[Rc<Entry<Capability>>]) -> Option<CapabilityDelta> {
        let (_, old) = self.baselines.iter().find(|(revision, _)| revision == since)?;
        let (added, changed, removed) = difference(old, list);
        Some(CapabilityDelta { since: since.into(), added, changed, removed })
    }

    /// Notes that a record is shown with this content.
    pub(super) fn note_record(&mut self, record: &RecordRef, digest: u64) {
        self.forget_record(record);
        if self.records.len() == limits::SHOWN_RECORDS {
            self.records.remove(0);
        }
        self.records.push((record.clone(), digest));
    }

    /// With which content a record was shown.
    pub(super) fn content_of(&self, record: &RecordRef) -> Option<u64> {
        self.records.iter().find(|(known, _)| known == record).map(|(_, digest)| *digest)
    }

    /// Forgets a record that is gone, and tells with which content it was shown.
    pub(super) fn forget_record(&mut self, record: &RecordRef) -> Option<u64> {
        let at = self.records.iter().position(|(known, _)| known == record)?;
        Some(self.records.remove(at).1)
    }

    /// The records that were shown, the newest last.
    pub(super) fn records(&self) -> impl Iterator<Item = &RecordRef> {
        self.records.iter().map(|(record, _)| record)
    }

    /// The number of a value: the same within the session, and never that of another value.
    pub(super) fn number_of(&mut self, value: &Json) -> u32 {
        if self.refs.len() >= limits::REFS {
            self.refs_forgotten += self.refs.len() as u32;
            self.refs.clear();
        }
        self.refs_forgotten + self.refs.place(digest(value).into())
    }
}

/// Added, changed and removed capabilities, against an older list.
pub(super) fn difference(old: &Listing, list: &[Rc<Entry<Capability>>]) -> (Infos, Infos, Vec<String>) {
    let mut added = Infos::new();
    let mut changed = Infos::new();
    for entry in list {
        match old.iter().find(|(id, _)| *id == entry.value.info.id) {
            None => added.push(Rc::clone(&entry.value.info)),
            Some((_, digest)) if *digest != entry.value.digest => changed.push(Rc::clone(&entry.value.info)),
            Some(_) => {}
        }
    }
    let gone = |(id, _): &&(String, u64)| !list.iter().any(|entry| entry.value.info.id == *id);
    (added, changed, old.iter().filter(gone).map(|(id, _)| id.clone()).collect())
}

/// The list as ids and content, and its revision: a content hash.
pub(super) fn listing(list: &[Rc<Entry<Capability>>]) -> (Listing, String) {
    let listing: Listing = list.iter().map(|entry| (entry.value.info.id.clone(), entry.value.digest)).collect();
    let content: String = listing.iter().map(|(_, digest)| hex(*digest)).collect();
    let revision = String::from("c-") + &hex(text_digest(0, &content));
    (listing, revision)
}
