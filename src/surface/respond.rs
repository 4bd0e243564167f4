//! Steps 8 and 9: the response, stripped and bounded, and what is new for this session (Surface §3, §4).

use super::call::{Call, Effect, Now, Phase, Reply};
use super::context::{Reading, Row};
use super::digest::{digest, hex, text_digest};
use super::registry::Entry;
use super::show::{first_units, show_fields};
use super::shown::{Shown, difference, listing};
use super::{Capability, Grant, Kernel};
use crate::wire::{
    AfterCapabilities, AfterDelta, Bounds, Certainty, Context, ContextPage, DescribeResponse, DescribeResult,
    Effect as Impact, Feedback, Fidelity, InvokeResponse, InvokeResult, InvokeStatus, Json, NumberText, Outcome,
    PageIdentity, Record, SessionInfo, SessionLimits, Totals, Unavailable, limits, measure, to_text,
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
        let list = self.list(&grant);
        let mut reading = std::mem::take(&mut call.reading);
        if list.is_empty() {
            // Nothing is exposed, or no longer: then nothing is shown either.
            reading = reading.blank();
        }
        let (listing, revision) = listing(&list);
        let notices = self.notices_since(0, &grant);
        let newest = self.notices.last().map_or(0, |notice| notice.number);
        let unavailable = self.visible_unavailable(&mut reading, &list, &grant);
        // A session that was taken over since step 2 has an empty memory of its own from here on.
        let mut unknown = Shown::default();
        let shown = self.sessions.recall(&grant).unwrap_or(&mut unknown);
        let delta = call.since.as_deref().and_then(|since| shown.delta(since, &list));
        let mut naming = Naming { shown, secret: self.config.secret, session_id: &grant.session_id };
        let records: Vec<Record> = reading.rows.iter().map(|row| naming.record(row)).collect();
        let totals = Totals {
            records: reading.total,
            record_ids: reading.total,
            capabilities: list.len() as f64,
            feedback: notices.len() as f64,
            unavailable: unavailable.len() as f64,
        };
        let window = reading.record_window(records.len() as f64);
        let mut result = DescribeResult {
            page: PageIdentity {
                app: self.config.app.clone(),
                page_session_id: self.config.page_session_id.clone(),
                title: String::new(),
                route: String::new(),
            },
            capability_revision: revision.clone(),
            capabilities: delta.is_none().then(|| list.iter().map(|entry| Rc::clone(&entry.value.info)).collect()),
            capability_delta: delta,
            context: Context {
                page: ContextPage { route: reading.route, title: reading.title, object: reading.object },
                regions: reading.regions,
                records,
                record_ids: reading.ids,
                record_window: window,
                state: Json::Object(reading.states.clone()),
                feedback: newest_of(notices, limits::FEEDBACK),
                unavailable,
                incomplete: reading.incomplete,
                totals,
            },
            session: self.session_info(&grant),
        };
        result.context.unavailable.truncate(limits::UNAVAILABLE);
        self.clean_context(&mut result.context);
        result.page.title.clone_from(&result.context.page.title);
        result.page.route.clone_from(&result.context.page.route);
        super::cut::fit(&mut result, self.config.max_result_units, self.config.number_text);
        // Only what leaves counts as shown.
        let mut unknown = Shown::default();
        let shown = self.sessions.recall(&grant).unwrap_or(&mut unknown);
        shown.note_capabilities(&revision, &listing);
        shown.notice = newest;
        for (place, row) in reading.rows.iter().enumerate().take(result.context.records.len()) {
            if is_repeated(&reading.rows, place) {
                continue;
            }
            shown.note_record(&row.source.value.reference(&row.id), digest(&row.fields));
        }
        if let Some(spec) = reading.spec {
            shown.window = Some(spec);
        }
        reading.states.retain(|(key, _)| result.context.state.get(key).is_some());
        shown.states = Some(digests(&reading.states));
        let text = to_text(&DescribeResponse::new(call.request_id.clone(), result), self.config.number_text);
        self.audit(now, call, Outcome::Ok, None, false);
        Effect::Respond(Reply::Text(text))
    }

    /// What the page says is unavailable, as far as the session may know of it, and what it asked for in vain.
    fn visible_unavailable(
        &self,
        reading: &mut Reading,
        list: &[Rc<Entry<Capability>>],
        grant: &Grant,
    ) -> Vec<Unavailable> {
        let mut entries = std::mem::take(&mut reading.unavailable);
        entries.retain(|entry| {
            let capability = entry.capability.as_ref();
            let kind = entry.record.as_ref().and_then(|record| record.kind.as_ref());
            capability.is_none_or(|id| list.iter().any(|known| known.value.info.id == *id))
                && kind.is_none_or(|kind| self.registry.visible_source(kind, self.view(grant)).is_some())
        });
        entries.append(&mut reading.missing);
        entries
    }

    /// Takes material out of everything an agent sees, and cuts it then.
    fn clean_context(&self, context: &mut Context) {
        let materials = &self.materials;
        materials.clean_text(&mut context.page.title);
        materials.clean_text(&mut context.page.route);
        context.page.object.iter_mut().for_each(|object| materials.clean(object));
        self.clean_records(&mut context.records);
        context.record_ids.iter_mut().for_each(|record| materials.strip_text(&mut record.id));
        materials.clean(&mut context.state);
        bound_states(&mut context.state, &mut context.incomplete, self.config.number_text);
        self.clean_feedback(&mut context.feedback);
        for entry in &mut context.unavailable {
            materials.clean_text(&mut entry.reason);
            entry.record.iter_mut().for_each(|record| materials.strip_text(&mut record.id));
        }
    }

    fn clean_records(&self, records: &mut [Record]) {
        for record in records {
            self.materials.strip_text(&mut record.id);
            self.materials.clean(&mut record.fields);
        }
    }

    fn clean_feedback(&self, feedback: &mut [Feedback]) {
        for item in feedback {
            self.materials.clean_text(&mut item.text);
            item.field.iter_mut().for_each(|field| self.materials.strip_text(field));
        }
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
        call.begin_reading();
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
            && let Some(source) = self.registry.visible_source(&record.kind, view)
        {
            reading.of_record(source, &record.id, false);
        }
        if knows_records {
            for record in shown.records().filter(|record| call.record.as_ref() != Some(record)) {
                let source = self.registry.visible_source(&record.kind, view);
                if let Some(source) = source.filter(|source| source.value.gets) {
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
        if let Some(old) = &shown.states {
            for (digest, value) in digests(&reading.states).iter().zip(&reading.states) {
                if !old.contains(digest) {
                    state.push(value.clone());
                }
            }
        }
        let newest = self.notices.last().map_or(shown.notice, |notice| notice.number);
        shown.notice = newest;
        let removed_records =
            reading.gone.iter().filter(|record| shown.forget_record(record).is_some()).cloned().collect();
        let mut naming = Naming { shown, secret, session_id: &grant.session_id };
        let mut rows: Vec<&Row> = Vec::new();
        let mut records: Vec<Record> = Vec::new();
        for (place, row) in reading.rows.iter().enumerate() {
            let content = naming.shown.content_of(&row.source.value.reference(&row.id));
            let is_news = match content {
                Some(content) => content != digest(&row.fields),
                None => row.in_window,
            };
            if is_news && !is_repeated(&reading.rows, place) {
                rows.push(row);
                records.push(naming.record(row));
            }
        }
        let mut after = AfterDelta {
            capabilities,
            records,
            removed_records,
            state: Json::Object(state),
            feedback,
            truncated: false,
        };
        self.clean_after(&mut after);
        super::cut::cut_after(&mut after, self.config.number_text);
        // Only what leaves counts as shown.
        let shown = self.sessions.recall(&grant).ok()?;
        for row in rows.iter().take(after.records.len()) {
            shown.note_record(&row.source.value.reference(&row.id), digest(&row.fields));
        }
        if let Some(old) = &mut shown.states {
            for ((key, digest), (_, value)) in digests(&reading.states).into_iter().zip(&reading.states) {
                let unchanged = old.iter().any(|known| known.0 == key && known.1 == digest);
                if !unchanged && (after.state.get(&key).is_some() || value.is_null()) {
                    old.retain(|known| known.0 != key);
                    old.push((key, digest));
                }
            }
        }
        let is_new = !after.capabilities.added.is_empty()
            || !after.capabilities.removed.is_empty()
            || !after.records.is_empty()
            || !after.removed_records.is_empty()
            || after.state != Json::Object(Vec::new())
            || !after.feedback.is_empty();
        is_new.then_some(after)
    }

    fn clean_after(&self, after: &mut AfterDelta) {
        self.clean_records(&mut after.records);
        after.removed_records.iter_mut().for_each(|record| self.materials.strip_text(&mut record.id));
        self.materials.clean(&mut after.state);
        bound_states(&mut after.state, &mut Vec::new(), self.config.number_text);
        self.clean_feedback(&mut after.feedback);
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
        } else if ending.failed_expectation {
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
            self.materials.strip_text(&mut error.message);
            first_units(&mut error.message, limits::MESSAGE_UNITS);
            error.details.iter_mut().for_each(|details| self.strip(details));
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

/// Whether an earlier row is of the same record: a source may yield one twice, and it is looked at by its id too.
fn is_repeated(rows: &[Row], place: usize) -> bool {
    let row = &rows[place];
    rows.iter().take(place).any(|known| known.id == row.id && known.source.handle == row.source.handle)
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

fn digests(states: &[(String, Json)]) -> Vec<(String, u64)> {
    states.iter().map(|(key, value)| (key.clone(), digest(value))).collect()
}

fn newest_of(mut notices: Vec<Feedback>, max: usize) -> Vec<Feedback> {
    notices.drain(..notices.len().saturating_sub(max));
    notices
}

/// Leaves out values above 8 KiB and names them.
fn bound_states(state: &mut Json, incomplete: &mut Vec<String>, number_text: NumberText) {
    let Json::Object(members) = state else { return };
    members.retain(|(key, value)| {
        let fits = measure(value, Bounds::units(limits::STATE_UNITS), number_text).is_ok();
        if !fits {
            incomplete.push(String::from("state:") + key);
        }
        fits
    });
}
