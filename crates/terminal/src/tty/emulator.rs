//! Detected terminal emulator, and its escape sequences for notices, titles, progress and the clipboard.

use super::TerminalModes;
use super::osc::{ControlSequence, sanitize};

/// Protocol for desktop notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotificationProtocol {
    /// `OSC 9`: iTerm2, WezTerm, Ghostty, Warp.
    Osc9,
    /// `OSC 99`: kitty.
    Osc99,
    /// `OSC 777`: urxvt, foot.
    Osc777,
    /// The bell only.
    Bell,
}

/// A terminal as its environment variables describe it. They are arguments: nothing here reads the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalEmulator {
    notifications: NotificationProtocol,
    in_tmux: bool,
    shows_progress: bool,
    /// The Linux text console, which prints sequences that it does not know.
    is_console: bool,
}

/// Known terminals: by `TERM_PROGRAM`, else by the prefix of `TERM`.
const KNOWN_EMULATORS: &[(&str, &str, NotificationProtocol)] = &[
    ("kitty", "xterm-kitty", NotificationProtocol::Osc99),
    ("ghostty", "xterm-ghostty", NotificationProtocol::Osc9),
    ("WezTerm", "wezterm", NotificationProtocol::Osc9),
    ("iTerm.app", "iterm", NotificationProtocol::Osc9),
    ("WarpTerminal", "warp", NotificationProtocol::Osc9),
    ("foot", "foot", NotificationProtocol::Osc777),
    ("urxvt", "rxvt-unicode", NotificationProtocol::Osc777),
];

impl TerminalEmulator {
    /// Detects the terminal from the variables `TERM`, `TERM_PROGRAM` and `TMUX`.
    pub fn from_env(term: Option<&str>, program: Option<&str>, tmux: Option<&str>) -> Self {
        let term = term.unwrap_or_default();
        let in_tmux = tmux.is_some_and(|tmux| !tmux.is_empty());
        let by_program = KNOWN_EMULATORS.iter().find(|(name, ..)| program == Some(*name));
        let by_term = KNOWN_EMULATORS.iter().find(|(_, prefix, _)| term.starts_with(prefix));
        let (name, notifications) = match by_program.or(by_term) {
            Some((name, _, protocol)) => (*name, *protocol),
            // Tmux hides the outer terminal; most of them know OSC 9.
            None if in_tmux => ("", NotificationProtocol::Osc9),
            None => ("", NotificationProtocol::Bell),
        };
        let shows_progress = !in_tmux && name == "ghostty";
        Self { notifications, in_tmux, shows_progress, is_console: term.starts_with("linux") }
    }

    /// Returns the modes that the terminal supports.
    pub fn modes(self) -> TerminalModes {
        TerminalModes {
            distinct_keys: !self.is_console,
            queries: !self.is_console,
            title: !self.is_console,
            progress: self.shows_progress,
            ..TerminalModes::default()
        }
    }

    /// Returns whether the terminal may not report its focus: tmux does so only with its option `focus-events`.
    pub fn may_hide_focus(self) -> bool {
        self.in_tmux
    }

    /// Returns a desktop notification, or the bell if the terminal has none. The text is sanitized by
    /// [`sayso_core::display`] and truncated.
    pub fn notice(self, words: &str) -> ControlSequence {
        let text = sanitize(words);
        let command = match self.notifications {
            NotificationProtocol::Osc9 => format!("\x1b]9;{text}\x07"),
            // A notification with the same identifier replaces the previous one.
            NotificationProtocol::Osc99 => format!("\x1b]99;i=sayso;{text}\x1b\\"),
            NotificationProtocol::Osc777 => format!("\x1b]777;notify;Sayso;{text}\x07"),
            NotificationProtocol::Bell => return ControlSequence::bell(),
        };
        if !self.in_tmux {
            return ControlSequence(command.into_bytes());
        }
        // Tmux passes it through only if configured to, so the bell, which tmux monitors, follows.
        ControlSequence(format!("\x1bPtmux;{}\x1b\\\x07", command.replace('\x1b', "\x1b\x1b")).into_bytes())
    }

    /// Returns the sequence that copies a text to the clipboard (OSC 52), if the terminal supports it.
    pub fn copy(self, text: &str) -> ControlSequence {
        if self.is_console {
            return ControlSequence(Vec::new());
        }
        let command = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
        if !self.in_tmux {
            return ControlSequence(command.into_bytes());
        }
        ControlSequence(format!("\x1bPtmux;{}\x1b\\", command.replace('\x1b', "\x1b\x1b")).into_bytes())
    }

    /// Returns the sequence of a window title, sanitized and truncated like a notification; empty on the console.
    pub fn title(self, text: &str) -> ControlSequence {
        let title = if self.is_console { String::new() } else { format!("\x1b]2;{}\x1b\\", sanitize(text)) };
        ControlSequence(title.into_bytes())
    }

    /// Returns the sequence of a progress bar, in percent; empty if the terminal has none.
    pub fn progress(self, percent: Option<u8>) -> ControlSequence {
        let text = match percent {
            _ if !self.shows_progress => String::new(),
            Some(percent) => format!("\x1b]9;4;1;{}\x07", percent.min(100)),
            None => "\x1b]9;4;0\x07".to_owned(),
        };
        ControlSequence(text.into_bytes())
    }
}

/// Encodes bytes as base64, for OSC 52.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut bits = 0;
        for index in 0..3 {
            bits = bits << 8 | u32::from(chunk.get(index).copied().unwrap_or_default());
        }
        // Three bytes are four letters; of fewer bytes the last letters are padding.
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let letter = LETTERS.get(((bits >> shift) & 63) as usize);
            match letter {
                Some(letter) if index <= chunk.len() => text.push(char::from(*letter)),
                _ => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn clipboard_text_is_base64() {
        let ControlSequence(bytes) = TerminalEmulator::from_env(Some("xterm"), None, None).copy("héllo");
        assert_eq!(bytes, b"\x1b]52;c;aMOpbGxv\x07");
    }
    use super::{ControlSequence, TerminalEmulator};

    fn notice(term: &str, program: &str, tmux: &str, title: &str) -> String {
        let set = |value| Some(value).filter(|value: &&str| !value.is_empty());
        let ControlSequence(bytes) =
            TerminalEmulator::from_env(set(term), set(program), set(tmux)).notice(&format!("New: {title}"));
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_terminal_gets_its_notification() {
        assert_eq!(notice("xterm-kitty", "", "", "Deploy"), "\x1b]99;i=sayso;New: Deploy\x1b\\");
        assert_eq!(notice("xterm-ghostty", "ghostty", "", "Deploy"), "\x1b]9;New: Deploy\x07");
        assert_eq!(notice("xterm-256color", "iTerm.app", "", "Deploy"), "\x1b]9;New: Deploy\x07");
        assert_eq!(notice("xterm-256color", "WezTerm", "", "Deploy"), "\x1b]9;New: Deploy\x07");
        assert_eq!(notice("foot-extra", "", "", "Deploy"), "\x1b]777;notify;Sayso;New: Deploy\x07");
        assert_eq!(
            notice("rxvt-unicode-256color", "", "", "Deploy"),
            "\x1b]777;notify;Sayso;New: Deploy\x07"
        );
        for unknown in ["xterm-256color", "linux", "screen-256color", ""] {
            assert_eq!(notice(unknown, "Apple_Terminal", "", "Deploy"), "\x07", "{unknown}");
        }
    }

    #[test]
    fn tmux_passes_through_and_rings() {
        let socket = "/tmp/tmux-1000/default,1,0";
        let wrapped = notice("tmux-256color", "tmux", socket, "Deploy");
        assert_eq!(wrapped, "\x1bPtmux;\x1b\x1b]9;New: Deploy\x07\x1b\\\x07");
        let wrapped = notice("xterm-kitty", "kitty", socket, "Deploy");
        assert_eq!(wrapped, "\x1bPtmux;\x1b\x1b]99;i=sayso;New: Deploy\x1b\x1b\\\x1b\\\x07");
    }

    #[test]
    fn title_contains_no_control_sequence() {
        let nasty = "a\x07b\x1b]0;c\x1b\\ d;4;1;99\u{9c}e\u{202e}\nf";
        for term in ["xterm-kitty", "foot", "wezterm"] {
            let text = notice(term, "", "", nasty);
            let inside = text.strip_prefix("\x1b]").unwrap();
            let inside = inside.strip_suffix("\x1b\\").or_else(|| inside.strip_suffix('\x07')).unwrap();
            assert!(!inside.contains(|c: char| c.is_control() || c == '\u{202e}'), "{inside:?}");
            assert!(inside.ends_with("f") && inside.contains(" d,4,1,99"), "{inside:?}");
        }
        let ControlSequence(title) = TerminalEmulator::from_env(Some("xterm"), None, None).title(nasty);
        assert_eq!(title.iter().filter(|byte| **byte < b' ').count(), 2);
    }

    #[test]
    fn long_title_is_cut_between_graphemes() {
        let family = "👨‍👩‍👧";
        let text = notice("foot", "", "", &family.repeat(1000));
        let pictures =
            text.strip_prefix("\x1b]777;notify;Sayso;New: ").unwrap().strip_suffix("…\x07").unwrap();
        assert_eq!(pictures, family.repeat(pictures.len() / family.len()));
        assert!(text.len() < 2000, "{}", text.len());
    }

    #[test]
    fn unsupported_sequences_are_omitted() {
        let ghostty = TerminalEmulator::from_env(None, Some("ghostty"), None);
        assert_eq!(ghostty.progress(Some(200)), ControlSequence(b"\x1b]9;4;1;100\x07".to_vec()));
        assert_eq!(ghostty.progress(None), ControlSequence(b"\x1b]9;4;0\x07".to_vec()));
        assert_eq!(
            TerminalEmulator::from_env(None, Some("ghostty"), Some("x")).progress(Some(5)),
            ControlSequence(Vec::new())
        );
        assert_eq!(
            TerminalEmulator::from_env(None, Some("iTerm.app"), None).progress(Some(5)),
            ControlSequence(Vec::new())
        );
        let console = TerminalEmulator::from_env(Some("linux"), None, None);
        assert_eq!(console.title("Deploy"), ControlSequence(Vec::new()));
        assert!(!console.modes().distinct_keys && !console.modes().queries);
    }
}
