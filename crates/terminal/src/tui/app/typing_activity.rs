//! Times of the last keys: whether the person is typing, and which keys were typed for an ask that just closed.

use super::super::clock::elapsed;
use super::super::send_guard::SETTLE_PERIOD;
use jiff::Timestamp;
use std::time::Duration;

/// Time without a key after which the person is not typing. If only one ask is shown, a program may wait for its end.
/// It waits no longer than this after the last key, once the end was visible.
const TYPING_LULL: Duration = Duration::from_secs(1);

/// Times of the last keys, on the monotonic clock.
#[derive(Debug, Default)]
pub(super) struct TypingActivity {
    /// Time of the last key while an ask was open.
    last_key_at: Option<Timestamp>,
    /// Time of the key before it.
    previous_key_at: Option<Timestamp>,
    /// Time at which the open ask ended elsewhere, or of the last key typed after that.
    last_stray_key: Option<Timestamp>,
}

impl TypingActivity {
    /// Records a key to an open ask.
    pub(super) const fn record_key(&mut self, now: Timestamp) {
        self.previous_key_at = self.last_key_at.replace(now);
    }

    /// Returns whether the last key came after a pause: it is not part of what the person was typing.
    pub(super) fn has_paused(&self) -> bool {
        let (Some(previous), Some(last)) = (self.previous_key_at, self.last_key_at) else { return true };
        elapsed(previous, last) >= SETTLE_PERIOD
    }

    /// Returns whether the person has typed anything to an ask.
    pub(super) const fn has_typed(&self) -> bool {
        self.last_key_at.is_some()
    }

    /// Returns whether the last key came less than [`TYPING_LULL`] ago.
    pub(super) fn is_typing(&self, now: Timestamp) -> bool {
        match self.last_key_at {
            Some(last) => elapsed(last, now) < TYPING_LULL,
            None => false,
        }
    }

    /// Returns the time at which the person is no longer typing: now, or later if keys were typed.
    pub(super) fn lull_at(&self, now: Timestamp) -> Option<Timestamp> {
        match self.last_key_at {
            Some(last) => last.checked_add(TYPING_LULL).ok(),
            None => Some(now),
        }
    }

    /// Records that an ask closed by itself, so that the next keys may be meant for it.
    pub(super) const fn record_closing(&mut self, now: Timestamp) {
        self.last_stray_key = Some(now);
    }

    /// Returns whether a key was typed for an ask that closed by itself; then the next one may be too.
    pub(super) fn is_stray(&mut self, ends_typing: bool, now: Timestamp) -> bool {
        let Some(last) = self.last_stray_key.take() else { return false };
        if ends_typing || elapsed(last, now) >= SETTLE_PERIOD {
            return false;
        }
        self.last_stray_key = Some(now);
        true
    }
}
