//! Reads the page's providers one by one and keeps what they gave, bounded (Surface §3).

use super::call::{Failed, Read};
use super::options::{Options, Wanted};
use super::registry::{Entry, Registry, View};
use super::{Show, Source};
use crate::wire::{Json, RecordRef, RecordWindow, Region, Unavailable, UnavailableRecord, limits};
use std::collections::VecDeque;
use std::rc::Rc;

/// A record as its source gave it, before masking.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) source: Rc<Entry<Source>>,
    pub(super) id: String,
    pub(super) offscreen: bool,
    pub(super) fields: Json,
}

/// The part of a window that one source may fill.
#[derive(Debug, Default)]
struct Window {
    sources: VecDeque<Rc<Entry<Source>>>,
    skip: f64,
    rows_left: f64,
    ids_left: f64,
}

/// Which providers are still to be read, and what the others gave.
#[derive(Debug, Default)]
pub(super) struct Reading {
    queue: VecDeque<(Read, Target)>,
    current: Option<(Read, Target)>,
    window: Window,
    wanted: VecDeque<(Wanted, VecDeque<Rc<Entry<Source>>>)>,
    pub(super) title: String,
    pub(super) route: String,
    pub(super) object: Option<Json>,
    pub(super) states: Vec<(String, Json)>,
    pub(super) regions: Vec<Region>,
    pub(super) rows: Vec<Row>,
    pub(super) ids: Vec<RecordRef>,
    pub(super) gone: Vec<RecordRef>,
    pub(super) spec: Option<WindowSpec>,
    pub(super) total: f64,
    pub(super) asked: f64,
    pub(super) unavailable: Vec<Unavailable>,
    pub(super) unavailable_failed: bool,
    pub(super) incomplete: Vec<String>,
}

/// Which window was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WindowSpec {
    pub(super) region: Option<String>,
    pub(super) offset: f64,
    pub(super) limit: f64,
}

/// What an answer belongs to.
#[derive(Clone, Debug)]
enum Target {
    Identity,
    Object,
    State(String),
    Unavailable,
    Window(Rc<Entry<Source>>),
    Record(Rc<Entry<Source>>),
    Wanted,
}

impl Reading {
    /// Everything a describe shows besides capabilities.
    pub(super) fn of_context(&mut self, registry: &Registry, view: View<'_>, options: &Options) {
        self.queue.push_back((Read::Identity, Target::Identity));
        if let Some(handle) = registry.visible_object(view) {
            self.queue.push_back((Read::Object(handle), Target::Object));
        }
        self.of_states(registry, view);
        self.of_unavailable(registry, view);
        self.regions = registry.visible_regions(view);
        if let Some(records) = &options.records {
            self.asked = records.len() as f64;
            for wanted in records {
                self.want(registry, view, wanted.clone());
            }
        } else {
            let spec = WindowSpec { region: options.region.clone(), offset: options.offset, limit: options.limit };
            self.of_window(registry, view, spec);
        }
    }

    /// The state keys a session may see.
    pub(super) fn of_states(&mut self, registry: &Registry, view: View<'_>) {
        for (handle, key) in registry.visible_states(view) {
            self.queue.push_back((Read::State(handle), Target::State(key)));
        }
    }

    /// What cannot be used now.
    pub(super) fn of_unavailable(&mut self, registry: &Registry, view: View<'_>) {
        for handle in registry.unavailable_providers(view) {
            self.queue.push_back((Read::Unavailable(handle), Target::Unavailable));
        }
    }

    /// The window over the sources of a region, joined in declaration order.
    pub(super) fn of_window(&mut self, registry: &Registry, view: View<'_>, spec: WindowSpec) {
        let sources = registry.visible_sources(view).into_iter();
        let inside = |entry: &Rc<Entry<Source>>| spec.region.is_none() || entry.value.region == spec.region;
        self.window = Window {
            sources: sources.filter(inside).collect(),
            skip: spec.offset,
            rows_left: spec.limit,
            ids_left: limits::RECORD_IDS as f64,
        };
        self.spec = Some(spec);
    }

    /// One record of a known source.
    pub(super) fn of_record(&mut self, source: &Rc<Entry<Source>>, id: &str, keep: bool) {
        let read = Read::Record { source: source.handle, id: id.into(), keep };
        self.queue.push_back((read, Target::Record(Rc::clone(source))));
    }

    fn want(&mut self, registry: &Registry, view: View<'_>, wanted: Wanted) {
        let fits = |entry: &Rc<Entry<Source>>| wanted.kind.as_ref().is_none_or(|kind| *kind == entry.value.kind);
        let sources = registry.visible_sources(view).into_iter().filter(fits).collect();
        self.wanted.push_back((wanted, sources));
    }

    /// The next provider to call; `None` when all have been.
    pub(super) fn next(&mut self) -> Option<Read> {
        let next = self.queue.pop_front().or_else(|| self.next_window()).or_else(|| self.next_wanted());
        self.current.clone_from(&next);
        next.map(|(read, _)| read)
    }

    fn next_window(&mut self) -> Option<(Read, Target)> {
        let source = self.window.sources.pop_front()?;
        let Window { skip, rows_left, ids_left, .. } = self.window;
        let read = Read::Window { source: source.handle, offset: skip, limit: rows_left, ids: ids_left };
        Some((read, Target::Window(source)))
    }

    fn next_wanted(&mut self) -> Option<(Read, Target)> {
        while let Some((wanted, sources)) = self.wanted.front_mut() {
            let id_fits = is_record_id(&wanted.id);
            if let Some(source) = sources.pop_front().filter(|_| id_fits) {
                let read = Read::Record { source: source.handle, id: wanted.id.clone(), keep: false };
                return Some((read, Target::Wanted));
            }
            let record = UnavailableRecord { kind: wanted.kind.clone(), id: wanted.id.clone() };
            self.unavailable.push(Unavailable { capability: None, record: Some(record), reason: "not_found".into() });
            self.wanted.pop_front();
        }
        None
    }

    /// Takes what the provider gave; a failed or unusable one leaves its part empty, is named, and gives `false`.
    pub(super) fn take(&mut self, registry: &Registry, answer: Result<Json, Failed>) -> bool {
        let Some((read, target)) = self.current.take() else { return true };
        let understood = match (&target, answer) {
            (_, Err(Failed)) => None,
            (Target::Identity, Ok(value)) => self.take_identity(&value),
            (Target::Object, Ok(mut value)) => {
                cut_strings(&mut value);
                self.object = (value != Json::Null).then_some(value);
                Some(())
            }
            (Target::State(key), Ok(mut value)) => {
                cut_strings(&mut value);
                self.states.push((key.clone(), value));
                Some(())
            }
            (Target::Unavailable, Ok(value)) => self.take_unavailable(&value),
            (Target::Window(source), Ok(value)) => self.take_window(source, &value),
            (Target::Record(source), Ok(value)) => self.take_record(source, &read, value),
            (Target::Wanted, Ok(value)) => self.take_wanted(registry, &read, value),
        };
        if understood.is_none() {
            self.fail(&target);
        }
        understood.is_some()
    }

    /// The provider that has not answered yet.
    pub(super) fn waiting_for(&self) -> Option<String> {
        self.current.as_ref().map(|(_, target)| self.name(target))
    }

    fn name(&self, target: &Target) -> String {
        match target {
            Target::Identity => "page".into(),
            Target::Object => "object".into(),
            Target::State(key) => format!("state:{key}"),
            Target::Unavailable => "unavailable".into(),
            Target::Window(source) | Target::Record(source) => format!("records:{}", source.value.kind),
            Target::Wanted => {
                let kind = self.wanted.front().and_then(|(wanted, _)| wanted.kind.as_ref());
                kind.map_or_else(|| "records".into(), |kind| format!("records:{kind}"))
            }
        }
    }

    fn fail(&mut self, target: &Target) {
        self.unavailable_failed |= matches!(target, Target::Unavailable);
        let name = self.name(target);
        if !self.incomplete.contains(&name) {
            self.incomplete.push(name);
        }
    }

    fn take_identity(&mut self, value: &Json) -> Option<()> {
        self.title = cut(value.get("title")?.as_str()?);
        self.route = cut(value.get("route")?.as_str()?);
        Some(())
    }

    fn take_unavailable(&mut self, value: &Json) -> Option<()> {
        for entry in value.as_array()? {
            let text = |name| entry.get(name).and_then(Json::as_str);
            let record = match entry.get("record") {
                Some(record) => Some(UnavailableRecord {
                    kind: Some(record.get("type")?.as_str()?.into()),
                    id: record.get("id")?.as_str()?.into(),
                }),
                None => None,
            };
            let capability = text("capability").map(Into::into);
            if capability.is_none() && record.is_none() {
                return None;
            }
            self.unavailable.push(Unavailable { capability, record, reason: cut(text("reason")?) });
        }
        Some(())
    }

    fn take_window(&mut self, source: &Rc<Entry<Source>>, value: &Json) -> Option<()> {
        let total = value.get("total")?.as_f64().filter(|total| total.trunc() == *total && *total >= 0.0)?;
        let (ids, rows) = (value.get("ids")?.as_array()?, value.get("rows")?.as_array()?);
        let rows = rows.iter().map(|row| read_row(source, row.clone())).collect::<Option<Vec<_>>>()?;
        let ids = ids.iter().map(Json::as_str).collect::<Option<Vec<_>>>()?;
        self.total += total;
        self.window.skip = (self.window.skip - total).max(0.0);
        for row in rows {
            if self.window.rows_left < 1.0 {
                break;
            }
            self.window.rows_left -= 1.0;
            if is_record_id(&row.id) {
                self.rows.push(row);
            }
        }
        for id in ids {
            if self.window.ids_left < 1.0 {
                break;
            }
            self.window.ids_left -= 1.0;
            if is_record_id(id) {
                self.ids.push(RecordRef { id: id.into(), kind: source.value.kind.clone() });
            }
        }
        Some(())
    }

    /// A record that its source no longer yields is named in `gone`.
    fn take_record(&mut self, source: &Rc<Entry<Source>>, read: &Read, value: Json) -> Option<()> {
        let Read::Record { id, .. } = read else { return None };
        if value == Json::Null {
            self.gone.push(RecordRef { id: id.clone(), kind: source.value.kind.clone() });
        } else {
            self.rows.push(read_row(source, value).filter(|row| row.id == *id)?);
        }
        Some(())
    }

    fn take_wanted(&mut self, registry: &Registry, read: &Read, value: Json) -> Option<()> {
        let Read::Record { id, source, .. } = read else { return None };
        if value == Json::Null {
            return Some(());
        }
        let source = registry.source_of(*source)?;
        let row = read_row(source, value).filter(|row| row.id == *id)?;
        self.ids.push(RecordRef { id: row.id.clone(), kind: source.value.kind.clone() });
        self.rows.push(row);
        self.total += 1.0;
        self.wanted.pop_front();
        Some(())
    }

    /// Where the window lies, once it was read.
    pub(super) fn record_window(&self, returned: f64) -> RecordWindow {
        let Some(spec) = &self.spec else {
            return RecordWindow { offset: 0.0, limit: self.asked, returned, total: self.total, next_offset: None };
        };
        let next = spec.offset + spec.limit.min(self.shown_span(returned));
        let next_offset = (next < self.total && next > spec.offset).then_some(next);
        RecordWindow { offset: spec.offset, limit: spec.limit, returned, total: self.total, next_offset }
    }

    /// Records the window has gone past, those left out for their id included.
    fn shown_span(&self, returned: f64) -> f64 {
        if returned < self.rows.len() as f64 {
            return returned;
        }
        self.spec.as_ref().map_or(returned, |spec| spec.limit - self.window.rows_left)
    }
}

fn read_row(source: &Rc<Entry<Source>>, mut value: Json) -> Option<Row> {
    let id = value.get("id")?.as_str()?.to_owned();
    let offscreen = value.get("offscreen").and_then(Json::as_bool).unwrap_or(false);
    let Json::Object(members) = &mut value else { return None };
    let at = members.iter().position(|(name, _)| name == "fields")?;
    let fields = members.swap_remove(at).1;
    matches!(fields, Json::Object(_)).then(|| Row { source: Rc::clone(source), id, offscreen, fields })
}

/// Whether a record can be shown and referred to.
pub(super) fn is_record_id(id: &str) -> bool {
    !id.is_empty() && id.chars().nth(limits::RECORD_ID_CHARS).is_none()
}

/// The fields as a session may see them; `name_value` gives a random name for a value.
pub(super) fn show_fields(row: &Row, name_value: &mut dyn FnMut(&Json) -> String) -> Json {
    let mut shown = Vec::new();
    for (name, show) in &row.source.value.fields {
        let Some(value) = row.fields.get(name) else { continue };
        let value = match (show, value) {
            (_, Json::Null) => Json::Null,
            (Show::Plain, value) => {
                let mut value = value.clone();
                cut_strings(&mut value);
                value
            }
            (Show::Mask, Json::String(text)) => Json::String(mask(text)),
            (Show::Mask, _) => Json::String(mask("")),
            (Show::Ref, value) => Json::String(name_value(value)),
        };
        shown.push((name.clone(), value));
    }
    Json::Object(shown)
}

/// `••••` and at most the last 4 characters, never more than a quarter of them.
fn mask(text: &str) -> String {
    let count = text.chars().count();
    let mut masked = String::from("••••");
    masked.extend(text.chars().skip(count - (count / 4).min(4)));
    masked
}

/// At most 2 KiB of text, the cut marked with `…`.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, limits::STRING_UNITS)
}

/// At most `max` UTF-16 units of text, the cut marked with `…`.
pub(super) fn cut_to(text: &str, max: usize) -> String {
    // No text has more units than bytes, so that most need no counting.
    if text.len() <= max || text.encode_utf16().count() <= max {
        return text.into();
    }
    let mut units = 0;
    let fits = |character: &char| {
        units += character.len_utf16();
        units < max
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push('…');
    short
}

/// Cuts every string of a value.
pub(super) fn cut_strings(value: &mut Json) {
    match value {
        Json::String(text) if text.len() > limits::STRING_UNITS => *text = cut(text),
        Json::Array(items) => items.iter_mut().for_each(cut_strings),
        Json::Object(members) => members.iter_mut().for_each(|(_, member)| cut_strings(member)),
        _ => {}
    }
}

/// Whether an answer of a provider names this call as unavailable.
pub(super) fn blocks(entry: &Unavailable, capability: &str, record: Option<&RecordRef>) -> bool {
    let same_record = match (&entry.record, record) {
        (None, _) => true,
        (Some(named), Some(record)) => named.id == record.id && named.kind.as_deref() == Some(&record.kind),
        (Some(_), None) => false,
    };
    same_record && entry.capability.as_deref().is_none_or(|id| id == capability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_shows_at_most_the_last_four_and_a_quarter() {
        for (text, expected) in [
            ("", "••••"),
            ("123", "••••"),
            ("1234", "••••4"),
            ("12345678", "••••78"),
            ("4111111111111234", "••••1234"),
            ("4111111111111111234567", "••••4567"),
            ("訂單客戶", "••••戶"),
        ] {
            assert_eq!(mask(text), expected, "{text}");
        }
    }

    #[test]
    fn long_text_is_cut_without_splitting_a_character() {
        assert_eq!(cut(&"a".repeat(2_048)), "a".repeat(2_048));
        assert_eq!(cut(&"a".repeat(2_049)), format!("{}…", "a".repeat(2_047)));
        assert_eq!(cut(&"訂".repeat(2_048)), "訂".repeat(2_048), "units, not bytes");
        let pairs = cut(&"😀".repeat(1_025));
        assert_eq!(pairs.encode_utf16().count(), 2_047);
        assert!(pairs.ends_with("😀…"));
    }

    #[test]
    fn an_entry_blocks_the_capability_the_record_or_both_together() {
        let record = |id: &str| Some(RecordRef { id: id.into(), kind: "order".into() });
        let entry = |capability: Option<&str>, id: Option<&str>| Unavailable {
            capability: capability.map(Into::into),
            record: id.map(|id| UnavailableRecord { kind: Some("order".into()), id: id.into() }),
            reason: "closed".into(),
        };
        let cases = [
            ("the capability", entry(Some("a"), None), "a", None, true),
            ("another capability", entry(Some("a"), None), "b", None, false),
            ("the record, for every capability", entry(None, Some("1")), "b", record("1"), true),
            ("another record", entry(None, Some("1")), "b", record("2"), false),
            ("a record, but the call has none", entry(None, Some("1")), "b", None, false),
            ("both", entry(Some("a"), Some("1")), "a", record("1"), true),
            ("both, but another capability", entry(Some("a"), Some("1")), "b", record("1"), false),
        ];
        for (case, entry, capability, record, expected) in cases {
            assert_eq!(blocks(&entry, capability, record.as_ref()), expected, "{case}");
        }
    }
}
