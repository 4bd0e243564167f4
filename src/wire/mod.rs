//! Every message of the protocols, and the one table each of error codes and limits.

mod json;

pub use json::Json;
