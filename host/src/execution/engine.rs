//! All executions together: admits, dispatches, times out and ends them; performs nothing (Host §5).

use super::record::Execution;
use super::results::Results;
use super::slot::{Admission, Slots};
use super::transition::{Happening, Phase, Transition, transition};
use super::{Millis, limits};
use pageport::wire::bridge::{AbortReason, ExecutionId, PageSessionId, Revision};
use std::collections::{BTreeMap, BTreeSet};

/// What the driver has to do, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Write the execution down.
    Save(ExecutionId),
    /// Send the page its invoke.
    Invoke(PageSessionId, ExecutionId),
    /// Tell the page that the host ended it, or wants it ended.
    Cancel(PageSessionId, ExecutionId, AbortReason),
    /// The page has nothing more to do with it: its events need not be kept.
    Settled(PageSessionId, ExecutionId),
}

/// Why an execution is not admitted, or a cancel not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// An earlier execution ended, but its handler may still run.
    PageBusy(ExecutionId),
    /// Too many are active.
    QueueFull,
    /// Nothing has this id.
    NotFound,
    /// It runs, and its operation cannot be cancelled.
    NotCancellable,
}

/// The executions that are active, and what is remembered of the others.
#[derive(Debug, Default)]
pub struct Engine {
    pub(super) all: BTreeMap<ExecutionId, Execution>,
    active: BTreeSet<ExecutionId>,
    pub(super) results: Results,
    pub(super) effects: Vec<Effect>,
}

impl Engine {
    /// An execution that is active or still remembered.
    #[must_use]
    pub fn get(&self, id: ExecutionId) -> Option<&Execution> {
        self.all.get(&id)
    }

    /// The executions that have not ended or still hold their page.
    pub fn active(&self) -> impl Iterator<Item = &Execution> {
        self.active.iter().filter_map(|id| self.all.get(id))
    }

    /// How many are active.
    #[must_use]
    pub fn active_count(&self) -> usize {
        self.active.len()
    }

    /// Executions that ended and are remembered, in no order that matters.
    pub fn ended(&self) -> impl Iterator<Item = &Execution> {
        self.all.values().filter(|it| !self.active.contains(&it.id))
    }

    /// What has to be done since this was last asked.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// An execution that ended but still holds this page.
    #[must_use]
    pub fn holder(&self, page: PageSessionId) -> Option<ExecutionId> {
        let is_held = |it: &&Execution| it.page == page && it.phase == Phase::Ended && it.is_held;
        self.active().find(is_held).map(|it| it.id)
    }

    /// Lets a new execution in, queued.
    ///
    /// # Errors
    ///
    /// [`Refused::PageBusy`] and [`Refused::QueueFull`].
    pub fn admit(&mut self, execution: Execution) -> Result<(), Refused> {
        if let Some(holder) = self.holder(execution.page) {
            return Err(Refused::PageBusy(holder));
        }
        if !Admission::of(self.active(), &execution.plugin, execution.page).has_room() {
            return Err(Refused::QueueFull);
        }
        self.effects.push(Effect::Save(execution.id));
        self.active.insert(execution.id);
        self.all.insert(execution.id, execution);
        Ok(())
    }

    /// Takes back an execution that could not be written down and was never dispatched.
    pub fn withdraw(&mut self, id: ExecutionId) {
        self.active.remove(&id);
        self.all.remove(&id);
        self.effects.retain(|effect| *effect != Effect::Save(id));
    }

    /// Forgets the oldest of those that are over when there are clearly more of them than there may be results.
    pub fn trim(&mut self) {
        if self.all.len() <= self.active.len() + limits::RESULTS + limits::REMEMBERED_SLACK {
            return;
        }
        let mut over: Vec<_> = self.ended().map(|it| (it.updated, it.id)).collect();
        over.sort_unstable();
        for (_, id) in &over[..over.len() - limits::RESULTS] {
            self.all.remove(id);
            self.results.drop(*id);
        }
    }

    /// Forgets only the result of an execution that is over.
    pub fn drop_outcome(&mut self, id: ExecutionId) {
        self.results.drop(id);
        if let Some(execution) = self.all.get_mut(&id) {
            execution.outcome = None;
        }
    }

    /// Notes the host's name for the cursor of a result.
    pub fn name_cursor(&mut self, id: ExecutionId, name: String) {
        if let Some(execution) = self.all.get_mut(&id) {
            execution.next_cursor = Some(name);
        }
    }

    /// Dispatches everything that has a slot; `can_send` tells whether a page's events have room.
    pub fn dispatch(&mut self, now: Millis, can_send: impl Fn(PageSessionId) -> bool) {
        let mut queue: Vec<&Execution> = self.active().filter(|it| it.phase == Phase::Queued).collect();
        queue.sort_by_key(|it| it.place());
        let mut slots = Slots::of(self.active());
        let mut chosen = Vec::new();
        for execution in queue {
            // A busy slot does not hold up those behind it.
            if slots.has_room(execution) && can_send(execution.page) {
                slots.take(execution);
                chosen.push(execution.id);
            }
        }
        for id in chosen {
            self.happen(id, Happening::Dispatch, now);
        }
    }

    /// Somebody cancels. Cancelling what has ended succeeds and changes nothing.
    ///
    /// # Errors
    ///
    /// [`Refused::NotFound`] and [`Refused::NotCancellable`].
    pub fn cancel(&mut self, id: ExecutionId, now: Millis) -> Result<(), Refused> {
        let execution = self.all.get(&id).ok_or(Refused::NotFound)?;
        if execution.phase == Phase::Claimed && !execution.rules.cancellable {
            return Err(Refused::NotCancellable);
        }
        self.happen(id, Happening::Cancel, now);
        Ok(())
    }

    /// Interrupts everything bound to the page that is not bound to `keep`.
    pub fn page_changed(&mut self, page: PageSessionId, keep: Option<Revision>, now: Millis) {
        self.interrupt(Happening::PageLost, now, |it| it.page == page && keep != Some(it.revision));
    }

    /// The session is over: nothing of it can still run.
    pub fn page_gone(&mut self, page: PageSessionId, on: Happening, now: Millis) {
        self.interrupt(on, now, |it| it.page == page);
        let held: Vec<_> = self.active().filter(|it| it.page == page).map(|it| it.id).collect();
        held.into_iter().for_each(|id| self.release(id));
    }

    /// Interrupts everything.
    pub fn stop(&mut self, now: Millis) {
        self.interrupt(Happening::HostStopped, now, |_| true);
    }

    /// Ends what is due.
    pub fn tick(&mut self, now: Millis) {
        let due: Vec<_> = self
            .active()
            .filter(|it| it.due().is_some_and(|due| due <= now))
            .map(|it| (it.id, expiry(it, now)))
            .collect();
        due.into_iter().for_each(|(id, on)| self.happen(id, on, now));
    }

    /// The next moment at which something ends by itself.
    #[must_use]
    pub fn next_due(&self) -> Option<Millis> {
        self.active().filter_map(Execution::due).min()
    }

    fn interrupt(&mut self, on: Happening, now: Millis, concerns: impl Fn(&Execution) -> bool) {
        let ids: Vec<_> = self.active().filter(|it| concerns(it)).map(|it| it.id).collect();
        ids.into_iter().for_each(|id| self.happen(id, on, now));
    }

    /// Lets go of page and slots once the execution has ended.
    pub(super) fn release(&mut self, id: ExecutionId) {
        let Some(execution) = self.all.get_mut(&id).filter(|it| it.phase == Phase::Ended) else { return };
        execution.is_held = false;
        if self.active.remove(&id) {
            self.effects.push(Effect::Settled(execution.page, id));
        }
    }

    pub(super) fn happen(&mut self, id: ExecutionId, on: Happening, now: Millis) {
        let Some(execution) = self.all.get_mut(&id) else { return };
        let Some(row) = transition(execution.phase, on) else { return };
        let was = execution.phase;
        execution.follow(row, now);
        mark(execution, on, now);
        self.effects.push(Effect::Save(id));
        self.tell(id, was, on, row);
        if self.all.get(&id).is_some_and(Execution::is_over) {
            self.active.remove(&id);
        }
    }

    fn tell(&mut self, id: ExecutionId, was: Phase, on: Happening, row: &Transition) {
        let Some(page) = self.all.get(&id).map(|it| it.page) else { return };
        if on == Happening::Dispatch {
            self.effects.push(Effect::Invoke(page, id));
        }
        if was != Phase::Queued
            && let Some(reason) = row.tell
        {
            self.effects.push(Effect::Cancel(page, id, reason));
        }
    }
}

/// Notes the times a happening fixes.
fn mark(execution: &mut Execution, on: Happening, now: Millis) {
    match on {
        Happening::Dispatch => {
            execution.started = Some(now);
            execution.deadline = Some(now.after(execution.rules.timeout_ms));
        }
        Happening::Claim => {
            execution.accepted = Some(now);
            execution.heard = Some(now);
        }
        _ => {}
    }
}

/// Which of its time limits an execution has reached.
fn expiry(execution: &Execution, now: Millis) -> Happening {
    let is_over = execution.deadline.is_some_and(|deadline| deadline <= now);
    match execution.phase {
        Phase::Queued => Happening::QueueDue,
        _ if is_over => Happening::DeadlineDue,
        Phase::Sent => Happening::ClaimDue,
        _ => Happening::SilenceDue,
    }
}
