//! Reasons to decline that were typed and not sent. They are kept for as long as the screen is there, whatever became of
//! the dialog.

use sayso_core::AskId;
use std::collections::BTreeMap;

/// One reason an ask.
#[derive(Debug, Clone, Default)]
pub(super) struct Reasons(BTreeMap<AskId, String>);

impl Reasons {
    /// Keeps what was typed last for an ask; nothing where it was deleted.
    pub(super) fn keep(&mut self, id: AskId, reason: &str) {
        if reason.trim().is_empty() {
            self.forget(id);
        } else {
            self.0.insert(id, reason.to_owned());
        }
    }

    /// What was typed for an ask; empty where nothing was.
    pub(super) fn of(&self, id: AskId) -> &str {
        self.0.get(&id).map_or("", String::as_str)
    }

    /// The asker or the desk has it.
    pub(super) fn forget(&mut self, id: AskId) {
        self.0.remove(&id);
    }

    /// All of them.
    pub(super) fn into_words(self) -> Vec<String> {
        self.0.into_values().collect()
    }
}
