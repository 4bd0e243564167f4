//! Content as hashes: what changed is told by them, what was claimed is remembered as them.

use crate::wire::Json;
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hasher};

/// Sixteen hex digits.
pub(super) fn hex(number: u64) -> String {
    (0..16).rev().map(|place| hex_digit((number >> (place * 4)) as u8)).collect()
}

/// The digit of the low four bits.
pub(super) fn hex_digit(bits: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(bits & 15)])
}

/// SHA-256 as lower-case hex: what leaves the page's memory, unlike the quick hashes below.
#[must_use]
pub fn sha256_hex(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().flat_map(|byte| [byte >> 4, *byte]).map(hex_digit).collect()
}

/// Tells one text from another.
pub(super) fn text_digest(seed: u8, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u8(seed);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Tells one value from another.
pub(super) fn digest(value: &Json) -> u64 {
    let mut hasher = DefaultHasher::new();
    feed(value, &mut hasher);
    hasher.finish()
}

fn feed(value: &Json, hasher: &mut DefaultHasher) {
    let (kind, content) = match value {
        Json::Null => (0, 0),
        Json::Bool(value) => (1, u64::from(*value)),
        // Adding zero makes -0 and 0 the same.
        Json::Number(value) => (2, (value + 0.0).to_bits()),
        Json::String(text) => return feed_text(text, hasher),
        Json::Array(items) => (4, items.len() as u64),
        Json::Object(members) => (5, members.len() as u64),
    };
    hasher.write_u8(kind);
    hasher.write_u64(content);
    match value {
        Json::Array(items) => items.iter().for_each(|item| feed(item, hasher)),
        Json::Object(members) => {
            for (name, member) in members {
                feed_text(name, hasher);
                feed(member, hasher);
            }
        }
        _ => {}
    }
}

fn feed_text(text: &str, hasher: &mut DefaultHasher) {
    hasher.write_u8(3);
    hasher.write_u64(text.len() as u64);
    hasher.write(text.as_bytes());
}

/// Digests in the order in which they came, each once.
///
/// A hash table without buckets of its own: digests are hashes already, and none is ever taken out.
#[derive(Debug, Default)]
pub(super) struct Digests {
    list: Vec<u128>,
    /// Where in the list a digest stands, counted from 1; 0 is free. At most half are taken.
    slots: Vec<u32>,
}

impl Digests {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn contains(&self, digest: u128) -> bool {
        !self.list.is_empty() && self.slots[self.slot(digest)] != 0
    }

    /// Where the digest stands in the order, counted from 1; a new one is last.
    pub(super) fn place(&mut self, digest: u128) -> u32 {
        if self.slots.len() <= self.list.len() * 2 {
            self.grow();
        }
        let slot = self.slot(digest);
        if self.slots[slot] == 0 {
            self.list.push(digest);
            self.slots[slot] = self.list.len() as u32;
        }
        self.slots[slot]
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(16)];
        for (index, digest) in self.list.iter().enumerate() {
            let slot = self.slot(*digest);
            self.slots[slot] = index as u32 + 1;
        }
    }

    /// The slot that holds the digest, or that it would take.
    fn slot(&self, digest: u128) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = digest as usize & mask;
        while self.slots[slot] != 0 && self.list[self.slots[slot] as usize - 1] != digest {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn each_digest_has_one_place_however_many_there_are() {
        let mut digests = Digests::default();
        // The low bits are the same, so that all of them collide.
        let digest = |index: u32| u128::from(index) << 64;
        for index in 0..1_000 {
            assert!(!digests.contains(digest(index)));
            assert_eq!(digests.place(digest(index)), index + 1);
            assert_eq!(digests.place(digest(index / 2)), index / 2 + 1);
        }
        assert_eq!(digests.len(), 1_000);
        assert!((0..1_000).all(|index| digests.contains(digest(index))));
        digests.clear();
        assert!(!digests.contains(digest(0)));
    }

    #[test]
    fn the_same_content_has_the_same_digest() {
        let parse = |text| digest(&Json::parse(text).expect("JSON"));
        assert_eq!(parse("[0,{\"a\":\"b\"}]"), parse("[-0.0,{\"a\":\"b\"}]"));
        for (left, right) in [("null", "false"), ("1", "2"), ("\"1\"", "1"), ("[]", "{}"), ("[[1],2]", "[[1,2]]")] {
            assert_ne!(parse(left), parse(right), "{left} {right}");
        }
    }
}
