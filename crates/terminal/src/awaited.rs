//! Whether somebody waits for what a person sends. Once it has been sent, whoever waited may have taken it and be gone
//! before anybody looks, so it is looked at before.

use crate::prompter::Runs;
use sayso_core::Ask;
use sayso_core::ask::Presence;

/// Who waits, as is known before anything is sent.
#[derive(Debug, Clone, Copy)]
pub struct Awaited {
    presence: Presence,
    is_there: bool,
}

impl Awaited {
    /// Looks who waits for an ask.
    pub fn of(ask: &Ask, runs: Runs) -> Self {
        let presence = ask.state.presence;
        Self { presence, is_there: presence.waits(runs) }
    }

    /// Whether somebody waited for the ask as it is now that something was sent. Where nobody looked before, nothing is
    /// said against it.
    pub fn by_somebody(looked: Option<Self>, ask: &Ask) -> bool {
        looked.is_none_or(|before| {
            let has_come = ask.state.presence != before.presence;
            before.is_there || has_come && matches!(ask.state.presence, Presence::Attached { .. })
        })
    }
}
