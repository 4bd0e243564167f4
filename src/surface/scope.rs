//! Lists of capability ids and prefixes: a session's scope, the site's allow-list, a provider's `for` (Surface §5).

use crate::wire::limits::{SCOPE_ENTRIES, SESSION_CHARS};
use crate::wire::{Reader, has_chars};

/// A normalised list of exact ids, prefixes ending in `*`, or `*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(Vec<String>);

impl Scope {
    /// Trims, drops empties and repetitions, drops what a wildcard covers, and sorts.
    ///
    /// `None` when there are more than 256 entries, one has more than 256 characters, or a `*` is not at the end.
    #[must_use]
    pub fn normalise<'a>(entries: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        Self::of(entries.into_iter().collect())
    }

    fn of(entries: Vec<&str>) -> Option<Self> {
        if entries.len() > SCOPE_ENTRIES {
            return None;
        }
        let mut list: Vec<&str> = Vec::with_capacity(entries.len());
        for entry in entries {
            let entry = entry.trim();
            let misplaced = entry.find('*').is_some_and(|at| at + 1 != entry.len());
            if misplaced || !has_chars(entry, 0, SESSION_CHARS) {
                return None;
            }
            if !entry.is_empty() {
                list.push(entry);
            }
        }
        list.sort_unstable();
        list.dedup();
        let covered = |entry: &str| {
            list.iter()
                .any(|other| *other != entry && other.strip_suffix('*').is_some_and(|prefix| entry.starts_with(prefix)))
        };
        let mut scope = Self::default();
        for entry in &list {
            if !covered(entry) {
                scope.0.push((*entry).to_owned());
            }
        }
        Some(scope)
    }

    /// Reads a list of entries; `None` when one has a `*` that is not at its end. What is no list of texts is noted in
    /// the reader.
    #[must_use]
    pub fn read(list: &Reader<'_>) -> Option<Self> {
        let entries = list.list(SCOPE_ENTRIES);
        Self::normalise(entries.iter().map(|entry| entry.text(1, SESSION_CHARS)))
    }

    /// Whether the list names `id`.
    #[must_use]
    pub fn covers(&self, id: &str) -> bool {
        self.0.iter().any(|entry| match entry.strip_suffix('*') {
            Some(prefix) => id.starts_with(prefix),
            None => entry == id,
        })
    }

    /// The entries, sorted.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalise(entries: &[&str]) -> Option<Vec<String>> {
        Scope::normalise(entries.iter().copied()).map(|scope| scope.0)
    }

    #[test]
    fn a_scope_is_normalised() {
        let long = "x".repeat(257);
        type Case<'a> = (&'a str, &'a [&'a str], Option<&'a [&'a str]>);
        let cases: &[Case<'_>] = &[
            ("sorted, trimmed, once each", &[" b ", "a", "b", ""], Some(&["a", "b"])),
            (
                "a prefix covers longer ids and itself once",
                &["orders.*", "orders.open", "orders.*"],
                Some(&["orders.*"]),
            ),
            ("a prefix covers a longer prefix", &["orders.*", "orders.open*"], Some(&["orders.*"])),
            ("a star covers all", &["*", "a", "b.*"], Some(&["*"])),
            ("a star in the middle is invalid", &["a*b"], None),
            ("two stars are invalid", &["a**"], None),
            ("a long entry is invalid", &[&long], None),
            ("nothing is nothing", &["", "  "], Some(&[])),
        ];
        for (case, entries, expected) in cases {
            let expected = expected.map(|list| list.iter().map(|entry| (*entry).to_owned()).collect::<Vec<_>>());
            assert_eq!(normalise(entries), expected, "{case}");
        }
        assert_eq!(normalise(&vec!["a"; 257]), None, "257 entries");
    }

    #[test]
    fn a_scope_covers_exact_ids_and_prefixes() {
        let scope = Scope::normalise(["orders.*", "approve@order"]).expect("a valid scope");
        for (id, expected) in [
            ("orders.open", true),
            ("orders.", true),
            ("orders", false),
            ("approve@order", true),
            ("approve@orders", false),
        ] {
            assert_eq!(scope.covers(id), expected, "{id}");
        }
        assert!(!Scope::default().covers("orders.open"));
    }
}
