//! Early pruning of cancelled asks that no person saw: their questions are deleted. Id, key, title, asker and outcome
//! stay, so a repeated request still finds that the ask was cancelled.

use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::asks::search;
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::writer::job::JobError;
use jiff::Timestamp;
use rusqlite::{Connection, Params, params};
use sayso_core::wire::ask as wire;
use sayso_core::{AskId, limits};

/// Asks pruned in one transaction.
const BATCH_ASKS: i64 = 200;

/// Condition of the partial indexes, which must match literally.
const UNSEEN: &str = "state = 'cancelled' AND seen = 0 AND emptied = 0";

/// Returns whether an ask that was cancelled before this time can be pruned.
pub(crate) fn has_prunable(conn: &Connection, before: Timestamp) -> rusqlite::Result<bool> {
    conn.prepare_cached(&format!("SELECT 1 FROM ask WHERE {UNSEEN} AND changed_at < ?1 LIMIT 1"))?
        .exists([before.as_microsecond()])
}

/// Prunes a batch of asks that were cancelled before this time, and returns their number.
pub(crate) fn prune_cancelled_before(
    conn: &Connection,
    requests: &RequestCache,
    before: Timestamp,
) -> Result<usize, JobError> {
    let sql = format!("SELECT seq FROM ask WHERE {UNSEEN} AND changed_at < ?1 ORDER BY changed_at LIMIT ?2");
    let them = prunable_rows(conn, &sql, params![before.as_microsecond(), BATCH_ASKS])?;
    for seq in &them {
        prune(conn, requests, *seq)?;
    }
    Ok(them.len())
}

/// Prunes an account's asks until this many bytes are free, oldest first, within one batch.
pub(crate) fn prune_account(
    conn: &Connection,
    requests: &RequestCache,
    account: &str,
    bytes: i64,
) -> Result<(), JobError> {
    let sql = format!("SELECT seq FROM ask WHERE {UNSEEN} AND account = ?1 ORDER BY seq LIMIT ?2");
    let mut missing = bytes;
    for seq in prunable_rows(conn, &sql, params![account, limits::EVICTED_ASKS])? {
        if missing <= 0 {
            break;
        }
        missing -= prune(conn, requests, seq)?;
    }
    Ok(())
}

/// Returns the row numbers of asks to prune. They are collected first, because pruning changes the index that finds
/// them.
fn prunable_rows(conn: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<Vec<i64>> {
    conn.prepare_cached(sql)?.query_map(params, |row| row.get(0))?.collect()
}

/// Prunes an ask and returns the freed bytes. An unreadable ask, or one with a person's text, stays and is not
/// examined again.
fn prune(conn: &Connection, requests: &RequestCache, seq: i64) -> rusqlite::Result<i64> {
    let (id, title, before, sum): (AskId, String, String, Option<i64>) = conn
        .prepare_cached(
            "SELECT id, title, body, sum FROM ask JOIN request ON request.seq = ask.seq WHERE ask.seq = ?1",
        )?
        .query_row([seq], |row| Ok((read_id(row, 0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let is_said = conn
        .prepare_cached(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM draft WHERE seq = ?1) \
             OR EXISTS (SELECT 1 FROM late WHERE seq = ?1)",
        )?
        .exists([seq])?;
    let is_kept = is_said || !checksum::matches_stored(sum, checksum::text_sum(id, &before));
    let emptied =
        (!is_kept).then(|| wire::write_request_without_questions(&before, &title)).and_then(Result::ok);
    let freed = match &emptied {
        Some(body) => {
            conn.prepare_cached("UPDATE request SET body = ?2, sum = ?3 WHERE seq = ?1")?
                .execute(params![seq, body, checksum::text_sum(id, body)])?;
            search::remove(conn, seq)?;
            requests.remove(id);
            let [before, after] = [&before, body].map(|text| i64::try_from(text.len()).unwrap_or(i64::MAX));
            before - after
        }
        None => 0,
    };
    conn.prepare_cached("UPDATE ask SET emptied = 1, kept_bytes = kept_bytes - ?2 WHERE seq = ?1")?
        .execute(params![seq, freed])?;
    Ok(freed)
}

#[cfg(test)]
mod tests;
