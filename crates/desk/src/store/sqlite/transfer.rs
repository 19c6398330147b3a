//! Rows of a desk file, for a copy of the whole desk.

mod row_checksums;
mod target;

pub(crate) use target::FileTarget;

use super::SqliteStore;
use super::connection::connect;
use super::error::database_problem;
use super::schema;
use crate::clock;
use crate::store::desk_mark::DeskMark;
use crate::store::row_value::{Row, RowValue};
use crate::store::transfer::{
    BATCH_ROWS, ColumnKind, RowReader, TakeRows, TransferColumn, TransferSource, TransferTable,
};
use crate::wakeup::{self, WakeScope};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, Rows, params};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::path::{Path, PathBuf};

/// Reads the mark of a desk. It is the name of a row, `mark` and the text, because the table has no column for one.
pub(crate) fn read_mark(conn: &Connection) -> rusqlite::Result<Option<DeskMark>> {
    conn.prepare_cached("SELECT substr(name, 6) FROM chore WHERE name > 'mark ' AND name < 'mark!'")?
        .query_row([], |row| Ok(DeskMark::parse(row.get_ref(0)?.as_str()?)))
        .optional()
}

fn write_mark(conn: &Connection, mark: &DeskMark) -> rusqlite::Result<()> {
    conn.execute(
        "INSERT OR REPLACE INTO chore (name, value) VALUES ('mark ' || ?1, ?2)",
        params![mark.to_text(), clock::now().as_microsecond()],
    )
    .map(drop)
}

/// Removes the mark of a desk in a connection.
pub(crate) fn remove_mark(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute("DELETE FROM chore WHERE name > 'mark ' AND name < 'mark!'", []).map(drop)
}

/// Returns the mark of a desk file; `None` without one or without a file.
pub(crate) fn mark_of(path: &Path) -> Result<Option<DeskMark>, Problem> {
    if !path.exists() {
        return Ok(None);
    }
    let conn = connect(path)?;
    schema::check_is_desk(&conn, path)?;
    read_mark(&conn).map_err(database_problem)
}

/// Removes the mark of a desk file.
pub(crate) fn open_for_writes(path: &Path) -> Result<(), Problem> {
    remove_mark(&connect(path)?).map_err(database_problem)
}

/// Marks a desk file that no one uses.
#[cfg(test)]
pub(crate) fn mark_file(path: &Path, mark: &DeskMark) -> rusqlite::Result<()> {
    write_mark(&Connection::open(path)?, mark)
}

/// Rows of a desk file.
struct FileRows(Connection);

impl RowReader for FileRows {
    fn count(&self, table: &TransferTable) -> Result<u64, Problem> {
        let sql = format!("SELECT count(*) FROM \"{}\"", table.file_name);
        let count: i64 = self.0.query_row(&sql, [], |row| row.get(0)).map_err(database_problem)?;
        Ok(count.unsigned_abs())
    }

    fn read(&self, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
        let keys: Vec<_> = table.key_columns().map(|column| quote(column.file_name)).collect();
        let sql = format!(
            "SELECT {} FROM {} ORDER BY {}",
            column_names(table),
            quote(table.file_name),
            keys.join(", ")
        );
        let mut statement = self.0.prepare(&sql).map_err(database_problem)?;
        let mut rows = statement.query([]).map_err(database_problem)?;
        loop {
            let batch = read_batch(table, &mut rows).map_err(database_problem)?;
            let is_last = batch.len() < BATCH_ROWS;
            if !batch.is_empty() {
                take(batch)?;
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

fn quote(name: &str) -> String {
    format!("\"{name}\"")
}

/// Returns the names of the columns in a file, for a statement.
fn column_names(table: &TransferTable) -> String {
    let names: Vec<_> = table.columns.iter().map(|column| quote(column.file_name)).collect();
    names.join(", ")
}

fn read_batch(table: &TransferTable, rows: &mut Rows<'_>) -> rusqlite::Result<Vec<Row>> {
    let mut batch = Vec::with_capacity(BATCH_ROWS);
    while batch.len() < BATCH_ROWS
        && let Some(row) = rows.next()?
    {
        let mut values = Vec::with_capacity(table.columns.len());
        for (place, column) in table.columns.iter().enumerate() {
            values.push(read_value(row, place, column)?);
        }
        batch.push(values);
    }
    Ok(batch)
}

fn read_value(row: &SqlRow<'_>, place: usize, column: &TransferColumn) -> rusqlite::Result<RowValue> {
    Ok(match (column.kind, row.get_ref(place)?) {
        (ColumnKind::Open, value) => RowValue::Flag(value != ValueRef::Null),
        (_, ValueRef::Null) => RowValue::Null,
        (ColumnKind::Int, ValueRef::Integer(number)) => RowValue::Int(number),
        (ColumnKind::Flag, ValueRef::Integer(number)) => RowValue::Flag(number != 0),
        (ColumnKind::Text | ColumnKind::Prose, ValueRef::Text(_)) => RowValue::Text(row.get(place)?),
        (ColumnKind::Bytes, ValueRef::Blob(bytes)) => RowValue::Bytes(bytes.to_vec()),
        (_, value) => {
            let name = column.file_name.to_owned();
            return Err(rusqlite::Error::InvalidColumnType(place, name, value.data_type()));
        }
    })
}

/// Desk file that is copied, locked for writers.
pub(crate) struct FileSource {
    path: PathBuf,
    rows: FileRows,
}

impl FileSource {
    /// Locks a desk file for writers, and checks it: what is damaged is not copied.
    ///
    /// # Errors
    /// If there is no such desk, it is damaged or incomplete, or others keep it locked.
    pub(crate) fn lock(path: &Path) -> Result<Self, Problem> {
        if !path.exists() {
            let message = Message::NoDeskThere.with([own(path.display())]);
            return Err(
                Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::NoDeskThereHint)
            );
        }
        let store = SqliteStore::open(path)?;
        let rows = FileRows(connect(path)?);
        rows.0.execute_batch("BEGIN IMMEDIATE").map_err(database_problem)?;
        let findings = store.check_integrity(&|_, _| {})?;
        if !findings.is_sound() {
            let others = findings.other.len() + findings.file.len();
            let message = Message::DamageFound.with([findings.damaged_asks.len(), others]);
            return Err(Problem::new(ProblemCode::DeskDamaged, message).with_hint(Message::CopyDamagedHint));
        }
        Ok(Self { path: path.to_owned(), rows })
    }
}

impl RowReader for FileSource {
    fn count(&self, table: &TransferTable) -> Result<u64, Problem> {
        self.rows.count(table)
    }

    fn read(&self, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
        self.rows.read(table, take)
    }
}

impl TransferSource for FileSource {
    fn mark(&self) -> Result<Option<DeskMark>, Problem> {
        read_mark(&self.rows.0).map_err(database_problem)
    }

    fn set_mark(&self, mark: &DeskMark) -> Result<(), Problem> {
        let conn = &self.rows.0;
        write_mark(conn, mark).map_err(database_problem)?;
        conn.execute_batch("COMMIT").map_err(database_problem)?;
        // Those who wait for an answer learn that it will not come here.
        wakeup::for_file(&self.path).wake(&WakeScope::Everyone);
        Ok(())
    }
}
