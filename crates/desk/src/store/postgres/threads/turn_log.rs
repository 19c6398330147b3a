//! Log of what happens in turns, by which nodes tell each other. Its rows have numbers in the order of their commits.

use crate::store::postgres::connection::{Query as _, Session};
use crate::store::postgres::error::DatabaseError;
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::thread::{TurnNews, TurnNewsKind, TurnNewsPage};
use tokio_postgres::Row;

/// Reads what other nodes told after a place.
pub(super) fn read_after(
    session: &Session<'_>,
    node: i64,
    after: i64,
) -> Result<TurnNewsPage, DatabaseError> {
    // No row up to this one is still to be committed.
    let last = session.row("SELECT last_row FROM desk", &[])?.map_or(Ok(0), |row| row.try_get(0))?;
    if last <= after {
        return Ok(TurnNewsPage { news: Vec::new(), last });
    }
    let sql = "SELECT n, turn, kind, body FROM turn_log WHERE n > $1 AND n <= $2 AND node <> $3 ORDER BY n";
    let rows = session.rows(sql, &[&after, &last, &node])?;
    let news = rows.iter().map(read_row).collect::<Result<_, _>>()?;
    Ok(TurnNewsPage { news, last })
}

fn read_row(row: &Row) -> Result<TurnNews, DatabaseError> {
    let kind = TurnNewsKind::read(row.try_get(2)?, row.try_get(3)?);
    Ok(TurnNews { place: row.try_get(0)?, turn: row.try_get(1)?, kind })
}

/// Deletes what was told of turns that have ended, but for the latest: a node may be late to read it.
pub(crate) fn purge(tx: &WriteTransaction<'_>) {
    tx.queue(
        "DELETE FROM turn_log WHERE n < $1 AND NOT EXISTS \
         (SELECT 1 FROM turn WHERE turn.n = turn_log.turn AND pending)",
        values![tx.last_row() - KEPT_ROWS],
    );
}

/// Rows of the desk for which what was told of an ended turn is kept.
const KEPT_ROWS: i64 = 100_000;
