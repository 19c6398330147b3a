//! End of what a host asked: its asks are cancelled, so that no one answers into the void.

use crate::cli_session::CliSession;
use sayso_core::{Ask, Asker, CancelReason, Problem};
use sayso_desk::hook_asks::cancel_hook_asks;
use sayso_dialects::hook::{HookHost, HookSession};

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
    // The folder may have changed since: an agent's shell moves.
    let is_of_session =
        |asker: &Asker| asker.name == host.display_name() && asker.session.as_deref() == Some(of.id.as_str());
    cancel_hook_asks(session.desk()?, reason, |ask| is_of_session(&ask.request.asker) && is_over(ask))
}
