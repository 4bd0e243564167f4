//! Every message of the protocols, and the one table each of error codes and limits.

#[macro_use]
pub mod bridge;
mod canonical;
mod code;
mod describe;
#[cfg(not(target_arch = "wasm32"))]
mod deserialize;
pub mod execution;
mod frame;
mod host;
mod json;
#[macro_use]
pub mod limits;
pub mod manifest;
mod message;
pub mod operations_limits;
#[cfg(not(target_arch = "wasm32"))]
mod parse;
pub mod reader;
#[cfg(not(target_arch = "wasm32"))]
mod scan;
mod text;
mod tree;
#[cfg(feature = "ts")]
pub mod types;
pub mod walk;

#[cfg(not(target_arch = "wasm32"))]
pub use canonical::number_text;
pub use canonical::{NumberText, canonical};
pub use code::{BusinessCode, PageCode, ProtocolCode, is_raisable};
pub use describe::*;
pub use frame::{ClientFrame, ConnectMessage, PageFrame};
pub use host::{ApprovalBinding, AuditEvent, ConfirmRequest, Outcome, Session};
pub use json::{Json, has_chars};
pub use message::*;
pub use reader::{Fields, FirstMisfit, Misfit, Reader};
pub use text::to_text;
pub use tree::measure;
pub use walk::{Bounds, Fault, Refusal, push_segment};
