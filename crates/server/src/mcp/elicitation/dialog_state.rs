//! State of the dialogs of the one host that this process serves.

use super::form::{self, HostForm};
use crate::diagnostics::log_event;
use crate::mcp::caller::McpCaller;
use sayso_core::{Ask, AskId};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// State of a host's own dialogs.
#[derive(Default)]
pub(crate) struct DialogState(Mutex<KnownDialogs>);

#[derive(Default)]
struct KnownDialogs {
    /// The host announced dialogs, but can't show any.
    is_unsupported: bool,
    /// Asks whose form a person dismissed; it isn't shown again unasked.
    dismissed: HashSet<AskId>,
}

impl DialogState {
    fn lock(&self) -> MutexGuard<'_, KnownDialogs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the host answered a form as no person could.
    pub(crate) fn disable(&self) {
        log_event!(INFO, Mcp, "host shows no dialogs; asks wait at the desk");
        self.lock().is_unsupported = true;
    }

    /// Records that a person dismissed the form of this ask.
    pub(crate) fn dismiss(&self, id: AskId) {
        log_event!(DEBUG, Mcp, "dialog dismissed", ask = id);
        self.lock().dismissed.insert(id);
    }

    /// Returns whether a person has seen the form or page of this ask, so that it isn't shown again.
    pub(crate) fn is_dismissed(&self, id: AskId) -> bool {
        self.lock().dismissed.contains(&id)
    }

    /// Returns the form of an ask, if the caller can show it and no one dismissed it.
    pub(crate) fn form_for(&self, ask: &Ask, caller: &McpCaller) -> Option<HostForm> {
        let forms = self.lock();
        let is_wanted = caller.has_forms && !forms.is_unsupported && !forms.dismissed.contains(&ask.id);
        drop(forms);
        if !is_wanted {
            return None;
        }
        let form = form::from_questionnaire(&ask.request.questionnaire, caller.choice_encoding)?;
        let host = if caller.is_modern { None } else { caller.host_name.as_deref() };
        Some(form.for_host(host))
    }
}
