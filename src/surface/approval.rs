//! Approval: who is asked when, and the removal of approval material from what an agent sees (Surface §6).

use super::show::{cut, cut_strings};
use crate::wire::{Approval, Effect, Json, limits};

/// The approval of an effect when neither the capability nor the page says otherwise.
#[must_use]
pub const fn default_approval(effect: Effect) -> Approval {
    match effect {
        Effect::Read => Approval::None,
        Effect::Write => Approval::Ask,
        Effect::Destructive => Approval::Always,
    }
}

/// What stands in the place of approval material.
const REMOVED: &str = "[removed]";

/// Members that never reach an agent, whatever they hold.
const RESERVED_KEYS: [&str; 5] =
    ["approvalId", "approvalToken", "approvalReceipt", "approvalSignature", "approvalHash"];

/// Whether a member of this name is removed from everything an agent sees.
#[must_use]
pub fn is_reserved_key(key: &str) -> bool {
    key.starts_with("approval") && RESERVED_KEYS.contains(&key)
}

/// The material of the last 256 approvals.
#[derive(Debug, Default)]
pub struct Materials {
    approvals: Vec<Vec<String>>,
}

/// What a gate answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Confirmation {
    /// Exactly `approved: true`.
    pub approved: bool,
    /// The person wants the answer remembered.
    pub remember: bool,
    /// For the audit.
    pub approval_id: Option<String>,
    /// For the executor: a string, or an object of strings.
    pub receipt: Option<Json>,
}

impl Materials {
    /// Remembers what must not reach an agent.
    ///
    /// # Errors
    /// When a piece is too short to be told from ordinary text; then the approval does not hold.
    pub fn remember(&mut self, confirmation: &Confirmation, arguments_hash: &str) -> Result<(), &'static str> {
        let mut pieces = vec![arguments_hash.to_owned()];
        if let Some(id) = &confirmation.approval_id {
            if id.chars().count() < limits::APPROVAL_ID_CHARS {
                return Err("approvalId must have at least 8 characters");
            }
            pieces.push(id.clone());
        }
        if let Some(receipt) = &confirmation.receipt {
            let found = pieces.len();
            let mut short = false;
            strings(receipt, &mut |text| {
                if text.chars().count() >= limits::MATERIAL_CHARS {
                    pieces.push(text.to_owned());
                } else {
                    short = true;
                }
            });
            if short || pieces.len() == found {
                return Err("each string of receipt must have at least 16 characters");
            }
        }
        if self.approvals.len() == limits::MATERIALS {
            self.approvals.remove(0);
        }
        self.approvals.push(pieces);
        Ok(())
    }

    /// Whether anything has to be looked for besides the reserved members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.approvals.is_empty()
    }

    /// Removes material from a string.
    pub fn strip_text(&self, text: &mut String) {
        // All places are found before any is removed: one piece may lie in another, or overlap it.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for piece in self.approvals.iter().flatten() {
            let mut from = 0;
            while let Some(at) = find(text, from, piece) {
                places.push((at, at + piece.len()));
                from = at + 1;
            }
        }
        while let Some((mut start, mut end)) = places.pop() {
            // Joins what touches it, until nothing does.
            while let Some(index) = places.iter().position(|place| place.0 <= end && start <= place.1) {
                let (other_start, other_end) = places.swap_remove(index);
                start = start.min(other_start);
                end = end.max(other_end);
            }
            text.replace_range(start..end, REMOVED);
            for place in &mut places {
                if place.0 >= end {
                    place.0 = place.0 + REMOVED.len() - (end - start);
                    place.1 = place.1 + REMOVED.len() - (end - start);
                }
            }
        }
    }

    /// What an agent may see of a text: without material, and only then cut.
    pub(super) fn clean_text(&self, text: &mut String) {
        self.strip_text(text);
        *text = cut(text);
    }

    /// What an agent may see of a value: without material, and only then cut.
    pub(super) fn clean(&self, value: &mut Json) {
        self.strip(value);
        cut_strings(value);
    }

    /// Removes reserved members, and material from every string and every other key.
    pub fn strip(&self, value: &mut Json) {
        match value {
            Json::String(text) => self.strip_text(text),
            Json::Array(items) => items.iter_mut().for_each(|item| self.strip(item)),
            Json::Object(members) => {
                members.retain(|(key, _)| !is_reserved_key(key));
                for index in 0..members.len() {
                    self.strip(&mut members[index].1);
                    let mut key = members[index].0.clone();
                    self.strip_text(&mut key);
                    if key != members[index].0 {
                        members[index].0 = free_key(members, index, key);
                    }
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}

/// `key`, or `key (2)`, `key (3)`… when another member has it.
fn free_key(members: &[(String, Json)], index: usize, key: String) -> String {
    let taken = |name: &str| members.iter().enumerate().any(|(at, (other, _))| at != index && other == name);
    let mut name = key.clone();
    let mut number = 2_usize;
    while taken(&name) {
        name = [&key, " (", &number.to_string(), ")"].concat();
        number += 1;
    }
    name
}

/// Where `piece` begins in `text`, looked for from a place on. Texts are bounded, and the search of std takes 2 kB.
fn find(text: &str, from: usize, piece: &str) -> Option<usize> {
    let windows = text.as_bytes().get(from..)?.windows(piece.len());
    windows.into_iter().position(|window| window == piece.as_bytes()).map(|at| from + at)
}

fn strings(value: &Json, found: &mut dyn FnMut(&str)) {
    match value {
        Json::String(text) => found(text),
        Json::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Json::Object(members) => members.iter().for_each(|(_, member)| strings(member, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Json {
        Json::String(text.into())
    }

    fn confirmation(id: Option<&str>, receipt: Option<Json>) -> Confirmation {
        Confirmation { approved: true, remember: false, approval_id: id.map(Into::into), receipt }
    }

    #[test]
    fn short_material_is_refused() {
        let object =
            |value: &str| Json::Object(vec![("token".into(), text(value)), ("round".into(), Json::Number(1.0))]);
        let cases = [
            ("nothing", confirmation(None, None), true),
            ("an id of 8", confirmation(Some("12345678"), None), true),
            ("an id of 7", confirmation(Some("1234567"), None), false),
            ("a receipt of 16", confirmation(None, Some(text("0123456789abcdef"))), true),
            ("a receipt of 15", confirmation(None, Some(text("0123456789abcde"))), false),
            ("an object with 16", confirmation(None, Some(object("0123456789abcdef"))), true),
            ("an object with 15", confirmation(None, Some(object("0123456789abcde"))), false),
            ("an object without text", confirmation(None, Some(Json::Object(Vec::new()))), false),
        ];
        for (case, reply, expected) in cases {
            assert_eq!(Materials::default().remember(&reply, "hash").is_ok(), expected, "{case}");
        }
    }

    #[test]
    fn material_leaves_strings_and_keys() {
        let mut materials = Materials::default();
        let reply = confirmation(Some("approval-77"), Some(text("receipt-0123456789")));
        materials.remember(&reply, "deadbeefdeadbeef").expect("long enough");
        let mut value = Json::Object(vec![
            ("approvalToken".into(), text("whatever")),
            ("approvalTokens".into(), text("stays")),
            ("receipt-0123456789".into(), Json::Array(vec![text("see approval-77 and deadbeefdeadbeef")])),
            ("approval-77".into(), Json::Null),
            ("nested".into(), Json::Object(vec![("approvalId".into(), Json::Number(1.0))])),
        ]);
        materials.strip(&mut value);
        let expected = Json::Object(vec![
            ("approvalTokens".into(), text("stays")),
            ("[removed]".into(), Json::Array(vec![text("see [removed] and [removed]")])),
            ("[removed] (2)".into(), Json::Null),
            ("nested".into(), Json::Object(Vec::new())),
        ]);
        assert_eq!(value, expected);
    }

    #[test]
    fn the_material_of_256_approvals_is_remembered() {
        let mut materials = Materials::default();
        for index in 0..=limits::MATERIALS {
            let id = format!("approval-{index:04}");
            materials.remember(&confirmation(Some(&id), None), "hash-hash-hash-hash").expect("long enough");
        }
        let mut stripped = String::from("approval-0000 approval-0001 approval-0256");
        materials.strip_text(&mut stripped);
        assert_eq!(stripped, "approval-0000 [removed] [removed]");
    }
}
