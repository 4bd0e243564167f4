//! The browser glue: the one place that knows JavaScript.

pub mod value;
