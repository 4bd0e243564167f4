//! Operations: what a plugin declares, and how a page runs it.
//!
//! Pure: a manifest is a value, the page a state machine. Time, ids and answers are arguments, effects are returned;
//! page code is never called from here.

pub mod connect;
pub mod manifest;
pub mod page;
pub mod script;
