//! Guard of a text box that a letter opened: the letter types nothing for as long as it is held down.

use super::clock::elapsed;
use super::send_guard::{REPEAT_INTERVAL, is_own_press};
use crate::tty::Key;
use jiff::Timestamp;

/// Letter that opened a text box. A terminal reports no release of a letter, so the next repeat is what tells a held
/// key from the same letter typed into the box: the letter waits for one.
#[derive(Debug, Clone)]
pub(super) struct OpeningKey {
    letter: char,
    /// Time of the last key with this letter in the box. The first one is no repeat of the press that opened the box
    /// if it follows at once, because a held key begins to repeat later.
    last_press: Option<Timestamp>,
    /// Letter that is typed as soon as [`REPEAT_INTERVAL`] has passed.
    waits_since: Option<Timestamp>,
    /// Another key was pressed, so this one is not held down any more.
    is_released: bool,
}

/// Treatment of a key in the text box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyUse {
    /// The key has no effect now.
    Wait,
    /// The key is for the text box, after the letter that waited.
    Take {
        /// Letter to type first.
        before: Option<char>,
    },
}

impl OpeningKey {
    /// Returns the guard of a text box that this letter opens.
    pub(super) const fn new(letter: char) -> Self {
        Self { letter, last_press: None, waits_since: None, is_released: false }
    }

    /// Judges a key. A repeat withdraws the letter before it.
    pub(super) fn judge(&mut self, key: Key, now: Timestamp) -> KeyUse {
        if self.is_released || key.typed_char() != Some(self.letter) {
            self.is_released = true;
            return KeyUse::Take { before: self.take() };
        }
        let previous_press = self.last_press.replace(now);
        let is_press = !key.repeat && is_own_press(previous_press, now);
        self.waits_since = if is_press { Some(now) } else { None };
        KeyUse::Wait
    }

    /// Takes the letter that waits, because something else is inserted.
    pub(super) fn take(&mut self) -> Option<char> {
        self.waits_since.take()?;
        Some(self.letter)
    }

    /// Takes the letter that is due: it was not held down.
    pub(super) fn take_due(&mut self, now: Timestamp) -> Option<char> {
        if elapsed(self.waits_since?, now) >= REPEAT_INTERVAL { self.take() } else { None }
    }

    /// Returns the time at which a letter is due.
    pub(super) fn next_wakeup(&self) -> Option<Timestamp> {
        self.waits_since?.checked_add(REPEAT_INTERVAL).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tty::KeyCode;

    /// Returns the text that these letters type, pressed at these milliseconds after the box opened.
    fn typed(presses: &[(i64, char)]) -> String {
        let at = |ms| Timestamp::from_millisecond(1_000_000 + ms).unwrap();
        let mut guard = OpeningKey::new('d');
        let mut text = String::new();
        let mut presses = presses.iter().copied().peekable();
        for ms in 0..6_000 {
            while let Some((_, letter)) = presses.next_if(|(then, _)| *then == ms) {
                if let KeyUse::Take { before } = guard.judge(Key::plain(KeyCode::Char(letter)), at(ms)) {
                    text.extend(before.into_iter().chain([letter]));
                }
            }
            text.extend(guard.take_due(at(ms)));
        }
        text
    }

    #[test]
    fn held_letter_types_nothing() {
        for delay in [200, 500, 700, 1_000, 2_000] {
            for interval in [15, 33, 50, 100] {
                let held: Vec<_> = (delay..5_000).step_by(interval).map(|ms| (ms, 'd')).collect();
                assert_eq!(typed(&held), "", "{delay} {interval}");
            }
        }
    }

    #[test]
    fn letter_is_typed_by_a_press() {
        assert_eq!(typed(&[(300, 'd')]), "d");
        assert_eq!(typed(&[(300, 'd'), (340, 'o')]), "do");
        assert_eq!(typed(&[(90, 'd'), (180, 'o')]), "do");
        assert_eq!(typed(&[(200, 'a'), (210, 'd'), (220, 'd')]), "add");
        assert_eq!(typed(&[(50, 'd'), (80, 'd'), (500, 'n'), (520, 'o')]), "no");
    }
}
