//! Copy of a whole desk into an empty one, from any kind of store to any kind.
//!
//! The old desk is locked for writers from the first row that is read to the mark that it moved: so nothing that it
//! confirmed is missing in the copy. Readers go on. The copy becomes visible in one step, marked as not complete; then
//! the old desk is marked, and then the copy is opened. Whoever is killed in between leaves the old desk as it was, or a
//! copy that takes no writes and that a repetition completes.

mod tables;

pub(crate) use tables::{ASK, ColumnKind, TABLES, TransferColumn, TransferTable};

use super::desk_mark::DeskMark;
use super::reports::{OnProgress, TableCopy, TransferReport};
use super::row_value::{Row, RowsDigest};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::path::PathBuf;

/// Rows that are read and written at once.
pub(crate) const BATCH_ROWS: usize = 100;

/// Function that takes the next rows of a table.
pub(crate) type TakeRows<'a> = dyn FnMut(Vec<Row>) -> Result<(), Problem> + 'a;

/// Reader of the rows of a desk, in the order of their keys.
pub(crate) trait RowReader {
    /// Counts the rows of a table.
    fn count(&self, table: &TransferTable) -> Result<u64, Problem>;

    /// Reads the rows of a table, [`BATCH_ROWS`] at once.
    fn read(&self, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem>;
}

/// Desk that is copied, locked for writers.
pub(crate) trait TransferSource: RowReader {
    /// Returns the mark of the desk.
    fn mark(&self) -> Result<Option<DeskMark>, Problem>;

    /// Marks the desk, and ends the lock. From then on it takes no writes.
    fn set_mark(&self, mark: &DeskMark) -> Result<(), Problem>;
}

/// Empty desk that takes a copy. Nothing of it is visible before it is published.
pub(crate) trait TransferTarget: RowReader {
    /// Returns a row as this desk can store it.
    fn storable(&self, table: &TransferTable, row: Row) -> Row;

    /// Prepares a table for its rows.
    fn begin_table(&self, table: &TransferTable) -> Result<(), Problem>;

    /// Stores rows of a table.
    fn write(&self, table: &TransferTable, rows: &[Row]) -> Result<(), Problem>;

    /// Makes what follows from the rows: counters, checksums, a new id of the desk.
    fn complete(&self, on_progress: OnProgress<'_>) -> Result<(), Problem>;

    /// Makes the copy visible, with a mark. Returns the new path of a file that it replaced.
    fn publish(&self, mark: &DeskMark) -> Result<Option<PathBuf>, Problem>;

    /// Removes the mark: from now on the desk takes writes.
    fn open_for_writes(&self) -> Result<(), Problem>;
}

/// Copies all tables between the desks of these names, compares them, and marks both desks.
///
/// # Errors
/// If one of them cannot be read or written, or the copy differs. Then the source is unmarked.
pub(crate) fn copy_rows(
    source: &dyn TransferSource,
    target: &dyn TransferTarget,
    [from, to]: [&str; 2],
    on_progress: OnProgress<'_>,
) -> Result<TransferReport, Problem> {
    let mut rows = 0;
    for table in TABLES {
        rows += source.count(table)?;
    }
    // Each row is read, completed and compared.
    let total = rows.saturating_mul(3);
    let mut progress = 0;
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let mut digest = RowsDigest::new();
        target.begin_table(table)?;
        source.read(table, &mut |rows| {
            let rows: Vec<Row> = rows.into_iter().map(|row| target.storable(table, row)).collect();
            digest.add(&rows);
            target.write(table, &rows)?;
            progress += rows.len() as u64;
            on_progress(progress, total);
            Ok(())
        })?;
        tables.push(TableCopy { name: table.name, rows: digest.rows(), digest: digest.finish() });
    }
    target.complete(&|part, of| on_progress(rows + rows * part / of.max(1), total))?;
    progress = rows * 2;
    for (table, copied) in TABLES.iter().zip(&tables) {
        let mut digest = RowsDigest::new();
        target.read(table, &mut |rows| {
            digest.add(&rows);
            progress += rows.len() as u64;
            on_progress(progress, total);
            Ok(())
        })?;
        if (digest.rows(), digest.finish()) != (copied.rows, copied.digest) {
            let parts = [own(table.name), own(digest.rows()), own(copied.rows)];
            return Err(Problem::new(ProblemCode::DeskDamaged, Message::CopyDiffers.with(parts)));
        }
    }
    let replaced_file = target.publish(&DeskMark::Partial { from: from.to_owned() })?;
    source.set_mark(&DeskMark::Moved { to: to.to_owned() })?;
    target.open_for_writes()?;
    let asks = tables.iter().find(|table| table.name == ASK.name).map_or(0, |table| table.rows);
    Ok(TransferReport { from: from.to_owned(), to: to.to_owned(), asks, rows, tables, kept: replaced_file })
}
