//! The commands and their options; what is not here is refused with exit code 2.

use super::print::Output;
use crate::execution::State;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use pageport::wire::bridge::ExecutionId;
use std::path::PathBuf;

/// The host of Pageport: pages connect to it, people, agents and programs drive it.
#[derive(Debug, Parser)]
#[command(name = "pageport", version, arg_required_else_help = true)]
pub struct Cli {
    /// Print JSON, on a terminal too.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

impl Cli {
    /// How output looks.
    pub(super) fn output(&self) -> Output {
        Output::new(self.json)
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the host until it is stopped.
    Serve(ServeOptions),
    /// Add plugins, check them, look at them.
    #[command(subcommand)]
    Plugins(PluginCommand),
    /// Look at operations and run them.
    #[command(subcommand)]
    Operations(OperationCommand),
}

#[derive(Debug, Default, Args)]
pub(super) struct ServeOptions {
    /// Read options from this file; options of the command line win.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The data folder.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// The port; 0 takes a free one. 47317 when nothing is said.
    #[arg(long)]
    pub(super) port: Option<u16>,
    /// An origin that may use a plugin beside those of its domains.
    #[arg(long, value_name = "ORIGIN=PLUGIN")]
    pub(super) allow_origin: Vec<String>,
    /// A plugin's folder to add.
    #[arg(long, value_name = "DIR")]
    pub(super) plugin: Vec<PathBuf>,
    /// Where to write the address and the credential for the pages of the one --plugin.
    #[arg(long, value_name = "FILE")]
    pub(super) credential_file: Option<PathBuf>,
    /// Allow localhost, on any port, as a plugin's domain.
    #[arg(long)]
    pub(super) dev: bool,
}

/// How the host is reached.
#[derive(Clone, Debug, Args)]
pub(super) struct Reach {
    /// The data folder of the host.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Seconds one request may take; it does not limit an execution.
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=300))]
    pub(super) timeout: u64,
}

#[derive(Debug, Subcommand)]
pub(super) enum PluginCommand {
    /// Add a plugin's folder, or read it again.
    Add {
        /// The folder.
        dir: PathBuf,
        /// Where to write the address and the credential for the plugin's pages.
        #[arg(long, value_name = "FILE")]
        credential_file: Option<PathBuf>,
        #[command(flatten)]
        reach: Reach,
    },
    /// Show everything that is wrong with a plugin's folder; needs no host.
    Lint {
        /// The folder.
        dir: PathBuf,
        /// Allow localhost as a domain.
        #[arg(long)]
        dev: bool,
    },
    /// List the plugins of the host.
    List {
        #[command(flatten)]
        reach: Reach,
    },
}

/// Arguments of a tool: as options, or as JSON.
#[derive(Debug, Args)]
pub(super) struct ToolArguments {
    /// The tool's arguments as JSON: the text, @FILE, or - for standard input.
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(super) args: Option<String>,
    #[command(flatten)]
    pub(super) reach: Reach,
}

#[derive(Debug, Subcommand)]
pub(super) enum OperationCommand {
    /// List the operations.
    List {
        /// Only of this plugin.
        #[arg(conflicts_with = "args")]
        plugin: Option<String>,
        #[command(flatten)]
        tool: ToolArguments,
    },
    /// Show an operation with its schemas.
    Get {
        /// The plugin.
        #[arg(conflicts_with = "args", requires = "operation")]
        plugin: Option<String>,
        /// The operation.
        #[arg(conflicts_with = "args")]
        operation: Option<String>,
        #[command(flatten)]
        tool: ToolArguments,
    },
    /// List the pages that are connected.
    Sessions {
        #[command(flatten)]
        tool: ToolArguments,
    },
    /// Run an operation; prints the new execution.
    Invoke(InvokeOptions),
    /// Show an execution.
    Execution {
        /// Its id.
        #[arg(conflicts_with = "args", value_parser = id)]
        id: Option<String>,
        /// Wait until it ends.
        #[arg(long)]
        wait: bool,
        #[command(flatten)]
        tool: ToolArguments,
    },
    /// List executions, newest first.
    History {
        /// Only of this plugin.
        #[arg(long, conflicts_with = "args")]
        plugin: Option<String>,
        /// Only in this state.
        #[arg(long, conflicts_with = "args", value_parser = PossibleValuesParser::new(State::WORDS))]
        state: Option<String>,
        /// How many to skip.
        #[arg(long, conflicts_with = "args")]
        offset: Option<u32>,
        /// How many to show.
        #[arg(long, conflicts_with = "args")]
        limit: Option<u32>,
        #[command(flatten)]
        tool: ToolArguments,
    },
    /// Cancel an execution.
    Cancel {
        /// Its id.
        #[arg(conflicts_with = "args", value_parser = id)]
        id: Option<String>,
        #[command(flatten)]
        tool: ToolArguments,
    },
}

#[derive(Debug, Args)]
pub(super) struct InvokeOptions {
    /// The plugin.
    #[arg(conflicts_with = "args", requires = "operation")]
    pub(super) plugin: Option<String>,
    /// The operation.
    #[arg(conflicts_with = "args")]
    pub(super) operation: Option<String>,
    /// The input as JSON: the text, @FILE, or - for standard input.
    #[arg(long, value_name = "JSON|@FILE|-", conflicts_with = "args")]
    pub(super) input: Option<String>,
    /// The page, when several could run it.
    #[arg(long, value_name = "ID", conflicts_with = "args", value_parser = id)]
    pub(super) page: Option<String>,
    /// Where the last result ended.
    #[arg(long, conflicts_with = "args")]
    pub(super) cursor: Option<String>,
    /// Entries wanted at most.
    #[arg(long, conflicts_with = "args")]
    pub(super) limit: Option<u32>,
    /// Repeating the call with the same key gives the same execution.
    #[arg(long, value_name = "TEXT", conflicts_with = "args")]
    pub(super) key: Option<String>,
    /// Wait until it ends, and print it then.
    #[arg(long)]
    pub(super) wait: bool,
    #[command(flatten)]
    pub(super) tool: ToolArguments,
}

/// An id as it is written: executions and pages look alike.
fn id(text: &str) -> Result<String, &'static str> {
    match ExecutionId::parse(text) {
        Some(id) => Ok(id.to_string()),
        None => Err("must be 32 lower-case hex digits"),
    }
}
