//! Detection of a pooler that gives each transaction another process of the server, as PgBouncer does in transaction mode.

use crate::store::postgres::error::DatabaseError;
use tokio_postgres::{Client, SimpleQueryMessage};

/// Number of attempts to see a pooler. Another of its clients may take the process in between.
const ATTEMPTS: u32 = 3;

/// Returns whether a connection has no server process of its own.
pub(crate) async fn shares_processes(first: &Client, second: &Client) -> Result<bool, DatabaseError> {
    for _ in 0..ATTEMPTS {
        if process_changes(first, second).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a transaction of the second connection changes the process that serves the first one, which is idle.
/// A pooler gives the second connection that process, and the first one another.
async fn process_changes(first: &Client, second: &Client) -> Result<bool, DatabaseError> {
    let first_process = process_of(first).await?;
    second.batch_execute("BEGIN").await?;
    let second_process = process_of(second).await;
    let next_process = process_of(first).await;
    // The transaction ends in any case; only then an error is returned.
    second.batch_execute("ROLLBACK").await?;
    Ok(second_process? == first_process || next_process? != first_process)
}

/// Returns the process of the server that runs a statement of this connection.
async fn process_of(client: &Client) -> Result<Option<String>, DatabaseError> {
    let rows = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(rows.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
