//! Rows of drafts, one a question.

use crate::draft::Draft;
use crate::store::logic::asks::drafts::to_revision;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::DatabaseError;
use sayso_core::wire::json;
use sayso_core::{AskId, QuestionId};

/// Reads the draft of an ask.
pub(crate) fn read(query: &impl Query, id: AskId) -> Result<Draft, DatabaseError> {
    let sql = "SELECT question, reply, draft_rev, scripted FROM ask LEFT JOIN draft ON draft.seq = ask.seq WHERE id = $1";
    let mut draft = Draft::default();
    for row in query.rows(sql, &[&id.as_bytes().as_slice()])? {
        draft.rev = to_revision(row.try_get(2)?);
        let Some(question) = row.try_get::<_, Option<String>>(0)? else { continue };
        let question = QuestionId::new(question);
        let Ok(reply) = json::read_own(row.try_get(1)?) else { continue };
        if row.try_get(3)? {
            draft.scripted.insert(question.clone());
        }
        draft.replies.insert(question, reply);
    }
    Ok(draft)
}
