//! Early pruning of cancelled asks that no person saw: their questions are deleted. Id, key, title, asker and outcome
//! stay, so a repeated request still finds that the ask was cancelled.

use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use jiff::Timestamp;
use sayso_core::limits;
use sayso_core::wire::ask as wire;
use tokio_postgres::Row;

/// Asks pruned in one transaction.
const BATCH_ASKS: i64 = 200;

/// Condition of the partial index.
const UNSEEN: &str = "state = 'cancelled' AND NOT seen AND NOT emptied";

/// Returns whether an ask that was cancelled before this time can be pruned.
pub(crate) fn has_prunable(query: &impl Query, before: Timestamp) -> Result<bool, DatabaseError> {
    query.has_row(
        &format!("SELECT 1 FROM ask WHERE {UNSEEN} AND changed_at < $1 ORDER BY changed_at LIMIT 1"),
        &[&before.as_microsecond()],
    )
}

/// Prunes a batch of asks that were cancelled before this time, and returns their number.
pub(crate) fn prune_cancelled_before(
    tx: &WriteTransaction<'_>,
    before: Timestamp,
) -> Result<usize, WriteError> {
    let sql = select("changed_at < $1 ORDER BY changed_at LIMIT $2");
    let rows = tx.rows(&sql, &[&before.as_microsecond(), &BATCH_ASKS])?;
    rows.iter().try_for_each(|row| prune(tx, row).map(drop))?;
    Ok(rows.len())
}

/// Prunes an account's asks until this many bytes are free, oldest first, within one batch.
pub(crate) fn prune_account(tx: &WriteTransaction<'_>, account: &str, bytes: i64) -> Result<(), WriteError> {
    let sql = select("account = $1 ORDER BY ask.seq LIMIT $2");
    let mut missing = bytes;
    for row in tx.rows(&sql, &[&account, &i64::from(limits::EVICTED_ASKS)])? {
        if missing <= 0 {
            break;
        }
        missing -= prune(tx, &row)?;
    }
    Ok(())
}

fn select(condition: &str) -> String {
    format!(
        "SELECT ask.seq, title, body, EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq) \
         OR EXISTS (SELECT 1 FROM late WHERE late.seq = ask.seq) \
         FROM ask JOIN request ON request.seq = ask.seq WHERE {UNSEEN} AND {condition}"
    )
}

/// Prunes an ask and returns the freed bytes. An unreadable ask, or one with a person's text, stays and is not
/// examined again.
fn prune(tx: &WriteTransaction<'_>, row: &Row) -> Result<i64, DatabaseError> {
    let seq: i64 = row.try_get(0)?;
    let (title, before): (&str, &str) = (row.try_get(1)?, row.try_get(2)?);
    let has_text: bool = row.try_get(3)?;
    let emptied =
        (!has_text).then(|| wire::write_request_without_questions(before, title)).and_then(Result::ok);
    let freed = match emptied {
        Some(body) => {
            let [before, after] = [before, &body].map(|text| i64::try_from(text.len()).unwrap_or(i64::MAX));
            tx.queue("UPDATE request SET body = $2 WHERE seq = $1", values![seq, body]);
            tx.queue("DELETE FROM search WHERE seq = $1", values![seq]);
            before - after
        }
        None => 0,
    };
    let sql = "UPDATE ask SET emptied = true, kept_bytes = kept_bytes - $2 WHERE seq = $1";
    tx.queue(sql, values![seq, freed]);
    Ok(freed)
}
