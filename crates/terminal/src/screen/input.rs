//! What a person does at a terminal, in words of our own: nothing else here knows what the terminal library calls it.

/// Something a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(Key),
    /// A text that was pasted as a whole, as the terminal gave it: it may have anything in it.
    Paste(String),
    /// The mouse.
    Mouse(Mouse),
    /// The terminal's window has the focus now, or has lost it.
    Focus(bool),
    /// The screen has another size now: columns and rows.
    Resize(u16, u16),
}

/// A key with what was held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// Control was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
    /// Shift was held, where the terminal tells. A capital letter is a letter, shifted or not.
    pub shift: bool,
    /// The key is held down and repeats, where the terminal tells.
    pub repeat: bool,
}

impl Key {
    /// A key by itself.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false, shift: false, repeat: false }
    }

    /// A key with control.
    pub const fn ctrl(c: char) -> Self {
        Self { ctrl: true, ..Self::plain(KeyCode::Char(c)) }
    }

    /// A key with alt.
    pub const fn alt(c: char) -> Self {
        Self { alt: true, ..Self::plain(KeyCode::Char(c)) }
    }

    /// Whether nothing else is held down that would make it another key.
    pub const fn is_bare(self) -> bool {
        !self.ctrl && !self.alt
    }

    /// The letter that it types, where it types one.
    pub const fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

/// The keys there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCode {
    /// A letter, or what else types a character; with control, the letter in lower case.
    Char(char),
    /// Enter.
    Enter,
    /// Tab.
    Tab,
    /// Shift and tab.
    BackTab,
    /// Escape.
    Esc,
    /// Backspace, or ^H.
    Backspace,
    /// Delete.
    Delete,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1.
    F(u8),
}

/// What the mouse did, and where: column and row, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// What it did.
    pub kind: MouseKind,
    /// The column.
    pub column: u16,
    /// The row.
    pub row: u16,
}

/// What a mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button was pressed.
    Press,
    /// The wheel was turned up.
    WheelUp,
    /// The wheel was turned down.
    WheelDown,
}
