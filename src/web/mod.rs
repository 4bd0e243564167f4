//! The browser glue: the one place that knows JavaScript.

mod core;
mod driver;
mod host;
mod sessions;
pub mod value;

pub use self::core::Core;
pub use host::Host;
