//! Who may run next: places of the host, of a plugin and of a page (Host §4).

use super::{Execution, limits};
use pageport::wire::bridge::PageSessionId;
use std::collections::HashMap;

/// How many executions run, counted anew for each dispatch.
#[derive(Debug, Default)]
pub struct Slots<'a> {
    global: usize,
    plugins: HashMap<&'a str, usize>,
    pages: HashMap<PageSessionId, usize>,
}

impl<'a> Slots<'a> {
    /// Counts what is running.
    pub fn of(executions: impl Iterator<Item = &'a Execution>) -> Self {
        let mut slots = Self::default();
        executions.filter(|execution| execution.is_running()).for_each(|execution| slots.take(execution));
        slots
    }

    /// Whether one more execution may run.
    #[must_use]
    pub fn has_room(&self, execution: &Execution) -> bool {
        self.global < limits::RUNNING
            && self.plugins.get(&*execution.plugin).copied().unwrap_or(0) < limits::RUNNING_PLUGIN
            && self.pages.get(&execution.page).copied().unwrap_or(0) < limits::RUNNING_PAGE
    }

    /// Counts one more.
    pub fn take(&mut self, execution: &'a Execution) {
        self.global += 1;
        *self.plugins.entry(&execution.plugin).or_default() += 1;
        *self.pages.entry(execution.page).or_default() += 1;
    }
}

/// How many executions are active: they have not ended, or still hold their page.
#[derive(Debug, Default)]
pub struct Admission {
    global: usize,
    plugin: usize,
    page: usize,
}

impl Admission {
    /// Counts what is active beside a new execution of this plugin on this page.
    pub fn of<'a>(executions: impl Iterator<Item = &'a Execution>, plugin: &str, page: PageSessionId) -> Self {
        let mut admission = Self::default();
        for execution in executions {
            admission.global += 1;
            admission.plugin += usize::from(&*execution.plugin == plugin);
            admission.page += usize::from(execution.page == page);
        }
        admission
    }

    /// Whether one more is let in.
    #[must_use]
    pub const fn has_room(&self) -> bool {
        self.global < limits::ACTIVE && self.plugin < limits::ACTIVE_PLUGIN && self.page < limits::ACTIVE_PAGE
    }
}
