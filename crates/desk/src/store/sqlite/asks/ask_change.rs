//! Changes of asks by decisions, inside a transaction.

use super::request_cache::RequestCache;
use super::{account_usage, ask_rows, keys, late_submissions, renderings};
use crate::desk::not_found;
use crate::draft::check_shown_rev;
use crate::store::sqlite::asks::drafts;
use crate::store::sqlite::change_log;
use crate::store::sqlite::error::disk_full;
use crate::store::sqlite::writer::job::{JobContext, JobError};
use crate::store::{
    BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn, KeyUse,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::{Ask, Digest, LateSubmission, Message, Problem, ProblemCode, limits};

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
    let used = key.map(|key| keys::find_use(conn, key)).transpose()?.flatten();
    let found = match (target, used) {
        (_, Some(seq)) => {
            ask_rows::read_seq(conn, requests, seq)?.map(|stored| stored.into_ask(requests)).transpose()?
        }
        (ChangeTarget::Open { content: None, .. }, None) => None,
        (ChangeTarget::Open { content: Some(content), is_reusable, .. }, None) => {
            find_same_content(conn, requests, content, is_reusable)?
        }
        (ChangeTarget::Ask(id), None) => {
            let stored = ask_rows::read(conn, requests, *id)?.ok_or_else(|| not_found(&id.to_string()))?;
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
    if let (Some((seq, _)), Some(shown)) = (&found, options.draft_rev) {
        check_shown_rev(shown, drafts::read_revision(conn, *seq)?)?;
    }
    let is_new = found.is_none();
    let seq = match found {
        Some((seq, _)) => {
            if let Some(submitted) = &change.draft {
                let asked = &change.ask.request.questionnaire;
                drafts::save_submitted(conn, (seq, change.ask.id), submitted, asked, now)?;
            }
            ask_rows::store(conn, seq, &change, now)?;
            seq
        }
        None => {
            let seq = ask_rows::insert(conn, requests, target, &change)?;
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
        keys::insert(conn, key, (seq, change.ask.id))?;
    }
    let render =
        |(form, body): &(String, Vec<u8>)| renderings::store_once(conn, (seq, change.ask.id), form, body);
    let rendering = options.rendering.as_ref().map(render).transpose()?;
    Ok(CommittedChange { ask: change.ask, is_new, rendering })
}

/// Finds the newest ask with this content that the same request leads to.
fn find_same_content(
    conn: &Connection,
    requests: &RequestCache,
    content: &Digest,
    is_reusable: &dyn Fn(&Ask) -> bool,
) -> Result<Option<(i64, Ask)>, JobError> {
    let mut alike = conn.prepare_cached("SELECT seq FROM ask WHERE content = ?1 ORDER BY seq DESC")?;
    let mut rows = alike.query([content.as_bytes()])?;
    while let Some(row) = rows.next()? {
        let seq = row.get(0)?;
        // The index is not trusted: it may lead to another asker's ask.
        if !has_content(conn, seq, content)? {
            continue;
        }
        let Some(stored) = ask_rows::read_seq(conn, requests, seq)? else { continue };
        let (seq, ask) = stored.into_ask(requests)?;
        if is_reusable(&ask) {
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
    let late = options.late.as_deref();
    let late = late.and_then(|(who, command)| LateSubmission::from_command(who, command, now));
    let (Some(late), Some((seq, ask))) = (late, found) else { return Ok(problem) };
    let is_kept = ask.open_round(now).is_ok() || late_submissions::store_once(conn, (*seq, ask.id), &late)?;
    Ok(if is_kept { problem } else { Problem { hint: None, ..problem } })
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
