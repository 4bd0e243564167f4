//! Steps 8 and 9: the response, stripped and bounded, and what is new for this session (Surface §3, §4).

use super::call::{Call, Effect, Now, Phase, Reply};
use super::context::{Reading, Row, cut_to, show_fields};
use super::digest::{digest, hex, text_digest};
use super::registry::Entry;
use super::shown::{Shown, difference, listing};
use super::{Capability, Grant, Kernel};
use crate::wire::{
    AfterCapabilities, AfterDelta, Certainty, Context, ContextPage, DescribeResult, Effect as Impact, Feedback,
    Fidelity, InvokeResponse, InvokeResult, InvokeStatus, Json, Outcome, PageIdentity, Record, RecordRef, SessionInfo,
    SessionLimits, Totals, limits, to_text,
};
use std::rc::Rc;

impl Kernel {
    fn list(&self, grant: &Grant) -> Vec<Rc<Entry<Capability>>> {
        self.registry.exposed_all(self.view(grant)).cloned().collect()
    }

    /// The notices after a number that a session may see.
    fn notices_since(&self, number: u64, grant: &Grant) -> Vec<Feedback> {
        let mut notices = Vec::new();
        for notice in self.notices.iter().filter(|notice| notice.number > number) {
            let is_visible = match &notice.session_id {
                Some(id) => *id == grant.session_id,
                None => self.registry.meets(notice.audience.as_ref(), self.view(grant)),
            };
            if is_visible {
                notices.push(notice.item.clone());
            }
        }
        notices
    }

    /// The answer to a describe whose providers have all been read.
    pub(super) fn respond_described(&mut self, now: Now, call: &mut Call) -> Effect {
        let Some(grant) = call.session.clone() else { return Effect::Nothing };
        let reading = std::mem::take(&mut call.reading);
        let list = self.list(&grant);
        let (listing, revision) = listing(&list);
        let notices = self.notices_since(0, &grant);
        let newest = self.notices.last().map_or(0, |notice| notice.number);
        let (secret, page) = (self.config.secret, self.config.page_session_id.clone());
        let empty = list.is_empty();
        // A session that was taken over since step 2 has an empty memory of its own from here on.
        let mut unknown = Shown::default();
        let shown = self.sessions.recall(&grant).unwrap_or(&mut unknown);
        let delta = call.since.as_deref().and_then(|since| shown.delta(since, &list));
        shown.note_capabilities(&revision, &listing);
        shown.notice = newest;
        let mut naming = Naming { shown, secret, session_id: &grant.session_id };
        let records: Vec<Record> =
            if empty { Vec::new() } else { reading.rows.iter().map(|row| naming.record(row)).collect() };
        let shown = naming.shown;
        for (record, row) in records.iter().zip(&reading.rows) {
            shown.note_record(&reference(record), digest_of(row, &record.fields));
        }
        if let Some(spec) = &reading.spec {
            shown.window = Some(spec.clone());
        }
        shown.states = Some(digests(&reading.states));
        let window = reading.record_window(records.len() as f64);
        let Reading { title, route, object, states, regions, ids, total, unavailable, incomplete, .. } = reading;
        let mut incomplete = incomplete;
        let state = bounded_states(states, &mut incomplete, self.config.number_text);
        let totals = Totals {
            records: total,
            record_ids: total,
            capabilities: list.len() as f64,
            feedback: notices.len() as f64,
            unavailable: unavailable.len() as f64,
        };
        let mut result = DescribeResult {
            page: PageIdentity {
                app: self.config.app.clone(),
                page_session_id: page,
                title: title.clone(),
                route: route.clone(),
            },
            capability_revision: revision,
            capabilities: delta.is_none().then(|| list.iter().map(|entry| Rc::clone(&entry.value.info)).collect()),
            capability_delta: delta,
            context: Context {
                page: ContextPage { route, title, object },
                regions,
                records,
                record_ids: ids,
                record_window: window,
                state,
                feedback: newest_of(notices, limits::FEEDBACK),
                unavailable: visible_unavailable(unavailable, &list),
                incomplete,
                totals,
            },
            session: self.session_info(&grant),
        };
        self.strip_context(&mut result.context);
        let max = self.config.max_result_units;
        let text = super::cut::describe_text(call.request_id.clone(), result, max, self.config.number_text);
        self.audit(now, call, Outcome::Ok, None, false);
        Effect::Respond(Reply::Text(text))
    }

    fn strip_context(&self, context: &mut Context) {
        if !self.has_material() {
            return;
        }
        let text = |text: &mut String| self.materials.strip_text(text);
        context.records.iter_mut().for_each(|record| self.strip(&mut record.fields));
        self.strip(&mut context.state);
        context.page.object.iter_mut().for_each(|object| self.strip(object));
        context.feedback.iter_mut().for_each(|item| text(&mut item.text));
        context.unavailable.iter_mut().for_each(|entry| text(&mut entry.reason));
    }

    fn session_info(&self, grant: &Grant) -> SessionInfo {
        SessionInfo {
            agent_id: grant.agent_id.clone(),
            session_id: grant.session_id.clone(),
            expires_at: grant.expires_at,
            scope: grant.scope.entries().to_vec(),
            limits: SessionLimits {
                max_records: self.config.max_records as f64,
                max_input_bytes: limits::REQUEST_UNITS as f64,
                max_result_bytes: self.config.max_result_units as f64,
                rate: self.config.rate,
            },
        }
    }

    /// Plans what is looked at once the executor has settled.
    pub(super) fn begin_after(&mut self, call: &mut Call) {
        let Some(grant) = call.session.clone() else { return };
        let mut reading = Reading::default();
        let writes = call.capability.as_ref().is_some_and(|entry| entry.value.info.effect != Impact::Read);
        let view = super::View { allow: self.config.allow.as_ref(), scope: &grant.scope };
        let Ok(shown) = self.sessions.recall(&grant) else { return };
        if writes || shown.states.is_some() {
            reading.of_states(&self.registry, view);
        }
        let knows_records = shown.records().next().is_some();
        if let Some(record) = call.record.as_ref().filter(|_| writes || knows_records)
            && let Some(source) = self.registry.source(&record.kind)
        {
            reading.of_record(source, &record.id, false);
        }
        if knows_records {
            for record in shown.records().filter(|record| call.record.as_ref() != Some(record)) {
                if let Some(source) = self.registry.source(&record.kind).filter(|source| source.value.gets) {
                    reading.of_record(source, &record.id, false);
                }
            }
        }
        if let Some(spec) = shown.window.clone() {
            reading.of_window(&self.registry, view, spec);
        }
        call.reading = reading;
    }

    /// What was observed to differ, and what is new against what the session was shown.
    pub(super) fn compare(&mut self, call: &mut Call) -> Option<AfterDelta> {
        let grant = call.session.clone()?;
        let list = self.list(&grant);
        let reading = std::mem::take(&mut call.reading);
        call.observed = observed(call, &reading);
        let seen = self.sessions.recall(&grant).ok()?.notice;
        let feedback = newest_of(self.notices_since(seen, &grant), limits::FEEDBACK);
        let secret = self.config.secret;
        let shown = self.sessions.recall(&grant).ok()?;
        let mut capabilities = AfterCapabilities::default();
        if let Some(old) = &shown.capabilities {
            let (added, changed, removed) = difference(old, &list);
            capabilities.added = added;
            capabilities.added.extend(changed);
            capabilities.removed = removed;
            let (listing, revision) = listing(&list);
            shown.note_capabilities(&revision, &listing);
        }
        let mut state = Vec::new();
        if let Some(old) = shown.states.take() {
            let now = digests(&reading.states);
            for (digest, value) in now.iter().zip(&reading.states) {
                if !old.contains(digest) {
                    state.push(value.clone());
                }
            }
            shown.states = Some(now);
        }
        shown.notice = self.notices.last().map_or(shown.notice, |notice| notice.number);
        let removed_records =
            reading.gone.iter().filter(|record| shown.forget_record(record).is_some()).cloned().collect();
        let mut naming = Naming { shown, secret, session_id: &grant.session_id };
        let in_window = |row: &Row| reading.ids.iter().any(|id| id.id == row.id && id.kind == row.source.value.kind);
        let mut records: Vec<Record> = Vec::new();
        for row in &reading.rows {
            let record = naming.record(row);
            let reference = reference(&record);
            let was_shown = naming.shown.records().any(|known| *known == reference);
            if (was_shown || in_window(row)) && !records.contains(&record) {
                let digest = digest_of(row, &record.fields);
                if naming.shown.note_record(&reference, digest) != Some(digest) {
                    records.push(record);
                }
            }
        }
        let number_text = self.config.number_text;
        let state = bounded_states(state, &mut Vec::new(), number_text);
        let mut after = AfterDelta { capabilities, records, removed_records, state, feedback, truncated: false };
        super::cut::cut_after(&mut after, number_text);
        let is_new = !after.capabilities.added.is_empty()
            || !after.capabilities.removed.is_empty()
            || !after.records.is_empty()
            || !after.removed_records.is_empty()
            || after.state != Json::Object(Vec::new())
            || !after.feedback.is_empty();
        is_new.then_some(after)
    }

    /// Makes the response of an invoke: certainty, stripping, audit.
    pub(super) fn finish(&mut self, now: Now, call: &mut Call, after: Option<AfterDelta>) -> Effect {
        let Some(ending) = call.ending.take() else { return Effect::Nothing };
        let info = call.capability.as_ref().map(|entry| Rc::clone(&entry.value.info));
        let fidelity = info.as_ref().map_or(Fidelity::High, |info| info.fidelity);
        let reads = info.as_ref().is_some_and(|info| info.effect == Impact::Read);
        let said = call.said_changed.filter(|changed| fidelity != Fidelity::Low || !changed);
        let changed = if reads || ending.executed == Certainty::No {
            Certainty::No
        } else if ending.failed_expectation || ending.executed == Certainty::Unknown {
            Certainty::Unknown
        } else {
            match said {
                Some(true) => Certainty::Yes,
                Some(false) => Certainty::No,
                None if call.observed => Certainty::Yes,
                None => Certainty::Unknown,
            }
        };
        let mut error = ending.error;
        if let Some(error) = &mut error {
            error.message = cut_to(&error.message, limits::MESSAGE_UNITS);
            self.materials.strip_text(&mut error.message);
            error.details.iter_mut().for_each(|details| self.strip(details));
        }
        let mut after = after;
        if let Some(after) = after.as_mut().filter(|_| self.has_material()) {
            after.records.iter_mut().for_each(|record| self.strip(&mut record.fields));
            self.strip(&mut after.state);
            after.feedback.iter_mut().for_each(|item| self.materials.strip_text(&mut item.text));
        }
        let (outcome, code) = match &error {
            Some(error) => (Outcome::ExecutionError, Some(error.code.clone())),
            None => (Outcome::Ok, None),
        };
        self.audit(now, call, outcome, code, false);
        let status = InvokeStatus { accepted: true, executed: ending.executed, changed };
        let has_output = error.is_none();
        let result = InvokeResult { status, fidelity, output: None, error, after };
        let response = InvokeResponse::new(call.request_id.clone(), result);
        Effect::Respond(match has_output {
            true => Reply::Output(Box::new(response)),
            false => Reply::Text(to_text(&response, self.config.number_text)),
        })
    }
}

/// Whether the target record or a visible state key is another one than before the executor.
fn observed(call: &Call, reading: &Reading) -> bool {
    if call.phase != Phase::After {
        return false;
    }
    let record = match (&call.fields_before, &call.record) {
        (Some(before), Some(record)) => {
            reading.gone.contains(record)
                || reading
                    .rows
                    .iter()
                    .any(|row| row.id == record.id && row.source.value.kind == record.kind && row.fields != *before)
        }
        _ => false,
    };
    let changed =
        |(key, before): &(String, Json)| reading.states.iter().any(|(name, now)| name == key && now != before);
    record || call.states_before.iter().any(changed)
}

/// Gives values of `ref` fields their names while records are shown.
struct Naming<'a> {
    shown: &'a mut Shown,
    secret: u64,
    session_id: &'a str,
}

impl Naming<'_> {
    fn record(&mut self, row: &Row) -> Record {
        let (secret, session_id) = (self.secret, self.session_id);
        let shown = &mut *self.shown;
        let mut name = |value: &Json| {
            let origin = [&hex(secret), session_id, &hex(shown.number_of(value).into())].concat::<str>();
            String::from("ref-") + &hex(text_digest(0, &origin))
        };
        Record {
            id: row.id.clone(),
            kind: row.source.value.kind.clone(),
            region: row.source.value.region.clone(),
            fields: show_fields(row, &mut name),
            offscreen: row.offscreen.then_some(true),
        }
    }
}

/// The content of a record: a masked value that changed behind its mask counts, coming into view does not.
fn digest_of(row: &Row, fields: &Json) -> u64 {
    digest(&row.fields) ^ digest(fields).rotate_left(1)
}

fn digests(states: &[(String, Json)]) -> Vec<(String, u64)> {
    states.iter().map(|(key, value)| (key.clone(), digest(value))).collect()
}

fn reference(record: &Record) -> RecordRef {
    RecordRef { id: record.id.clone(), kind: record.kind.clone() }
}

fn newest_of(mut notices: Vec<Feedback>, max: usize) -> Vec<Feedback> {
    notices.drain(..notices.len().saturating_sub(max));
    notices
}

fn visible_unavailable(
    entries: Vec<crate::wire::Unavailable>,
    list: &[Rc<Entry<Capability>>],
) -> Vec<crate::wire::Unavailable> {
    let visible = |entry: &crate::wire::Unavailable| {
        entry.capability.as_ref().is_none_or(|id| list.iter().any(|capability| capability.value.info.id == *id))
    };
    entries.into_iter().filter(visible).take(limits::UNAVAILABLE).collect()
}

/// The state as an object; a value above 8 KiB is left out and named.
fn bounded_states(
    states: Vec<(String, Json)>,
    incomplete: &mut Vec<String>,
    number_text: crate::wire::NumberText,
) -> Json {
    let fits = |value: &Json| {
        crate::wire::measure(value, crate::wire::Bounds::units(limits::STATE_UNITS), number_text).is_ok()
    };
    let mut shown = Vec::with_capacity(states.len());
    for (key, value) in states {
        if fits(&value) {
            shown.push((key, value));
        } else {
            incomplete.push(String::from("state:") + &key);
        }
    }
    Json::Object(shown)
}
