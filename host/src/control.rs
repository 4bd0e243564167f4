//! `control.json`: how the commands of the same user find their host (Host §1).

use crate::data_folder::write_private;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Where a host listens, and the token of its automation door.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// The host's version.
    pub version: String,
    /// `http://127.0.0.1:<port>`
    pub url: String,
    /// The control token; good for one run of the host.
    pub token: String,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Control").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Control {
    /// The file in a data folder.
    #[must_use]
    pub fn path(folder: &Path) -> PathBuf {
        folder.join("control.json")
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// When there is none, or it is not what a host writes.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(Self::path(folder))?;
        serde_json::from_str(&text).map_err(io::Error::other)
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// What the operating system says.
    pub fn publish(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        write_private(&Self::path(folder), text.as_bytes())
    }

    /// Removes the file, unless another host has written its own.
    pub fn withdraw(&self, folder: &Path) {
        if Self::read(folder).is_ok_and(|found| found == *self) {
            // A file that stays behind is harmless: its host can't prove that it knows the token.
            let _ = fs::remove_file(Self::path(folder));
        }
    }
}
