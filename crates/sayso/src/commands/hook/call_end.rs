//! End of what a host asked: its asks are cancelled, so that no one answers into the void.

use super::request::CALL_MEMBER;
use crate::cli_session::CliSession;
use sayso_core::model::ask::AskRequest;
use sayso_core::{Actor, Ask, AskCommand, AskId, Asker, Problem, ProblemCode};
use sayso_desk::{AskQuery, process, skip_damaged};
use sayso_dialects::hook::{HookHost, HookSession};

/// Cancels the open asks of a session: those about a call with this fingerprint, or all without one.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub(super) fn cancel_asks(
    session: &CliSession,
    host: HookHost,
    of: &HookSession,
    call: Option<&str>,
) -> Result<(), Problem> {
    if session.desk_access.is_missing() {
        return Ok(());
    }
    // The folder may have changed since: an agent's shell moves.
    let is_of_session =
        |asker: &Asker| asker.name == host.display_name() && asker.session.as_deref() == Some(of.id.as_str());
    cancel_where(session, |ask| {
        let extensions = &ask.request.questionnaire.extensions;
        let own_call = extensions.get(CALL_MEMBER).and_then(|own| own.as_str());
        is_of_session(&ask.request.asker) && call.is_none_or(|call| own_call == Some(call))
    })
}

/// Cancels the asks of this host in this folder whose hook was killed, in any session. Their dialogs are gone.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub(super) fn cancel_abandoned(session: &CliSession, asker: &Asker, except: AskId) -> Result<(), Problem> {
    cancel_where(session, |ask| {
        let Asker { name, folder, .. } = &ask.request.asker;
        let is_same_host = (name, folder) == (&asker.name, &asker.folder);
        ask.id != except && is_same_host && !ask.state.presence.is_waiting(process::is_alive)
    })
}

fn cancel_where(session: &CliSession, fits: impl Fn(&Ask) -> bool) -> Result<(), Problem> {
    let desk = session.desk()?;
    let query = AskQuery { dialect: Some(AskRequest::HOOK_DIALECT.to_owned()), ..AskQuery::default() };
    for row in desk.list(&query)?.rows {
        let Some(ask) = skip_damaged(desk.get(row.id))? else { continue };
        if !fits(&ask) {
            continue;
        }
        let who = Actor::Asker(ask.request.asker.clone());
        match desk.act(&who, ask.id, None, AskCommand::Cancel) {
            // A person was faster.
            Err(problem) if matches!(problem.code, ProblemCode::AskAnswered | ProblemCode::AskDeclined) => {}
            done => drop(done?),
        }
    }
    Ok(())
}
