//! Keeps results inside their bounds: cut from the end, and what is cut shows (Surface §3, §4).

use crate::wire::{AfterDelta, DescribeResult, Json, NumberText, limits, to_text};
use serde::Serialize;

/// UTF-16 units of a text; bytes stand in while they already fit, since no text has more units than bytes.
fn units(text: &str, max: usize) -> usize {
    if text.len() <= max { text.len() } else { text.encode_utf16().count() }
}

/// Units of an item of a list, its comma included.
fn size<T: Serialize>(value: &T, number_text: NumberText) -> usize {
    to_text(value, number_text).encode_utf16().count() + 1
}

/// Units of a member, its colon and its comma included.
fn member_size((key, value): &(String, Json), number_text: NumberText) -> usize {
    size(key, number_text) + size(value, number_text)
}

/// Makes a result at most `max` units: records go first, then record ids, state and feedback, each from the end; then
/// the object in focus, and after it what is unavailable and the regions. Capabilities are never cut.
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
    drop_last(&mut context.records, &mut excess, number_text, size);
    if context.records.len() < before {
        let window = &mut context.record_window;
        window.returned = context.records.len() as f64;
        let next = window.offset + window.returned;
        window.next_offset = (next < window.total && window.returned > 0.0).then_some(next);
    }
    drop_last(&mut context.record_ids, &mut excess, number_text, size);
    if let Json::Object(members) = &mut context.state {
        let place = context.incomplete.len();
        while excess > 0
            && let Some(member) = members.pop()
        {
            let name = String::from("state:") + &member.0;
            excess = (excess + size(&name, number_text)).saturating_sub(member_size(&member, number_text));
            context.incomplete.insert(place, name);
        }
    }
    drop_last(&mut context.feedback, &mut excess, number_text, size);
    // The bound holds also where a page fills what Surface §3 has no bound for.
    if let Some(object) = context.page.object.take_if(|_| excess > 0) {
        // Its name leaves one place and stands in another.
        excess = excess.saturating_sub(size(&object, number_text));
        context.incomplete.push("object".into());
    }
    if excess > 0 {
        context.unavailable.clear();
        if !context.regions.is_empty() {
            context.regions.clear();
            context.incomplete.push("regions".into());
        }
    }
}

/// Drops items from the end until `excess` is gone.
fn drop_last<T>(items: &mut Vec<T>, excess: &mut usize, number_text: NumberText, size: fn(&T, NumberText) -> usize) {
    while *excess > 0 {
        let Some(item) = items.pop() else { break };
        *excess = excess.saturating_sub(size(&item, number_text));
    }
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
    drop_last(&mut after.records, &mut excess, number_text, size);
    drop_last(&mut after.removed_records, &mut excess, number_text, size);
    if let Json::Object(members) = &mut after.state {
        drop_last(members, &mut excess, number_text, member_size);
    }
    drop_last(&mut after.feedback, &mut excess, number_text, size);
    drop_last(&mut after.capabilities.added, &mut excess, number_text, size);
}
