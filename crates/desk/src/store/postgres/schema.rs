//! Schema of a desk in a database: creation, migration and checks.

use super::connection::address::PostgresAddress;
use super::connection::{Query as _, Session};
use super::error::{DatabaseError, database_problem};
use crate::random;
use sayso_core::{Message, Problem, ProblemCode};

/// Current schema version.
pub(crate) const FORMAT: i64 = 6;

/// Migrations: the first makes version 1 of an empty database, the next makes version 2 of that, and so on.
const MIGRATIONS: [&str; 6] = [
    include_str!("schema/format_1.sql"),
    include_str!("schema/to_format_2.sql"),
    include_str!("schema/to_format_3.sql"),
    include_str!("schema/to_format_4.sql"),
    include_str!("schema/to_format_5.sql"),
    include_str!("schema/to_format_6.sql"),
];

/// Index by which words are found, if the server has the extension for it. Without it a search reads all asks.
const TRIGRAM_INDEX: &str = "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
                             CREATE INDEX search_words ON search USING gin (words gin_trgm_ops)";

/// Checks that the database has a desk of this version.
///
/// # Errors
/// If it has none, or one of another version.
pub(crate) fn check_format(session: &Session<'_>, address: &PostgresAddress) -> Result<(), Problem> {
    match read_format(session).map_err(|error| database_problem(&error))? {
        Some(FORMAT) => Ok(()),
        Some(format) => Err(other_format(&address.to_string(), format)),
        None => {
            Err(Problem::new(ProblemCode::DeskNotOurs, Message::DatabaseEmpty.with([address.to_string()]))
                .with_hint(Message::DatabaseMigrateHint))
        }
    }
}

/// Creates the tables, or brings those of an older version up to date.
///
/// # Errors
/// If a statement fails, or the desk is of a newer version.
pub(crate) fn migrate(session: &Session<'_>, address: &PostgresAddress) -> Result<(), Problem> {
    let found = read_format(session).map_err(|error| database_problem(&error))?.unwrap_or_default();
    if found > FORMAT {
        return Err(other_format(&address.to_string(), found));
    }
    let taken = usize::try_from(found).unwrap_or_default();
    for (step, sql) in MIGRATIONS.iter().enumerate().skip(taken) {
        run_step(session, step, sql).map_err(|error| database_problem(&error))?;
    }
    Ok(())
}

/// Runs one migration in a transaction.
fn run_step(session: &Session<'_>, step: usize, sql: &str) -> Result<(), DatabaseError> {
    let format = step + 1;
    let id = random::random_bytes::<8>().map_or(1, i64::from_ne_bytes);
    let mark = match step {
        0 => format!("INSERT INTO desk (format, id) VALUES ({format}, {id})"),
        _ => format!("UPDATE desk SET format = {format}"),
    };
    session.batch(&format!("BEGIN; {sql}; {mark}; COMMIT")).inspect_err(|_| {
        // The failed statement aborted the transaction, which may be gone with its connection.
        if let Err(error) = session.batch("ROLLBACK") {
            tracing::debug!(%error, "a migration ended with its connection");
        }
    })?;
    if step == 0
        && let Err(error) = session.batch(TRIGRAM_INDEX)
    {
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
    let parts = [desk.to_owned(), format.to_string(), FORMAT.to_string()];
    if format > FORMAT {
        return Problem::new(ProblemCode::DeskTooNew, Message::DeskTooNew.with(parts))
            .with_hint(Message::DeskTooNewHint);
    }
    Problem::new(ProblemCode::DeskNotOurs, Message::DatabaseOlder.with(parts))
        .with_hint(Message::DatabaseMigrateHint)
}
