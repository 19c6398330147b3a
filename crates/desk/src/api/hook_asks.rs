//! Asks that a host's own dialog or process has ended: they are cancelled, so that no one answers into the void.

use super::desk::{Desk, skip_damaged};
use super::query::AskQuery;
use crate::process;
use sayso_core::model::ask::AskRequest;
use sayso_core::{Actor, Ask, AskCommand, AskId, Asker, CancelReason, Problem, ProblemCode};

/// Cancels the open asks of hosts that match.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub fn cancel_hook_asks(
    desk: &dyn Desk,
    reason: CancelReason,
    fits: impl Fn(&Ask) -> bool,
) -> Result<(), Problem> {
    for id in pending_hook_asks(desk)? {
        let Some(ask) = skip_damaged(desk.get(id))? else { continue };
        if ask.outcome().is_none() && fits(&ask) {
            cancel_hook_ask(desk, &ask, reason)?;
        }
    }
    Ok(())
}

/// Returns true if a pending ask of a host matches.
///
/// # Errors
/// Fails if the desk can't be read.
pub fn is_any_hook_ask(desk: &dyn Desk, fits: impl Fn(&Ask) -> bool) -> Result<bool, Problem> {
    for id in pending_hook_asks(desk)? {
        if skip_damaged(desk.get(id))?.is_some_and(|ask| ask.outcome().is_none() && fits(&ask)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the ids of all pending asks of hosts. They are read before the first one changes, because a change moves
/// the pages.
fn pending_hook_asks(desk: &dyn Desk) -> Result<Vec<AskId>, Problem> {
    let mut query = AskQuery { dialect: Some(AskRequest::HOOK_DIALECT.to_owned()), ..AskQuery::default() };
    let mut ids = Vec::new();
    loop {
        let page = desk.list(&query)?;
        ids.extend(page.rows.iter().map(|row| row.id));
        if page.next.is_none() {
            return Ok(ids);
        }
        query.after = page.next;
    }
}

/// Cancels an ask of a host, unless a person was faster.
///
/// # Errors
/// Fails if the desk can't be written.
pub fn cancel_hook_ask(desk: &dyn Desk, ask: &Ask, reason: CancelReason) -> Result<(), Problem> {
    let who = Actor::Asker(ask.request.asker.clone());
    match desk.act(&who, ask.id, None, AskCommand::Cancel { reason: Some(reason) }) {
        Err(problem) if matches!(problem.code, ProblemCode::AskAnswered | ProblemCode::AskDeclined) => Ok(()),
        done => done.map(drop),
    }
}

/// Cancels the asks of this host in this folder whose program was killed, in any session. Their dialogs are gone.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub fn cancel_abandoned_hook_asks(desk: &dyn Desk, asker: &Asker, except: AskId) -> Result<(), Problem> {
    cancel_hook_asks(desk, CancelReason::HostEnded, |ask| {
        let Asker { name, folder, .. } = &ask.request.asker;
        let is_same_host = (name, folder) == (&asker.name, &asker.folder);
        ask.id != except && is_same_host && !ask.state.presence.is_waiting(process::is_alive)
    })
}
