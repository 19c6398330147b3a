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
use crate::store::transfer::{
    BATCH_ROWS, ColumnKind, RowReader, TakeRows, TransferColumn, TransferSource, TransferTable,
};
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
    let row = session.row("SELECT mark FROM desk", &[])?;
    let mark: Option<String> = row.map_or(Ok(None), |row| row.try_get(0))?;
    Ok(mark.map(|text| DeskMark::parse(&text)))
}

/// Returns the mark of the desk in a database.
pub(crate) fn mark_of(address: &PostgresAddress) -> Result<Option<DeskMark>, Problem> {
    let database = connect(address)?;
    let session = database.session()?;
    schema::check_format(&session, address)?;
    read_mark(&session).map_err(|error| database_problem(&error))
}

/// Removes the mark of a desk.
pub(crate) fn open_for_writes(session: &Session<'_>) -> Result<(), Problem> {
    session.batch("UPDATE desk SET mark = NULL").map_err(|error| database_problem(&error))
}

/// Begins a transaction, locks the desk in it, and returns its mark.
fn lock(session: &Session<'_>, address: &PostgresAddress) -> Result<Option<DeskMark>, Problem> {
    schema::check_format(session, address)?;
    let locked = || -> Result<Option<String>, DatabaseError> {
        session.batch(BEGIN)?;
        session.row("SELECT mark FROM desk FOR UPDATE", &[])?.map_or(Ok(None), |row| row.try_get(0))
    };
    Ok(locked().map_err(|error| database_problem(&error))?.map(|text| DeskMark::parse(&text)))
}

/// Stores a mark, and commits.
fn commit_with_mark(session: &Session<'_>, mark: &DeskMark) -> Result<(), Problem> {
    let write = ("UPDATE desk SET mark = $1".into(), values![mark.to_text()]);
    let done = session.exchange(None, &[write], None, Some("COMMIT"));
    done.map(drop).map_err(|error| database_problem(&error))
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
    let row = session.row(&sql, &[]).map_err(|error| database_problem(&error))?;
    let row = row.ok_or_else(|| failed("a count without a row"))?;
    row.try_get(0).map(i64::unsigned_abs).map_err(|error| database_problem(&error))
}

fn read(session: &Session<'_>, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
    let problem = |error: DatabaseError| database_problem(&error);
    // Bytes decide the order in a file, too.
    let by_bytes = |column: &TransferColumn| match column.kind {
        ColumnKind::Text => format!("{} COLLATE \"C\"", quote(column.name)),
        _ => quote(column.name),
    };
    let keys: Vec<_> = table.key_columns().map(by_bytes).collect();
    let (names, keys, from) = (column_names(table), keys.join(", "), quote(table.name));
    let cursor = quote(&format!("copy_{}", table.name));
    let declare = format!("DECLARE {cursor} NO SCROLL CURSOR FOR SELECT {names} FROM {from} ORDER BY {keys}");
    session.batch(&declare).map_err(problem)?;
    let fetch = format!("FETCH {BATCH_ROWS} FROM {cursor}");
    loop {
        let rows = session.rows(&fetch, &[]).map_err(problem)?;
        let count = rows.len();
        if count > 0 {
            let rows: Result<Vec<Row>, DatabaseError> = rows.iter().map(|row| read_row(table, row)).collect();
            take(rows.map_err(problem)?)?;
        }
        if count < BATCH_ROWS {
            return session.batch(&format!("CLOSE {cursor}")).map_err(problem);
        }
    }
}

fn read_row(table: &TransferTable, row: &SqlRow) -> Result<Row, DatabaseError> {
    let value = |(place, kind): (usize, ColumnKind)| -> Result<RowValue, DatabaseError> {
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
    };
    table.columns.iter().map(|column| column.kind).enumerate().map(value).collect()
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
