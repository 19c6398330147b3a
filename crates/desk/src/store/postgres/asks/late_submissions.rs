//! Rows of late submissions, limited for each ask.

use crate::store::postgres::connection::Query;
use crate::store::postgres::error::DatabaseError;
use crate::store::postgres::transaction::{WriteTransaction, values};
use sayso_core::wire::json;
use sayso_core::{AskId, LateSubmission, limits};

/// Stores a late submission once, and returns whether it is stored: each ask has a size limit.
pub(crate) fn store_once(
    tx: &WriteTransaction<'_>,
    seq: i64,
    late: &LateSubmission,
) -> Result<bool, DatabaseError> {
    let body = json::write(late);
    let stored = tx.rows("SELECT body FROM late WHERE seq = $1", &[&seq])?;
    let mut bytes = body.len();
    for row in &stored {
        let text: &str = row.try_get(0)?;
        // A retry after a lost response repeats the content at another time.
        let is_same = |before: LateSubmission| LateSubmission { at: late.at, ..before } == *late;
        if json::read_own::<LateSubmission>(text).is_ok_and(is_same) {
            return Ok(true);
        }
        bytes += text.len();
    }
    if stored.len() >= limits::LATE_ANSWERS || bytes > limits::LATE_BYTES {
        return Ok(false);
    }
    tx.queue("INSERT INTO late (n, seq, body) VALUES ($1, $2, $3)", values![tx.next_row(), seq, body]);
    Ok(true)
}

/// Reads the late submissions of an ask, oldest first.
pub(crate) fn read_all(query: &impl Query, id: AskId) -> Result<Vec<LateSubmission>, DatabaseError> {
    let sql = "SELECT body FROM late JOIN ask ON ask.seq = late.seq WHERE id = $1 ORDER BY n";
    let rows = query.rows(sql, &[&id.as_bytes().as_slice()])?;
    let read = rows.iter().map(|row| Ok(json::read_own(row.try_get(0)?).ok()));
    Ok(read.collect::<Result<Vec<Option<_>>, DatabaseError>>()?.into_iter().flatten().collect())
}
