//! Conversion of the driver's errors to problems with hints.

use crate::store::row_value::UnreadableColumn;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fmt::Display;
use tokio_postgres::error::SqlState;

/// Error of the driver or the server.
pub(crate) type DatabaseError = tokio_postgres::Error;

/// Seconds that a statement waits for another node's transaction.
pub(crate) const LOCK_SECONDS: u64 = 10;

/// Seconds after which a server that cannot be reached is worth another try.
const RETRY_SECONDS: u64 = 1;

/// Error of a job: its own problem, or a database error, which aborts the transaction.
#[derive(Debug)]
pub(crate) enum WriteError {
    Problem(Problem),
    Database(DatabaseError),
}

impl WriteError {
    /// Returns the problem for a caller.
    pub(crate) fn into_problem(self) -> Problem {
        match self {
            Self::Problem(problem) => problem,
            Self::Database(error) => database_problem(error),
        }
    }
}

impl From<Problem> for WriteError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<UnreadableColumn> for WriteError {
    fn from(column: UnreadableColumn) -> Self {
        Self::Problem(failed(&format!("column {} cannot be read", column.0)))
    }
}

impl From<DatabaseError> for WriteError {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

/// Converts an error to a problem. The values of a statement are never part of it.
#[expect(clippy::needless_pass_by_value, reason = "it is the function of a `map_err`")]
pub(crate) fn database_problem(error: DatabaseError) -> Problem {
    let Some(code) = error.code() else { return failed(&error.to_string()) };
    match *code {
        SqlState::DISK_FULL => {
            Problem::new(ProblemCode::DeskFull, Message::DeskFull).with_hint(Message::DeskFullHint)
        }
        SqlState::LOCK_NOT_AVAILABLE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::QUERY_CANCELED => {
            Problem::new(ProblemCode::DeskBusy, Message::DeskBusy.with([LOCK_SECONDS]))
                .with_hint(Message::DeskBusyHint)
        }
        SqlState::READ_ONLY_SQL_TRANSACTION => {
            Problem::new(ProblemCode::DeskUnreachable, Message::DeskReadOnly.with([own(describe(&error))]))
                .with_hint(Message::DeskUnreachableHint)
        }
        // A pooler gave the statement to a process of the server that does not know it.
        SqlState::INVALID_SQL_STATEMENT_NAME | SqlState::DUPLICATE_PSTATEMENT => pooled(),
        _ => failed(&describe(&error)),
    }
}

/// Returns the problem of a pooler in transaction mode.
pub(crate) fn pooled() -> Problem {
    Problem::new(ProblemCode::DeskUnsupported, Message::TransactionsPooled)
        .with_hint(Message::TransactionsPooledHint)
}

/// Returns the server's message without its details, which may quote stored values, or the cause of a failed
/// connection.
pub(crate) fn describe(error: &DatabaseError) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(error), _) => format!("{} ({})", error.message(), error.code().code()),
        (None, Some(cause)) => cause.to_string(),
        (None, None) => error.to_string(),
    }
}

/// Returns the problem of a failure that a retry with the same key survives.
pub(crate) fn failed(what: &str) -> Problem {
    tracing::warn!(error = what, "the database failed a call");
    Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([own(what)]))
        .with_hint(Message::DeskFailedHint)
}

/// Returns the problem of a server that cannot be reached.
pub(crate) fn unreachable(desk: &str, error: &dyn Display) -> Problem {
    tracing::warn!(%error, "the database cannot be reached");
    let message = Message::DeskUnreachable.with([own(desk), own(error)]);
    Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::DatabaseUnreachableHint)
}

/// Returns the problem of a server that takes connections and stays silent.
pub(crate) fn silent(desk: &str) -> Problem {
    unreachable(desk, &"no answer").retry_after(RETRY_SECONDS)
}

/// Returns the problem of a connection that was not made. It says when to try again, unless the server refused it for good.
pub(crate) fn not_connected(desk: &str, error: &DatabaseError) -> Problem {
    let problem = unreachable(desk, &describe(error));
    // Errors of the connection, of the server's resources, and of its start and end.
    let may_pass = |code: &SqlState| ["08", "53", "57"].iter().any(|class| code.code().starts_with(class));
    if error.code().is_none_or(may_pass) { problem.retry_after(RETRY_SECONDS) } else { problem }
}
