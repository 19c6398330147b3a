//! Rows of idempotency keys.

use super::ask_rows::read_id;
use crate::store::KeyUse;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::row_value::without_nul;
use sayso_core::i18n::{foreign, own};
use sayso_core::{AskId, Message, Problem, ProblemCode};

/// Finds the ask on which a key was used, or returns a problem if it was used for another request.
pub(crate) fn find_use(query: &impl Query, key: &KeyUse) -> Result<Option<i64>, WriteError> {
    match find_row(query, &key.owner, &key.key)? {
        Some((_, id, request)) if request != key.request.as_bytes() => {
            let message = Message::KeyOfAsk.with([foreign(&key.key), own(id)]);
            Err(Problem::new(ProblemCode::KeyReused, message).with_hint(Message::UseAnotherKey).into())
        }
        Some((seq, ..)) => Ok(Some(seq)),
        None => Ok(None),
    }
}

/// Stores the use of a key on an ask.
pub(crate) fn insert(tx: &WriteTransaction<'_>, KeyUse { owner, key, request }: &KeyUse, seq: i64) {
    let sql = "INSERT INTO key (owner, key, request, seq) VALUES ($1, $2, $3, $4)";
    tx.queue(sql, values![without_nul(owner), without_nul(key), request.as_bytes().to_vec(), seq]);
}

/// Reads the row number and the id of the ask on which a key was used, with the digest of its request.
pub(crate) fn find_row(
    query: &impl Query,
    owner: &str,
    key: &str,
) -> Result<Option<(i64, AskId, Vec<u8>)>, DatabaseError> {
    let sql =
        "SELECT key.seq, id, request FROM key JOIN ask ON ask.seq = key.seq WHERE owner = $1 AND key = $2";
    let found = query.row(sql, &[&without_nul(owner), &without_nul(key)])?;
    found.map(|row| Ok((row.try_get(0)?, read_id(&row, 1)?, row.try_get(2)?))).transpose()
}
