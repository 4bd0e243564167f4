//! The command line: arguments in, one request of the host, tables or JSON out (Host §1).

mod arguments;
mod client;
mod command;
mod config;
mod failure;
mod lint;
mod operations;
mod plugins;
mod print;
mod safe_text;
mod serve;
mod table;
mod wait;

pub use command::Cli;

use clap::Parser;
use clap::error::ErrorKind;
use command::Command;
use failure::{ARGUMENTS, Failure};
use print::Output;
use std::process::ExitCode;

/// Reads the command line and runs the command to its end.
pub async fn run() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => perform(cli).await,
        Err(error) => refuse(error),
    }
}

/// Help, or what is wrong with the command line: as clap says it to people, else as every failure.
fn refuse(error: clap::Error) -> ExitCode {
    let is_failure = error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let output = Output::new(std::env::args_os().any(|argument| argument == "--json"));
    let exit = if error.use_stderr() { ARGUMENTS } else { 0 };
    if is_failure && output.is_plain_error() {
        Failure::from(error).print(output);
    } else {
        // Whether anybody still reads it is not ours to know.
        let _ = error.print();
    }
    ExitCode::from(exit)
}

async fn perform(cli: Cli) -> ExitCode {
    let output = cli.output();
    let done = match cli.command {
        Command::Serve(options) => serve::run(options, output).await,
        Command::Plugins(command) => plugins::run(command, output).await,
        Command::Operations(command) => operations::run(command, output).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print(output);
            ExitCode::from(failure.exit)
        }
    }
}
