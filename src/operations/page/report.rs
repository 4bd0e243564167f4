//! Terminal reports: sent until the host answers, kept across a lost connection (Operations §2, step 5).

use super::Ticket;
use super::io::PageCall;
use super::machine::Page;
use super::post::Purpose;
use super::run::Attempts;
use crate::wire::bridge::{AbortReason, Answer, Call, CompleteBody, TerminalState};
use crate::wire::operations_limits as limits;

/// A terminal report that the host has not answered.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) body: CompleteBody,
    deadline_ms: f64,
    attempts: Attempts,
    /// Its attempts are used up: it waits for the next sign of life.
    pub(super) is_kept: bool,
}

impl Report {
    pub(super) const fn due_ms(&self) -> f64 {
        self.attempts.retry_ms
    }

    /// Past its deadline a result is worth nothing; that the handler has stopped still is.
    fn expire(&mut self, now_ms: f64) {
        if self.deadline_ms <= now_ms && self.body.result.take().is_some() {
            self.body.state = TerminalState::Cancelled;
            self.body.reason = Some(AbortReason::TimedOut);
        }
    }
}

impl Page {
    /// Makes a terminal report. One that was not heard yet learns only that the handler has stopped.
    pub(super) fn report(&mut self, body: CompleteBody, deadline_ms: f64) {
        let known = |report: &Report| report.body.execution_id == body.execution_id && report.attempts.ticket.is_none();
        if let Some(index) = self.reports.iter().position(known) {
            self.reports[index].body.stopped |= body.stopped;
            return;
        }
        self.reports.push(Report { body, deadline_ms, attempts: Attempts::NONE, is_kept: false });
        let index = self.reports.len() - 1;
        if self.can_post() {
            self.send_report(index);
        } else {
            self.keep(index);
        }
    }

    fn send_report(&mut self, index: usize) {
        let now_ms = self.now_ms;
        let report = &mut self.reports[index];
        report.expire(now_ms);
        let body = report.body.clone();
        let ticket = self.post(Purpose::Complete, limits::COMPLETE_MS, PageCall::Call(Call::Complete(body)));
        self.reports[index].attempts.begin(ticket);
    }

    /// Keeps a report; beyond the bound the oldest goes.
    fn keep(&mut self, index: usize) {
        self.reports[index].is_kept = true;
        self.reports[index].attempts.retry_at(f64::INFINITY);
        let is_kept = |report: &Report| report.is_kept && report.attempts.ticket.is_none();
        if self.reports.iter().filter(|report| is_kept(report)).count() > limits::KEPT_REPORTS
            && let Some(oldest) = self.reports.iter().position(is_kept)
        {
            self.reports.remove(oldest);
        }
    }

    /// The next attempt of each report that is due.
    pub(super) fn reports_due(&mut self) {
        for index in 0..self.reports.len() {
            if self.reports[index].due_ms() <= self.now_ms && self.can_post() {
                self.send_report(index);
            }
        }
    }

    /// The host is there: what was kept goes first.
    pub(super) fn flush_reports(&mut self) {
        for index in 0..self.reports.len() {
            let report = &self.reports[index];
            if report.is_kept && report.attempts.ticket.is_none() && self.can_post() {
                self.send_report(index);
            }
        }
    }

    /// A report was answered: any answer ends it, except for one that asks to try again.
    pub(super) fn report_settled(&mut self, ticket: Ticket, answer: &Answer) {
        let Some(index) = self.reports.iter().position(|report| report.attempts.ticket == Some(ticket)) else { return };
        match self.retry_ms(answer) {
            None => drop(self.reports.remove(index)),
            Some(retry_ms) if self.reports[index].attempts.made < limits::COMPLETE_ATTEMPTS => {
                self.reports[index].attempts.retry_at(retry_ms);
            }
            Some(_) => self.keep(index),
        }
    }

    /// What is still unheard of, for the beacon; a page that comes back says it again.
    pub(super) fn unheard(&mut self) -> Vec<CompleteBody> {
        for index in 0..self.reports.len() {
            self.reports[index].expire(self.now_ms);
            self.reports[index].attempts.ticket = None;
            self.reports[index].is_kept = true;
            self.reports[index].attempts.retry_ms = f64::INFINITY;
        }
        let bodies = self.reports.iter().map(|report| report.body.clone()).collect();
        let surplus = self.reports.len().saturating_sub(limits::KEPT_REPORTS);
        self.reports.drain(..surplus);
        bodies
    }
}
