//! Presence of askers: the process that waits, and whose an ask is. A caller on the network has no process here.

use super::asker_session::{self, KnownSessions};
use crate::diagnostics::log_failure;
use crate::mcp::McpConfig;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask::AskerPresence;
use sayso_core::{Actor, Ask, AskCommand, Asker};
use sayso_desk::process;

impl McpConfig {
    /// Returns the process that waits: this one, unless the caller is on the network.
    pub(crate) fn process(&self) -> Option<ProcessId> {
        self.account.is_none().then(process::current_process)
    }

    pub(crate) fn attach_command(&self) -> AskCommand {
        AskCommand::Attach { process: self.process() }
    }

    /// Records that no call of a caller on the network waits any more. The end of a process needs no record.
    pub(crate) fn detach(&self, ask: &Ask) {
        if self.account.is_some() {
            let asker = Actor::Asker(ask.request.asker.clone());
            log_failure("detach", self.desk.act(&asker, ask.id, None, AskCommand::Detach));
        }
    }

    /// Returns whether another running asker waits for it: another program, or another thread of this process.
    pub(crate) fn has_other_waiter(&self, ask: &Ask, asker: &Asker, sessions: &KnownSessions) -> bool {
        let session = ask.request.asker.session.as_deref();
        if self.is_attached_here(ask) {
            let Some(session) = session else { return false };
            return asker.session.as_deref() != Some(session) && sessions.contains(session);
        }
        ask.state.presence.is_waiting(process::is_alive) && !session.is_some_and(asker_session::has_ended)
    }

    /// Returns whether this process waits for it.
    pub(crate) fn is_attached_here(&self, ask: &Ask) -> bool {
        ask.state.presence == AskerPresence::Attached { process: self.process() }
    }

    /// Returns whether the asker asked this, regardless of the session. A program on this machine has no account, but
    /// a desk on the network gives its asks one.
    pub(crate) fn is_own(&self, ask: &Ask, asker: &Asker) -> bool {
        let own = &ask.request.asker;
        let is_same_account = self.account.is_none() || own.account == asker.account;
        is_same_account && own.name == asker.name && own.folder == asker.folder
    }
}
