//! Plugins and the hashes of their credentials in the store (Host §2, §3).

use super::{Store, StoreError};
use crate::execution::{Millis, limits};
use crate::secret::Hash;
use rusqlite::{OptionalExtension, params};

/// A plugin folder that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The plugin's id when it was last read without errors.
    pub plugin: String,
    /// The folder's real path.
    pub dir: String,
    /// Grows when the folder's content changed.
    pub generation: u32,
    /// The hash of the folder's content.
    pub digest: Hash,
}

/// What a credential is good for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The plugin.
    pub plugin: String,
    /// The generation it was issued for.
    pub generation: u32,
}

impl Store {
    /// Every plugin that was added.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn registrations(&self) -> Result<Vec<Registration>, StoreError> {
        let mut select = self.connection.prepare("SELECT id, dir, generation, digest FROM plugins ORDER BY id")?;
        let rows = select.query_map([], |row| {
            Ok(Registration { plugin: row.get(0)?, dir: row.get(1)?, generation: row.get(2)?, digest: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds a plugin, or writes its new generation down.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn register(&mut self, it: &Registration) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR REPLACE INTO plugins (id, dir, generation, digest) VALUES (?1, ?2, ?3, ?4)",
            params![it.plugin, it.dir, it.generation, it.digest],
        )?;
        Ok(())
    }

    /// Keeps the hash of a new credential; the oldest of the plugin make room.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn add_credential(&mut self, hash: &Hash, it: &Credential, now: Millis) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO credentials (hash, plugin, generation, issued) VALUES (?1, ?2, ?3, ?4)",
            params![hash, it.plugin, it.generation, i64::try_from(now.0).unwrap_or(i64::MAX)],
        )?;
        transaction.execute(
            "DELETE FROM credentials WHERE plugin = ?1 AND hash NOT IN
             (SELECT hash FROM credentials WHERE plugin = ?1 ORDER BY issued DESC, hash = ?3 DESC LIMIT ?2)",
            params![it.plugin, i64::try_from(limits::CREDENTIALS).unwrap_or(i64::MAX), hash],
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// What the credential with this hash is good for. The hash, not the secret, is looked up.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn credential(&self, hash: &Hash) -> Result<Option<Credential>, StoreError> {
        let select = "SELECT plugin, generation FROM credentials WHERE hash = ?1";
        let read = |row: &rusqlite::Row<'_>| Ok(Credential { plugin: row.get(0)?, generation: row.get(1)? });
        Ok(self.connection.query_row(select, [hash], read).optional()?)
    }
}
