//! Executions without I/O: what may happen to them, in which order they run, and what a caller may choose.
//!
//! Nothing here knows a clock, a socket or a store. Time, ids and randomness are arguments; what has to be done comes
//! back as effects (Host §5).

mod choice;
mod cursor;
mod engine;
pub mod limits;
mod outcome;
mod record;
mod report;
mod results;
mod slot;
mod summary;
mod time;
mod transition;

pub use choice::{Candidate, Choice, choose, hint};
pub use cursor::{Binding, Cursors};
pub use engine::{Effect, Engine, Refused};
pub use outcome::{Misfit, check};
pub use pageport::wire::execution::{
    CallSource as Source, ExecutionCertainty as Certainty, ExecutionCode as EndCode, ExecutionState as State,
    ResultStatus, UnavailableReason,
};
pub use record::{Execution, Rules};
pub use report::{Claimed, Report};
pub use results::Outcome;
pub use slot::{Admission, Slots};
pub use summary::Summary;
pub use time::Millis;
pub use transition::{Goal, Happening, Phase, Sureness, TRANSITIONS, Transition, transition};
