//! Rows of a desk in a database, for a copy of the whole desk.

mod target;

pub(crate) use target::DatabaseTarget;

use super::connection::address::PostgresAddress;
use super::connection::{Database, Query as _, Session};
use super::error::{DatabaseError, database_problem, failed};
use super::schema;
use super::transaction::values;
use crate::store::desk_mark::DeskMark;
use crate::store::row_value::{Row, RowValue};
use crate::store::transfer::{BATCH_ROWS, ColumnKind, RowReader, TakeRows, TransferSource, TransferTable};
use sayso_core::Problem;
use tokio_postgres::Row as SqlRow;

/// Begins the transaction of a copy. Its statements may take long; if this machine stops, it is over after a minute.
const BEGIN: &str = "BEGIN; SET LOCAL statement_timeout = 0; \
                     SET LOCAL idle_in_transaction_session_timeout = '60s'";

/// Prepares connections to a database.
///
/// # Errors
/// If the address has an unreadable certificate, or no thread can be started.
pub(crate) fn connect(address: &PostgresAddress) -> Result<Database, Problem> {
    Database::connect_to_copy(address)
}

/// Reads the mark of a desk.
pub(crate) fn read_mark(session: &Session<'_>) -> Result<Option<DeskMark>, DatabaseError> {
    read_mark_with(session, "SELECT mark FROM desk")
}

fn read_mark_with(session: &Session<'_>, sql: &str) -> Result<Option<DeskMark>, DatabaseError> {
    let Some(row) = session.row(sql, &[])? else { return Ok(None) };
    let mark: Option<&str> = row.try_get(0)?;
    Ok(mark.map(DeskMark::parse))
}

/// Returns the mark of the desk in a database.
pub(crate) fn mark_of(address: &PostgresAddress) -> Result<Option<DeskMark>, Problem> {
    let database = connect(address)?;
    let session = database.session()?;
    schema::check_format(&session, address)?;
    read_mark(&session).map_err(database_problem)
}

/// Removes the mark of a desk.
pub(crate) fn open_for_writes(session: &Session<'_>) -> Result<(), Problem> {
    session.batch("UPDATE desk SET mark = NULL").map_err(database_problem)
}

/// Begins a transaction, locks the desk in it, and returns its mark.
fn lock(session: &Session<'_>, address: &PostgresAddress) -> Result<Option<DeskMark>, Problem> {
    schema::check_format(session, address)?;
    session.batch(BEGIN).map_err(database_problem)?;
    read_mark_with(session, "SELECT mark FROM desk FOR UPDATE").map_err(database_problem)
}

/// Stores a mark, and commits.
fn commit_with_mark(session: &Session<'_>, mark: &DeskMark) -> Result<(), Problem> {
    let write = ("UPDATE desk SET mark = $1".into(), values![mark.to_text()]);
    let result = session.exchange(None, &[write], None, Some("COMMIT"));
    result.map(drop).map_err(database_problem)
}

fn quote(name: &str) -> String {
    format!("\"{name}\"")
}

/// Returns the names of the columns, for a statement.
fn column_names(table: &TransferTable) -> String {
    let names: Vec<_> = table.columns.iter().map(|column| quote(column.name)).collect();
    names.join(", ")
}

fn count(session: &Session<'_>, table: &TransferTable) -> Result<u64, Problem> {
    let sql = format!("SELECT count(*) FROM {}", quote(table.name));
    match session.row(&sql, &[]).map_err(database_problem)? {
        Some(row) => row.try_get(0).map(i64::unsigned_abs).map_err(database_problem),
        None => Err(failed("a count without a row")),
    }
}

fn read(session: &Session<'_>, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
    let mut keys = Vec::new();
    for column in table.key_columns() {
        let name = quote(column.name);
        // Bytes decide the order in a file, too.
        keys.push(if column.kind == ColumnKind::Text { format!("{name} COLLATE \"C\"") } else { name });
    }
    let cursor = quote(&format!("copy_{}", table.name));
    let declare = format!(
        "DECLARE {cursor} NO SCROLL CURSOR FOR SELECT {} FROM {} ORDER BY {}",
        column_names(table),
        quote(table.name),
        keys.join(", ")
    );
    session.batch(&declare).map_err(database_problem)?;
    let fetch = format!("FETCH {BATCH_ROWS} FROM {cursor}");
    loop {
        let batch = read_batch(session, table, &fetch).map_err(database_problem)?;
        let is_last = batch.len() < BATCH_ROWS;
        if !batch.is_empty() {
            take(batch)?;
        }
        if is_last {
            return session.batch(&format!("CLOSE {cursor}")).map_err(database_problem);
        }
    }
}

fn read_batch(session: &Session<'_>, table: &TransferTable, fetch: &str) -> Result<Vec<Row>, DatabaseError> {
    let mut batch = Vec::with_capacity(BATCH_ROWS);
    for row in session.rows(fetch, &[])? {
        let mut values = Vec::with_capacity(table.columns.len());
        for (place, column) in table.columns.iter().enumerate() {
            values.push(read_value(&row, place, column.kind)?);
        }
        batch.push(values);
    }
    Ok(batch)
}

fn read_value(row: &SqlRow, place: usize, kind: ColumnKind) -> Result<RowValue, DatabaseError> {
    let value = match kind {
        ColumnKind::Int => row.try_get::<_, Option<i64>>(place)?.map(RowValue::Int),
        ColumnKind::Flag | ColumnKind::Open => row.try_get::<_, Option<bool>>(place)?.map(RowValue::Flag),
        ColumnKind::Text => row.try_get::<_, Option<String>>(place)?.map(RowValue::Text),
        ColumnKind::Bytes => row.try_get::<_, Option<Vec<u8>>>(place)?.map(RowValue::Bytes),
        ColumnKind::Prose => {
            let bytes = row.try_get::<_, Option<&[u8]>>(place)?;
            bytes.map(|bytes| RowValue::Text(String::from_utf8_lossy(bytes).into_owned()))
        }
    };
    Ok(value.unwrap_or(RowValue::Null))
}

/// Desk in a database that is copied, locked for writers.
pub(crate) struct DatabaseSource<'d> {
    session: Session<'d>,
    mark: Option<DeskMark>,
}

impl<'d> DatabaseSource<'d> {
    /// Locks a desk for writers. The lock ends with the connection.
    ///
    /// # Errors
    /// If the server cannot be reached, has no desk of this version, or another node keeps it locked.
    pub(crate) fn lock(database: &'d Database, address: &PostgresAddress) -> Result<Self, Problem> {
        let session = database.session()?;
        let mark = lock(&session, address)?;
        Ok(Self { session, mark })
    }
}

impl RowReader for DatabaseSource<'_> {
    fn count(&self, table: &TransferTable) -> Result<u64, Problem> {
        count(&self.session, table)
    }

    fn read(&self, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
        read(&self.session, table, take)
    }
}

impl TransferSource for DatabaseSource<'_> {
    fn mark(&self) -> Result<Option<DeskMark>, Problem> {
        Ok(self.mark.clone())
    }

    fn set_mark(&self, mark: &DeskMark) -> Result<(), Problem> {
        commit_with_mark(&self.session, mark)
    }
}
