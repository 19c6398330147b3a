//! Guard against keys that were not meant for what is on the screen: typed ahead, held down, or too early.

use super::super::clock::elapsed;
use crate::tty::Key;
use jiff::Timestamp;
use std::time::Duration;

/// Period during which keys are ignored after something opened by itself.
pub(crate) const SETTLE_PERIOD: Duration = Duration::from_millis(400);

/// Quiet period required before a key that sends counts.
const QUIET_PERIOD: Duration = Duration::from_millis(350);

/// Longest interval between repeats of a held key.
const REPEAT_INTERVAL: Duration = Duration::from_millis(120);

/// Longest delay before a held key starts to repeat.
const REPEAT_DELAY: Duration = Duration::from_secs(1);

/// Times of the last keys, on the monotonic clock.
#[derive(Debug)]
pub(super) struct KeyGuard {
    /// Time at which the person came to the current tab.
    arrived_at: Timestamp,
    /// Time of the last key that sends: Enter or ^S.
    last_send_key: Timestamp,
    /// The last key sends and led to this tab, so it may be held down.
    may_be_held: bool,
    /// Time before which answering keys are ignored.
    accepts_keys_at: Timestamp,
}

impl KeyGuard {
    /// Starts when an ask opens. `by_itself` is true if the person pressed no key for it.
    pub(super) fn new(now: Timestamp, by_itself: bool) -> Self {
        let settled_at = now.checked_add(SETTLE_PERIOD).unwrap_or(now);
        Self {
            arrived_at: now,
            last_send_key: now,
            may_be_held: false,
            accepts_keys_at: if by_itself { settled_at } else { now },
        }
    }

    /// Records that the person came to another tab.
    pub(super) const fn record_arrival(&mut self, now: Timestamp) {
        self.arrived_at = now;
    }

    /// Records a key that was handled: whether it sends, and whether it led to another tab.
    pub(super) const fn record_key(&mut self, sends: bool, has_moved: bool, now: Timestamp) {
        if sends {
            self.last_send_key = now;
        }
        self.may_be_held = sends && has_moved;
    }

    /// Records a click that did what Enter does.
    pub(super) const fn record_click(&mut self, now: Timestamp) {
        self.last_send_key = now;
    }

    /// Returns whether something opened by itself less than [`SETTLE_PERIOD`] ago.
    pub(super) fn is_settling(&self, now: Timestamp) -> bool {
        now < self.accepts_keys_at
    }

    /// Returns whether a key that sends counts: the person has been here for a while, and no such key came just before.
    /// A held key never counts, even if the terminal does not report repeats.
    pub(super) fn is_deliberate(&self, now: Timestamp) -> bool {
        let quiet = if self.may_be_held { REPEAT_DELAY } else { QUIET_PERIOD };
        elapsed(self.arrived_at, now) >= quiet && elapsed(self.last_send_key, now) >= QUIET_PERIOD
    }

    /// Returns whether Enter comes as fast as a held key repeats.
    pub(super) fn is_held_enter(&self, key: Key, now: Timestamp) -> bool {
        key.repeat || elapsed(self.last_send_key, now) < REPEAT_INTERVAL
    }
}
