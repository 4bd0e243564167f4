//! Idempotency keys in the store (Host §7): hashes only, each beside the execution it made.

use super::execution::{Stored, Time};
use super::{Store, StoreError};
use crate::execution::Millis;
use crate::secret::Hash;
use pageport::wire::bridge::ExecutionId;
use rusqlite::{OptionalExtension, Transaction, params};

/// A key that was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedKey {
    /// The hash of source, plugin, operation and key.
    pub scope: Hash,
    /// The hash of everything else that was asked for.
    pub parameters: Hash,
    /// What it made.
    pub execution: ExecutionId,
    /// Until when it answers.
    pub expires: Millis,
}

impl Store {
    /// The use of a key that still answers.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn key(&self, scope: &Hash, now: Millis) -> Result<Option<UsedKey>, StoreError> {
        let select = "SELECT parameters, execution, expires FROM keys WHERE scope = ?1 AND expires > ?2";
        let found = self.connection.query_row(select, params![scope, Time(now)], |row| {
            let id = ExecutionId::parse(&row.get::<_, Stored>(1)?.0);
            Ok(id.map(|execution| (row.get(0), execution, row.get::<_, Time>(2))))
        });
        let Some(Some((parameters, execution, expires))) = found.optional()? else { return Ok(None) };
        Ok(Some(UsedKey { scope: *scope, parameters: parameters?, execution, expires: expires?.0 }))
    }
}

/// Writes a key down in the transaction that makes its execution.
pub(super) fn insert(transaction: &Transaction<'_>, key: &UsedKey) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT OR REPLACE INTO keys (scope, parameters, execution, expires) VALUES (?1, ?2, ?3, ?4)",
        params![key.scope, key.parameters, Stored(key.execution.to_string()), Time(key.expires)],
    )?;
    Ok(())
}
