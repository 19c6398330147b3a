//! What is said to a terminal to have the whole screen, and to give it back.

/// What of a terminal is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modes {
    /// The mouse is ours: a click and the wheel come as input. Selecting text then needs shift.
    pub mouse: bool,
    /// Frames are shown whole, where the terminal can do that.
    pub synchronized: bool,
    /// Keys are told apart that are not otherwise, where the terminal can do that: shift and enter, for one.
    pub distinct_keys: bool,
    /// The terminal is asked for its background and its keyboard. Its answers come as
    /// [`Happening`](super::Happening)s when they come; nothing waits for them.
    pub asks: bool,
    /// The window's title may be set, and is what it was before afterwards.
    pub title: bool,
    /// Progress may be shown, and is gone afterwards.
    pub progress: bool,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            mouse: true,
            synchronized: true,
            distinct_keys: true,
            asks: true,
            title: true,
            progress: false,
        }
    }
}

pub(super) const BEGIN_FRAME: &[u8] = b"\x1b[?2026h";
pub(super) const END_FRAME: &[u8] = b"\x1b[?2026l";
/// Frames are drawn with the cursor hidden, so that it does not run over the screen where frames are not shown whole.
pub(super) const HIDE_CURSOR: &[u8] = b"\x1b[?25l";

const MOUSE: (&str, &str) = ("\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l");
/// Tell keys apart that are not otherwise: as xterm and tmux do it, then as kitty and its kin, with the places of keys on
/// a Latin keyboard (4). A terminal keeps the latter for each screen, so it is said on the alternate one. Terminals that
/// know neither ignore them; those that take them for a style or for "cursor back to where it was saved" do no harm
/// there.
const DISTINCT_KEYS: (&str, &str) = ("\x1b[>4;1m\x1b[>5u", "\x1b[<u\x1b[>4m");
const TITLE: (&str, &str) = ("\x1b[22;0t", "\x1b[23;0t");
/// The background, and what every terminal answers last.
const QUESTIONS: &str = "\x1b]11;?\x1b\\\x1b[c";

impl Modes {
    /// What takes the screen.
    pub(super) fn enter(self) -> Vec<u8> {
        let said = |pair: (&'static str, _), is_used| if is_used { pair.0 } else { "" };
        [
            said(TITLE, self.title),
            // The alternate screen, pastes as a whole, and the focus.
            "\x1b[?1049h\x1b[?2004h\x1b[?1004h",
            said(DISTINCT_KEYS, self.distinct_keys),
            said(MOUSE, self.mouse),
            // Whatever a terminal made of all that is wiped away.
            "\x1b[m\x1b[?25l\x1b[2J\x1b[H",
            if self.asks { QUESTIONS } else { "" },
        ]
        .concat()
        .into_bytes()
    }

    /// What gives it back.
    pub(super) fn leave(self) -> Vec<u8> {
        let said = |pair: (_, &'static str), is_used| if is_used { pair.1 } else { "" };
        [
            // A frame may have been left half drawn.
            if self.synchronized { "\x1b[?2026l" } else { "" },
            said(MOUSE, self.mouse),
            said(DISTINCT_KEYS, self.distinct_keys),
            "\x1b[?1004l\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l",
            said(TITLE, self.title),
            if self.progress { "\x1b]9;4;0\x07" } else { "" },
        ]
        .concat()
        .into_bytes()
    }
}
