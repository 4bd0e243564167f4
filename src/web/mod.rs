//! The browser glue: the one place that knows JavaScript.

mod answers;
mod bridge;
mod core;
mod digest;
mod driver;
mod host;
mod responding;
mod sessions;
pub mod value;

pub use self::core::Core;
pub use bridge::{Bridge, Shim};
pub use digest::sha256;
pub use host::Host;

/// Takes 4 kB less than the default one; a page holds little and short-lived memory here.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
