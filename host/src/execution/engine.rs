//! All executions together: admits, dispatches, times out and ends them; performs nothing (Host §5).

use super::record::Execution;
use super::slot::{Admission, Slots};
use super::transition::{Happening, Phase, Transition, transition};
use super::{Certainty, State};
use super::{Millis, limits};
use pageport::wire::bridge::{
    AbortReason, AttemptId, BridgeCode, ExecutionId, OperationResult, PageSessionId, Revision,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

/// What a claim starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Milliseconds until the deadline.
    pub remaining_ms: u64,
}

/// A page's last word on an execution.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it says happened.
    pub on: Happening,
    /// Whether the handler has settled.
    pub stopped: bool,
    /// Whether it ran at all.
    pub started: bool,
    /// The result, when it says `succeeded` and the result passed.
    pub outcome: Option<Arc<OperationResult>>,
}

/// The executions that are active, and what is remembered of the others.
#[derive(Debug, Default)]
pub struct Engine {
    all: BTreeMap<ExecutionId, Execution>,
    active: BTreeSet<ExecutionId>,
    effects: Vec<Effect>,
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

    /// Forgets an execution that is over.
    pub fn forget(&mut self, id: ExecutionId) {
        if !self.active.contains(&id) {
            self.all.remove(&id);
        }
    }

    /// Forgets only the result of an execution that is over.
    pub fn drop_outcome(&mut self, id: ExecutionId) {
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

    /// The page takes over; repeating the attempt gives the same answer.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn claim(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        attempt: AttemptId,
        now: Millis,
    ) -> Result<Claimed, BridgeCode> {
        let execution = self.owned(id, page, revision)?;
        match execution.phase {
            Phase::Queued => return Err(BridgeCode::NotFound),
            Phase::Ended => return Err(BridgeCode::ExecutionEnded),
            Phase::Claimed | Phase::Cancelling if execution.attempt != Some(attempt) => {
                return Err(BridgeCode::AlreadyClaimed);
            }
            Phase::Sent | Phase::Claimed | Phase::Cancelling => {}
        }
        let remaining_ms = now.until(execution.deadline.unwrap_or(now));
        self.happen(id, Happening::Claim, now);
        if let Some(execution) = self.all.get_mut(&id) {
            execution.attempt = Some(attempt);
        }
        Ok(Claimed { remaining_ms })
    }

    /// The page will not run it.
    ///
    /// # Errors
    ///
    /// What the page is answered; a repeated reject is accepted.
    pub fn reject(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        on: Happening,
        now: Millis,
    ) -> Result<(), BridgeCode> {
        match self.owned(id, page, revision)?.phase {
            Phase::Queued => return Err(BridgeCode::NotFound),
            Phase::Claimed | Phase::Cancelling => return Err(BridgeCode::AlreadyClaimed),
            Phase::Sent | Phase::Ended => {}
        }
        self.happen(id, on, now);
        Ok(())
    }

    /// The page is alive; answers whether a cancel was asked for.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn heartbeat(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        progress: Option<f64>,
        now: Millis,
    ) -> Result<bool, BridgeCode> {
        let execution = self.owned(id, page, revision)?;
        match execution.phase {
            Phase::Queued | Phase::Sent => Err(BridgeCode::NotFound),
            Phase::Ended => Err(BridgeCode::ExecutionEnded),
            Phase::Claimed | Phase::Cancelling => {
                let requested = execution.cancel_requested;
                if let Some(execution) = self.all.get_mut(&id) {
                    execution.heard = Some(now);
                    execution.progress = progress.or(execution.progress);
                }
                Ok(requested)
            }
        }
    }

    /// The page's last word; the first one wins, later ones only say that it stopped.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn complete(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        report: Report,
        now: Millis,
    ) -> Result<(), BridgeCode> {
        let phase = self.owned(id, page, revision)?.phase;
        let reports_cancel =
            matches!(report.on, Happening::PageAborted | Happening::PageTimedOut | Happening::PageCancelled);
        if phase == Phase::Queued || (phase == Phase::Sent && !reports_cancel) {
            return Err(BridgeCode::NotFound);
        }
        if phase == Phase::Ended {
            self.late(id, &report, reports_cancel, now);
            return Ok(());
        }
        self.happen(id, report.on, now);
        if let Some(execution) = self.all.get_mut(&id) {
            if execution.state == State::Succeeded {
                execution.outcome = report.outcome;
            }
            if !report.started {
                execution.certainty = Certainty::NotStarted;
            }
        }
        if report.stopped {
            self.release(id);
        }
        Ok(())
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

    fn owned(&self, id: ExecutionId, page: PageSessionId, revision: Revision) -> Result<&Execution, BridgeCode> {
        let execution = self.all.get(&id).filter(|it| it.page == page).ok_or(BridgeCode::NotFound)?;
        if execution.revision == revision { Ok(execution) } else { Err(BridgeCode::StaleRevision) }
    }

    fn interrupt(&mut self, on: Happening, now: Millis, concerns: impl Fn(&Execution) -> bool) {
        let ids: Vec<_> = self.active().filter(|it| concerns(it)).map(|it| it.id).collect();
        ids.into_iter().for_each(|id| self.happen(id, on, now));
    }

    fn late(&mut self, id: ExecutionId, report: &Report, reports_cancel: bool, now: Millis) {
        let Some(execution) = self.all.get_mut(&id) else { return };
        let before = (execution.cancel_confirmed, execution.certainty);
        execution.cancel_confirmed |= reports_cancel && execution.cancel_requested;
        if !report.started {
            execution.certainty = Certainty::NotStarted;
        }
        if before != (execution.cancel_confirmed, execution.certainty) {
            execution.updated = now;
            self.effects.push(Effect::Save(id));
        }
        if report.stopped {
            self.release(id);
        }
    }

    /// Lets go of page and slots once the execution has ended.
    fn release(&mut self, id: ExecutionId) {
        let Some(execution) = self.all.get_mut(&id).filter(|it| it.phase == Phase::Ended) else { return };
        execution.is_held = false;
        if self.active.remove(&id) {
            self.effects.push(Effect::Settled(execution.page, id));
        }
    }

    fn happen(&mut self, id: ExecutionId, on: Happening, now: Millis) {
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

impl Engine {
    /// How many are active.
    #[must_use]
    pub fn active_count(&self) -> usize {
        self.active.len()
    }

    /// Executions that ended and are remembered, in no order that matters.
    pub fn ended(&self) -> impl Iterator<Item = &Execution> {
        self.all.values().filter(|it| !self.active.contains(&it.id))
    }

    /// Whether more is remembered than there may be results.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.all.len() > self.active.len() + limits::RESULTS
    }
}
