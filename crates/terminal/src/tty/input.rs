//! Terminal input in types of our own: no other module depends on the terminal library's.

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputEvent {
    /// A key.
    Key(Key),
    /// Pasted text, exactly as the terminal sent it: it may contain anything.
    Paste(String),
    /// A mouse event.
    Mouse(MouseEvent),
    /// The terminal window gained or lost the focus.
    Focus(bool),
    /// New size of the screen: columns and rows.
    Resize(u16, u16),
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// Control is pressed.
    pub ctrl: bool,
    /// Alt is pressed.
    pub alt: bool,
    /// Shift is pressed, if the terminal reports it. A capital letter is a letter, with or without it.
    pub shift: bool,
    /// The key is held down and repeats, if the terminal reports it.
    pub repeat: bool,
}

impl Key {
    /// Returns a key without modifiers.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false, shift: false, repeat: false }
    }

    /// Returns a letter with control and no other modifier.
    pub const fn ctrl(c: char) -> Self {
        Self { ctrl: true, ..Self::plain(KeyCode::Char(c)) }
    }

    /// Returns a letter with alt and no other modifier.
    pub const fn alt(c: char) -> Self {
        Self { alt: true, ..Self::plain(KeyCode::Char(c)) }
    }

    /// Returns whether neither control nor alt is pressed.
    pub const fn is_unmodified(self) -> bool {
        !self.ctrl && !self.alt
    }

    /// Returns the letter that the key types.
    pub const fn typed_char(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

/// Keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCode {
    /// A letter, or another key that types a character; with control, the letter in lower case.
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

/// A mouse event with its column and row, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MouseEvent {
    /// The kind of event.
    pub kind: MouseKind,
    /// The column.
    pub column: u16,
    /// The row.
    pub row: u16,
}

/// Kinds of mouse events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button was pressed.
    Press,
    /// The wheel was turned up.
    WheelUp,
    /// The wheel was turned down.
    WheelDown,
}
