//! Every message of the protocols, and the one table each of error codes and limits.

mod code;
mod describe;
mod frame;
mod host;
mod json;
pub mod limits;
mod message;
#[cfg(feature = "ts")]
pub mod types;

pub use code::{BusinessCode, PageCode, ProtocolCode, is_raisable};
pub use describe::*;
pub use frame::{ClientFrame, ConnectMessage, PageFrame};
pub use host::{ApprovalBinding, AuditEvent, ConfirmRequest, Outcome, Session};
pub use json::Json;
pub use message::*;
