//! Early pruning of cancelled asks that no person saw: their questions are deleted. Id, key, title, asker and outcome
//! stay, so a repeated request still finds that the ask was cancelled.

use super::ask_sql::AskSql as _;
use super::{AskRows, PrunableAsk};
use crate::store::logic::statements::StoreReader;
use jiff::Timestamp;
use sayso_core::limits;
use sayso_core::wire::ask as wire;

/// Asks pruned in one transaction.
const BATCH_ASKS: i64 = 200;

/// Returns whether an ask that was cancelled before this time can be pruned.
pub(crate) fn has_prunable<R: StoreReader>(reader: &R, before: Timestamp) -> Result<bool, R::Error> {
    let unseen = R::Sql::UNSEEN;
    let sql = format!("SELECT 1 FROM ask WHERE {unseen} AND changed_at < $1 ORDER BY changed_at LIMIT 1");
    reader.has_rows(&sql, &[before.into()])
}

/// Prunes a batch of asks that were cancelled before this time, and returns their number.
pub(crate) fn prune_cancelled_before<T: AskRows>(tx: &T, before: Timestamp) -> Result<usize, T::Error> {
    let condition = "changed_at < $1 ORDER BY changed_at LIMIT $2";
    let asks = tx.read_prunable(condition, &[before.into(), BATCH_ASKS.into()])?;
    for ask in &asks {
        prune(tx, ask)?;
    }
    Ok(asks.len())
}

/// Prunes an account's asks until this many bytes are free, oldest first, within one batch.
pub(crate) fn prune_account<T: AskRows>(tx: &T, account: &str, bytes: i64) -> Result<(), T::Error> {
    let condition = "account = $1 ORDER BY ask.seq LIMIT $2";
    let mut missing_bytes = bytes;
    for ask in tx.read_prunable(condition, &[account.into(), limits::EVICTED_ASKS.into()])? {
        if missing_bytes <= 0 {
            break;
        }
        missing_bytes -= prune(tx, &ask)?;
    }
    Ok(())
}

/// Prunes an ask and returns the freed bytes. An unreadable ask, or one with a person's text, stays and is not
/// examined again.
fn prune<T: AskRows>(tx: &T, ask: &PrunableAsk) -> Result<i64, T::Error> {
    let mut freed_bytes = 0;
    if !ask.must_stay
        && let Ok(body) = wire::write_request_without_questions(&ask.body, &ask.title)
    {
        tx.replace_request((ask.seq, ask.id), &body)?;
        let [before, after] = [&ask.body, &body].map(|text| i64::try_from(text.len()).unwrap_or(i64::MAX));
        freed_bytes = before - after;
    }
    let sql = "UPDATE ask SET emptied = $2, kept_bytes = kept_bytes - $3 WHERE seq = $1";
    tx.write(sql, &[ask.seq.into(), true.into(), freed_bytes.into()])?;
    Ok(freed_bytes)
}

#[cfg(test)]
mod tests;
