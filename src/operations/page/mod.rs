//! A page's side of operations as a state machine (Operations §1–§5).
//!
//! [`Page::step`] takes an [`Input`] and the time and returns [`Effect`]s. No clock, no I/O, no randomness: at most
//! one handler runs at a time, a claimed execution gets exactly one terminal report, every report carries the
//! revision it was claimed under, and whatever is begun settles.

mod connection;
mod handling;
mod invoke;
mod io;
mod leaving;
mod machine;
mod outbox;
mod pace;
mod post;
mod reload;
mod report;
mod run;
mod state;
mod table;

pub use io::{Effect, Input, Link, Outcome, PageCall, Snapshot, StateFailure, Stopped, StoredTicket, Ticket};
pub use machine::Page;
pub use outbox::{Outbox, Outgoing, fit_beacon, lose_result};
pub use table::{On, RunState, TRANSITIONS, Transition};
