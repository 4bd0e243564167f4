//! What a page declares, removes and tells, handed on to the registry (Surface §3).

use super::kernel::Notice;
use super::registry::Handle;
use super::{Capability, Hooks, Kernel, Rejection, Scope, Source};
use crate::wire::{Approval, Feedback, Json, limits};

impl Kernel {
    /// Declares a capability; `policy` resolves an approval that is not declared.
    ///
    /// # Errors
    /// What breaks a rule, and where. Nothing is declared then.
    pub fn declare(
        &mut self,
        value: &Json,
        hooks: Hooks,
        policy: &dyn Fn(crate::wire::Effect) -> Approval,
    ) -> Result<(Handle, Vec<String>), Rejection> {
        let mut keys = self.keys.borrow_mut();
        let capability = Capability::read(value, hooks, policy, &mut keys, self.config.number_text)?;
        drop(keys);
        let unknown = capability.unknown_keywords.clone();
        Ok((self.registry.add_capability(capability)?, unknown))
    }

    /// Registers a source of records.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn add_source(&mut self, value: &Json) -> Result<Handle, Rejection> {
        self.registry.add_source(Source::read(value)?)
    }

    /// Declares a region.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn add_region(&mut self, value: &Json) -> Result<Handle, Rejection> {
        let (region, audience) = super::declaration::read_region(value)?;
        self.registry.add_region(region, audience)
    }

    /// Opens a state key: `{ key, for? }`.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn add_state(&mut self, value: &Json) -> Result<Handle, Rejection> {
        let (key, audience) = super::declaration::read_state(value)?;
        self.registry.add_state(key, audience)
    }

    /// Sets the provider of the object in focus: `{ for? }`.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn add_object(&mut self, value: &Json) -> Result<Handle, Rejection> {
        let audience = super::declaration::read_for(value)?;
        self.registry.add_object(audience)
    }

    /// Adds a provider of what cannot be used now.
    pub fn add_unavailable(&mut self) -> Handle {
        self.registry.add_unavailable()
    }

    /// Removes a declaration, a source, a region, a state key or a provider. A handle may be removed twice.
    pub fn remove(&mut self, handle: Handle) -> bool {
        self.registry.remove(handle)
    }

    /// Leaves a notice for every session that may see it: `{ level, text, field?, for? }`.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn add_feedback(&mut self, value: &Json) -> Result<(), Rejection> {
        let (item, audience) = super::declaration::read_feedback(value)?;
        self.push_notice(item, audience, None);
        Ok(())
    }

    /// Leaves a notice of an executor for its session only; ignored when the call is over.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn add_call_feedback(&mut self, slot: u32, ticket: u32, value: &Json) -> Result<(), Rejection> {
        let (item, _) = super::declaration::read_feedback(value)?;
        let session = self.running(slot, ticket).and_then(|call| call.session.clone());
        if let Some(session) = session {
            self.push_notice(item, None, Some(session.session_id.clone()));
        }
        Ok(())
    }

    fn push_notice(&mut self, item: Feedback, audience: Option<Scope>, session_id: Option<String>) {
        self.notice_count += 1;
        if self.notices.len() == limits::NOTICES {
            // Who leaves notices without end drives out its own.
            let own = self.notices.iter().position(|notice| notice.session_id == session_id);
            self.notices.remove(own.unwrap_or(0));
        }
        self.notices.push(Notice { number: self.notice_count, item, audience, session_id });
    }

    /// What the executor of a call says of its own effect; ignored when the call is over.
    pub fn set_changed(&mut self, slot: u32, ticket: u32, changed: bool) {
        if let Some(call) = self.running(slot, ticket) {
            call.said_changed = Some(changed);
        }
    }
}
