//! Rows of idempotency keys.

use crate::store::api::KeyUse;
use crate::store::logic::asks::AskKey;
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::error::{RowDamage, damage_error};
use crate::store::sqlite::integrity::checksum;
use rusqlite::{Connection, params};

/// Stores the use of a key on an ask.
pub(crate) fn insert(conn: &Connection, used: &KeyUse, (seq, id): AskKey) -> rusqlite::Result<()> {
    let KeyUse { owner, key, request } = used;
    let sum = checksum::key_sum(id, owner, key, request.as_bytes());
    conn.prepare_cached("INSERT INTO key (owner, key, request, seq, sum) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![owner, key, request.as_bytes(), seq, sum])
        .map(drop)
}

/// Reads the row number and the id of the ask on which a key was used, with the digest of its request.
pub(crate) fn find_row(
    conn: &Connection,
    owner: &str,
    key: &str,
) -> rusqlite::Result<Option<(AskKey, Vec<u8>)>> {
    let mut statement = conn.prepare_cached(
        "SELECT key.seq, id, request, sum FROM key LEFT JOIN ask ON ask.seq = key.seq WHERE owner = ?1 AND key = ?2",
    )?;
    let mut rows = statement.query([owner, key])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    if let Ok(id) = read_id(row, 1) {
        let request: Vec<u8> = row.get(2)?;
        if checksum::matches_stored(row.get(3)?, checksum::key_sum(id, owner, key, &request)) {
            return Ok(Some(((row.get(0)?, id), request)));
        }
    }
    Err(damage_error(RowDamage::Key(key.to_owned())))
}
