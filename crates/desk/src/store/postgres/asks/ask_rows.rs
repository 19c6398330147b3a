//! Rows of asks with their requests.

use crate::store::api::ChangeTarget;
use crate::store::logic::asks::{UNKNOWN_ID, ask_damaged};
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::DatabaseError;
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::row_value::without_nul;
use crate::store::search_text::search_text;
use jiff::Timestamp;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::sheet::ask_progress;
use sayso_core::wire::{ask as wire, json};
use sayso_core::{Ask, AskId, AskSummary, AskTransition, Digest, Problem, limits};
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Ask as stored.
pub(crate) struct AskRow {
    seq: i64,
    id: AskId,
    body: String,
    status: String,
}

impl AskRow {
    /// Converts to the ask, with its row number.
    ///
    /// # Errors
    /// If its text cannot be read.
    pub(crate) fn into_ask(self) -> Result<(i64, Ask), Problem> {
        let Self { seq, id, body, status } = self;
        let request = Arc::new(wire::read_request(&body).map_err(|_| ask_damaged(id))?);
        let state = wire::read_state(&status).map_err(|_| ask_damaged(id))?;
        Ok((seq, Ask { id, request, state }))
    }
}

/// Reads the asks that meet a condition.
pub(crate) fn read_where(
    query: &impl Query,
    condition: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<AskRow>, DatabaseError> {
    let sql = format!(
        "SELECT ask.seq, id, body, status FROM ask JOIN request ON request.seq = ask.seq WHERE {condition}"
    );
    let mut rows = Vec::new();
    for row in query.rows(&sql, values)? {
        let id = read_id(&row, 1)?;
        rows.push(AskRow { seq: row.try_get(0)?, id, body: row.try_get(2)?, status: row.try_get(3)? });
    }
    Ok(rows)
}

/// Reads an ask.
pub(crate) fn read(query: &impl Query, id: AskId) -> Result<Option<AskRow>, DatabaseError> {
    Ok(read_where(query, "id = $1", &[&id.as_bytes().as_slice()])?.pop())
}

/// Reads an id. One that is damaged is no ask's.
pub(crate) fn read_id(row: &Row, column: usize) -> Result<AskId, DatabaseError> {
    Ok(AskId::from_bytes(row.try_get(column)?).unwrap_or(UNKNOWN_ID))
}

/// Stores a new ask, and returns its row number.
pub(crate) fn insert(tx: &WriteTransaction<'_>, target: &ChangeTarget, change: &AskTransition) -> i64 {
    let row = AskSummary::from_ask(&change.ask, ask_progress::count_asked(&change.ask));
    let request = &change.ask.request;
    let (content, draft_key, body) = match target {
        ChangeTarget::Open { content, canonical, draft_key, .. } => {
            (content.as_ref(), draft_key.as_ref(), wire::write_request_with(request, canonical))
        }
        ChangeTarget::Ask(_) => (None, None, wire::write_request(request)),
    };
    let status = wire::write_state(&change.ask.state);
    let kept_bytes = size(limits::ASK_OVERHEAD_BYTES + body.len() + status.len());
    let seq = tx.next_row();
    tx.add_pending(i64::from(row.state.is_pending()));
    let [title, asker] = [&row.title, &row.asker].map(|text| without_nul(text));
    let [account, folder, program] =
        [&row.account, &row.folder, &row.program].map(|text| text.as_deref().map(without_nul));
    let [account_name, folder_name] = [&account, &folder].map(|name| name.as_deref().unwrap_or_default());
    let prompts = request.questionnaire.questions.iter().map(|question| question.prompt.as_str());
    let act_name = row.act.as_ref().map(|act| act.object.as_str()).unwrap_or_default();
    let words = search_text([&title, &asker, account_name, folder_name, act_name], prompts).to_lowercase();
    let bytes = |digest: &Digest| digest.as_bytes().to_vec();
    tx.queue(
        "INSERT INTO ask (seq, id, state, pending, content, due_at, title, asker, folder, dialect, questions, seen, \
         delivered, attached, pid, started, created_at, changed_at, status, account, asked, kept_bytes, draft_key, \
         program, audience, readers, act) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, \
         $21, $22, $23, $24, $25, $26, $27)",
        values![
            seq,
            row.id.as_bytes().to_vec(),
            row.state.as_str(),
            row.state.is_pending(),
            content.map(bytes),
            row.deadline.map(Timestamp::as_microsecond),
            title,
            asker,
            folder,
            without_nul(&row.dialect),
            i64::from(row.questions),
            row.seen,
            row.delivered,
            row.attached,
            row.process.map(|process| i64::from(process.pid)),
            row.process.map(|process| process.started.cast_signed()),
            row.created_at.as_microsecond(),
            row.changed_at.as_microsecond(),
            status,
            account,
            i64::from(row.asked),
            kept_bytes,
            draft_key.map(bytes),
            program,
            row.audience.as_ref().map(json::write),
            row.audience.as_ref().map(|audience| audience.keys().collect::<Vec<_>>()),
            row.act.as_ref().map(json::write),
        ],
    );
    tx.queue("INSERT INTO request (seq, body) VALUES ($1, $2)", values![seq, body]);
    tx.queue("INSERT INTO search (seq, words) VALUES ($1, $2)", values![seq, words]);
    seq
}

/// Stores the state of an ask after a change.
pub(crate) fn update(tx: &WriteTransaction<'_>, (seq, before): (i64, &Ask), change: &AskTransition) {
    // The number of questions asked changes only with the draft, which stores it, and with the answer.
    let is_answered = AskStatus::from_phase(&change.ask.state.phase) == AskStatus::Answered;
    let question_count = if is_answered { Some(ask_progress::count_asked(&change.ask)) } else { None };
    let row = AskSummary::from_ask(&change.ask, question_count.unwrap_or_default());
    let was_pending = AskStatus::from_phase(&before.state.phase).is_pending();
    tx.add_pending(i64::from(row.state.is_pending()) - i64::from(was_pending));
    tx.queue(
        "UPDATE ask SET state = $2, pending = $3, content = CASE WHEN $4 THEN content END, due_at = $5, seen = $6, \
         delivered = $7, attached = $8, pid = $9, started = $10, changed_at = $11, status = $12, \
         asked = coalesce($13, asked), kept_bytes = kept_bytes + octet_length($12) - octet_length(status), \
         approved = $14 WHERE seq = $1",
        values![
            seq,
            row.state.as_str(),
            row.state.is_pending(),
            change.ask.is_live(),
            row.deadline.map(Timestamp::as_microsecond),
            row.seen,
            row.delivered,
            row.attached,
            row.process.map(|process| i64::from(process.pid)),
            row.process.map(|process| process.started.cast_signed()),
            row.changed_at.as_microsecond(),
            wire::write_state(&change.ask.state),
            question_count.map(|_| i64::from(row.asked)),
            row.approved,
        ],
    );
}

/// Converts a size in bytes to a column's type.
pub(crate) fn size(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
