//! Rows of idempotency keys.

use super::ask_rows::read_id;
use crate::store::logic::asks::AskKey;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::DatabaseError;
use crate::store::row_value::without_nul;

/// Reads the row number and the id of the ask on which a key was used, with the digest of its request.
pub(crate) fn find_row(
    query: &impl Query,
    owner: &str,
    key: &str,
) -> Result<Option<(AskKey, Vec<u8>)>, DatabaseError> {
    let sql =
        "SELECT key.seq, id, request FROM key JOIN ask ON ask.seq = key.seq WHERE owner = $1 AND key = $2";
    match query.row(sql, &[&without_nul(owner), &without_nul(key)])? {
        Some(row) => Ok(Some(((row.try_get(0)?, read_id(&row, 1)?), row.try_get(2)?))),
        None => Ok(None),
    }
}
