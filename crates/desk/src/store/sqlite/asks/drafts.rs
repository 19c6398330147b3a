//! Rows of drafts, one a question.

use crate::draft::Draft;
use crate::store::logic::asks::drafts::to_revision;
use crate::store::sqlite::error::{RowDamage, damage_error};
use crate::store::sqlite::integrity::checksum;
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::wire::json;
use sayso_core::{AskId, QuestionId};

/// Writes the checksum of the draft progress into the ask's row after a change of it.
pub(crate) fn write_progress_sum(conn: &Connection, id: AskId) -> rusqlite::Result<()> {
    let sum = conn
        .prepare_cached("SELECT answered, asked, draft_rev FROM ask WHERE id = ?1")?
        .query_row([id.as_bytes()], |row| {
            Ok(checksum::draft_progress_sum(id, row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    conn.prepare_cached("UPDATE ask SET draft_sum = ?2 WHERE id = ?1")?
        .execute(params![id.as_bytes(), sum])
        .map(drop)
}

/// Reads the draft of an ask and verifies it.
pub(crate) fn read(conn: &Connection, id: AskId) -> rusqlite::Result<Draft> {
    let mut statement = conn.prepare_cached(
        "SELECT question, reply, draft_rev, scripted, sum FROM ask LEFT JOIN draft ON draft.seq = ask.seq WHERE id = ?1",
    )?;
    let mut rows = statement.query([id.as_bytes()])?;
    let mut draft = Draft::default();
    while let Some(row) = rows.next()? {
        draft.rev = to_revision(row.get(2)?);
        let Some(question) = row.get::<_, Option<String>>(0)? else { continue };
        let question = QuestionId::new(question);
        let text: String = row.get(1)?;
        let is_scripted = row.get(3)?;
        let sum = checksum::reply_sum(id, &question, &text, is_scripted);
        checksum::verify(row, 4, sum, &RowDamage::Ask(id))?;
        let reply = json::read_own(&text).map_err(|_| damage_error(RowDamage::Ask(id)))?;
        if is_scripted {
            draft.scripted.insert(question.clone());
        }
        draft.replies.insert(question, reply);
    }
    Ok(draft)
}
