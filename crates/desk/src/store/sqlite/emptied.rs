//! Cancelled asks that no person saw lose their questions early. What is left of such an ask is its id, its key, its
//! title, who asked and how it ended: whoever asks for it still finds that it was cancelled.

use super::checksum;
use super::job::Failure;
use super::list::id_of;
use super::requests::Requests;
use jiff::Timestamp;
use rusqlite::{Connection, Params, params};
use sayso_core::wire::ask as wire;
use sayso_core::{AskId, limits};

/// Asks emptied in one transaction.
const ASKS: i64 = 200;

/// The condition of the partial indexes, word for word.
const UNSEEN: &str = "state = 'cancelled' AND seen = 0 AND emptied = 0";

/// Whether there is an ask to be emptied that was cancelled before.
pub(super) fn is_any(conn: &Connection, before: Timestamp) -> rusqlite::Result<bool> {
    conn.prepare_cached(&format!("SELECT 1 FROM ask WHERE {UNSEEN} AND changed_at < ?1 LIMIT 1"))?
        .exists([before.as_microsecond()])
}

/// Empties some of the asks that were cancelled before; how many they were.
pub(super) fn cancelled_before(
    conn: &Connection,
    requests: &Requests,
    before: Timestamp,
) -> Result<usize, Failure> {
    let sql = format!("SELECT seq FROM ask WHERE {UNSEEN} AND changed_at < ?1 ORDER BY changed_at LIMIT ?2");
    let them = places(conn, &sql, params![before.as_microsecond(), ASKS])?;
    for seq in &them {
        empty(conn, requests, *seq)?;
    }
    Ok(them.len())
}

/// Empties asks of an account until so many bytes are free, the oldest first and only so many of them.
pub(super) fn of_account(
    conn: &Connection,
    requests: &Requests,
    account: &str,
    bytes: i64,
) -> Result<(), Failure> {
    let sql = format!("SELECT seq FROM ask WHERE {UNSEEN} AND account = ?1 ORDER BY seq LIMIT ?2");
    let mut missing = bytes;
    for seq in places(conn, &sql, params![account, limits::EMPTIED_FOR_ROOM])? {
        if missing <= 0 {
            break;
        }
        missing -= empty(conn, requests, seq)?;
    }
    Ok(())
}

/// The places of the asks to be emptied: to empty them changes the index that finds them.
fn places(conn: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<Vec<i64>> {
    conn.prepare_cached(sql)?.query_map(params, |row| row.get(0))?.collect()
}

/// Empties an ask; how many bytes that frees. One that cannot be read, and one to which a person said something, stays as
/// it is and is not looked at again.
fn empty(conn: &Connection, requests: &Requests, seq: i64) -> rusqlite::Result<i64> {
    let (id, title, before, sum): (AskId, String, String, Option<i64>) = conn
        .prepare_cached(
            "SELECT id, title, body, sum FROM ask JOIN request ON request.seq = ask.seq WHERE ask.seq = ?1",
        )?
        .query_row([seq], |row| Ok((id_of(row, 0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let is_said = conn
        .prepare_cached(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM draft WHERE seq = ?1) \
             OR EXISTS (SELECT 1 FROM late WHERE seq = ?1)",
        )?
        .exists([seq])?;
    let is_kept = is_said || !checksum::is_sound(sum, checksum::of_text(id, &before));
    let emptied = (!is_kept).then(|| wire::write_emptied_request(&before, &title)).and_then(Result::ok);
    let freed = match &emptied {
        Some(body) => {
            conn.prepare_cached("UPDATE request SET body = ?2, sum = ?3 WHERE seq = ?1")?
                .execute(params![seq, body, checksum::of_text(id, body)])?;
            conn.prepare_cached(
                "DELETE FROM search WHERE rowid = ?1 AND rowid <= (SELECT value FROM chore WHERE name = 'indexed')",
            )?
            .execute([seq])?;
            requests.forget(id);
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
