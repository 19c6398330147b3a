//! Statements of the rules of a store, as SQLite runs them.

use super::SqliteStore;
use super::asks::ask_sql::SqliteSql;
use super::error::desk_failed;
use super::writer::job::{JobContext, JobError, WriteJob};
use crate::store::logic::statements::{StatementStore, StoreReader, StoreTransaction, WriteNeeds};
use crate::store::row_value::{RowValue, StoredRow};
use jiff::Timestamp;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Row, ToSql, params_from_iter};
use sayso_core::Problem;
use sayso_core::wire::json;

/// Write transaction on the connection of the writer.
pub(crate) struct SqliteTransaction<'t> {
    pub(crate) conn: &'t Connection,
    pub(crate) context: JobContext<'t>,
    now: Timestamp,
}

impl<'t> SqliteTransaction<'t> {
    pub(crate) const fn new(conn: &'t Connection, context: JobContext<'t>, now: Timestamp) -> Self {
        Self { conn, context, now }
    }
}

impl ToSql for RowValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Int(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Flag(flag) => ToSqlOutput::Owned(Value::Integer((*flag).into())),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            // A statement reads it with `json_each`.
            Self::Texts(texts) => ToSqlOutput::Owned(Value::Text(json::write(texts))),
        })
    }
}

/// Returns a statement with its parameters as SQLite numbers them: it takes `$1` for a name.
pub(crate) fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

impl StoreReader for Connection {
    type Sql = SqliteSql;
    type Error = JobError;

    fn query(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, JobError> {
        let mut statement = self.prepare_cached(&numbered(sql))?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut stored_rows = Vec::new();
        while let Some(row) = rows.next()? {
            stored_rows.push(read_row(row)?);
        }
        Ok(stored_rows)
    }
}

/// Reads a row.
///
/// # Errors
/// If the bytes of a text are none.
pub(crate) fn read_row(row: &Row<'_>) -> rusqlite::Result<StoredRow> {
    let columns = row.as_ref().column_count();
    let mut values = Vec::with_capacity(columns);
    for column in 0..columns {
        values.push(read_value(row.get_ref(column)?)?);
    }
    Ok(StoredRow(values))
}

fn read_value(value: ValueRef<'_>) -> rusqlite::Result<RowValue> {
    Ok(match value {
        ValueRef::Integer(number) => RowValue::Int(number),
        ValueRef::Text(_) => RowValue::Text(value.as_str()?.to_owned()),
        ValueRef::Blob(bytes) => RowValue::Bytes(bytes.to_vec()),
        // No column has numbers with a fraction.
        ValueRef::Null | ValueRef::Real(_) => RowValue::Null,
    })
}

impl StoreReader for SqliteTransaction<'_> {
    type Sql = SqliteSql;
    type Error = JobError;

    fn query(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, JobError> {
        self.conn.query(sql, values)
    }
}

impl StoreTransaction for SqliteTransaction<'_> {
    fn now(&self) -> Timestamp {
        self.now
    }

    fn write(&self, sql: &str, values: &[RowValue]) -> Result<(), JobError> {
        self.conn.prepare_cached(&numbered(sql))?.execute(params_from_iter(values))?;
        Ok(())
    }

    fn write_returning(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, JobError> {
        self.conn.query(sql, values)
    }
}

impl StatementStore for SqliteStore {
    type Error = JobError;
    type Reader<'r> = Connection;
    type Transaction<'t> = SqliteTransaction<'t>;

    fn node_number(&self) -> Option<i64> {
        None
    }

    fn run_lookup<T>(&self, work: impl FnOnce(&Connection) -> Result<T, JobError>) -> Result<T, Problem> {
        work(&*self.connection(&self.token_reader)?).map_err(JobError::into_problem)
    }

    fn run_read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, JobError>) -> Result<T, Problem> {
        self.read_few(work)
    }

    fn run_scan<T>(&self, work: impl FnOnce(&Connection) -> Result<T, JobError>) -> Result<T, Problem> {
        self.read_many(work)
    }

    fn run_write<T: Send + 'static>(
        &self,
        needs: WriteNeeds,
        work: impl FnMut(&SqliteTransaction<'_>) -> Result<T, JobError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (job, output) = WriteJob::new(needs, work);
        self.writer.run(job)?;
        output.take().ok_or_else(|| desk_failed("a job without a result"))
    }
}
