//! Schema of a desk in a database: creation and checks.

use super::connection::address::PostgresAddress;
use super::connection::{Query as _, Session};
use super::error::{DatabaseError, database_problem};
use crate::random;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};

/// Version of the schema. A desk of another one is refused.
pub(crate) const FORMAT: i64 = 7;

/// The tables of a new desk.
const SCRIPT: &str = include_str!("schema/new_desk.sql");

/// Index by which words are found, if the server has the extension for it. Without it a search reads all asks.
const TRIGRAM_INDEX: &str = "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
                             CREATE INDEX search_words ON search USING gin (words gin_trgm_ops)";

/// Checks that the database has a desk of this version.
///
/// # Errors
/// If it has none, or one of another version.
pub(crate) fn check_format(session: &Session<'_>, address: &PostgresAddress) -> Result<(), Problem> {
    match read_format(session).map_err(database_problem)? {
        Some(FORMAT) => Ok(()),
        Some(format) => Err(other_format(&address.to_string(), format)),
        None => Err(Problem::new(ProblemCode::DeskNotOurs, Message::DatabaseEmpty.with([own(address)]))
            .with_hint(Message::DatabaseMigrateHint)),
    }
}

/// Creates the tables, unless the database has a desk of this version.
///
/// # Errors
/// If a statement fails, or the desk is of another version.
pub(crate) fn create(session: &Session<'_>, address: &PostgresAddress) -> Result<(), Problem> {
    match read_format(session).map_err(database_problem)? {
        Some(FORMAT) => Ok(()),
        Some(format) => Err(other_format(&address.to_string(), format)),
        None => create_tables(session).map_err(database_problem),
    }
}

/// Creates the tables in a transaction.
fn create_tables(session: &Session<'_>) -> Result<(), DatabaseError> {
    let id = random::random_bytes::<8>().map_or(1, i64::from_ne_bytes);
    let row = format!("INSERT INTO desk (format, id) VALUES ({FORMAT}, {id})");
    session.batch(&format!("BEGIN; {SCRIPT}; {row}; COMMIT")).inspect_err(|_| {
        // The failed statement aborted the transaction, which may be gone with its connection.
        if let Err(error) = session.batch("ROLLBACK") {
            tracing::debug!(%error, "the creation of a desk ended with its connection");
        }
    })?;
    if let Err(error) = session.batch(TRIGRAM_INDEX) {
        tracing::warn!(%error, "no index for searches: they read all asks");
    }
    Ok(())
}

/// Reads the version of the desk; `None` if there is no desk.
fn read_format(session: &Session<'_>) -> Result<Option<i64>, DatabaseError> {
    if !session.has_row("SELECT 1 FROM pg_class WHERE oid = to_regclass('desk')", &[])? {
        return Ok(None);
    }
    session.row("SELECT format FROM desk", &[])?.map(|row| row.try_get(0)).transpose()
}

/// Returns the problem of a desk of another version.
pub(crate) fn other_format(desk: &str, format: i64) -> Problem {
    let parts = [own(desk), own(format), own(FORMAT)];
    if format > FORMAT {
        return Problem::new(ProblemCode::DeskTooNew, Message::DeskTooNew.with(parts))
            .with_hint(Message::DeskTooNewHint);
    }
    Problem::new(ProblemCode::DeskTooOld, Message::DeskTooOld.with(parts))
        .with_hint(Message::DatabaseTooOldHint)
}
