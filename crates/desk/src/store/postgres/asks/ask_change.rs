//! Changes of asks by decisions, inside a transaction.

use super::{account_usage, ask_rows, keys, late_submissions};
use crate::desk::not_found;
use crate::draft::check_shown_rev;
use crate::store::postgres::asks::drafts;
use crate::store::postgres::change_log;
use crate::store::postgres::connection::Query as _;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::{
    BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn, KeyUse,
};
use sayso_core::{Ask, Digest, LateSubmission, Message, Problem, ProblemCode, limits};

/// Runs a decision on the target ask, and stores the result.
pub(crate) fn change(
    tx: &WriteTransaction<'_>,
    target: &ChangeTarget,
    key: Option<&KeyUse>,
    options: &ChangeOptions,
    decide: &mut DecideFn,
) -> Result<CommittedChange, WriteError> {
    let used = key.map(|key| keys::find_use(tx, key)).transpose()?.flatten();
    let found = match (target, used) {
        (_, Some(seq)) => {
            let stored = ask_rows::read_where(tx, "ask.seq = $1", &[&seq])?.pop();
            stored.map(ask_rows::AskRow::into_ask).transpose()?
        }
        (ChangeTarget::Open { content: None, .. }, None) => None,
        (ChangeTarget::Open { content: Some(content), is_reusable, .. }, None) => {
            find_same_content(tx, content, is_reusable)?
        }
        (ChangeTarget::Ask(id), None) => {
            let stored = ask_rows::read(tx, *id)?.ok_or_else(|| not_found(&id.to_string()))?;
            Some(stored.into_ask()?)
        }
    };
    // A command that was applied with this key before is not applied again.
    if let (ChangeTarget::Ask(_), Some(_), Some((_, ask))) = (target, used, &found) {
        return Ok(CommittedChange { ask: ask.clone(), is_new: false, rendering: None });
    }
    if found.is_none() {
        check_open_limit(tx)?;
        if let ChangeTarget::Open { quota: Some((account, quota)), canonical, .. } = target {
            check_account_limit(tx, account, quota.open_asks)?;
            account_usage::check_quota(tx, (account, quota), canonical.get().len())?;
        }
    }
    let change = match decide(found.as_ref().map(|(_, ask)| ask), tx.now()) {
        Ok(change) => change,
        Err(problem) => return Err(store_refusal(tx, found.as_ref(), options, problem)?.into()),
    };
    if let (Some((seq, _)), Some(shown)) = (&found, options.draft_rev) {
        check_shown_rev(shown, drafts::read_revision(tx, *seq)?)?;
    }
    let is_new = found.is_none();
    let seq = match found {
        Some((seq, before)) => {
            if let Some(submitted) = &change.draft {
                let asked = &change.ask.request.questionnaire;
                drafts::save_submitted(tx, (seq, change.ask.id), submitted, asked)?;
            }
            ask_rows::store(tx, (seq, &before), &change)?;
            seq
        }
        None => {
            let seq = ask_rows::insert(tx, target, &change);
            change_log::append(tx, change.ask.id, &change.events);
            if let ChangeTarget::Open { draft_key: Some(key), .. } = target {
                drafts::continue_earlier(tx, key, (seq, change.ask.id), &change.ask.request.questionnaire)?;
            }
            seq
        }
    };
    if let Some(key) = key.filter(|_| used.is_none()) {
        keys::insert(tx, key, seq);
    }
    let rendering =
        options.rendering.as_ref().map(|(form, body)| store_rendering(tx, seq, form, body)).transpose()?;
    Ok(CommittedChange { ask: change.ask, is_new, rendering })
}

/// Stores a rendering unless one exists, and returns the stored one.
fn store_rendering(
    tx: &WriteTransaction<'_>,
    seq: i64,
    form: &str,
    body: &[u8],
) -> Result<Vec<u8>, DatabaseError> {
    let sql = "SELECT body FROM rendering WHERE seq = $1 AND form = $2";
    if let Some(row) = tx.row(sql, &[&seq, &form])? {
        return row.try_get(0);
    }
    let sql = "INSERT INTO rendering (seq, form, body) VALUES ($1, $2, $3)";
    tx.queue(sql, values![seq, form.to_owned(), body.to_vec()]);
    let sql = "UPDATE ask SET kept_bytes = kept_bytes + $2 WHERE seq = $1";
    tx.queue(sql, values![seq, ask_rows::size(body.len())]);
    Ok(body.to_vec())
}

/// Finds the newest ask with this content that the same request leads to.
fn find_same_content(
    tx: &WriteTransaction<'_>,
    content: &Digest,
    is_reusable: &dyn Fn(&Ask) -> bool,
) -> Result<Option<(i64, Ask)>, WriteError> {
    let condition = "content = $1 ORDER BY ask.seq DESC";
    for stored in ask_rows::read_where(tx, condition, &[&content.as_bytes().as_slice()])? {
        let (seq, ask) = stored.into_ask()?;
        if is_reusable(&ask) {
            return Ok(Some((seq, ask)));
        }
    }
    Ok(None)
}

/// Applies changes one after another. If one is refused, those before it are rolled back to a savepoint; the work of
/// other jobs in the transaction stays.
pub(crate) fn change_all(
    tx: &WriteTransaction<'_>,
    changes: &mut [BatchChange],
) -> Result<BatchResult, WriteError> {
    let savepoint = tx.set_savepoint()?;
    let mut done = Vec::with_capacity(changes.len());
    for (at, BatchChange { target, key, decide }) in changes.iter_mut().enumerate() {
        match change(tx, target, key.as_ref(), &ChangeOptions::default(), decide) {
            Ok(committed) => done.push(committed),
            Err(WriteError::Problem(problem)) => {
                tx.undo_to_savepoint(savepoint)?;
                return Ok(Err(Box::new((at, problem))));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(Ok(done))
}

/// Returns the problem of a refusal, after it has stored a late submission. If that was not stored, the hint says
/// nothing of it.
fn store_refusal(
    tx: &WriteTransaction<'_>,
    found: Option<&(i64, Ask)>,
    options: &ChangeOptions,
    problem: Problem,
) -> Result<Problem, WriteError> {
    let late = options.late.as_deref();
    let late = late.and_then(|(who, command)| LateSubmission::from_command(who, command, tx.now()));
    let (Some(late), Some((seq, ask))) = (late, found) else { return Ok(problem) };
    let is_kept = ask.open_round(tx.now()).is_ok() || late_submissions::store_once(tx, *seq, &late)?;
    Ok(if is_kept { problem } else { Problem { hint: None, ..problem } })
}

/// Checks the limit on open asks.
fn check_open_limit(tx: &WriteTransaction<'_>) -> Result<(), WriteError> {
    let count = tx.pending();
    if count < i64::try_from(limits::OPEN_ASKS).unwrap_or(i64::MAX) {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::DeskCrowded, Message::DeskCrowded.with([count])).into())
}

fn check_account_limit(tx: &WriteTransaction<'_>, account: &str, most: u64) -> Result<(), WriteError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let sql = "SELECT count(*) FROM (SELECT 1 FROM ask WHERE account = $1 AND pending LIMIT $2) AS open";
    let count: i64 = tx.row(sql, &[&account, &most])?.map_or(Ok(0), |row| row.try_get(0))?;
    if count < most {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::DeskCrowded, Message::TooManyOpen.with([count])).into())
}
