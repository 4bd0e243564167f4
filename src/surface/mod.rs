//! The Surface kernel: what a page declares, who may see it, and how one request runs.
//!
//! [`Kernel`] takes inputs and returns [`Effect`]s; a driver performs them and answers. The kernel never calls page
//! code, has no clock and no randomness, so that the same requests give the same responses in a browser and natively.

mod approval;
mod audit;
mod auditing;
mod call;
mod context;
mod cut;
mod declaration;
mod declaring;
mod digest;
mod envelope;
mod execution;
mod id;
mod kernel;
mod limiter;
mod options;
mod pipeline;
mod registry;
mod replay;
mod respond;
mod scope;
mod session;
mod show;
mod shown;

pub use approval::{Confirmation, Materials, default_approval, is_reserved_key};
pub use audit::AuditQueue;
pub use call::{CallId, Effect, Failed, Input, Now, Raised, Ran, Read, Reply, Start};
pub use declaration::{Capability, Hooks, Rejection, Show, Source};
pub use digest::sha256_hex;
pub use envelope::{Envelope, EnvelopeKeys, owned_input};
pub use id::{from_tool_name, is_capability_id, is_word, tool_name};
pub use kernel::{Config, Kernel, Report};
pub use limiter::RateLimiter;
pub use registry::{Entry, Handle, RegionEntry, Registry, StateKey, View};
pub use replay::{Claim, ReplayGuard};
pub use scope::Scope;
pub use session::{Grant, Presented, SessionMemory, User};
