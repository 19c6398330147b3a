//! Control sequences that acquire and restore the screen.

/// Terminal modes to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalModes {
    /// Mouse reporting: a click and the wheel arrive as input. Selecting text then needs shift.
    pub mouse: bool,
    /// Synchronized output, if the terminal supports it.
    pub synchronized: bool,
    /// Extended key reporting, such as shift and enter, if the terminal supports it.
    pub distinct_keys: bool,
    /// Queries of the background and the keyboard. Replies arrive as [`TtyEvent`](super::TtyEvent)s; nothing waits
    /// for them.
    pub queries: bool,
    /// The window title may be set; it is restored on exit.
    pub title: bool,
    /// A progress bar may be shown; it is removed on exit.
    pub progress: bool,
}

impl Default for TerminalModes {
    fn default() -> Self {
        Self {
            mouse: true,
            synchronized: true,
            distinct_keys: true,
            queries: true,
            title: true,
            progress: false,
        }
    }
}

pub(super) const BEGIN_FRAME: &[u8] = b"\x1b[?2026h";
pub(super) const END_FRAME: &[u8] = b"\x1b[?2026l";
/// Frames are drawn with the cursor hidden, so that it does not flicker without synchronized output.
pub(super) const HIDE_CURSOR: &[u8] = b"\x1b[?25l";

const MOUSE: (&str, &str) = ("\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l");
/// Extended key reporting: xterm's and tmux's, then kitty's, with the positions of keys on a Latin keyboard (4). A
/// terminal keeps kitty's per screen, so it is set on the alternate one. Terminals that know neither ignore them. Those
/// that read them as a style or as "restore cursor" do no harm there.
const DISTINCT_KEYS: (&str, &str) = ("\x1b[>4;1m\x1b[>5u", "\x1b[<u\x1b[>4m");
const TITLE: (&str, &str) = ("\x1b[22;0t", "\x1b[23;0t");
/// Query of the background, followed by one that every terminal answers.
const QUERIES: &str = "\x1b]11;?\x1b\\\x1b[c";

impl TerminalModes {
    /// Returns the sequence that acquires the screen.
    pub(super) fn enter_sequence(self) -> Vec<u8> {
        let mut text = String::new();
        if self.title {
            text.push_str(TITLE.0);
        }
        // Alternate screen, bracketed paste, and focus reporting.
        text.push_str("\x1b[?1049h\x1b[?2004h\x1b[?1004h");
        if self.distinct_keys {
            text.push_str(DISTINCT_KEYS.0);
        }
        if self.mouse {
            text.push_str(MOUSE.0);
        }
        // Clears anything that a terminal printed of these.
        text.push_str("\x1b[m\x1b[?25l\x1b[2J\x1b[H");
        if self.queries {
            text.push_str(QUERIES);
        }
        text.into_bytes()
    }

    /// Returns the sequence that restores the screen.
    pub(super) fn leave_sequence(self) -> Vec<u8> {
        let mut text = String::new();
        if self.synchronized {
            // A frame may be incomplete.
            text.push_str("\x1b[?2026l");
        }
        if self.mouse {
            text.push_str(MOUSE.1);
        }
        if self.distinct_keys {
            text.push_str(DISTINCT_KEYS.1);
        }
        text.push_str("\x1b[?1004l\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l");
        if self.title {
            text.push_str(TITLE.1);
        }
        if self.progress {
            text.push_str("\x1b]9;4;0\x07");
        }
        text.into_bytes()
    }
}
