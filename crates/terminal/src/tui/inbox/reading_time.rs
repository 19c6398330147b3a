//! Time for which an ask has been shown next to the list: after a moment it counts as seen.

use jiff::{SignedDuration, Timestamp};
use sayso_core::AskId;

/// Time after which a person can have read what an ask is about.
const READING_TIME: SignedDuration = SignedDuration::from_secs(2);

/// Ask that is shown and not seen yet.
#[derive(Debug, Default)]
pub(super) struct ReadingTime(Option<(AskId, Timestamp)>);

impl ReadingTime {
    /// Takes the ask that is shown now. Returns it once it has been shown long enough.
    pub(super) fn update(&mut self, shown: Option<AskId>, now: Timestamp) -> Option<AskId> {
        let Some(id) = shown else {
            self.0 = None;
            return None;
        };
        let since = match self.0 {
            Some((last, since)) if last == id => since,
            _ => now,
        };
        if now.duration_since(since) < READING_TIME {
            self.0 = Some((id, since));
            return None;
        }
        self.0 = None;
        Some(id)
    }

    /// Returns the time at which the ask will have been shown long enough.
    pub(super) fn next_wakeup(&self) -> Option<Timestamp> {
        let (_, since) = self.0?;
        since.checked_add(READING_TIME).ok()
    }
}
