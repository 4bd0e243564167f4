//! What the page has declared: `C_page`, and what its providers may show to whom (Surface §3).

use super::{Capability, Rejection, Scope, Source};
use crate::wire::{PageCode, Region, limits};
use std::rc::Rc;

/// Names one entry of the registry for as long as the page lives; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub u32);

/// An entry with its handle.
#[derive(Debug)]
pub struct Entry<T> {
    /// Names this registration, not its id.
    pub handle: Handle,
    /// What was declared.
    pub value: T,
}

/// A state key and whom it is shown to.
#[derive(Debug)]
pub struct StateKey {
    /// The key in `context.state`.
    pub key: String,
    /// Whose `C_eff` must meet this.
    pub audience: Option<Scope>,
}

/// A region and whom it is shown to.
#[derive(Debug)]
pub struct RegionEntry {
    /// As sessions see it.
    pub region: Region,
    /// Whose `C_eff` must meet this.
    pub audience: Option<Scope>,
}

/// Everything declared and not removed, in the order of declaration.
#[derive(Debug, Default)]
pub struct Registry {
    capabilities: Vec<Rc<Entry<Capability>>>,
    sources: Vec<Rc<Entry<Source>>>,
    regions: Vec<Entry<RegionEntry>>,
    states: Vec<Entry<StateKey>>,
    object: Option<Entry<Option<Scope>>>,
    unavailable: Vec<Handle>,
    handles: u32,
    units: usize,
}

impl Registry {
    fn handle(&mut self) -> Handle {
        self.handles += 1;
        Handle(self.handles)
    }

    /// Adds a capability.
    ///
    /// # Errors
    /// `DUPLICATE_ID`, or `LIMIT_EXCEEDED` beyond 256 declarations or 160 KiB of them.
    pub fn add_capability(&mut self, capability: Capability) -> Result<Handle, Rejection> {
        let id = &capability.info.id;
        if self.capability(id).is_some() {
            return Err(duplicate("declare", id, "is declared already"));
        }
        if self.capabilities.len() >= limits::DECLARATIONS {
            return Err(Rejection::new(PageCode::LimitExceeded, "declare: at most 256 capabilities"));
        }
        if self.units + capability.units > limits::DECLARED_UNITS {
            return Err(Rejection::new(PageCode::LimitExceeded, "declare: all declarations together exceed 160 KiB"));
        }
        self.units += capability.units;
        let handle = self.handle();
        self.capabilities.push(Rc::new(Entry { handle, value: capability }));
        Ok(handle)
    }

    /// Adds a source of records; one per type.
    ///
    /// # Errors
    /// `DUPLICATE_ID`.
    pub fn add_source(&mut self, source: Source) -> Result<Handle, Rejection> {
        if self.source(&source.kind).is_some() {
            return Err(duplicate("records", &source.kind, "has a source already"));
        }
        let handle = self.handle();
        self.sources.push(Rc::new(Entry { handle, value: source }));
        Ok(handle)
    }

    /// Adds a region.
    ///
    /// # Errors
    /// `DUPLICATE_ID`.
    pub fn add_region(&mut self, region: Region, audience: Option<Scope>) -> Result<Handle, Rejection> {
        if self.regions.iter().any(|entry| entry.value.region.id == region.id) {
            return Err(duplicate("region", &region.id, "is declared already"));
        }
        let handle = self.handle();
        self.regions.push(Entry { handle, value: RegionEntry { region, audience } });
        Ok(handle)
    }

    /// Adds a state key.
    ///
    /// # Errors
    /// `DUPLICATE_ID`, or `LIMIT_EXCEEDED` beyond 64 keys.
    pub fn add_state(&mut self, key: String, audience: Option<Scope>) -> Result<Handle, Rejection> {
        if self.states.iter().any(|entry| entry.value.key == key) {
            return Err(duplicate("state", &key, "is declared already"));
        }
        if self.states.len() >= limits::STATE_KEYS {
            return Err(Rejection::new(PageCode::LimitExceeded, "state: at most 64 keys"));
        }
        let handle = self.handle();
        self.states.push(Entry { handle, value: StateKey { key, audience } });
        Ok(handle)
    }

    /// Sets where the object in focus comes from.
    ///
    /// # Errors
    /// `DUPLICATE_ID`.
    pub fn add_object(&mut self, audience: Option<Scope>) -> Result<Handle, Rejection> {
        if self.object.is_some() {
            return Err(Rejection::new(PageCode::DuplicateId, "object: there is one already"));
        }
        let handle = self.handle();
        self.object = Some(Entry { handle, value: audience });
        Ok(handle)
    }

    /// Adds a provider of what cannot be used now.
    pub fn add_unavailable(&mut self) -> Handle {
        let handle = self.handle();
        self.unavailable.push(handle);
        handle
    }

    /// Removes what `handle` names; nothing when it is gone already.
    pub fn remove(&mut self, handle: Handle) -> bool {
        if let Some(at) = self.capabilities.iter().position(|entry| entry.handle == handle) {
            self.units -= self.capabilities.remove(at).value.units;
            return true;
        }
        let before = self.len();
        self.sources.retain(|entry| entry.handle != handle);
        self.regions.retain(|entry| entry.handle != handle);
        self.states.retain(|entry| entry.handle != handle);
        self.unavailable.retain(|entry| *entry != handle);
        self.object.take_if(|entry| entry.handle == handle);
        before != self.len()
    }

    fn len(&self) -> usize {
        let object = usize::from(self.object.is_some());
        self.sources.len() + self.regions.len() + self.states.len() + self.unavailable.len() + object
    }

    /// The capability called `id`, whoever may see it.
    #[must_use]
    pub fn capability(&self, id: &str) -> Option<&Rc<Entry<Capability>>> {
        self.capabilities.iter().find(|entry| entry.value.info.id == id)
    }

    /// The source of records of this type.
    #[must_use]
    pub fn source(&self, kind: &str) -> Option<&Rc<Entry<Source>>> {
        self.sources.iter().find(|entry| entry.value.kind == kind)
    }

    /// The source registered under `handle`.
    #[must_use]
    pub fn source_of(&self, handle: Handle) -> Option<&Rc<Entry<Source>>> {
        self.sources.iter().find(|entry| entry.handle == handle)
    }

    /// `C_page` for one id: declared, and with a source where it needs one.
    #[must_use]
    pub fn routable(&self, id: &str) -> Option<&Rc<Entry<Capability>>> {
        self.capability(id).filter(|entry| self.is_routable(&entry.value))
    }

    fn is_routable(&self, capability: &Capability) -> bool {
        capability.info.record.as_ref().is_none_or(|record| self.source(&record.kind).is_some())
    }

    /// `C_eff` for one id: declared, routable, allowed by the site and within `scope`.
    #[must_use]
    pub fn exposed(&self, id: &str, view: View<'_>) -> Option<&Rc<Entry<Capability>>> {
        self.capability(id).filter(|entry| self.is_exposed(&entry.value, view))
    }

    /// `C_eff`, in the order of declaration.
    pub fn exposed_all<'a>(&'a self, view: View<'a>) -> impl Iterator<Item = &'a Rc<Entry<Capability>>> {
        self.capabilities.iter().filter(move |entry| self.is_exposed(&entry.value, view))
    }

    fn is_exposed(&self, capability: &Capability, view: View<'_>) -> bool {
        let info = &capability.info;
        view.scope.covers(&info.id)
            && view.allow.is_none_or(|allow| allow.covers(&info.id))
            && self.is_routable(capability)
    }

    /// Whether `C_eff` meets `audience`; without one, whether `C_eff` is not empty.
    #[must_use]
    pub fn meets(&self, audience: Option<&Scope>, view: View<'_>) -> bool {
        self.exposed_all(view).any(|entry| audience.is_none_or(|audience| audience.covers(&entry.value.info.id)))
    }

    /// The source of records of this type, when the session may see it.
    #[must_use]
    pub fn visible_source(&self, kind: &str, view: View<'_>) -> Option<&Rc<Entry<Source>>> {
        self.source(kind).filter(|entry| self.meets(entry.value.audience.as_ref(), view))
    }

    /// The sources that a session may see, in the order of declaration.
    #[must_use]
    pub fn visible_sources(&self, view: View<'_>) -> Vec<Rc<Entry<Source>>> {
        let visible = |entry: &&Rc<Entry<Source>>| self.meets(entry.value.audience.as_ref(), view);
        self.sources.iter().filter(visible).cloned().collect()
    }

    /// The state keys that a session may see, with their handles.
    #[must_use]
    pub fn visible_states(&self, view: View<'_>) -> Vec<(Handle, String)> {
        let visible = |entry: &&Entry<StateKey>| self.meets(entry.value.audience.as_ref(), view);
        self.states.iter().filter(visible).map(|entry| (entry.handle, entry.value.key.clone())).collect()
    }

    /// The provider of the object in focus, when the session may see it.
    #[must_use]
    pub fn visible_object(&self, view: View<'_>) -> Option<Handle> {
        self.object.as_ref().filter(|entry| self.meets(entry.value.as_ref(), view)).map(|entry| entry.handle)
    }

    /// The providers of what cannot be used now; none when `C_eff` is empty.
    #[must_use]
    pub fn unavailable_providers(&self, view: View<'_>) -> Vec<Handle> {
        if self.meets(None, view) { self.unavailable.clone() } else { Vec::new() }
    }

    /// The regions that a session may see.
    #[must_use]
    pub fn visible_regions(&self, view: View<'_>) -> Vec<Region> {
        let visible = |entry: &&Entry<RegionEntry>| self.meets(entry.value.audience.as_ref(), view);
        self.regions.iter().filter(visible).map(|entry| entry.value.region.clone()).collect()
    }
}

fn duplicate(subject: &str, id: &str, phrase: &str) -> Rejection {
    Rejection::new(PageCode::DuplicateId, [subject, ": \"", id, "\" ", phrase].concat())
}

/// What narrows `C_page` for one session.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// `C_host`.
    pub allow: Option<&'a Scope>,
    /// `C_session`.
    pub scope: &'a Scope,
}
