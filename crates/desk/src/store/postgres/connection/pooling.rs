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

/// Returns whether the process of the first one, which is idle, changes while the second one is in a transaction: a pooler
/// then gives the second one the process of the first, or the first one another.
async fn process_changes(first: &Client, second: &Client) -> Result<bool, DatabaseError> {
    let before = process_of(first).await?;
    second.batch_execute("BEGIN").await?;
    let (other, after) = (process_of(second).await, process_of(first).await);
    second.batch_execute("ROLLBACK").await?;
    Ok(other? == before || after? != before)
}

/// Returns the process of the server that runs a statement of this connection.
async fn process_of(client: &Client) -> Result<Option<String>, DatabaseError> {
    let rows = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(rows.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
