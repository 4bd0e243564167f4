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

use command::Command;
use std::process::ExitCode;

/// Runs a command to its end.
pub async fn run(cli: Cli) -> ExitCode {
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
