//! The host's cursors: opaque names for a plugin's own, in memory only (Host §6).

use super::{Millis, limits};
use pageport::wire::bridge::{PageSessionId, Revision};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What a cursor is good for, and for nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The plugin.
    pub plugin: Arc<str>,
    /// The operation.
    pub operation: Arc<str>,
    /// The input as canonical JSON.
    pub input: Arc<str>,
    /// The page.
    pub page: PageSessionId,
    /// The page's revision.
    pub revision: Revision,
}

#[derive(Debug)]
struct Entry {
    binding: Binding,
    cursor: String,
    expires: Millis,
}

/// The live cursors; at the bound the oldest makes room.
#[derive(Debug, Default)]
pub struct Cursors {
    entries: HashMap<String, Entry>,
    order: VecDeque<String>,
}

impl Cursors {
    /// Keeps a plugin's cursor under a name that was never used.
    pub fn issue(&mut self, name: String, binding: Binding, cursor: String, now: Millis) {
        while let Some(oldest) = self.order.front()
            && (self.order.len() >= limits::CURSORS || self.entries.get(oldest).is_none_or(|it| it.expires <= now))
        {
            self.entries.remove(oldest);
            self.order.pop_front();
        }
        self.order.push_back(name.clone());
        self.entries.insert(name, Entry { binding, cursor, expires: now.after(limits::CURSOR_MS) });
    }

    /// The page a cursor belongs to, while it lives.
    #[must_use]
    pub fn page(&self, name: &str, now: Millis) -> Option<PageSessionId> {
        self.entries.get(name).filter(|entry| entry.expires > now).map(|entry| entry.binding.page)
    }

    /// The plugin's cursor, when the name lives and is used for what it is bound to.
    #[must_use]
    pub fn resolve(&self, name: &str, binding: &Binding, now: Millis) -> Option<&str> {
        let entry = self.entries.get(name)?;
        (entry.expires > now && entry.binding == *binding).then_some(&*entry.cursor)
    }

    /// How many live.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none lives.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
