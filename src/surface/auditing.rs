//! How a refused or finished call gets into the audit queue (Surface §7).

use super::Kernel;
use super::call::{Call, Effect, Now, Reply};
use crate::wire::{AuditEvent, ErrorResponse, Outcome, PROTOCOL, ProtocolError, to_text};

impl Kernel {
    /// The next audit event for the sink.
    pub fn take_audit(&mut self) -> Option<Box<AuditEvent>> {
        self.audit.pop()
    }

    /// What the audit lost since this was last asked.
    pub fn take_lost(&mut self) -> Option<Box<AuditEvent>> {
        self.audit.take_lost()
    }

    /// Audit events that found no room.
    #[must_use]
    pub fn audit_dropped(&self) -> u32 {
        self.audit.dropped()
    }

    /// Refuses a call at protocol level.
    pub(super) fn refuse(&mut self, now: Now, call: &mut Call, error: ProtocolError) -> Effect {
        let early = call.session.is_none() || call.capability.is_none() && call.method == "invoke";
        self.audit(now, call, Outcome::ProtocolError, Some(error.code.as_str().into()), early);
        let response = ErrorResponse::new(call.request_id.clone(), error);
        Effect::Respond(Reply::Text(to_text(&response, self.config.number_text)))
    }

    /// Queues the event of a call that ends. `metered` refusals share one event beyond 50 a second and connection.
    pub(super) fn audit(&mut self, now: Now, call: &Call, outcome: Outcome, code: Option<String>, metered: bool) {
        if !self.config.audits {
            return;
        }
        if metered {
            let index = call.connection as usize;
            let (own, owed) = self.connections[index].refusals.count(now.mono_ms);
            self.push_owed(now, index, owed);
            if !own {
                return;
            }
        }
        let mut event = self.event(now, call.connection as usize);
        if let Some(session) = &call.session {
            event.agent_id = Some(session.agent_id.clone());
            event.user_id = Some(session.user_id.clone());
            event.session_id = Some(session.session_id.clone());
            event.delegation_id.clone_from(&session.delegation_id);
        }
        event.method = call.method;
        event.request_id.clone_from(&call.request_id);
        // What ran is named, though it may have been removed by now.
        let capability = call.capability.as_ref().or_else(|| self.registry.routable(&call.capability_id));
        event.capability = capability.map(|entry| entry.value.info.id.clone());
        event.outcome = outcome;
        event.code = code;
        event.duration_ms = now.mono_ms - call.began.mono_ms;
        if let Some(confirmation) = &call.confirmation {
            event.approval_id.clone_from(&confirmation.approval_id);
        }
        if let Some(transport) = &call.transport {
            event.transport.clone_from(transport);
        }
        self.audit.push(event, call.phase.is_started());
    }

    pub(super) fn push_owed(&mut self, now: Now, connection: usize, owed: u32) {
        if owed > 0 && self.config.audits {
            let event = AuditEvent { count: Some(owed), ..self.event(now, connection) };
            self.audit.push(event, false);
        }
    }

    /// The event of a refusal on a connection of which nothing more is known.
    fn event(&self, now: Now, connection: usize) -> AuditEvent {
        AuditEvent {
            at: now.wall_ms,
            method: "other",
            request_id: None,
            agent_id: None,
            user_id: None,
            session_id: None,
            delegation_id: None,
            capability: None,
            outcome: Outcome::ProtocolError,
            code: None,
            duration_ms: 0.0,
            approval_id: None,
            transport: self.connections[connection].transport.clone(),
            protocol: PROTOCOL,
            count: None,
        }
    }
}
