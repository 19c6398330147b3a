//! Presence of a waiting asker. The asker may take an answer and exit before anyone can check, so the check comes
//! before the submission.

use crate::surface::ProcessCheck;
use sayso_core::Ask;
use sayso_core::model::ask::AskerPresence;

/// Presence of the asker before a submission.
#[derive(Debug, Clone, Copy)]
pub struct WaiterPresence {
    presence: AskerPresence,
    is_waiting: bool,
}

impl WaiterPresence {
    /// Records the presence of an ask's asker.
    pub fn from_ask(ask: &Ask, runs: ProcessCheck) -> Self {
        let presence = ask.state.presence;
        Self { presence, is_waiting: presence.is_waiting(runs) }
    }

    /// Returns true if an asker waited for the submitted ask. Assumes so if presence was not recorded before.
    pub fn was_awaited(earlier: Option<Self>, ask: &Ask) -> bool {
        let Some(earlier) = earlier else { return true };
        let has_come = ask.state.presence != earlier.presence;
        earlier.is_waiting || has_come && matches!(ask.state.presence, AskerPresence::Attached { .. })
    }
}
