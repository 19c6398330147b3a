//! Presence of a waiting asker. The asker may take an answer and exit before anyone can check, so the check comes
//! before the submission.

use crate::prompter::Runs;
use sayso_core::Ask;
use sayso_core::ask::Presence;

/// Presence of the asker before a submission.
#[derive(Debug, Clone, Copy)]
pub struct Awaited {
    presence: Presence,
    is_there: bool,
}

impl Awaited {
    /// Records the presence of an ask's asker.
    pub fn of(ask: &Ask, runs: Runs) -> Self {
        let presence = ask.state.presence;
        Self { presence, is_there: presence.waits(runs) }
    }

    /// Returns true if an asker waited for the submitted ask. Assumes so if presence was not recorded before.
    pub fn by_somebody(looked: Option<Self>, ask: &Ask) -> bool {
        looked.is_none_or(|before| {
            let has_come = ask.state.presence != before.presence;
            before.is_there || has_come && matches!(ask.state.presence, Presence::Attached { .. })
        })
    }
}
