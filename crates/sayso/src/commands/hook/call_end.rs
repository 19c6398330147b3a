//! End of what a host asked: its asks are cancelled, so that no one answers into the void.

use crate::cli_session::{self, CliSession};
use jiff::SignedDuration;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::ask::AskRequest;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, Ask, AskCommand, CancelReason, Problem};
use sayso_desk::hook_asks::cancel_hook_asks;
use sayso_desk::{AskQuery, process, skip_damaged};
use sayso_dialects::hook::{self, HookHost, HookSession, HostAnswer};

/// Time in which an answer at the desk and one in the host's dialog count as given in the same moment. What runs later
/// may be a repetition that the host did not ask about.
const SAME_MOMENT: SignedDuration = SignedDuration::from_secs(60);
/// Number of settled asks among which the one of a call is looked for, the newest first.
const RECENT_ASKS: usize = 16;

/// Cancels the open asks of a session that are over.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub(super) fn cancel_asks(
    session: &CliSession,
    host: HookHost,
    of: &HookSession,
    reason: CancelReason,
    is_over: impl Fn(&Ask) -> bool,
) -> Result<(), Problem> {
    if session.desk_access.is_missing() {
        return Ok(());
    }
    cancel_hook_asks(session.desk()?, reason, |ask| is_of_session(ask, host, of) && is_over(ask))
}

/// Returns whether an ask is of this session. Its folder may have changed since: an agent's shell moves.
fn is_of_session(ask: &Ask, host: HookHost, of: &HookSession) -> bool {
    let asker = &ask.request.asker;
    asker.name == host.display_name() && asker.session.as_deref() == Some(of.id.as_str())
}

/// Returns true if the hook that waited for an ask's answer has ended. The desk could not be reached then.
pub(super) fn has_no_hook(ask: &Ask) -> bool {
    !ask.state.presence.is_waiting(process::is_alive)
}

/// Keeps the answer of the host's own dialog next to another one that a person gave at the desk in the same moment:
/// the host goes on with its own. An ask that the host's answer ends counts as taken.
///
/// # Errors
/// Fails if the desk can't be read.
pub(super) fn keep_host_answer(
    session: &CliSession,
    host: HookHost,
    of: &HookSession,
    call: &str,
    answer: &HostAnswer,
) -> Result<(), Problem> {
    if session.desk_access.is_missing() {
        return Ok(());
    }
    let desk = session.desk()?;
    let query = AskQuery {
        states: vec![AskStatus::Answered, AskStatus::Declined],
        dialect: Some(AskRequest::HOOK_DIALECT.to_owned()),
        rows: Some(RECENT_ASKS),
        ..AskQuery::default()
    };
    let mut asks = Vec::new();
    for row in desk.list(&query)?.rows {
        let is_recent = cli_session::now().duration_since(row.changed_at) <= SAME_MOMENT;
        if is_recent
            && row.asker == host.display_name()
            && let Some(ask) = skip_damaged(desk.get(row.id))?
            && is_of_session(&ask, host, of)
            && hook::is_about_call(&ask, call)
        {
            asks.push(ask);
        }
    }
    // Of several calls at once that are the same, the host may have used the answer to another one.
    let host_replies: Option<Vec<_>> = asks.iter().map(|ask| answer.replies_against(ask)).collect();
    let first_replies = host_replies.and_then(|replies| replies.into_iter().next());
    if let (Some(ask), Some(replies)) = (asks.first(), first_replies) {
        let who = Actor::Person(session.person(Surface::Dialog, AssuranceLevel::Relayed));
        let submit = AskCommand::Submit { replies, as_sent: None, shown: ask.request.digest.into() };
        // It is refused, since the ask has ended, and kept as what came too late. An asker's token may not do it.
        let _ = desk.act(&who, ask.id, None, submit);
    }
    for ask in &asks {
        if answer.takes(ask) && !ask.is_delivered() {
            desk.ack(&ask.request.asker, ask.id)?;
        }
    }
    Ok(())
}
