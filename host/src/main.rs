//! `pageport`: the host and its command line.

use pageport_host::cli;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    log.with_max_level(tracing::Level::WARN).init();
    cli::run().await
}
