//! Every message of `pageport.bridge/1`, the protocol between a page and the host (Operations §4).
//!
//! Each is typed once: the page writes what it sends and reads what arrives, the host the other way round, and the
//! TypeScript declarations come from the same types. Only the host deserialises with serde.

#[macro_use]
mod words;

mod body;
mod code;
mod event;
mod id;
mod read;
mod reply;
mod term;

pub use body::*;
pub use code::{BridgeCode, Reaction};
pub use event::{BridgeEvent, Bye, Cancel, Invoke, PageMessage, SurfaceCall};
pub use id::{AttemptId, BatchId, ExecutionId, PageSessionId, Revision};
pub use read::{Answer, Claimed, Failure, Opened, read_answer, read_answers, read_revision};
pub use reply::*;
pub use term::{AbortReason, ByeReason, Login, RejectCode, TerminalState};

/// The protocol's name and version.
pub const PROTOCOL: &str = "pageport.bridge/1";
