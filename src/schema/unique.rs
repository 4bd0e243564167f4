//! `uniqueItems`: items are compared by a hash of their content, so that a long array costs no more than reading it.

use super::{Kind, Value};

/// Whether no two items are equal: numbers by value, members in any order.
///
/// Two different items share a hash of 128 bits only if somebody made them so, and then they are refused.
#[expect(clippy::cast_possible_truncation, reason = "any part of a hash is a hash")]
pub(super) fn has_unique_items<V: Value>(value: V) -> bool {
    // A table that stays half empty; 0 marks what is free.
    let mut table = vec![0_u128; (value.length() as usize * 2).next_power_of_two()];
    let mask = table.len() - 1;
    for index in 0..value.length() {
        let hash = hash(value.item(index)) | 1;
        let mut place = (hash >> 64) as usize & mask;
        while table[place] != 0 {
            if table[place] == hash {
                return false;
            }
            place = (place + 1) & mask;
        }
        table[place] = hash;
    }
    true
}

/// FNV-1a over 128 bits.
const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn mix(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

fn hash<V: Value>(value: V) -> u128 {
    let kind = value.kind();
    let start = mix(START, &[kind as u8]);
    match kind {
        Kind::Null | Kind::False | Kind::True => start,
        // Adding 0 turns -0 into 0.
        Kind::Number => mix(start, &(value.number() + 0.0).to_bits().to_le_bytes()),
        Kind::Text => mix(start, value.text().as_bytes()),
        Kind::Array => (0..value.length()).fold(start, |sum, index| mix(sum, &hash(value.item(index)).to_le_bytes())),
        Kind::Object => (0..value.list()).fold(start, |sum, index| {
            let name = hash(value.name_at(index));
            sum.wrapping_add(mix(name, &hash(value.member_at(index)).to_le_bytes()))
        }),
    }
}
