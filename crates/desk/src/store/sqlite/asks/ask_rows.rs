//! Rows of asks, keys, renderings and the change log.

use super::account_usage;
use super::late_submissions;
use super::request_cache::RequestCache;
use crate::desk::not_found;
use crate::process;
use crate::store::sqlite::change_log;
use crate::store::sqlite::columns::read_id;
use crate::store::sqlite::drafts;
use crate::store::sqlite::error::{RowDamage, damage_error, disk_full, map_unreadable};
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::writer::job::{JobContext, JobError};
use crate::store::{
    BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn, KeyUse,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use sayso_core::actor::ProcessId;
use sayso_core::ask::AskRequest;
use sayso_core::ask_summary::{self, AskStatus, AskSummary};
use sayso_core::wire::ask as wire;
use sayso_core::{Ask, AskId, AskTransition, Digest, Message, Problem, ProblemCode, limits};
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
        let damage = RowDamage::Ask(id);
        if !is_sound {
            return Err(damage.to_problem());
        }
        let damaged = |_| damage.to_problem();
        let request = match request {
            StoredRequest::Cached(request) => request,
            StoredRequest::Text(text) => {
                let request = Arc::new(wire::read_request(&text).map_err(damaged)?);
                requests.insert(id, &request, text.len());
                request
            }
        };
        Ok((seq, Ask { id, request, state: wire::read_state(&status).map_err(damaged)? }))
    }
}

pub(crate) fn read(
    conn: &Connection,
    requests: &RequestCache,
    id: AskId,
) -> rusqlite::Result<Option<StoredAsk>> {
    let is_sound = |row: &SqlRow<'_>, column: usize, text: &str| -> rusqlite::Result<bool> {
        Ok(checksum::matches_stored(row.get(column)?, checksum::text_sum(id, text)))
    };
    let found = if let Some(request) = requests.get(id) {
        conn.prepare_cached("SELECT seq, status, status_sum FROM ask WHERE id = ?1")?.query_row(
            [id.as_bytes()],
            |row| {
                let status: String = row.get(1)?;
                let is_sound = is_sound(row, 2, &status)?;
                Ok(StoredAsk {
                    seq: row.get(0)?,
                    id,
                    request: StoredRequest::Cached(request),
                    status,
                    is_sound,
                })
            },
        )
    } else {
        conn.prepare_cached(
            "SELECT ask.seq, status, status_sum, body, sum FROM ask JOIN request ON request.seq = ask.seq WHERE id = ?1",
        )?
        .query_row([id.as_bytes()], |row| {
            let (status, body): (String, String) = (row.get(1)?, row.get(3)?);
            let is_sound = is_sound(row, 2, &status)? && is_sound(row, 4, &body)?;
            Ok(StoredAsk { seq: row.get(0)?, id, request: StoredRequest::Text(body), status, is_sound })
        })
    };
    found.optional().map_err(|error| map_unreadable(error, RowDamage::Ask(id)))
}

fn read_seq(conn: &Connection, requests: &RequestCache, seq: i64) -> rusqlite::Result<Option<StoredAsk>> {
    let id = id_at(conn, seq)?;
    id.map(|id| read(conn, requests, id)).transpose().map(Option::flatten)
}

fn id_at(conn: &Connection, seq: i64) -> rusqlite::Result<Option<AskId>> {
    conn.prepare_cached("SELECT id FROM ask WHERE seq = ?1")?
        .query_row([seq], |row| read_id(row, 0))
        .optional()
}

/// Runs a decision on the target ask, and stores the result.
pub(crate) fn change(
    conn: &Connection,
    target: &ChangeTarget,
    key: Option<&KeyUse>,
    options: &ChangeOptions,
    decide: &mut DecideFn,
    context: JobContext<'_>,
    now: Timestamp,
) -> Result<CommittedChange, JobError> {
    let JobContext { reserve, requests } = context;
    let used = key.map(|key| find_key_use(conn, key)).transpose()?.flatten();
    let found = match (target, used) {
        (_, Some(seq)) => {
            read_seq(conn, requests, seq)?.map(|stored| stored.into_ask(requests)).transpose()?
        }
        (ChangeTarget::Open { .. }, None) if key.is_some() => None,
        (ChangeTarget::Open { content, process, .. }, None) => {
            find_same_content(conn, requests, content, *process)?
        }
        (ChangeTarget::Ask(id), None) => {
            let stored = read(conn, requests, *id)?.ok_or_else(|| not_found(&id.to_string()))?;
            Some(stored.into_ask(requests)?)
        }
    };
    // A command that was applied with this key before is not applied again.
    if let (ChangeTarget::Ask(_), Some(_), Some((_, ask))) = (target, used, &found) {
        return Ok(CommittedChange { ask: ask.clone(), is_new: false, rendering: None });
    }
    if found.is_none() {
        if !reserve.fill() {
            return Err(disk_full().into());
        }
        check_open_limit(conn)?;
        if let ChangeTarget::Open { quota: Some((account, quota)), canonical, .. } = target {
            check_account_limit(conn, account, quota.open_asks)?;
            account_usage::check_quota(conn, requests, (account, quota), canonical.get().len(), now)?;
        }
    }
    let change = match decide(found.as_ref().map(|(_, ask)| ask), now) {
        Ok(change) => change,
        Err(problem) => return Err(store_refusal(conn, found.as_ref(), options, problem, now)?.into()),
    };
    let is_new = found.is_none();
    let seq = match found {
        Some((seq, _)) => {
            if let Some(submitted) = &change.draft {
                let asked = &change.ask.request.questionnaire;
                drafts::save_submitted(conn, (seq, change.ask.id), submitted, asked, now)?;
            }
            store(conn, seq, &change, now)?;
            seq
        }
        None => {
            let seq = insert(conn, requests, target, &change)?;
            change_log::append(conn, seq, change.ask.id, &change.events, now)?;
            if let ChangeTarget::Open { draft_key: Some(key), .. } = target {
                drafts::continue_earlier(
                    conn,
                    key,
                    (seq, change.ask.id),
                    &change.ask.request.questionnaire,
                    now,
                )?;
            }
            seq
        }
    };
    if let Some(key) = key.filter(|_| used.is_none()) {
        conn.prepare_cached("INSERT INTO key (owner, key, request, seq, sum) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![
            key.owner,
            key.key,
            key.request.as_bytes(),
            seq,
            checksum::key_sum(change.ask.id, &key.owner, &key.key, key.request.as_bytes())
        ])?;
    }
    let render = |(form, body): &(String, Vec<u8>)| render_once(conn, (seq, change.ask.id), form, body);
    let rendering = options.rendering.as_ref().map(render).transpose()?;
    Ok(CommittedChange { ask: change.ask, is_new, rendering })
}

/// Finds the newest ask with this content that the same request from this process leads to.
fn find_same_content(
    conn: &Connection,
    requests: &RequestCache,
    content: &Digest,
    process: Option<ProcessId>,
) -> Result<Option<(i64, Ask)>, JobError> {
    let mut alike = conn.prepare_cached("SELECT seq FROM ask WHERE content = ?1 ORDER BY seq DESC")?;
    let mut rows = alike.query([content.as_bytes()])?;
    while let Some(row) = rows.next()? {
        let seq = row.get(0)?;
        // The index is not trusted: it may lead to another asker's ask.
        if !has_content(conn, seq, content)? {
            continue;
        }
        let Some(stored) = read_seq(conn, requests, seq)? else { continue };
        let (seq, ask) = stored.into_ask(requests)?;
        if ask.is_reusable_by(process, process::is_known_alive) {
            return Ok(Some((seq, ask)));
        }
    }
    Ok(None)
}

fn has_content(conn: &Connection, seq: i64, content: &Digest) -> rusqlite::Result<bool> {
    conn.prepare_cached("SELECT content FROM ask WHERE seq = ?1")?
        .query_row([seq], |row| Ok(row.get_ref(0)?.as_blob_or_null()? == Some(content.as_bytes())))
        .optional()
        .map(Option::unwrap_or_default)
}

/// Applies changes one after another. If one is refused, those before it are rolled back to a savepoint; the work of
/// other jobs in the transaction stays.
pub(crate) fn change_all(
    conn: &Connection,
    changes: &mut [BatchChange],
    context: JobContext<'_>,
    now: Timestamp,
) -> Result<BatchResult, JobError> {
    conn.execute_batch("SAVEPOINT together")?;
    let mut done = Vec::with_capacity(changes.len());
    for (at, BatchChange { target, key, decide }) in changes.iter_mut().enumerate() {
        match change(conn, target, key.as_ref(), &ChangeOptions::default(), decide, context, now) {
            Ok(committed) => done.push(committed),
            Err(JobError::Problem(problem)) => {
                conn.execute_batch("ROLLBACK TO together; RELEASE together")?;
                return Ok(Err(Box::new((at, problem))));
            }
            Err(failure) => return Err(failure),
        }
    }
    conn.execute_batch("RELEASE together")?;
    Ok(Ok(done))
}

/// Returns the problem of a refusal, after it has stored a late submission. If that was not stored, the hint says
/// nothing of it.
fn store_refusal(
    conn: &Connection,
    found: Option<&(i64, Ask)>,
    options: &ChangeOptions,
    problem: Problem,
    now: Timestamp,
) -> Result<Problem, JobError> {
    let (Some(late), Some((seq, ask))) = (&options.late, found) else { return Ok(problem) };
    let is_kept = ask.open_round(now).is_ok() || late_submissions::store_once(conn, (*seq, ask.id), late)?;
    Ok(if is_kept { problem } else { Problem { hint: None, ..problem } })
}

/// Finds the ask on which a key was used, or returns a problem if it was used for another request.
fn find_key_use(conn: &Connection, key: &KeyUse) -> Result<Option<i64>, JobError> {
    match find_key_row(conn, &key.owner, &key.key)? {
        Some((_, id, request)) if request != key.request.as_bytes() => {
            let message = Message::KeyOfAsk.with([key.key.clone(), id.to_string()]);
            Err(Problem::new(ProblemCode::KeyReused, message).with_hint(Message::UseAnotherKey).into())
        }
        Some((seq, ..)) => Ok(Some(seq)),
        None => Ok(None),
    }
}

/// Reads the row number and the id of the ask on which a key was used, with the digest of its request.
fn find_key_row(
    conn: &Connection,
    owner: &str,
    key: &str,
) -> rusqlite::Result<Option<(i64, AskId, Vec<u8>)>> {
    let mut statement = conn.prepare_cached(
        "SELECT key.seq, id, request, sum FROM key LEFT JOIN ask ON ask.seq = key.seq WHERE owner = ?1 AND key = ?2",
    )?;
    let found = statement
        .query_row([owner, key], |row| {
            let Ok(id) = read_id(row, 1) else { return Ok(None) };
            let request: Vec<u8> = row.get(2)?;
            let sum = checksum::key_sum(id, owner, key, &request);
            Ok(checksum::matches_stored(row.get(3)?, sum).then_some((row.get(0)?, id, request)))
        })
        .optional()?;
    match found {
        Some(None) => Err(damage_error(RowDamage::Key(key.to_owned()))),
        found => Ok(found.flatten()),
    }
}

/// Checks the limit on open asks. Triggers count them, so that this does not scan.
fn check_open_limit(conn: &Connection) -> Result<(), JobError> {
    let most = i64::try_from(limits::OPEN_ASKS).unwrap_or(i64::MAX);
    let count: i64 = conn
        .prepare_cached("SELECT value FROM chore WHERE name = 'pending'")?
        .query_row([], |row| row.get(0))?;
    if count < most {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::DeskCrowded, Message::DeskCrowded.with([count])).into())
}

fn check_account_limit(conn: &Connection, account: &str, most: u64) -> Result<(), JobError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let count: i64 = conn
        .prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM ask WHERE account = ?1 AND pending = 1 LIMIT ?2)",
        )?
        .query_row(params![account, most], |row| row.get(0))?;
    if count < most {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::DeskCrowded, Message::TooManyOpen.with([count])).into())
}

fn insert(
    conn: &Connection,
    requests: &RequestCache,
    target: &ChangeTarget,
    change: &AskTransition,
) -> Result<i64, JobError> {
    let row = AskSummary::from_ask(&change.ask, ask_summary::count_asked(&change.ask));
    let request = &change.ask.request;
    let (content, draft_key, body) = match target {
        ChangeTarget::Open { content, canonical, draft_key, .. } => (
            Some(content.as_bytes()),
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
         status_sum, draft_sum, kept_bytes, draft_key, program) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
         ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27)",
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
    ])?;
    let seq = conn.last_insert_rowid();
    conn.prepare_cached("INSERT INTO request (seq, body, sum) VALUES (?1, ?2, ?3)")?.execute(params![
        seq,
        body,
        checksum::text_sum(row.id, &body)
    ])?;
    requests.insert(change.ask.id, request, body.len());
    Ok(seq)
}

/// Stores the changes of an existing ask, if there are any.
pub(crate) fn store(
    conn: &Connection,
    seq: i64,
    change: &AskTransition,
    now: Timestamp,
) -> rusqlite::Result<()> {
    if change.events.is_empty() {
        return Ok(());
    }
    // The number of questions asked changes only with the draft, which stores it, and with the answer. To count at
    // each look and each wait would cost as much as evaluating the longest conditions.
    let is_answered = AskStatus::from_phase(&change.ask.state.phase) == AskStatus::Answered;
    let asked = is_answered.then(|| ask_summary::count_asked(&change.ask));
    let row = AskSummary::from_ask(&change.ask, asked.unwrap_or_default());
    let status = wire::write_state(&change.ask.state);
    conn.prepare_cached(
        "UPDATE ask SET state = ?2, pending = ?3, content = iif(?4, content, NULL), due_at = ?5, seen = ?6, \
         delivered = ?7, attached = ?8, pid = ?9, started = ?10, changed_at = ?11, status = ?12, \
         asked = coalesce(?13, asked), state_sum = ?14, status_sum = ?15, \
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
        asked.map(|_| row.asked),
        checksum::state_columns_sum(&row),
        checksum::text_sum(row.id, &status),
    ])?;
    if asked.is_some() {
        drafts::write_progress_sum(conn, change.ask.id)?;
    }
    change_log::append(conn, seq, change.ask.id, &change.events, now)
}

fn render_once(
    conn: &Connection,
    (seq, id): (i64, AskId),
    form: &str,
    body: &[u8],
) -> rusqlite::Result<Vec<u8>> {
    conn.prepare_cached("INSERT OR IGNORE INTO rendering (seq, form, body, sum) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![seq, form, body, checksum::rendering_sum(id, form, body)])?;
    conn.prepare_cached("SELECT body, sum FROM rendering WHERE seq = ?1 AND form = ?2")?
        .query_row(params![seq, form], |row| read_rendering(row, id, form))
}

pub(crate) fn rendering(conn: &Connection, id: AskId, form: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    conn.prepare_cached(
        "SELECT body, sum FROM rendering JOIN ask ON ask.seq = rendering.seq WHERE id = ?1 AND form = ?2",
    )?
    .query_row(params![id.as_bytes(), form], |row| read_rendering(row, id, form))
    .optional()
}

pub(crate) fn read_rendering(row: &SqlRow<'_>, id: AskId, form: &str) -> rusqlite::Result<Vec<u8>> {
    let body: Vec<u8> = row.get(0)?;
    checksum::verify(row, 1, checksum::rendering_sum(id, form, &body), &RowDamage::Ask(id))?;
    Ok(body)
}

pub(crate) fn find_by_key(conn: &Connection, owner: &str, key: &str) -> rusqlite::Result<Option<AskId>> {
    Ok(find_key_row(conn, owner, key)?.map(|(_, id, _)| id))
}
