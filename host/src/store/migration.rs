//! The versions of the file; each is reached from the one before, in one transaction.

use super::StoreError;
use rusqlite::Connection;

const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE executions (
        id BLOB PRIMARY KEY,
        plugin TEXT NOT NULL,
        plugin_version TEXT NOT NULL,
        operation TEXT NOT NULL,
        page BLOB NOT NULL,
        revision BLOB NOT NULL,
        source TEXT NOT NULL,
        state TEXT NOT NULL,
        certainty TEXT NOT NULL,
        code TEXT,
        cancel_requested INTEGER NOT NULL,
        cancel_confirmed INTEGER NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        started INTEGER,
        accepted INTEGER,
        deadline INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX executions_by_age ON executions (created DESC, id DESC);
    CREATE INDEX executions_unfinished ON executions (state) WHERE state IN ('queued', 'running');

    CREATE TABLE plugins (
        id TEXT PRIMARY KEY,
        dir TEXT NOT NULL,
        generation INTEGER NOT NULL,
        digest BLOB NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE credentials (
        hash BLOB PRIMARY KEY,
        plugin TEXT NOT NULL,
        generation INTEGER NOT NULL,
        issued INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX credentials_by_plugin ON credentials (plugin, issued);
",
    "
    -- A record that is in no list any more, kept for the key that made it.
    ALTER TABLE executions ADD COLUMN cleaned INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE keys (
        scope BLOB PRIMARY KEY,
        parameters BLOB NOT NULL,
        execution BLOB NOT NULL,
        expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX keys_by_execution ON keys (execution);
",
];

/// Brings the file to the newest version.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > MIGRATIONS.len() {
        return Err(StoreError::Newer);
    }
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(version) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", index + 1)?;
        transaction.commit()?;
    }
    Ok(())
}
