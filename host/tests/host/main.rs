//! The host: its pure parts by table and by random sequences, and the whole over real HTTP.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod arguments;
mod bodies;
mod bridge;
mod cli;
mod engine;
mod executions;
mod failures;
mod host;
mod impostor;
mod keys;
mod kill;
mod machine;
mod page;
mod pages;
mod pieces;
mod plugins;
mod program;
mod properties;
mod reports;
mod results;
mod slots;
mod storage;
mod terminal;
