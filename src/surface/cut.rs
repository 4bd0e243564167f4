//! Keeps results inside their bounds: cut from the end, and what is cut shows (Surface §3, §4).

use crate::wire::{AfterDelta, DescribeResult, Json, NumberText, limits, to_text};
use serde::Serialize;

/// UTF-16 units of a text; bytes stand in while they already fit, since no text has more units than bytes.
fn units(text: &str, max: usize) -> usize {
    if text.len() <= max { text.len() } else { text.encode_utf16().count() }
}

fn size<T: Serialize>(value: &T, number_text: NumberText) -> usize {
    to_text(value, number_text).encode_utf16().count() + 1
}

/// Makes a result at most `max` units: records go first, then record ids, state and feedback, each from the end.
/// Capabilities are never cut.
pub(super) fn fit(result: &mut DescribeResult, max: usize, number_text: NumberText) {
    let text = to_text(result, number_text);
    let excess = units(&text, max).saturating_sub(max);
    if excess > 0 {
        cut_context(result, excess, number_text);
    }
}

fn cut_context(result: &mut DescribeResult, mut excess: usize, number_text: NumberText) {
    let context = &mut result.context;
    let before = context.records.len();
    drop_last(&mut context.records, &mut excess, number_text);
    if context.records.len() < before {
        let window = &mut context.record_window;
        window.returned = context.records.len() as f64;
        let next = window.offset + window.returned;
        window.next_offset = (next < window.total && window.returned > 0.0).then_some(next);
    }
    drop_last(&mut context.record_ids, &mut excess, number_text);
    if let Json::Object(members) = &mut context.state {
        let names = members.iter().map(|(key, _)| String::from("state:") + key).collect::<Vec<_>>();
        let kept = drop_last(members, &mut excess, number_text);
        context.incomplete.extend(names.into_iter().skip(kept));
    }
    drop_last(&mut context.feedback, &mut excess, number_text);
}

/// Drops items from the end until `excess` is gone, and tells how many are left.
fn drop_last<T: Serialize>(items: &mut Vec<T>, excess: &mut usize, number_text: NumberText) -> usize {
    while *excess > 0 {
        let Some(item) = items.pop() else { break };
        *excess = excess.saturating_sub(size(&item, number_text));
    }
    items.len()
}

/// At most 50 records and 64 KiB.
pub(super) fn cut_after(after: &mut AfterDelta, number_text: NumberText) {
    if after.records.len() > limits::AFTER_RECORDS {
        after.records.truncate(limits::AFTER_RECORDS);
        after.truncated = true;
    }
    let mut excess = size(after, number_text).saturating_sub(limits::AFTER_UNITS);
    if excess == 0 {
        return;
    }
    after.truncated = true;
    // The flag itself grows by nothing: `false` is longer than `true`.
    drop_last(&mut after.records, &mut excess, number_text);
    drop_last(&mut after.removed_records, &mut excess, number_text);
    if let Json::Object(members) = &mut after.state {
        drop_last(members, &mut excess, number_text);
    }
    drop_last(&mut after.feedback, &mut excess, number_text);
    drop_last(&mut after.capabilities.added, &mut excess, number_text);
}
