//! Reasons to decline that were typed and not sent. They are kept for as long as the screen runs, even after their
//! dialog closed.

use sayso_core::AskId;
use std::collections::BTreeMap;

/// One reason per ask.
#[derive(Debug, Clone, Default)]
pub(super) struct DeclineReasons(BTreeMap<AskId, String>);

impl DeclineReasons {
    /// Stores the reason typed last for an ask; removes it if it is blank.
    pub(super) fn set(&mut self, id: AskId, reason: &str) {
        if reason.trim().is_empty() {
            self.remove(id);
        } else {
            self.0.insert(id, reason.to_owned());
        }
    }

    /// Returns the reason typed for an ask, or an empty one.
    pub(super) fn get(&self, id: AskId) -> &str {
        self.0.get(&id).map_or("", String::as_str)
    }

    /// Removes a reason that the asker or the desk has received.
    pub(super) fn remove(&mut self, id: AskId) {
        self.0.remove(&id);
    }

    /// Returns all reasons.
    pub(super) fn into_texts(self) -> Vec<String> {
        self.0.into_values().collect()
    }
}
