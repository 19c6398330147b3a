//! Rows of late submissions, limited for each ask.

use crate::store::postgres::connection::Query;
use crate::store::postgres::error::DatabaseError;
use sayso_core::wire::json;
use sayso_core::{AskId, LateSubmission};

/// Reads the late submissions of an ask, oldest first.
pub(crate) fn read_all(query: &impl Query, id: AskId) -> Result<Vec<LateSubmission>, DatabaseError> {
    let sql = "SELECT body FROM late JOIN ask ON ask.seq = late.seq WHERE id = $1 ORDER BY n";
    let rows = query.rows(sql, &[&id.as_bytes().as_slice()])?;
    let read = rows.iter().map(|row| Ok(json::read_own(row.try_get(0)?).ok()));
    Ok(read.collect::<Result<Vec<Option<_>>, DatabaseError>>()?.into_iter().flatten().collect())
}
