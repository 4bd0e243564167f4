//! What a session was shown, so that `after` and `since` can tell what is new (Surface §3, §4).

use super::context::WindowSpec;
use super::registry::{Entry, Handle};
use super::{Capability, Grant, Scope};
use crate::wire::{CapabilityDelta, CapabilityInfo, Json, RecordRef, limits};
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
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
    baselines: VecDeque<(String, Listing)>,
    /// The list last shown.
    pub(super) capabilities: Option<Listing>,
    /// The window last shown.
    pub(super) window: Option<WindowSpec>,
    records: VecDeque<(RecordRef, u64)>,
    /// The state last shown.
    pub(super) states: Option<Vec<(String, u64)>>,
    /// The newest notice shown.
    pub(super) notice: u64,
    refs: HashMap<u64, String>,
    ref_count: u64,
    remembered: Vec<Handle>,
}

impl Shown {
    /// Forgets what another scope or expiry was shown, and what was remembered under another scope.
    pub(super) fn follow(&mut self, grant: &Grant) {
        if self.scope.as_ref() != Some(&grant.scope) {
            self.remembered.clear();
        } else if self.expires_at == grant.expires_at {
            return;
        }
        self.scope = Some(grant.scope.clone());
        self.expires_at = grant.expires_at;
        self.baselines.clear();
        self.capabilities = None;
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
                self.baselines.pop_front();
            }
            self.baselines.push_back((revision.into(), listing.clone()));
        }
        self.capabilities = Some(listing.clone());
    }

    /// The difference from the list of `since`, when this session was shown it.
    pub(super) fn delta(&self, since: &str, list: &[Rc<Entry<Capability>>]) -> Option<CapabilityDelta> {
        let (_, old) = self.baselines.iter().find(|(revision, _)| revision == since)?;
        let (added, changed, removed) = difference(old, list);
        Some(CapabilityDelta { since: since.into(), added, changed, removed })
    }

    /// Notes that a record is shown with this content, and tells with which it was shown before.
    pub(super) fn note_record(&mut self, record: &RecordRef, digest: u64) -> Option<u64> {
        let before = self.forget_record(record);
        if self.records.len() == limits::SHOWN_RECORDS {
            self.records.pop_front();
        }
        self.records.push_back((record.clone(), digest));
        before
    }

    /// Forgets a record that is gone, and tells with which content it was shown.
    pub(super) fn forget_record(&mut self, record: &RecordRef) -> Option<u64> {
        let at = self.records.iter().position(|(known, _)| known == record)?;
        self.records.remove(at).map(|(_, digest)| digest)
    }

    /// The records that were shown, the newest last.
    pub(super) fn records(&self) -> impl Iterator<Item = &RecordRef> {
        self.records.iter().map(|(record, _)| record)
    }

    /// A number that no value was named with before.
    pub(super) fn count_ref(&mut self) -> u64 {
        self.ref_count += 1;
        self.ref_count
    }

    /// The random name of a value: the same within the session, never derived from the value.
    pub(super) fn name_value(&mut self, value: &Json, fresh: &mut dyn FnMut() -> String) -> String {
        if self.refs.len() >= limits::REFS {
            self.refs.clear();
        }
        self.refs.entry(digest(value)).or_insert_with(fresh).clone()
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
    let mut hasher = DefaultHasher::new();
    for (_, digest) in &listing {
        digest.hash(&mut hasher);
    }
    let revision = format!("c-{}", hex(hasher.finish()));
    (listing, revision)
}

/// Sixteen hex digits.
pub(super) fn hex(number: u64) -> String {
    (0..16).rev().map(|place| char::from(b"0123456789abcdef"[(number >> (place * 4)) as usize & 15])).collect()
}

/// Tells one value from another.
pub(super) fn digest(value: &Json) -> u64 {
    let mut hasher = DefaultHasher::new();
    feed(value, &mut hasher);
    hasher.finish()
}

fn feed(value: &Json, hasher: &mut DefaultHasher) {
    match value {
        Json::Null => 0_u8.hash(hasher),
        Json::Bool(value) => (1_u8, value).hash(hasher),
        // Adding zero makes -0 and 0 the same.
        Json::Number(value) => (2_u8, (value + 0.0).to_bits()).hash(hasher),
        Json::String(text) => (3_u8, text).hash(hasher),
        Json::Array(items) => {
            (4_u8, items.len()).hash(hasher);
            items.iter().for_each(|item| feed(item, hasher));
        }
        Json::Object(members) => {
            (5_u8, members.len()).hash(hasher);
            for (name, member) in members {
                name.hash(hasher);
                feed(member, hasher);
            }
        }
    }
}
