//! Reads the page's providers one by one and keeps what they gave, bounded (Surface §3).

use super::Source;
use super::call::{Failed, Read};
use super::options::{Options, Wanted};
use super::registry::{Entry, Handle, Registry, View};
use crate::wire::{Json, RecordRef, RecordWindow, Region, Unavailable, UnavailableRecord, has_chars, limits};
use std::rc::Rc;

/// A record as its source gave it, before masking.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) source: Rc<Entry<Source>>,
    pub(super) id: String,
    pub(super) offscreen: bool,
    /// Whether it came as part of a window, not by its id.
    pub(super) in_window: bool,
    pub(super) fields: Json,
}

/// What is left of a window for the sources that come.
#[derive(Debug, Default)]
struct Window {
    skip: f64,
    rows_left: f64,
    ids_left: f64,
}

/// Which providers are still to be read, and what the others gave.
#[derive(Debug, Default)]
pub(super) struct Reading {
    queue: Vec<Target>,
    /// Where in the queue the next provider stands; the one before may be waited for.
    next: usize,
    window: Window,
    /// Records asked for by name, until they are found.
    wanted: Vec<Option<Wanted>>,
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
    pub(super) unavailable: Vec<Unavailable>,
    /// Records asked for that no source yields.
    pub(super) missing: Vec<Unavailable>,
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

/// What is to be read.
#[derive(Debug)]
enum Target {
    Identity,
    Object(Handle),
    State(Handle, String),
    Unavailable(Handle),
    Window(Rc<Entry<Source>>),
    Record {
        source: Rc<Entry<Source>>,
        id: String,
        keep: bool,
    },
    /// One of `wanted`, from a source that may have it.
    Wanted(usize, Rc<Entry<Source>>),
    /// One of `wanted`, when no source had it.
    Missing(usize),
    /// Read already.
    Done,
}

impl Reading {
    /// Everything a describe shows besides capabilities.
    pub(super) fn of_context(&mut self, registry: &Registry, view: View<'_>, options: Options) {
        self.queue.push(Target::Identity);
        if let Some(handle) = registry.visible_object(view) {
            self.queue.push(Target::Object(handle));
        }
        self.of_states(registry, view);
        self.of_unavailable(registry, view);
        self.regions = registry.visible_regions(view);
        match options.records {
            Some(records) => {
                for wanted in records {
                    self.of_wanted(registry, view, wanted);
                }
            }
            None => self.of_window(registry, view, options.window),
        }
    }

    /// The state keys a session may see.
    pub(super) fn of_states(&mut self, registry: &Registry, view: View<'_>) {
        for (handle, key) in registry.visible_states(view) {
            self.queue.push(Target::State(handle, key));
        }
    }

    /// What cannot be used now.
    pub(super) fn of_unavailable(&mut self, registry: &Registry, view: View<'_>) {
        for handle in registry.unavailable_providers(view) {
            self.queue.push(Target::Unavailable(handle));
        }
    }

    /// The window over the sources of a region, joined in declaration order.
    pub(super) fn of_window(&mut self, registry: &Registry, view: View<'_>, spec: WindowSpec) {
        for source in registry.visible_sources(view) {
            if spec.region.is_none() || source.value.region == spec.region {
                self.queue.push(Target::Window(source));
            }
        }
        self.window = Window { skip: spec.offset, rows_left: spec.limit, ids_left: limits::RECORD_IDS as f64 };
        self.spec = Some(spec);
    }

    /// One record of a known source.
    pub(super) fn of_record(&mut self, source: &Rc<Entry<Source>>, id: &str, keep: bool) {
        self.queue.push(Target::Record { source: Rc::clone(source), id: id.into(), keep });
    }

    fn of_wanted(&mut self, registry: &Registry, view: View<'_>, wanted: Wanted) {
        let place = self.wanted.len();
        for source in registry.visible_sources(view) {
            if is_record_id(&wanted.id) && wanted.kind.as_ref().is_none_or(|kind| *kind == source.value.kind) {
                self.queue.push(Target::Wanted(place, source));
            }
        }
        self.queue.push(Target::Missing(place));
        self.wanted.push(Some(wanted));
    }

    /// The next provider to call; `None` when all have been.
    pub(super) fn next(&mut self) -> Option<Read> {
        loop {
            let target = self.queue.get(self.next)?;
            self.next += 1;
            return Some(match target {
                Target::Identity => Read::Identity,
                Target::Object(handle) => Read::Object(*handle),
                Target::State(handle, _) => Read::State(*handle),
                Target::Unavailable(handle) => Read::Unavailable(*handle),
                Target::Window(source) => {
                    let Window { skip, rows_left, ids_left } = self.window;
                    Read::Window { source: source.handle, offset: skip, limit: rows_left, ids: ids_left }
                }
                Target::Record { source, id, keep } => {
                    Read::Record { source: source.handle, id: id.clone(), keep: *keep }
                }
                Target::Wanted(place, source) => match &self.wanted[*place] {
                    Some(wanted) => Read::Record { source: source.handle, id: wanted.id.clone(), keep: false },
                    None => continue,
                },
                Target::Missing(place) => {
                    if let Some(Wanted { kind, id }) = self.wanted[*place].take() {
                        let record = Some(UnavailableRecord { kind, id });
                        self.missing.push(Unavailable { capability: None, record, reason: "not_found".into() });
                    }
                    continue;
                }
                Target::Done => continue,
            });
        }
    }

    /// Takes what the provider gave; a failed or unusable one leaves its part empty, is named, and gives `false`.
    pub(super) fn take(&mut self, answer: Result<Json, Failed>) -> bool {
        let Some(target) = self.next.checked_sub(1).and_then(|current| self.queue.get_mut(current)) else {
            return true;
        };
        let target = std::mem::replace(target, Target::Done);
        let understood = answer.ok().and_then(|value| self.take_value(&target, value));
        if understood.is_none() {
            self.unavailable_failed |= matches!(target, Target::Unavailable(_));
            let name = self.name(&target);
            if !self.incomplete.contains(&name) {
                self.incomplete.push(name);
            }
        }
        understood.is_some()
    }

    fn take_value(&mut self, target: &Target, value: Json) -> Option<()> {
        match target {
            Target::Identity => self.take_identity(&value)?,
            Target::Object(_) => {
                self.object = (!value.is_null()).then_some(value);
            }
            Target::State(_, key) => self.states.push((key.clone(), value)),
            Target::Unavailable(_) => self.take_unavailable(&value)?,
            Target::Window(source) => self.take_window(source, &value)?,
            // A record that its source no longer yields is named in `gone`.
            Target::Record { source, id, .. } if value.is_null() => self.gone.push(source.value.reference(id)),
            Target::Record { source, id, .. } => self.rows.push(read_row(source, value).filter(|row| row.id == *id)?),
            Target::Wanted(..) if value.is_null() => {}
            Target::Wanted(place, source) => {
                let wanted = self.wanted[*place].as_ref()?;
                let row = read_row(source, value).filter(|row| row.id == wanted.id)?;
                self.ids.push(source.value.reference(&row.id));
                self.rows.push(row);
                self.total += 1.0;
                self.wanted[*place] = None;
            }
            Target::Missing(_) | Target::Done => {}
        }
        Some(())
    }

    /// The same without anything a session without capabilities may not see.
    pub(super) fn blank(self) -> Self {
        Self { title: self.title, route: self.route, spec: self.spec, ..Self::default() }
    }

    /// Leaves what has not been read yet empty, and names it.
    pub(super) fn give_up(&mut self) {
        let first = self.next.saturating_sub(1);
        for target in std::mem::take(&mut self.queue).iter().skip(first) {
            if !matches!(target, Target::Done | Target::Missing(_)) {
                let name = self.name(target);
                if !self.incomplete.contains(&name) {
                    self.incomplete.push(name);
                }
            }
        }
    }

    /// The provider that has not answered yet.
    pub(super) fn waiting_for(&self) -> Option<String> {
        match self.queue.get(self.next.checked_sub(1)?)? {
            Target::Done => None,
            target => Some(self.name(target)),
        }
    }

    fn name(&self, target: &Target) -> String {
        match target {
            Target::Identity => "page".into(),
            Target::Object(_) => "object".into(),
            Target::State(_, key) => String::from("state:") + key,
            Target::Unavailable(_) => "unavailable".into(),
            Target::Window(source) | Target::Record { source, .. } | Target::Wanted(_, source) => {
                String::from("records:") + &source.value.kind
            }
            Target::Missing(_) | Target::Done => String::new(),
        }
    }

    fn take_identity(&mut self, value: &Json) -> Option<()> {
        self.title = value.get("title")?.as_str()?.into();
        self.route = value.get("route")?.as_str()?.into();
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
            self.unavailable.push(Unavailable { capability, record, reason: text("reason")?.into() });
        }
        Some(())
    }

    fn take_window(&mut self, source: &Rc<Entry<Source>>, value: &Json) -> Option<()> {
        let total = value.get("total")?.as_f64().filter(|total| total.trunc() == *total && *total >= 0.0)?;
        let (ids, rows) = (value.get("ids")?.as_array()?, value.get("rows")?.as_array()?);
        // A source has at least what it gave, whatever it says: the next one's window begins behind it.
        let given = rows.len().max(ids.len()) as f64;
        let total = if given > 0.0 { total.max(self.window.skip + given) } else { total };
        let mut shown = Vec::new();
        for row in rows {
            shown.push(Row { in_window: true, ..read_row(source, row.clone())? });
        }
        if !ids.iter().all(|id| id.as_str().is_some()) {
            return None;
        }
        self.total += total;
        self.window.skip = (self.window.skip - total).max(0.0);
        shown.truncate(self.window.rows_left as usize);
        self.window.rows_left -= shown.len() as f64;
        shown.retain(|row| is_record_id(&row.id));
        self.rows.append(&mut shown);
        for id in ids.iter().take(self.window.ids_left as usize).filter_map(Json::as_str) {
            self.window.ids_left -= 1.0;
            if is_record_id(id) {
                self.ids.push(source.value.reference(id));
            }
        }
        Some(())
    }

    /// Where the window lies, once it was read.
    pub(super) fn record_window(&self, returned: f64) -> RecordWindow {
        let Some(spec) = &self.spec else {
            return RecordWindow {
                offset: 0.0,
                limit: self.wanted.len() as f64,
                returned,
                total: self.total,
                next_offset: None,
            };
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
    matches!(fields, Json::Object(_)).then(|| Row {
        source: Rc::clone(source),
        id,
        offscreen,
        in_window: false,
        fields,
    })
}

/// Whether a record can be shown and referred to.
pub(super) fn is_record_id(id: &str) -> bool {
    has_chars(id, 1, limits::RECORD_ID_CHARS)
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
