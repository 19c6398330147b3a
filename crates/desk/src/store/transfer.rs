//! Copy of a whole desk into an empty one, from any kind of store to any kind.
//!
//! The old desk is locked for writers from the first row that is read to the mark that it moved: so nothing that it
//! confirmed is missing in the copy. Readers go on. The copy becomes visible in one step, marked as not complete; then
//! the old desk is marked, and then the copy is opened. Whoever is killed in between leaves the old desk as it was, or a
//! copy that takes no writes and that a repetition completes.

mod row_value;
mod tables;

pub(crate) use row_value::{Row, RowValue};
pub(crate) use tables::{ColumnKind, TABLES, TransferColumn, TransferTable};

use super::desk_mark::DeskMark;
use super::maintenance::{DeskPlace, OnProgress, TableCopy, TransferReport};
use super::{postgres, sqlite};
use row_value::RowsDigest;
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

/// Copies a desk, and marks it as moved.
///
/// # Errors
/// If one of them cannot be opened, the target is not empty, or the copy differs. Then the source is unmarked.
pub(crate) fn copy(
    from: &DeskPlace<'_>,
    to: &DeskPlace<'_>,
    on_progress: OnProgress<'_>,
) -> Result<TransferReport, Problem> {
    if from.name() == to.name() {
        return Err(Problem::new(ProblemCode::InvalidValue, Message::CopyToItself));
    }
    with_source(from, &mut |source| {
        let Some(mark) = source.mark()? else {
            return with_target(to, &mut |target| run(source, target, from, to, on_progress));
        };
        let moved = DeskMark::Moved { to: to.name() };
        let partial = Some(DeskMark::Partial { from: from.name() });
        if mark != moved || mark_of(to)? != partial {
            return Err(mark.to_problem());
        }
        // Everything was copied, and only the last step was not reached.
        open_for_writes(to)?;
        let asks = source.count(&tables::ASK)?;
        Ok(TransferReport { from: from.name(), to: to.name(), asks, rows: 0, tables: Vec::new(), kept: None })
    })
}

/// Copies all tables, compares them, and marks both desks.
fn run(
    source: &dyn TransferSource,
    target: &dyn TransferTarget,
    from: &DeskPlace<'_>,
    to: &DeskPlace<'_>,
    on_progress: OnProgress<'_>,
) -> Result<TransferReport, Problem> {
    let counts = TABLES.iter().map(|table| source.count(table)).collect::<Result<Vec<_>, _>>()?;
    let rows: u64 = counts.iter().sum();
    // Each row is read, completed and compared.
    let (total, mut done) = (rows.saturating_mul(3), 0);
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let mut digest = RowsDigest::new();
        target.begin_table(table)?;
        source.read(table, &mut |rows| {
            let rows: Vec<Row> = rows.into_iter().map(|row| target.storable(table, row)).collect();
            digest.add(&rows);
            target.write(table, &rows)?;
            done += rows.len() as u64;
            on_progress(done, total);
            Ok(())
        })?;
        tables.push(TableCopy { name: table.name, rows: digest.rows(), digest: digest.finish() });
    }
    target.complete(&|part, of| on_progress(rows + rows * part / of.max(1), total))?;
    done = rows * 2;
    for (table, copied) in TABLES.iter().zip(&tables) {
        let mut digest = RowsDigest::new();
        target.read(table, &mut |rows| {
            digest.add(&rows);
            done += rows.len() as u64;
            on_progress(done, total);
            Ok(())
        })?;
        if (digest.rows(), digest.finish()) != (copied.rows, copied.digest) {
            let parts = [own(table.name), own(digest.rows()), own(copied.rows)];
            return Err(Problem::new(ProblemCode::DeskDamaged, Message::CopyDiffers.with(parts)));
        }
    }
    let kept = target.publish(&DeskMark::Partial { from: from.name() })?;
    source.set_mark(&DeskMark::Moved { to: to.name() })?;
    target.open_for_writes()?;
    let asks = tables.iter().find(|table| table.name == tables::ASK.name).map_or(0, |table| table.rows);
    Ok(TransferReport { from: from.name(), to: to.name(), asks, rows, tables, kept })
}

fn with_source(
    place: &DeskPlace<'_>,
    work: &mut dyn FnMut(&dyn TransferSource) -> Result<TransferReport, Problem>,
) -> Result<TransferReport, Problem> {
    match place {
        DeskPlace::File(path) => work(&sqlite::transfer::FileSource::lock(path)?),
        DeskPlace::Database(address) => {
            let database = postgres::transfer::connect(address)?;
            work(&postgres::transfer::DatabaseSource::lock(&database, address)?)
        }
    }
}

fn with_target(
    place: &DeskPlace<'_>,
    work: &mut dyn FnMut(&dyn TransferTarget) -> Result<TransferReport, Problem>,
) -> Result<TransferReport, Problem> {
    match place {
        DeskPlace::File(path) => work(&sqlite::transfer::FileTarget::create(path)?),
        DeskPlace::Database(address) => {
            let database = postgres::transfer::connect(address)?;
            work(&postgres::transfer::DatabaseTarget::begin(&database, address)?)
        }
    }
}

/// Returns the mark of a desk; `None` without a mark or without a desk.
fn mark_of(place: &DeskPlace<'_>) -> Result<Option<DeskMark>, Problem> {
    match place {
        DeskPlace::File(path) => sqlite::transfer::mark_of(path),
        DeskPlace::Database(address) => postgres::transfer::mark_of(address),
    }
}

fn open_for_writes(place: &DeskPlace<'_>) -> Result<(), Problem> {
    match place {
        DeskPlace::File(path) => sqlite::transfer::open_for_writes(path),
        DeskPlace::Database(address) => {
            postgres::transfer::open_for_writes(&postgres::transfer::connect(address)?.session()?)
        }
    }
}

#[cfg(test)]
mod tests;
