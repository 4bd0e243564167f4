//! The state behind the service, and what keeps it in order: time, effects, the store.

use super::outbox::{Kept, Said};
use super::session::{Frame, Session};
use super::window::Window;
use super::{Settings, plugins};
use crate::execution::{Cursors, Effect, Engine, Happening, Millis, Phase, limits};
use crate::secret::Hash;
use crate::store::{Store, StoreError, UsedKey};
use pageport::wire::bridge::{BridgeEvent, Bye, ByeReason, Cancel, ExecutionId, Invoke, PageSessionId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) settings: Settings,
    pub(super) store: Store,
    pub(super) engine: Engine,
    pub(super) cursors: Cursors,
    pub(super) plugins: BTreeMap<String, plugins::Entry>,
    pub(super) sessions: BTreeMap<PageSessionId, Session>,
    pub(super) tokens: HashMap<Hash, PageSessionId>,
    pub(super) opens: HashMap<String, Window>,
    pub(super) is_stopping: bool,
    /// Numbers streams.
    pub(super) streams: u64,
    /// Effects that wait until what caused them is written down.
    pending: Vec<Effect>,
    unsaved: BTreeSet<ExecutionId>,
    /// Keys whose executions are not written down yet.
    pub(super) unsaved_keys: Vec<UsedKey>,
    store_retry: Option<Millis>,
    next_clean: Millis,
    armed: Option<Millis>,
    has_changed: bool,
}

impl Inner {
    pub(super) fn start(mut store: Store, settings: Settings, now: Millis) -> Result<Self, StoreError> {
        store.interrupt_unfinished(now)?;
        let plugins = plugins::restore(&mut store, settings.is_dev)?;
        Ok(Self {
            settings,
            store,
            engine: Engine::default(),
            cursors: Cursors::default(),
            plugins,
            sessions: BTreeMap::new(),
            tokens: HashMap::new(),
            opens: HashMap::new(),
            is_stopping: false,
            streams: 0,
            pending: Vec::new(),
            unsaved: BTreeSet::new(),
            unsaved_keys: Vec::new(),
            store_retry: None,
            next_clean: now,
            armed: None,
            has_changed: false,
        })
    }

    /// Ends what is due.
    pub(super) fn tick(&mut self, now: Millis) {
        self.engine.tick(now);
        let due = |due: Option<Millis>| due.is_some_and(|due| due <= now);
        let lost: Vec<_> = self.sessions.values().filter(|it| due(it.grace)).map(|it| it.id).collect();
        for id in lost {
            if let Some(session) = self.sessions.get_mut(&id) {
                session.grace = None;
                session.is_connected = false;
            }
            self.engine.page_changed(id, None, now);
        }
        let idle: Vec<_> = self.sessions.values().filter(|it| due(it.idle_due())).map(|it| it.id).collect();
        idle.into_iter().for_each(|id| self.end_session(id, Happening::PageLost, now));
        if self.next_clean <= now {
            self.next_clean = now.after(limits::CLEAN_MS);
            self.clean(now);
        }
    }

    /// Dispatches, writes down, then tells the pages.
    pub(super) fn settle(&mut self, now: Millis) {
        let sessions = &self.sessions;
        if !self.is_stopping {
            let has_room = |it: &Session| it.is_connected && it.outbox.has_room();
            self.engine.dispatch(now, |page| sessions.get(&page).is_some_and(has_room));
        }
        let effects = self.engine.take_effects();
        self.has_changed |= !effects.is_empty();
        for effect in &effects {
            if let Effect::Save(id) = effect {
                self.unsaved.insert(*id);
            }
        }
        self.pending.extend(effects);
        if self.save(now) {
            for effect in std::mem::take(&mut self.pending) {
                self.perform(effect, now);
            }
            // Only what is written down may be forgotten.
            self.engine.trim();
        }
    }

    /// Whether anything changed since this was last asked.
    pub(super) const fn take_change(&mut self) -> bool {
        std::mem::replace(&mut self.has_changed, false)
    }

    /// Whether everything that happened is written down.
    pub(super) fn is_saved(&self) -> bool {
        self.unsaved.is_empty()
    }

    /// Takes an execution back that was admitted a moment ago and could not be written down.
    pub(super) fn withdraw(&mut self, id: ExecutionId) {
        self.engine.withdraw(id);
        self.unsaved.remove(&id);
        self.unsaved_keys.retain(|key| key.execution != id);
        let concerns = |effect: &Effect| match *effect {
            Effect::Save(of) | Effect::Invoke(_, of) | Effect::Cancel(_, of, _) | Effect::Settled(_, of) => of == id,
        };
        self.pending.retain(|effect| !concerns(effect));
    }

    fn save(&mut self, now: Millis) -> bool {
        if self.unsaved.is_empty() {
            return true;
        }
        let executions = self.unsaved.iter().filter_map(|id| self.engine.get(*id));
        match self.store.save(executions, &self.unsaved_keys) {
            Ok(()) => {
                self.unsaved.clear();
                self.unsaved_keys.clear();
                self.store_retry = None;
            }
            Err(error) => {
                tracing::error!("the store failed: {error}");
                self.store_retry = Some(now.after(limits::STORE_RETRY_MS));
            }
        }
        self.unsaved.is_empty()
    }

    fn perform(&mut self, effect: Effect, now: Millis) {
        match effect {
            Effect::Save(id) => {
                let ended = self.engine.get(id).filter(|it| it.phase == Phase::Ended).map(|it| it.page);
                if let Some(session) = ended.and_then(|page| self.sessions.get_mut(&page)) {
                    session.outbox.end(id);
                }
            }
            Effect::Invoke(page, id) => self.say(page, id, Said::Invoke, now),
            Effect::Cancel(page, id, reason) => self.say(page, id, Said::Cancel(reason), now),
            Effect::Settled(page, id) => {
                if let Some(session) = self.sessions.get_mut(&page) {
                    session.outbox.settle(id);
                }
            }
        }
    }

    fn say(&mut self, page: PageSessionId, id: ExecutionId, said: Said, now: Millis) {
        let Some(session) = self.sessions.get_mut(&page) else { return };
        let kept = session.outbox.push(id, said);
        if let Some(frame) = self.frame(kept, now)
            && let Some(session) = self.sessions.get_mut(&page)
        {
            session.send(frame, now);
        }
    }

    /// The text of an event as it is now; `None` when nothing is known of its execution any more.
    pub(super) fn frame(&self, kept: Kept, now: Millis) -> Option<Frame> {
        let execution_id = kept.execution;
        let event = match kept.said {
            Said::Cancel(reason) => BridgeEvent::Cancel(Cancel { execution_id, reason }),
            Said::Invoke => {
                let it = self.engine.get(execution_id)?;
                let remaining = now.until(it.deadline.unwrap_or(now));
                BridgeEvent::Invoke(Invoke {
                    execution_id,
                    operation_id: it.operation.to_string(),
                    revision: it.revision,
                    reload_count: 0,
                    remaining_ms: f64_of(remaining),
                })
            }
        };
        let data = serde_json::to_string(&event).ok()?;
        Some(Frame::Event(format!("id: {}\ndata: {data}\n\n", kept.number)))
    }

    /// Ends a session and everything bound to it.
    pub(super) fn end_session(&mut self, id: PageSessionId, on: Happening, now: Millis) {
        let Some(session) = self.sessions.remove(&id) else { return };
        self.tokens.remove(&session.token);
        self.engine.page_gone(id, on, now);
    }

    pub(super) fn stop(&mut self, now: Millis) {
        self.is_stopping = true;
        self.engine.stop(now);
        // The pages hear of the cancels before they hear that the host stops.
        self.settle(now);
        for session in self.sessions.values_mut() {
            session.send(bye(ByeReason::Stopping), now);
        }
    }

    fn clean(&mut self, now: Millis) {
        let late = |it: &&crate::execution::Execution| it.result_expires().is_some_and(|expires| expires <= now);
        let expired: Vec<_> = self.engine.ended().filter(late).map(|it| it.id).collect();
        expired.into_iter().for_each(|id| self.engine.drop_outcome(id));
        let active: Vec<_> = self.engine.active().map(|it| it.id).collect();
        let oldest = Millis(now.0.saturating_sub(limits::HISTORY_MS));
        if let Err(error) = self.store.clean(now, oldest, limits::HISTORY, &active) {
            tracing::error!("the history could not be cleaned: {error}");
        }
    }

    /// The next moment at which something happens by itself; the timer waits for it.
    pub(super) fn arm(&mut self) -> Option<Millis> {
        self.armed = self.next_due();
        self.armed
    }

    /// Whether something is due before the timer looks again.
    pub(super) fn is_due_earlier(&self) -> bool {
        let due = self.next_due();
        due.is_some_and(|due| self.armed.is_none_or(|armed| due < armed))
    }

    fn next_due(&self) -> Option<Millis> {
        let sessions = self.sessions.values().filter_map(Session::next_due).min();
        [self.engine.next_due(), sessions, self.store_retry, Some(self.next_clean)].into_iter().flatten().min()
    }
}

/// The frame that ends a stream; it has no number.
pub(super) fn bye(reason: ByeReason) -> Frame {
    let event = BridgeEvent::Bye(Bye { reason });
    Frame::Last(format!("data: {}\n\n", serde_json::to_string(&event).unwrap_or_default()))
}

/// Milliseconds as the wire writes them.
#[expect(clippy::cast_precision_loss, reason = "a double holds every time limit exactly")]
pub(super) fn f64_of(ms: u64) -> f64 {
    ms as f64
}
