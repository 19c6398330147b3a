//! Late submissions, limited for each ask.

use super::{AskKey, AskRows};
use sayso_core::wire::json;
use sayso_core::{LateSubmission, limits};

/// Stores a late submission once, and returns whether it is stored: each ask has a size limit.
pub(super) fn store_once<T: AskRows>(tx: &T, ask: AskKey, late: &LateSubmission) -> Result<bool, T::Error> {
    let body = json::write(late);
    let rows = tx.query("SELECT body FROM late WHERE seq = $1", &[ask.0.into()])?;
    let mut bytes = body.len();
    for row in &rows {
        let text: String = row.get(0)?;
        // A retry after a lost response repeats the content at another time.
        if let Ok(earlier) = json::read_own::<LateSubmission>(&text)
            && (LateSubmission { at: late.at, ..earlier }) == *late
        {
            return Ok(true);
        }
        bytes += text.len();
    }
    if rows.len() >= limits::LATE_ANSWERS || bytes > limits::LATE_BYTES {
        return Ok(false);
    }
    tx.insert_late(ask, &body)?;
    Ok(true)
}
