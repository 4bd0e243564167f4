//! The host of Pageport: pages connect to it, people, agents and programs drive it.
//!
//! Decisions are made in [`execution`], which is pure, and in `service`; doors only translate.

pub mod cli;
pub mod clock;
pub mod control;
pub mod data_folder;
pub mod execution;
pub mod http;
pub mod plugin;
pub mod secret;
pub mod service;
pub mod store;
