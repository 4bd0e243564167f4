//! What outlives the host: executions, plugins and the hashes of credentials, in one SQLite file (Host §1).
//!
//! Write-ahead log and `synchronous=NORMAL`: what was committed survives the end of the process, however it ends.

mod execution;
mod key;
mod migration;
mod plugin;

pub use execution::{Page, Query};
pub use key::UsedKey;
pub use plugin::{Credential, Registration};

use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

/// Why the store did not do it; the text is for the host's own log.
#[derive(Debug)]
pub enum StoreError {
    /// SQLite refused.
    Sqlite(rusqlite::Error),
    /// The file was written by a newer host.
    Newer,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(error) => error.fmt(formatter),
            Self::Newer => formatter.write_str("the file was written by a newer version"),
        }
    }
}

impl std::error::Error for StoreError {}

/// The open file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

impl Store {
    /// Opens the file, which exists, and brings it up to date.
    ///
    /// # Errors
    ///
    /// When it is no database, can't be written, or a newer host wrote it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        // Nobody else has business in the file; who holds it must not hold up the pages.
        connection.busy_timeout(Duration::from_millis(50))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        migration::migrate(&mut connection)?;
        Ok(Self { connection })
    }

    /// A store that ends with this value; for tests.
    ///
    /// # Errors
    ///
    /// When SQLite has no memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        migration::migrate(&mut connection)?;
        Ok(Self { connection })
    }
}
