//! The program as a child process, on a free port and with a folder of its own.

use crate::host::{manifest, write_plugin};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The program, as it was built for this test.
pub(crate) fn pageport() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pageport"));
    command.env_remove("PAGEPORT_DATA").stdin(Stdio::null());
    command
}

pub(crate) struct Program {
    child: Option<Child>,
    dir: Option<TempDir>,
    pub(crate) url: String,
}

impl Program {
    /// Starts it beside the folder of the test plugin, which is not added yet.
    pub(crate) fn start(options: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        write_plugin(&dir.path().join("plugin"), &manifest());
        Self::start_in(dir, options)
    }

    /// Starts it with the folders of one that has ended.
    pub(crate) fn start_in(dir: TempDir, options: &[&str]) -> Self {
        let mut command = pageport();
        command.args(["serve", "--port", "0", "--data"]).arg(dir.path().join("data")).args(options);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(line.starts_with("pageport ") && url.starts_with("http://127.0.0.1:"), "{line}");
        Self { child: Some(child), dir: Some(dir), url }
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.as_ref().unwrap().path()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.dir().join("data")
    }

    pub(crate) fn plugin(&self) -> String {
        self.dir().join("plugin").display().to_string()
    }

    /// Runs a command against it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Output {
        pageport().args(arguments).arg("--data").arg(self.data()).output().unwrap()
    }

    /// Runs a command that succeeds; answers what it prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Stops it with SIGTERM; answers its folder.
    pub(crate) fn terminate(self) -> (TempDir, Output) {
        self.stop(Signal::TERM)
    }

    /// Stops it with this signal; answers its folder.
    pub(crate) fn stop(mut self, signal: Signal) -> (TempDir, Output) {
        self.signal(signal);
        let output = self.child.take().unwrap().wait_with_output().unwrap();
        (self.dir.take().unwrap(), output)
    }

    /// Ends it without a chance to say anything; answers its folder.
    pub(crate) fn kill(mut self) -> TempDir {
        self.signal(Signal::KILL);
        self.child.take().unwrap().wait().unwrap();
        self.dir.take().unwrap()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(self.child.as_ref().unwrap()), signal).unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // A test that failed leaves no host behind.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
