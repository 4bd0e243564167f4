//! The steps of `describe`, and of `invoke` up to its input, in their order (Surface §2). Step 7 is in `execution`.

use super::call::{Call, CallId, Effect, Ending, Failed, Input, Now, Phase, Stop};
use super::context::Reading;
use super::options::Options;
use super::shown::Shown;
use super::{Claim, Grant, Kernel, Presented, Report, User};
use crate::schema::{Kind, Value};
use crate::wire::{BusinessCode, BusinessError, Certainty, Json, ProtocolCode, ProtocolError, limits};
use std::rc::Rc;

impl From<ProtocolCode> for Stop {
    fn from(code: ProtocolCode) -> Self {
        Self::Protocol(ProtocolError::new(code))
    }
}

impl From<BusinessCode> for Stop {
    fn from(code: BusinessCode) -> Self {
        Self::Business(business(code))
    }
}

/// The kernel's own business error, with its usual phrase.
pub(super) fn business(code: BusinessCode) -> BusinessError {
    let retryable = code == BusinessCode::ApprovalExpired;
    BusinessError {
        code: code.as_str().into(),
        message: code.message().into(),
        retryable,
        retry_after_ms: None,
        details: None,
    }
}

impl Kernel {
    /// Advances a call by one answer.
    pub(super) fn step(&mut self, now: Now, call: &mut Call, input: Input) -> Effect {
        call.due_ms = f64::INFINITY;
        let next = match (call.phase, input) {
            (Phase::Session, Input::Session(answer)) => self.resolved(now, call, answer),
            (Phase::Token, Input::Token(answer)) => self.limited(now, call, answer),
            (Phase::Claim, Input::Claimed(answer)) => self.claimed(call, answer),
            (Phase::Validation, Input::Validated { issues, record }) => self.validated(now, call, issues, record),
            (Phase::Refinement, Input::Refined(answer)) => self.refined(now, call, answer),
            (Phase::Availability, Input::Read(answer)) => self.read_availability(now, call, answer),
            (Phase::Arguments, Input::Arguments(arguments)) => self.ask(now, call, arguments),
            (Phase::Confirmation, Input::Confirmed(answer)) => self.confirmed(now, call, answer),
            (Phase::SessionAgain, Input::Session(answer)) => self.resolved_again(now, call, answer),
            (Phase::AvailabilityAgain, Input::Read(answer)) => self.read_availability(now, call, answer),
            (Phase::Before, Input::Read(answer)) => {
                self.take_read(call, answer);
                self.read_before(now, call)
            }
            (Phase::LastCheck, Input::Session(answer)) => self.last_check(now, call, Some(answer)),
            (Phase::LastCheck, Input::SessionLater) => self.last_check(now, call, None),
            (Phase::Executor, Input::Executed(ran)) => Ok(self.executed(now, call, ran)),
            (Phase::Expectation, Input::Expected(held)) => Ok(self.expected(now, call, held)),
            (Phase::Settling, Input::Settled | Input::TimedOut) => Ok(self.look(now, call)),
            (Phase::After, Input::Read(answer)) => Ok(self.read_after(now, call, answer)),
            (Phase::Context, Input::Read(answer)) => Ok(self.read_context(now, call, answer)),
            (_, Input::TimedOut) => self.timed_out(now, call),
            // The driver answers each effect with its own input; anything else is a defect of ours.
            _ => Err(ProtocolCode::Internal.into()),
        };
        match next {
            Ok(effect) => effect,
            Err(stop) => self.stop(now, call, stop),
        }
    }

    /// Ends a call that goes no further.
    pub(super) fn stop(&mut self, now: Now, call: &mut Call, stop: Stop) -> Effect {
        match stop {
            Stop::Protocol(mut error) => {
                if error.code == ProtocolCode::GuardUnavailable {
                    error.retryable = call.method == "describe";
                }
                self.refuse(now, call, error)
            }
            Stop::Business(error) => {
                call.ending = Some(Ending { error: Some(error), executed: Certainty::No, failed_expectation: false });
                self.finish(now, call, None)
            }
        }
    }

    /// A wait took too long.
    pub(super) fn timed_out(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        match call.phase {
            Phase::Availability | Phase::AvailabilityAgain | Phase::Before | Phase::After | Phase::Context => {
                let provider = call.reading.waiting_for();
                self.report("took over 2 s", None, provider);
                self.step_read(now, call)
            }
            Phase::Refinement => {
                self.report("took over 2 s", Some(call.capability_id.clone()), Some("inputSchema".into()));
                self.refined(now, call, Err(Failed))
            }
            Phase::Confirmation => Err(BusinessCode::ApprovalExpired.into()),
            Phase::Executor | Phase::Expectation => {
                let error = business(BusinessCode::TimedOut);
                Ok(self.abandon(now, call, error))
            }
            _ => Err(ProtocolCode::GuardUnavailable.into()),
        }
    }

    pub(super) fn step_read(&mut self, now: Now, call: &mut Call) -> Result<Effect, Stop> {
        Ok(self.step(now, call, Input::Read(Err(Failed))))
    }

    /// Tells the page's developer; agents never see it.
    pub(super) fn report(&mut self, message: &str, capability: Option<String>, provider: Option<String>) {
        self.reports.push(Report { message: message.into(), capability, provider });
    }

    /// Answers without waiting for the executor any longer.
    pub(super) fn abandon(&mut self, now: Now, call: &mut Call, error: BusinessError) -> Effect {
        call.ending = Some(Ending { error: Some(error), executed: Certainty::Unknown, failed_expectation: false });
        self.finish(now, call, None)
    }

    /// Ends a call because its caller no longer waits.
    pub(super) fn cancel_call(&mut self, now: Now, call: &mut Call) -> Effect {
        if call.method == "describe" || matches!(call.phase, Phase::Settling | Phase::After) {
            return Effect::Nothing;
        }
        let mut error = business(BusinessCode::Cancelled);
        if call.phase.is_started() {
            return self.abandon(now, call, error);
        }
        error.retryable = true;
        self.stop(now, call, Stop::Business(error))
    }

    /// Ends a call because the page closes: with what is known where there is something, else as cancelled.
    pub(super) fn end_call(&mut self, now: Now, call: &mut Call) -> Effect {
        match call.phase {
            Phase::Context => {
                call.reading.give_up();
                self.respond_described(now, call)
            }
            Phase::Settling | Phase::After => self.finish(now, call, None),
            _ if call.method == "describe" => self.stop(now, call, ProtocolCode::GuardUnavailable.into()),
            _ => self.cancel_call(now, call),
        }
    }

    /// Step 2: who asks. Then step 3: may it be seen at all.
    pub(super) fn resolved(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<(Presented, User), Failed>,
    ) -> Result<Effect, Stop> {
        let grant = self.admit(now, call, answer)?;
        call.session = Some(Rc::clone(&grant));
        if call.method == "invoke" {
            let exposed = self.registry.exposed(&call.capability_id, self.view(&grant));
            call.capability = Some(Rc::clone(exposed.ok_or(ProtocolCode::CapabilityNotExposed)?));
        }
        // Step 4.
        if self.config.own_limiter {
            call.phase = Phase::Token;
            call.due_ms = now.mono_ms + limits::GUARD_MS;
            return Ok(Effect::TakeToken { key: grant.rate_key().into(), now_ms: now.wall_ms });
        }
        // No session has an empty id, also not one that is called "open".
        let bucket = if grant.open { "" } else { grant.rate_key() };
        let taken = self.limiter.take(bucket, now.mono_ms).map_err(Some);
        self.limited(now, call, Ok(taken))
    }

    /// A presented session becomes a grant, or a code says why not. It must be the one that the call began with.
    pub(super) fn admit(
        &mut self,
        now: Now,
        call: &Call,
        answer: Result<(Presented, User), Failed>,
    ) -> Result<Rc<Grant>, ProtocolCode> {
        let (presented, user) = answer.map_err(|Failed| ProtocolCode::GuardUnavailable)?;
        if self.user != user {
            // What one person allowed is not allowed by another, nor by the same one who comes back.
            self.sessions.each(Shown::forget_remembered);
            self.user = user.clone();
        }
        let grant = match presented {
            Presented::Nothing => return Err(ProtocolCode::SessionRequired),
            Presented::Null => self.open_grant(call).ok_or(ProtocolCode::SessionRequired)?,
            Presented::Known(grant) => grant,
            Presented::Value(value) => Rc::new(Grant::read(&value).ok_or(ProtocolCode::SessionInvalid)?),
        };
        if call.session.as_ref().is_some_and(|begun| !begun.same_identity(&grant)) {
            return Err(ProtocolCode::SessionInvalid);
        }
        grant.check(&user, now.wall_ms)?;
        self.sessions.recall(&grant)?.follow(&grant);
        Ok(grant)
    }

    /// Step 4. Then, for invoke, step 5.
    pub(super) fn limited(
        &mut self,
        now: Now,
        call: &mut Call,
        answer: Result<Result<(), Option<f64>>, Failed>,
    ) -> Result<Effect, Stop> {
        if let Err(retry_after_ms) = answer.map_err(|Failed| ProtocolCode::GuardUnavailable)? {
            let error = ProtocolError::new(ProtocolCode::RateLimited);
            return Err(Stop::Protocol(ProtocolError { retry_after_ms, ..error }));
        }
        let Some(grant) = call.session.clone() else { return Err(ProtocolCode::Internal.into()) };
        if call.method == "describe" {
            return self.begin_context(now, call, &grant);
        }
        let request_id = call.request_id.clone().unwrap_or_default();
        if self.config.own_guard {
            call.phase = Phase::Claim;
            call.due_ms = now.mono_ms + limits::GUARD_MS;
            let session_id = grant.session_id.clone();
            return Ok(Effect::ClaimId { session_id, request_id, until_ms: grant.expires_at });
        }
        let bound = if grant.open { limits::OPEN_CLAIMS } else { limits::SESSION_CLAIMS };
        match self.replay.claim(&grant.session_id, &request_id, grant.expires_at, now.wall_ms, bound) {
            Claim::Full => Err(ProtocolCode::GuardUnavailable.into()),
            claim => self.claimed(call, Ok(claim == Claim::Won)),
        }
    }

    pub(super) fn begin_context(&mut self, now: Now, call: &mut Call, grant: &Rc<Grant>) -> Result<Effect, Stop> {
        let options = Options::read(&call.options, self.config.max_records).map_err(Stop::Protocol)?;
        let mut reading = Reading::default();
        call.since.clone_from(&options.since);
        reading.of_context(&self.registry, self.view(grant), options);
        call.reading = reading;
        call.phase = Phase::Context;
        Ok(self.next_context(now, call))
    }

    pub(super) fn read_context(&mut self, now: Now, call: &mut Call, answer: Result<Json, Failed>) -> Effect {
        self.take_read(call, answer);
        self.next_context(now, call)
    }

    pub(super) fn next_context(&mut self, now: Now, call: &mut Call) -> Effect {
        match self.next_read(now, call) {
            Some(effect) => effect,
            None => self.respond_described(now, call),
        }
    }

    /// Hands an answer to the reading; a provider that gave something unusable is reported.
    pub(super) fn take_read(&mut self, call: &mut Call, answer: Result<Json, Failed>) {
        let provider = call.reading.waiting_for();
        let answered = answer.is_ok();
        let understood = call.reading.take(answer);
        if answered && !understood {
            self.report("gave something unusable", None, provider);
        }
    }

    pub(super) fn next_read(&mut self, now: Now, call: &mut Call) -> Option<Effect> {
        let read = call.reading.next()?;
        // The providers of one reading share their time: many that hang cost no more than one.
        call.read_due_ms = call.read_due_ms.min(now.mono_ms + limits::PROVIDER_MS);
        call.due_ms = call.read_due_ms;
        Some(Effect::Read(read))
    }

    /// Step 5. Then step 6: the capability again, and its input.
    pub(super) fn claimed(&mut self, call: &mut Call, answer: Result<bool, Failed>) -> Result<Effect, Stop> {
        if !answer.map_err(|Failed| ProtocolCode::GuardUnavailable)? {
            return Err(ProtocolCode::ReplayDetected.into());
        }
        self.same_registration(call)?;
        call.phase = Phase::Validation;
        Ok(Effect::ValidateInput)
    }

    /// Whether the capability of a call is still the same registration and still exposed.
    pub(super) fn same_registration(&self, call: &Call) -> Result<(), ProtocolCode> {
        let (Some(grant), Some(begun)) = (&call.session, &call.capability) else { return Err(ProtocolCode::Internal) };
        match self.registry.exposed(&call.capability_id, self.view(grant)) {
            Some(entry) if entry.handle == begun.handle => Ok(()),
            _ => Err(ProtocolCode::CapabilityNotExposed),
        }
    }

    /// Checks the input of a call at step 6: the answer to [`Effect::ValidateInput`].
    ///
    /// `input` is `{}` where the envelope has none.
    pub fn check_input<V: Value>(&self, id: CallId, input: V) -> Input {
        let Some(capability) = self.call(id).and_then(|call| call.capability.as_ref()) else {
            return Input::Validated { issues: Vec::new(), record: None };
        };
        let schema = &capability.value.input;
        let issues = schema.validate(input).err();
        let record = capability.value.record_key.as_ref().and_then(|key| input.member(key));
        let record = record.filter(|value| value.kind() == Kind::Text).map(Value::text);
        Input::Validated { issues: issues.unwrap_or_default(), record }
    }

    /// Whether an output is what the capability's schema says.
    pub fn check_output<V: Value>(&self, id: CallId, output: V) -> bool {
        let capability = self.call(id).and_then(|call| call.capability.as_ref());
        capability.is_none_or(|entry| entry.value.output.as_ref().is_none_or(|schema| schema.validate(output).is_ok()))
    }
}
