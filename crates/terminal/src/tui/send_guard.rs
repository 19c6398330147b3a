//! Guard of a button that sends: presses in passing, held keys and pastes send nothing.

use super::clock::elapsed;
use crate::tty::Key;
use jiff::Timestamp;
use std::time::Duration;

/// Period after a page appeared in which a press of its button does nothing.
pub(super) const SETTLE_PERIOD: Duration = Duration::from_millis(400);

/// Time that a press waits for another one. A held key repeats faster, and terminals report neither its repeats nor
/// its release for Enter, so the next repeat is what tells a held key from a press.
pub(super) const REPEAT_INTERVAL: Duration = Duration::from_millis(120);

/// State of the guard, on the monotonic clock.
#[derive(Debug, Clone)]
pub(super) struct SendGuard {
    /// Time at which the page with the button appeared.
    shown_at: Timestamp,
    /// Time of the last key that would press the button.
    last_press: Option<Timestamp>,
    /// Press that sends as soon as [`REPEAT_INTERVAL`] has passed.
    armed_at: Option<Timestamp>,
}

impl SendGuard {
    /// Returns the guard of a page that appears now.
    pub(super) const fn new(now: Timestamp) -> Self {
        Self { shown_at: now, last_press: None, armed_at: None }
    }

    /// Records that another page appeared, or that the page shows other answers.
    pub(super) const fn show_page(&mut self, now: Timestamp) {
        self.shown_at = now;
        self.armed_at = None;
    }

    /// Returns whether a press counts.
    pub(super) fn is_live(&self, now: Timestamp) -> bool {
        elapsed(self.shown_at, now) >= SETTLE_PERIOD
    }

    /// Records a key that presses a button. Returns whether it is a press of its own, and not the repeat of a held key.
    /// A repeat withdraws the press before it.
    pub(super) fn record_press(&mut self, key: Key, now: Timestamp) -> bool {
        let previous_press = self.last_press.replace(now);
        self.armed_at = None;
        !key.repeat && is_own_press(previous_press, now)
    }

    /// Arms the button after a press of its own, if the page has been visible for long enough.
    pub(super) fn arm(&mut self, now: Timestamp) {
        if self.is_live(now) {
            self.armed_at = Some(now);
        }
    }

    /// Withdraws a press because something else happened.
    pub(super) const fn withdraw(&mut self) {
        self.armed_at = None;
    }

    /// Takes the press that is due: the button sends now.
    pub(super) fn take_due(&mut self, now: Timestamp) -> bool {
        let is_due = self.armed_at.is_some_and(|armed_at| elapsed(armed_at, now) >= REPEAT_INTERVAL);
        if is_due {
            self.armed_at = None;
        }
        is_due
    }

    /// Returns the time at which the button becomes live or sends.
    pub(super) fn next_wakeup(&self, now: Timestamp) -> Option<Timestamp> {
        let mut times = Vec::new();
        if !self.is_live(now) {
            times.extend(self.shown_at.checked_add(SETTLE_PERIOD));
        }
        if let Some(armed_at) = self.armed_at {
            times.extend(armed_at.checked_add(REPEAT_INTERVAL));
        }
        times.into_iter().min()
    }
}

/// Returns whether a press is too late after the previous one to be its repeat.
pub(super) fn is_own_press(previous: Option<Timestamp>, now: Timestamp) -> bool {
    match previous {
        Some(previous) => elapsed(previous, now) >= REPEAT_INTERVAL,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tty::KeyCode;

    /// Returns whether presses at these milliseconds after the page send, and when.
    fn sent_at(presses: &[i64]) -> Option<i64> {
        let at = |ms| Timestamp::from_millisecond(1_000_000 + ms).unwrap();
        let mut guard = SendGuard::new(at(0));
        let mut presses = presses.iter().copied().peekable();
        for ms in 0..10_000 {
            if presses.next_if_eq(&ms).is_some() && guard.record_press(Key::plain(KeyCode::Enter), at(ms)) {
                guard.arm(at(ms));
            }
            if guard.take_due(at(ms)) {
                return Some(ms);
            }
        }
        None
    }

    #[test]
    fn repeats_never_send() {
        for delay in [200, 500, 700, 1_000, 2_000] {
            for interval in [15, 33, 50, 100] {
                let held: Vec<_> = std::iter::once(0).chain((delay..5_000).step_by(interval)).collect();
                assert_eq!(sent_at(&held), None, "{delay} {interval}");
            }
        }
    }

    #[test]
    fn quick_presses_send() {
        for first in [0, 50, 100, 150, 299] {
            let presses = [first, first + 300, first + 600];
            let sent = sent_at(&presses).unwrap();
            assert!(presses[1..].contains(&(sent - 120)), "{first}: {sent}");
        }
        assert_eq!(sent_at(&[300, 600]), Some(720));
        assert_eq!(sent_at(&[399]), None);
        assert_eq!(sent_at(&[400]), Some(520));
    }
}
