//! The folder of a host: the user's alone, its files made whole or not at all (Host §1).

use crate::secret::{self, Hash};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why a data folder is not used.
#[derive(Debug)]
pub enum FolderError {
    /// Another user's.
    Foreign(PathBuf),
    /// Others may write to it.
    Open(PathBuf),
    /// Another host uses it.
    Busy(PathBuf),
    /// The operating system refused.
    Io(PathBuf, io::Error),
}

impl FolderError {
    /// What went wrong, and what helps.
    #[must_use]
    pub fn describe(&self) -> (String, &'static str) {
        let elsewhere = "name another folder with --data";
        match self {
            Self::Foreign(path) => (format!("the data folder {} belongs to another user", path.display()), elsewhere),
            Self::Open(path) => (
                format!("others may write to the data folder {}", path.display()),
                "take their permission away (chmod go-w), or name another folder with --data",
            ),
            Self::Busy(path) => (
                format!("a host is running with the data folder {}", path.display()),
                "stop it, or name another folder with --data",
            ),
            Self::Io(path, error) => (format!("{} can't be used: {error}", path.display()), elsewhere),
        }
    }
}

/// A folder that passed the checks; locked as long as this lives.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder when it is missing, checks it and locks it.
    ///
    /// # Errors
    ///
    /// See [`FolderError`].
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let io = |error| FolderError::Io(path.to_owned(), error);
        if !path.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(io)?;
        }
        let path = path.canonicalize().map_err(io)?;
        check_owner(&path)?;
        let io = |error| FolderError::Io(path.clone(), error);
        let mode = fs::metadata(&path).map_err(io)?.mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(&path, Permissions::from_mode(mode & 0o700)).map_err(io)?;
        }
        let lock = private().create(true).truncate(false).open(path.join("host.lock")).map_err(io)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Busy(path)),
            Err(TryLockError::Error(error)) => Err(FolderError::Io(path, error)),
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A secret that is made once and stays with the folder.
    ///
    /// # Errors
    ///
    /// When it can be neither read nor made.
    pub fn secret(&self, name: &str) -> Result<Hash, FolderError> {
        let path = self.path.join(name);
        let io = |error| FolderError::Io(path.clone(), error);
        match fs::read(&path) {
            Ok(bytes) => return bytes.try_into().map_err(|_| io(io::Error::from(io::ErrorKind::InvalidData))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Making another one would quietly forget what the old one keyed.
            Err(error) => return Err(io(error)),
        }
        let made: Hash = secret::random();
        write_private(&path, &made).map_err(io)?;
        Ok(made)
    }

    /// The path of an own file that exists from now on, readable by the user only.
    ///
    /// # Errors
    ///
    /// When it can't be made.
    pub fn file(&self, name: &str) -> Result<PathBuf, FolderError> {
        let path = self.path.join(name);
        match private().create_new(true).open(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(FolderError::Io(path, error)),
            _ => Ok(path),
        }
    }
}

/// Refuses a folder that is another user's, or that others may write to.
///
/// # Errors
///
/// See [`FolderError`].
pub fn check_owner(path: &Path) -> Result<(), FolderError> {
    let data = fs::metadata(path).map_err(|error| FolderError::Io(path.to_owned(), error))?;
    if data.uid() != rustix::process::geteuid().as_raw() {
        return Err(FolderError::Foreign(path.to_owned()));
    }
    if data.mode() & 0o022 != 0 {
        return Err(FolderError::Open(path.to_owned()));
    }
    Ok(())
}

/// Writes a file that only the user may read: whole, or not at all.
///
/// # Errors
///
/// What the operating system says.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", secret::name()));
    let write = || {
        let mut file = private().create_new(true).open(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().inspect_err(|_| {
        // The draft is of no use, and there may be none.
        let _ = fs::remove_file(&draft);
    })
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// The folder that every command uses: the one named, else `PAGEPORT_DATA`, else the platform's place (Host §1).
#[must_use]
pub fn resolve(named: Option<PathBuf>) -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named
        .or_else(|| variable("PAGEPORT_DATA"))
        .or_else(|| variable("XDG_DATA_HOME").map(|base| base.join("pageport")))
        .or_else(|| variable("HOME").map(|home| home.join(".local/share/pageport")))
        .unwrap_or_else(|| PathBuf::from("pageport-data"))
}
