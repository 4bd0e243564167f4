//! Step 7 of `invoke`: availability, approval, the second look, the executor, and what is looked at afterwards
//! (Surface §2, §4, §6).

use super::call::{Call, CallId, Effect, Ending, Failed, Now, Phase, Ran, Start, Stop};
use super::context::{blocks, is_record_id};
use super::digest::sha256_hex;
use super::pipeline::business;
use super::{Confirmation, Grant, Kernel, Presented, User};
use crate::wire::{
    Approval, ApprovalBinding, BusinessCode, CapabilityInfo, Certainty, ConfirmRequest, Effect as Impact, Issue, Json,
    ProtocolCode, ProtocolError, RecordRef, canonical, limits,
};
use std::rc::Rc;

/// Whether one yes may stand for the next ones: never where it is always asked, nor for what cannot be undone.
fn is_rememberable(info: &CapabilityInfo) -> bool {
    info.approval == Approval::Ask && info.effect != Impact::Destructive
}

impl Kernel {
    /// Step 6, by the schema; then by the validator that the declaration brought along.
    pub(super) fn validated(
        &mut self,
        now: Now,
        call: &mut Call,
        issues: Vec<Issue>,
        record: Option<String>,
    ) -> Result<Effect, Stop> {
        if !issues.is_empty() {
            return Err(Stop::Protocol(ProtocolError::invalid(issues)));
        }
        call.named_record = record;
        if call.capability.as_ref().is_some_and(|entry| entry.value.hooks.refines) {
            call.phase = Phase::Refinement;
            call.due_ms = now.mono_ms + limits::GUARD_MS;
            return Ok(Effect::Refine);
        }
        self.refined(now, call, Ok(Vec::new()))
    }

    /// The end of step 6; a validator that fails lets nothing pass. Then 7a: the capability and its record are available.
    pub(super) fn refined(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<Vec<Issue>, Failed>,
    ) -> Result<Effect, Stop> {
        let refused = answer.unwrap_or_else(|Failed| vec![Issue::of_validator(String::new())]);
        if !refused.is_empty() {
            return Err(Stop::Protocol(ProtocolError::invalid(refused)));
        }
        let record = call.named_record.take();
        if let Some(param) = call.capability.as_ref().and_then(|entry| entry.value.info.record.clone()) {
            let id = record.filter(|id| is_record_id(id)).ok_or(BusinessCode::RecordNotAvailable)?;
            call.record = Some(RecordRef { id, kind: param.kind });
        }
        call.phase = Phase::Availability;
        self.begin_availability(now, call)
    }

    /// Steps 7a and 7d: asks what is unavailable, and the source for the record.
    pub(super) fn begin_availability(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        let Some(grant) = call.session.clone() else { return Err(ProtocolCode::Internal.into()) };
        call.begin_reading();
        let view = self.view(&grant);
        call.reading.of_unavailable(&self.registry, view);
        if let Some(record) = &call.record {
            let source = self.registry.visible_source(&record.kind, view).ok_or(BusinessCode::RecordNotAvailable)?;
            call.reading.of_record(source, &record.id, true);
        }
        self.next_availability(now, call)
    }

    pub(super) fn read_availability(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<Json, Failed>,
    ) -> Result<Effect, Stop> {
        self.take_read(call, answer);
        self.next_availability(now, call)
    }

    pub(super) fn next_availability(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        if let Some(effect) = self.next_read(now, call) {
            return Ok(effect);
        }
        let reading = &call.reading;
        let mut capability_blocked = reading.unavailable_failed;
        let mut record_blocked = call.record.is_some() && reading.rows.is_empty();
        for entry in &reading.unavailable {
            if blocks(entry, &call.capability_id, call.record.as_ref()) {
                capability_blocked |= entry.record.is_none();
                record_blocked |= entry.record.is_some();
            }
        }
        if capability_blocked {
            return Err(BusinessCode::PreconditionFailed.into());
        }
        if record_blocked {
            return Err(BusinessCode::RecordNotAvailable.into());
        }
        call.fields_before = reading.rows.first().map(|row| row.fields.clone());
        if call.phase == Phase::AvailabilityAgain {
            call.phase = Phase::LastCheck;
            return Ok(Effect::ResolveSession { now_only: true });
        }
        call.waited = false;
        self.approve(now, call)
    }

    /// Step 7b, when a person has to confirm; else 7c.
    pub(super) fn approve(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        let (Some(grant), Some(entry)) = (&call.session, &call.capability) else {
            return Err(ProtocolCode::Internal.into());
        };
        let asks = match entry.value.info.approval {
            Approval::None => false,
            Approval::Always => true,
            Approval::Ask => {
                let handle = entry.handle;
                !is_rememberable(&entry.value.info)
                    || !self.sessions.recall(grant).is_ok_and(|shown| shown.is_remembered(handle))
            }
        };
        if asks {
            if !self.config.own_gate && self.is_gate_full(&grant.session_id) {
                self.report("too many confirmations wait for the person", Some(call.capability_id.clone()), None);
                return Err(BusinessCode::ApprovalDenied.into());
            }
            call.phase = Phase::Arguments;
            return Ok(Effect::ReadArguments);
        }
        Ok(self.begin_again(now, call))
    }

    /// Whether the built-in dialog takes no further confirmation; the one that is shown counts as waiting.
    fn is_gate_full(&self, session_id: &str) -> bool {
        let of_session = |grant: &&Rc<Grant>| grant.session_id == session_id;
        let waiting = || self.confirming().filter_map(|call| call.session.as_ref());
        waiting().count() >= limits::APPROVALS_PAGE || waiting().filter(of_session).count() >= limits::APPROVALS_SESSION
    }

    /// Whether the answer to a call's confirmation may be remembered.
    #[must_use]
    pub fn may_remember(&self, id: CallId) -> bool {
        self.call(id).and_then(|call| call.capability.as_ref()).is_some_and(|entry| is_rememberable(&entry.value.info))
    }

    pub(super) fn ask(&mut self, now: Now, call: &mut Call, arguments: Json) -> Result<Effect, Stop> {
        let (Some(grant), Some(entry)) = (&call.session, &call.capability) else {
            return Err(ProtocolCode::Internal.into());
        };
        let info = &entry.value.info;
        call.arguments_hash = sha256_hex(&canonical(&arguments, self.config.number_text));
        let binding = ApprovalBinding {
            user_id: grant.user_id.clone(),
            agent_id: grant.agent_id.clone(),
            session_id: grant.session_id.clone(),
            capability: info.id.clone(),
            record: call.record.clone(),
            arguments_hash: call.arguments_hash.clone(),
            request_id: call.request_id.clone().unwrap_or_default(),
            expires_at: now.wall_ms + limits::APPROVAL_MS,
        };
        let request = ConfirmRequest {
            capability: info.id.clone(),
            description: info.description.clone(),
            effect: info.effect,
            record: call.record.clone(),
            input: arguments,
            agent_id: grant.agent_id.clone(),
            binding,
        };
        call.phase = Phase::Confirmation;
        call.due_ms = now.mono_ms + limits::APPROVAL_MS;
        Ok(Effect::Confirm(Box::new(request)))
    }

    pub(super) fn confirmed(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<Confirmation, Failed>,
    ) -> Result<Effect, Stop> {
        let confirmation = match answer {
            Ok(confirmation) if confirmation.approved => confirmation,
            _ => return Err(BusinessCode::ApprovalDenied.into()),
        };
        if let Err(phrase) = self.materials.remember(&confirmation, &call.arguments_hash) {
            self.report(phrase, Some(call.capability_id.clone()), None);
            return Err(BusinessCode::ApprovalDenied.into());
        }
        let (Some(grant), Some(entry)) = (&call.session, &call.capability) else {
            return Err(ProtocolCode::Internal.into());
        };
        if confirmation.remember && is_rememberable(&entry.value.info) {
            let handle = entry.handle;
            // A session that was taken over meanwhile is refused at 7c.
            if let Ok(shown) = self.sessions.recall(grant) {
                shown.remember(handle);
            }
        }
        call.confirmation = Some(confirmation);
        Ok(self.begin_again(now, call))
    }

    /// Step 7c.
    pub(super) fn begin_again(&mut self, now: Now, call: &mut Call) -> Effect {
        call.phase = Phase::SessionAgain;
        call.due_ms = now.mono_ms + limits::GUARD_MS;
        Effect::ResolveSession { now_only: false }
    }

    pub(super) fn resolved_again(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<(Presented, User), Failed>,
    ) -> Result<Effect, Stop> {
        self.check_again(now, call, answer)?;
        self.begin_before(now, call)
    }

    /// The rules of 7c, on a session resolved anew.
    pub(super) fn check_again(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<(Presented, User), Failed>,
    ) -> Result<(), ProtocolCode> {
        call.session = Some(self.admit(now, call, answer)?);
        self.same_registration(call)
    }

    /// `ctx.checkSession`: whether the session, resolved anew, still allows the capability of a running executor.
    ///
    /// # Errors
    /// The code that says why not; `SESSION_INVALID` when the call is over.
    pub fn recheck(
        &mut self,
        now: Now,
        slot: u32,
        ticket: u32,
        answer: Result<(Presented, User), Failed>,
    ) -> Result<(), ProtocolCode> {
        let now = self.advance(now);
        let Some(mut call) = self.take_running(slot, ticket) else { return Err(ProtocolCode::SessionInvalid) };
        let outcome = self.check_again(now, &mut call, answer);
        self.return_running(slot, call);
        outcome
    }

    /// The state before a call that may change something; read ahead of 7d, so that nothing waits after it.
    pub(super) fn begin_before(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        let (Some(grant), Some(entry)) = (call.session.clone(), call.capability.clone()) else {
            return Err(ProtocolCode::Internal.into());
        };
        call.begin_reading();
        if entry.value.info.effect != Impact::Read {
            call.reading.of_states(&self.registry, self.view(&grant));
        }
        call.phase = Phase::Before;
        self.read_before(now, call)
    }

    pub(super) fn read_before(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        if let Some(effect) = self.next_read(now, call) {
            return Ok(effect);
        }
        call.states_before = std::mem::take(&mut call.reading.states);
        // Step 7d, when anything since 7a had to be waited for.
        if call.waited {
            call.phase = Phase::AvailabilityAgain;
            return self.begin_availability(now, call);
        }
        call.phase = Phase::LastCheck;
        Ok(Effect::ResolveSession { now_only: true })
    }

    /// Step 7e: the last look before the executor, with nothing in between.
    pub(super) fn last_check(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Option<Result<(Presented, User), Failed>>,
    ) -> Result<Effect, Stop> {
        match answer {
            Some(answer) => self.check_again(now, call, answer)?,
            None => {
                let expired = call.session.as_ref().is_none_or(|grant| now.wall_ms >= grant.expires_at);
                if expired {
                    return Err(ProtocolCode::SessionExpired.into());
                }
                self.same_registration(call)?;
            }
        }
        let (Some(session), Some(entry)) = (call.session.clone(), &call.capability) else {
            return Err(ProtocolCode::Internal.into());
        };
        call.phase = Phase::Executor;
        call.run_due_ms = now.mono_ms + entry.value.timeout_ms;
        call.due_ms = call.run_due_ms;
        let confirmation = call.confirmation.as_ref();
        Ok(Effect::Execute(Box::new(Start {
            capability: entry.handle,
            record: call.record.clone(),
            session,
            request_id: call.request_id.clone().unwrap_or_default(),
            receipt: confirmation.and_then(|confirmation| confirmation.receipt.clone()),
            confirmed: confirmation.is_some(),
        })))
    }

    pub(super) fn executed(&mut self, now: Now, call: &mut Call, ran: Ran) -> Effect {
        let (error, executed) = match ran {
            Ran::Output => (None, Certainty::Yes),
            Ran::BadOutput => (Some(business(BusinessCode::InvalidOutput)), Certainty::Yes),
            Ran::Threw => (Some(business(BusinessCode::ExecutionFailed)), Certainty::Yes),
            Ran::Raised(raised) => {
                let executed = if raised.not_executed { Certainty::No } else { Certainty::Yes };
                (Some(raised.error), executed)
            }
        };
        let expects = error.is_none() && call.capability.as_ref().is_some_and(|entry| entry.value.hooks.expects);
        call.ending = Some(Ending { error, executed, failed_expectation: false });
        if expects {
            call.phase = Phase::Expectation;
            call.due_ms = call.run_due_ms;
            return Effect::Expect;
        }
        self.settle(now, call)
    }

    pub(super) fn expected(&mut self, now: Now, call: &mut Call, held: bool) -> Effect {
        if !held && let Some(ending) = &mut call.ending {
            ending.error = Some(business(BusinessCode::ExpectationFailed));
            ending.failed_expectation = true;
        }
        self.settle(now, call)
    }

    /// Lets the page's framework flush before anything is looked at.
    pub(super) fn settle(&mut self, now: Now, call: &mut Call) -> Effect {
        if !self.config.settles {
            return self.look(now, call);
        }
        call.phase = Phase::Settling;
        call.due_ms = now.mono_ms + limits::SETTLE_MS;
        Effect::Settle
    }

    pub(super) fn look(&mut self, now: Now, call: &mut Call) -> Effect {
        call.phase = Phase::After;
        self.begin_after(call);
        self.next_after(now, call)
    }

    pub(super) fn read_after(&mut self, now: Now, call: &mut Call, answer: Result<Json, Failed>) -> Effect {
        self.take_read(call, answer);
        self.next_after(now, call)
    }

    pub(super) fn next_after(&mut self, now: Now, call: &mut Call) -> Effect {
        match self.next_read(now, call) {
            Some(effect) => effect,
            None => {
                let after = self.compare(call);
                self.finish(now, call, after)
            }
        }
    }
}
