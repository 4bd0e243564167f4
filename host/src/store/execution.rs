//! Executions in the store: written in the transaction that changes them (Host §8).

use super::{Store, StoreError, UsedKey};
use crate::execution::{
    Certainty, EndCode, Execution, Goal, Happening, Millis, Phase, ResultStatus, Source, State, Summary, transition,
};
use pageport::wire::bridge::{ExecutionId, PageSessionId, Revision};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row, params};

/// Which executions a list shows.
#[derive(Clone, Debug)]
pub struct Query<'a> {
    /// `plugin/operation` of everything the caller may see.
    pub exposed: &'a [String],
    /// Only this plugin's.
    pub plugin: Option<&'a str>,
    /// Only those in this state.
    pub state: Option<State>,
    /// How many to skip.
    pub offset: u32,
    /// How many to show.
    pub limit: u32,
}

/// A part of a list.
#[derive(Clone, Debug)]
pub struct Page {
    /// The part.
    pub items: Vec<Summary>,
    /// How many there are in all.
    pub total: u32,
}

const COLUMNS: &str = "id, plugin, plugin_version, operation, page, revision, source, state, certainty, code,
    cancel_requested, cancel_confirmed, created, updated, started, accepted, deadline";

/// What is read back: whether the record is only kept for its key, too.
const READ: &str = ", cleaned";

impl Store {
    /// Writes executions as they are and the keys that made them, all or none.
    ///
    /// # Errors
    ///
    /// When the store does not answer; nothing was written then.
    pub fn save<'a>(
        &mut self,
        executions: impl Iterator<Item = &'a Execution>,
        keys: &[UsedKey],
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT OR REPLACE INTO executions ({COLUMNS})
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
            ))?;
            for it in executions {
                insert.execute(params![
                    Stored(it.id.to_string()),
                    &*it.plugin,
                    &*it.plugin_version,
                    &*it.operation,
                    Stored(it.page.to_string()),
                    Stored(it.revision.to_string()),
                    it.source.as_str(),
                    it.state.as_str(),
                    it.certainty.as_str(),
                    it.code.map(EndCode::as_str),
                    it.cancel_requested,
                    it.cancel_confirmed,
                    Time(it.created),
                    Time(it.updated),
                    it.started.map(Time),
                    it.accepted.map(Time),
                    it.deadline.map(Time),
                ])?;
            }
        }
        for key in keys {
            super::key::insert(&transaction, key)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Ends what an earlier host left unfinished; nothing is run again.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn interrupt_unfinished(&mut self, now: Millis) -> Result<usize, StoreError> {
        let Some(Goal::End(state, code)) = transition(Phase::Queued, Happening::HostRestarted).map(|row| row.to) else {
            return Ok(0);
        };
        Ok(self.connection.execute(
            "UPDATE executions SET state = ?1, code = ?2, updated = ?3 WHERE state IN ('queued', 'running')",
            params![state.as_str(), code.map(EndCode::as_str), Time(now)],
        )?)
    }

    /// One execution.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn execution(&self, id: ExecutionId) -> Result<Option<Summary>, StoreError> {
        let mut select =
            self.connection.prepare_cached(&format!("SELECT {COLUMNS}{READ} FROM executions WHERE id = ?1"))?;
        Ok(select.query_row([Stored(id.to_string())], read).optional()?)
    }

    /// A part of the history, newest first.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn history(&self, query: &Query<'_>) -> Result<Page, StoreError> {
        const FILTER: &str = "FROM executions
            WHERE cleaned = 0 AND plugin || '/' || operation IN (SELECT value FROM json_each(?1))
            AND (?2 IS NULL OR plugin = ?2) AND (?3 IS NULL OR state = ?3)";
        let exposed = serde_json::to_string(query.exposed).unwrap_or_default();
        let state = query.state.map(State::as_str);
        let total = self.connection.query_row(
            &format!("SELECT count(*) {FILTER}"),
            params![exposed, query.plugin, state],
            |row| row.get(0),
        )?;
        let mut select = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS}{READ} {FILTER} ORDER BY created DESC, id DESC LIMIT ?4 OFFSET ?5"
        ))?;
        let rows = select.query_map(params![exposed, query.plugin, state, query.limit, query.offset], read)?;
        Ok(Page { items: rows.collect::<Result<_, _>>()?, total })
    }

    /// Removes what is older than `oldest`, and the oldest beyond `most`; what is in `keep` and what has not ended
    /// stays. A record whose key still answers leaves the lists and goes with the key.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn clean(&mut self, now: Millis, oldest: Millis, most: usize, keep: &[ExecutionId]) -> Result<(), StoreError> {
        let keep: Vec<String> = keep.iter().map(ToString::to_string).collect();
        let keep = serde_json::to_string(&keep).unwrap_or_default();
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM keys WHERE expires <= ?1", [Time(now)])?;
        transaction.execute(
            "UPDATE executions SET cleaned = 1 WHERE cleaned = 0 AND state NOT IN ('queued', 'running')
             AND lower(hex(id)) NOT IN (SELECT value FROM json_each(?3))
             AND (created < ?1 OR id IN
                  (SELECT id FROM executions WHERE cleaned = 0 ORDER BY created DESC, id DESC LIMIT -1 OFFSET ?2))",
            params![Time(oldest), most, keep],
        )?;
        transaction
            .execute("DELETE FROM executions WHERE cleaned = 1 AND id NOT IN (SELECT execution FROM keys)", [])?;
        transaction.commit()?;
        Ok(())
    }
}

/// An id: 16 bytes in the file, 32 hex digits outside.
pub(super) struct Stored(pub(super) String);

impl ToSql for Stored {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let digit = |at: usize| u8::from_str_radix(&self.0[at..at + 2], 16).unwrap_or_default();
        Ok(ToSqlOutput::from((0..self.0.len() / 2).map(|at| digit(2 * at)).collect::<Vec<u8>>()))
    }
}

impl FromSql for Stored {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_blob().map(|bytes| Self(crate::secret::hex(bytes)))
    }
}

/// A time: an integer in the file.
pub(super) struct Time(pub(super) Millis);

impl ToSql for Time {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(i64::try_from(self.0.0).unwrap_or(i64::MAX)))
    }
}

impl FromSql for Time {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(|ms| Self(Millis(u64::try_from(ms).unwrap_or_default())))
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Summary> {
    let id = |at: usize| row.get::<_, Stored>(at).map(|text| text.0);
    let time = |at: usize| row.get::<_, Option<Time>>(at).map(|time| time.map(|time| time.0));
    let state = word(row, 7, State::parse)?;
    Ok(Summary {
        execution_id: known(ExecutionId::parse(&id(0)?))?,
        index: 0,
        plugin_id: row.get::<_, String>(1)?.into(),
        plugin_version: row.get::<_, String>(2)?.into(),
        operation_id: row.get::<_, String>(3)?.into(),
        page_session_id: known(PageSessionId::parse(&id(4)?))?,
        revision: known(Revision::parse(&id(5)?))?,
        reload_count: 0,
        source: word(row, 6, Source::parse)?,
        state,
        certainty: word(row, 8, Certainty::parse)?,
        error_code: row.get::<_, Option<String>>(9)?.as_deref().and_then(EndCode::parse),
        progress: None,
        cancel_requested: row.get(10)?,
        cancel_confirmed: row.get(11)?,
        result_status: if row.get(17)? { ResultStatus::Cleaned } else { ResultStatus::NeverPersisted },
        result: None,
        result_projection: false,
        result_expires_at: None,
        created_at: row.get::<_, Time>(12)?.0,
        updated_at: row.get::<_, Time>(13)?.0,
        started_at: time(14)?,
        accepted_at: time(15)?,
        deadline: time(16)?,
        resource_ids: [],
        download_task_ids: [],
        artifact_ids: [],
    })
}

fn word<T>(row: &Row<'_>, at: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    known(parse(&row.get::<_, String>(at)?))
}

fn known<T>(value: Option<T>) -> rusqlite::Result<T> {
    value.ok_or_else(|| FromSqlError::InvalidType.into())
}
