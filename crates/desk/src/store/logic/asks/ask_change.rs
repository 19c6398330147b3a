//! Changes of asks by decisions.

use super::{AskKey, AskRows, drafts, keys, late_submissions};
use crate::desk::not_found;
use crate::draft::check_shown_rev;
use crate::store::api::{
    BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn, KeyUse,
};
use crate::store::logic::account_quota;
use sayso_core::{Ask, AskTransition, LateSubmission, Message, Problem, ProblemCode, limits};

/// Runs a decision on the target ask, and stores the result.
pub(crate) fn change<T: AskRows>(
    tx: &T,
    target: &ChangeTarget,
    key: Option<&KeyUse>,
    options: &ChangeOptions,
    decide: &mut DecideFn,
) -> Result<CommittedChange, T::Error> {
    let used = match key {
        Some(key) => keys::find_use(tx, key)?,
        None => None,
    };
    let target_ask = find_target(tx, target, used)?;
    // A command that was applied with this key before is not applied again.
    if let (ChangeTarget::Ask(_), Some(_), Some((_, ask))) = (target, used, &target_ask) {
        return Ok(CommittedChange { ask: ask.clone(), is_new: false, rendering: None });
    }
    if target_ask.is_none() {
        check_limits(tx, target)?;
    }
    let change = match decide(target_ask.as_ref().map(|(_, ask)| ask), tx.now()) {
        Ok(change) => change,
        Err(problem) => return Err(store_refusal(tx, target_ask.as_ref(), options, problem)?.into()),
    };
    if let (Some((seq, _)), Some(shown)) = (&target_ask, options.draft_rev) {
        check_shown_rev(shown, drafts::read_revision(tx, *seq)?)?;
    }
    let is_new = target_ask.is_none();
    let questionnaire = &change.ask.request.questionnaire;
    let ask = match target_ask {
        Some((seq, before)) => {
            if let Some(submitted) = &change.draft {
                drafts::save_submitted(tx, (seq, change.ask.id), submitted, questionnaire)?;
            }
            store(tx, (seq, &before), &change)?;
            (seq, change.ask.id)
        }
        None => {
            let ask = (tx.insert_ask(target, &change)?, change.ask.id);
            tx.append_change(ask, &change.events)?;
            if let ChangeTarget::Open { draft_key: Some(key), .. } = target {
                drafts::continue_earlier(tx, key, ask, questionnaire)?;
            }
            ask
        }
    };
    if let Some(key) = key
        && used.is_none()
    {
        tx.insert_key(key, ask)?;
    }
    let rendering = match &options.rendering {
        Some((form, body)) => Some(store_rendering(tx, ask, form, body)?),
        None => None,
    };
    Ok(CommittedChange { ask: change.ask, is_new, rendering })
}

/// Finds the ask that a change is about. `used` is the row of the ask on which its key was used.
fn find_target<T: AskRows>(
    tx: &T,
    target: &ChangeTarget,
    used: Option<i64>,
) -> Result<Option<(i64, Ask)>, T::Error> {
    if let Some(seq) = used {
        return tx.read_ask_at(seq);
    }
    match target {
        ChangeTarget::Open { content: None, .. } => Ok(None),
        ChangeTarget::Open { content: Some(content), is_reusable, .. } => {
            tx.find_content(content, is_reusable)
        }
        ChangeTarget::Ask(id) => match tx.read_ask(*id)? {
            Some(ask) => Ok(Some(ask)),
            None => Err(not_found(&id.to_string()).into()),
        },
    }
}

/// Checks that a new ask may be opened.
fn check_limits<T: AskRows>(tx: &T, target: &ChangeTarget) -> Result<(), T::Error> {
    tx.check_space()?;
    let count = tx.count_pending()?;
    if count >= i64::try_from(limits::OPEN_ASKS).unwrap_or(i64::MAX) {
        return Err(Problem::new(ProblemCode::DeskCrowded, Message::DeskCrowded.with([count])).into());
    }
    if let ChangeTarget::Open { quota: Some((account, quota)), canonical, .. } = target {
        account_quota::check_open_asks(tx, account, quota)?;
        account_quota::check_usage(tx, account, quota, canonical.get().len())?;
    }
    Ok(())
}

/// Stores the changes of an existing ask, if there are any.
pub(super) fn store<T: AskRows>(
    tx: &T,
    (seq, before): (i64, &Ask),
    change: &AskTransition,
) -> Result<(), T::Error> {
    if change.events.is_empty() {
        return Ok(());
    }
    tx.update_ask((seq, before), change)?;
    tx.append_change((seq, change.ask.id), &change.events)
}

/// Stores a rendering unless one exists, and returns the stored one.
fn store_rendering<T: AskRows>(tx: &T, ask: AskKey, form: &str, body: &[u8]) -> Result<Vec<u8>, T::Error> {
    if let Some(rendering) = tx.read_rendering(ask, form)? {
        return Ok(rendering);
    }
    tx.insert_rendering(ask, form, body)?;
    Ok(body.to_vec())
}

/// Applies changes one after another. If one is refused, those before it are rolled back to a savepoint; the work of
/// other jobs in the transaction stays.
pub(crate) fn change_all<T: AskRows>(tx: &T, changes: &mut [BatchChange]) -> Result<BatchResult, T::Error> {
    let savepoint = tx.set_savepoint()?;
    let mut committed_changes = Vec::with_capacity(changes.len());
    for (place, BatchChange { target, key, decide }) in changes.iter_mut().enumerate() {
        match change(tx, target, key.as_ref(), &ChangeOptions::default(), decide) {
            Ok(committed) => committed_changes.push(committed),
            Err(error) => {
                let problem = T::to_refusal(error)?;
                tx.undo_to_savepoint(savepoint)?;
                return Ok(Err(Box::new((place, problem))));
            }
        }
    }
    tx.release_savepoint(savepoint)?;
    Ok(Ok(committed_changes))
}

/// Returns the problem of a refusal, after it has stored a late submission. If that was not stored, the hint says
/// nothing of it.
fn store_refusal<T: AskRows>(
    tx: &T,
    found: Option<&(i64, Ask)>,
    options: &ChangeOptions,
    problem: Problem,
) -> Result<Problem, T::Error> {
    let (Some(late), Some((seq, ask))) = (&options.late, found) else { return Ok(problem) };
    let (actor, command) = &**late;
    let Some(late) = LateSubmission::from_command(actor, command, tx.now()) else { return Ok(problem) };
    let is_kept =
        ask.open_round(tx.now()).is_ok() || late_submissions::store_once(tx, (*seq, ask.id), &late)?;
    Ok(if is_kept { problem } else { Problem { hint: None, ..problem } })
}
