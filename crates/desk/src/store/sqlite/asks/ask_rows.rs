//! Rows of asks with their requests.

use super::request_cache::RequestCache;
use super::{audience_filter, search};
use crate::store::api::ChangeTarget;
use crate::store::logic::asks::ask_damaged;
use crate::store::search_text::search_text;
use crate::store::sqlite::asks::drafts;
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::error::map_ask_damage;
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::writer::job::JobError;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use sayso_core::model::ask::AskRequest;
use sayso_core::wire::{ask as wire, json};
use sayso_core::{Ask, AskId, AskTransition, Digest, Problem, limits};
use sayso_core::{AskSummary, model::ask_summary::AskStatus, sheet::ask_progress};
use std::sync::Arc;

/// Ask as stored.
pub(crate) struct StoredAsk {
    seq: i64,
    id: AskId,
    request: StoredRequest,
    status: String,
    is_sound: bool,
}

/// Request of a stored ask: cached, or text to parse.
enum StoredRequest {
    Cached(Arc<AskRequest>),
    Text(String),
}

impl StoredAsk {
    /// Converts to the ask, with its row number. Caches the request for the next reader.
    pub(crate) fn into_ask(self, requests: &RequestCache) -> Result<(i64, Ask), Problem> {
        let Self { seq, id, request, status, is_sound } = self;
        if !is_sound {
            return Err(ask_damaged(id));
        }
        let request = match request {
            StoredRequest::Cached(request) => request,
            StoredRequest::Text(text) => {
                let request = Arc::new(wire::read_request(&text).map_err(|_| ask_damaged(id))?);
                requests.insert(id, &request, text.len());
                request
            }
        };
        let state = wire::read_state(&status).map_err(|_| ask_damaged(id))?;
        Ok((seq, Ask { id, request, state }))
    }
}

/// Reads an ask.
pub(crate) fn read(
    conn: &Connection,
    requests: &RequestCache,
    id: AskId,
) -> rusqlite::Result<Option<StoredAsk>> {
    let stored = match requests.get(id) {
        Some(request) => conn
            .prepare_cached("SELECT seq, status, status_sum FROM ask WHERE id = ?1")?
            .query_row([id.as_bytes()], |row| read_row(row, id, Some(request))),
        None => {
            let sql = "SELECT ask.seq, status, status_sum, body, sum \
                       FROM ask JOIN request ON request.seq = ask.seq WHERE id = ?1";
            conn.prepare_cached(sql)?.query_row([id.as_bytes()], |row| read_row(row, id, None))
        }
    };
    map_ask_damage(id, stored.optional())
}

/// Reads the row of an ask. Without a cached request, its text comes after the columns of the state.
fn read_row(row: &SqlRow<'_>, id: AskId, cached: Option<Arc<AskRequest>>) -> rusqlite::Result<StoredAsk> {
    let status: String = row.get(1)?;
    let mut is_sound = checksum::matches_stored(row.get(2)?, checksum::text_sum(id, &status));
    let request = match cached {
        Some(request) => StoredRequest::Cached(request),
        None => {
            let body: String = row.get(3)?;
            is_sound &= checksum::matches_stored(row.get(4)?, checksum::text_sum(id, &body));
            StoredRequest::Text(body)
        }
    };
    Ok(StoredAsk { seq: row.get(0)?, id, request, status, is_sound })
}

/// Reads the id of the ask in this row.
pub(crate) fn id_at(conn: &Connection, seq: i64) -> rusqlite::Result<Option<AskId>> {
    conn.prepare_cached("SELECT id FROM ask WHERE seq = ?1")?
        .query_row([seq], |row| read_id(row, 0))
        .optional()
}

/// Stores a new ask, and returns its row number.
pub(crate) fn insert(
    conn: &Connection,
    requests: &RequestCache,
    target: &ChangeTarget,
    change: &AskTransition,
) -> Result<i64, JobError> {
    let row = AskSummary::from_ask(&change.ask, ask_progress::count_asked(&change.ask));
    let request = &change.ask.request;
    let (content, draft_key, body) = match target {
        ChangeTarget::Open { content, canonical, draft_key, .. } => (
            content.as_ref().map(Digest::as_bytes),
            draft_key.as_ref().map(Digest::as_bytes),
            wire::write_request_with(request, canonical),
        ),
        ChangeTarget::Ask(_) => (None, None, wire::write_request(request)),
    };
    let status = wire::write_state(&change.ask.state);
    let kept_bytes = limits::ASK_OVERHEAD_BYTES + body.len() + status.len();
    conn.prepare_cached(
        "INSERT INTO ask (id, state, pending, content, due_at, title, asker, folder, dialect, questions, seen, \
         delivered, attached, pid, started, created_at, changed_at, status, account, asked, fixed_sum, state_sum, \
         status_sum, draft_sum, kept_bytes, draft_key, program, audience, act) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
         ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29)",
    )?
    .execute(params![
        row.id.as_bytes(),
        row.state.as_str(),
        row.state.is_pending().then_some(1),
        content,
        row.deadline.map(Timestamp::as_microsecond),
        row.title,
        row.asker,
        row.folder,
        row.dialect,
        row.questions,
        row.seen,
        row.delivered,
        row.attached,
        row.process.map(|process| process.pid),
        row.process.and_then(|process| i64::try_from(process.started).ok()),
        row.created_at.as_microsecond(),
        row.changed_at.as_microsecond(),
        status,
        row.account,
        row.asked,
        checksum::fixed_columns_sum(&row),
        checksum::state_columns_sum(&row),
        checksum::text_sum(row.id, &status),
        checksum::draft_progress_sum(row.id, 0, Some(row.asked.into()), 0),
        i64::try_from(kept_bytes).unwrap_or(i64::MAX),
        draft_key,
        row.program,
        audience_filter::intern(conn, row.audience.as_ref())?,
        row.act.as_ref().map(json::write),
    ])?;
    let seq = conn.last_insert_rowid();
    conn.prepare_cached("INSERT INTO request (seq, body, sum) VALUES (?1, ?2, ?3)")?.execute(params![
        seq,
        body,
        checksum::text_sum(row.id, &body)
    ])?;
    let prompts = request.questionnaire.questions.iter().map(|question| question.prompt.as_str());
    let [account, folder] = [&row.account, &row.folder].map(|name| name.as_deref().unwrap_or_default());
    let act = row.act.as_ref().map(|act| act.object.as_str()).unwrap_or_default();
    search::add(conn, seq, &search_text([&row.title, &row.asker, account, folder, act], prompts))?;
    requests.insert(change.ask.id, request, body.len());
    Ok(seq)
}

/// Stores the state of an ask after a change.
pub(crate) fn update(conn: &Connection, seq: i64, change: &AskTransition) -> rusqlite::Result<()> {
    // The number of questions asked changes only with the draft, which stores it, and with the answer. To count at
    // each look and each wait would cost as much as evaluating the longest conditions.
    let is_answered = AskStatus::from_phase(&change.ask.state.phase) == AskStatus::Answered;
    let question_count = if is_answered { Some(ask_progress::count_asked(&change.ask)) } else { None };
    let row = AskSummary::from_ask(&change.ask, question_count.unwrap_or_default());
    let status = wire::write_state(&change.ask.state);
    conn.prepare_cached(
        "UPDATE ask SET state = ?2, pending = ?3, content = iif(?4, content, NULL), due_at = ?5, seen = ?6, \
         delivered = ?7, attached = ?8, pid = ?9, started = ?10, changed_at = ?11, status = ?12, \
         asked = coalesce(?13, asked), state_sum = ?14, status_sum = ?15, approved = ?16, \
         kept_bytes = kept_bytes + octet_length(?12) - octet_length(status) WHERE seq = ?1",
    )?
    .execute(params![
        seq,
        row.state.as_str(),
        row.state.is_pending().then_some(1),
        change.ask.is_live(),
        row.deadline.map(Timestamp::as_microsecond),
        row.seen,
        row.delivered,
        row.attached,
        row.process.map(|process| process.pid),
        row.process.and_then(|process| i64::try_from(process.started).ok()),
        row.changed_at.as_microsecond(),
        status,
        question_count.map(|_| row.asked),
        checksum::state_columns_sum(&row),
        checksum::text_sum(row.id, &status),
        row.approved,
    ])?;
    if question_count.is_some() {
        drafts::write_progress_sum(conn, change.ask.id)?;
    }
    Ok(())
}
