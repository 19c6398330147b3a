//! Themes: a style for each role of an element, and the symbols to draw.
//!
//! No state is shown by colour alone: each has a symbol or a word too, so that every theme shows the same.

use ratatui::style::{Color, Modifier, Style};
use std::borrow::Cow;

/// Role of an element on the screen. Agents' text is always [`Agent`](Self::Agent), and only the
/// [`Gutter`](Self::Gutter) before it has its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StyleRole {
    /// Our own text.
    Plain,
    /// Agents' text.
    Agent,
    /// The bar before agents' text.
    Gutter,
    /// The most important part of a row.
    Strong,
    /// The least important part of a row, and lines.
    Faint,
    /// The focused element.
    Focus,
    /// The person's place on the screen: the pointer, and the edges of the focused box and of a dialog.
    Accent,
    /// A completed element.
    Completed,
    /// An element that needs attention.
    Warning,
    /// An error.
    Failure,
    /// A key in a key hint.
    Key,
    /// The asker's suggestion.
    Suggestion,
    /// Code in an agent's sentence.
    Code,
    /// The line of a diff that gives a place.
    Hunk,
    /// A line of a diff that names files.
    DiffHeader,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
}

impl StyleRole {
    /// Every role, by its name in a theme file.
    pub const ALL: [(&'static str, Self); 17] = [
        ("plain", Self::Plain),
        ("agent", Self::Agent),
        ("gutter", Self::Gutter),
        ("strong", Self::Strong),
        ("faint", Self::Faint),
        ("focus", Self::Focus),
        ("accent", Self::Accent),
        ("done", Self::Completed),
        ("warn", Self::Warning),
        ("wrong", Self::Failure),
        ("key", Self::Key),
        ("star", Self::Suggestion),
        ("code", Self::Code),
        ("hunk", Self::Hunk),
        ("header", Self::DiffHeader),
        ("added", Self::Added),
        ("removed", Self::Removed),
    ];

    /// Returns whether text of this role is an agent's, which is shown verbatim.
    pub(crate) const fn is_agents(self) -> bool {
        matches!(self, Self::Agent | Self::Code | Self::Hunk | Self::DiffHeader | Self::Added | Self::Removed)
    }
}

/// A theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; StyleRole::ALL.len()],
    /// The symbols.
    pub symbols: &'static SymbolSet,
}

/// Symbols for states and lines.
#[derive(Debug, PartialEq, Eq)]
pub struct SymbolSet {
    pub(crate) pointer: &'static str,
    pub(crate) picked: &'static str,
    pub(crate) unpicked: &'static str,
    pub(crate) checked: &'static str,
    pub(crate) unchecked: &'static str,
    pub(crate) star: &'static str,
    pub(crate) gutter: &'static str,
    pub(crate) crossing: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) separator: &'static str,
    /// Corners of a box, the left one first.
    pub(crate) upper: [&'static str; 2],
    pub(crate) lower: [&'static str; 2],
    pub(crate) untouched: &'static str,
    pub(crate) current: &'static str,
    pub(crate) edited: &'static str,
    pub(crate) answered: &'static str,
    pub(crate) skipped: &'static str,
    pub(crate) wrong: &'static str,
    pub(crate) follow_up: &'static str,
    pub(crate) detached: &'static str,
    pub(crate) track: &'static str,
    pub(crate) empty_step: &'static str,
    pub(crate) thumb: &'static str,
    pub(crate) up: &'static str,
    pub(crate) down: &'static str,
    pub(crate) left: &'static str,
    pub(crate) right: &'static str,
    pub(crate) dot: &'static str,
    pub(crate) ellipsis: &'static str,
}

const UNICODE_SYMBOLS: SymbolSet = SymbolSet {
    pointer: "▸",
    picked: "(•)",
    unpicked: "( )",
    checked: "[x]",
    unchecked: "[ ]",
    star: "★",
    gutter: "┃",
    crossing: "┼",
    rule: "─",
    separator: "│",
    upper: ["┌", "┐"],
    lower: ["└", "┘"],
    untouched: "○",
    current: "●",
    edited: "✎",
    answered: "✓",
    skipped: "–",
    wrong: "!",
    follow_up: "↳",
    detached: "◌",
    track: "─",
    empty_step: "○",
    thumb: "●",
    up: "▲",
    down: "▼",
    left: "‹",
    right: "›",
    dot: "·",
    ellipsis: "…",
};

const ASCII_SYMBOLS: SymbolSet = SymbolSet {
    pointer: ">",
    picked: "(*)",
    unpicked: "( )",
    checked: "[x]",
    unchecked: "[ ]",
    star: "*",
    gutter: "|",
    crossing: "+",
    rule: "-",
    separator: "|",
    upper: ["+", "+"],
    lower: ["+", "+"],
    untouched: "o",
    current: "*",
    edited: "~",
    answered: "v",
    skipped: "-",
    wrong: "!",
    follow_up: ">",
    detached: "?",
    track: "-",
    empty_step: "o",
    thumb: "*",
    up: "^",
    down: "v",
    left: "<",
    right: ">",
    dot: "-",
    ellipsis: "...",
};

/// ASCII replacements for symbols inside of sentences.
const ASCII_REPLACEMENTS: [(&str, &str); 14] = [
    ("↑↓", "Up/Down"),
    ("←→", "Left/Right"),
    ("⇧", "Shift-"),
    ("·", "-"),
    ("▸", ">"),
    ("…", "..."),
    ("●", "*"),
    ("○", "o"),
    ("◌", "?"),
    ("✎", "~"),
    ("✓", "v"),
    ("–", "-"),
    ("★", "*"),
    ("⋮", ":"),
];

impl Default for Theme {
    fn default() -> Self {
        Self::DARK
    }
}

impl Theme {
    /// Names of the themes.
    pub const NAMES: [&'static str; 5] = ["dark", "light", "mono", "ascii", "high-contrast"];

    /// Theme for dark backgrounds.
    pub const DARK: Self = Self::with_colours(Color::Cyan, Color::Green, Color::Yellow, Color::LightRed);

    /// Theme for light backgrounds.
    pub const LIGHT: Self = Self::with_colours(Color::Blue, Color::Green, Color::Magenta, Color::Red);

    /// Theme without colours.
    pub const MONO: Self = Self {
        styles: [
            Style::new(),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::DIM),
            Style::new().add_modifier(Modifier::REVERSED),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::DIM),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
        ],
        symbols: &UNICODE_SYMBOLS,
    };

    /// Theme without colours, in ASCII.
    pub const PURE_ASCII: Self = Self { styles: Self::MONO.styles, symbols: &ASCII_SYMBOLS };

    /// High-contrast theme: nothing faint, nothing tinted.
    pub const HIGH_CONTRAST: Self = Self {
        styles: [
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::LightCyan).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::White).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::Black).bg(Color::White).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightCyan).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightGreen).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightYellow).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::White).bg(Color::Red).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightCyan).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightYellow).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightGreen).bg(Color::Black),
            Style::new().fg(Color::LightCyan).bg(Color::Black),
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::LightGreen).bg(Color::Black),
            Style::new().fg(Color::LightRed).bg(Color::Black),
        ],
        symbols: &UNICODE_SYMBOLS,
    };

    const fn with_colours(accent: Color, done: Color, warn: Color, wrong: Color) -> Self {
        Self {
            styles: [
                Style::new(),
                Style::new(),
                Style::new().fg(accent),
                Style::new().add_modifier(Modifier::BOLD),
                Style::new().fg(Color::DarkGray),
                Style::new().fg(accent).add_modifier(Modifier::REVERSED),
                Style::new().fg(accent).add_modifier(Modifier::BOLD),
                Style::new().fg(done),
                Style::new().fg(warn),
                Style::new().fg(wrong).add_modifier(Modifier::BOLD),
                Style::new().fg(accent).add_modifier(Modifier::BOLD),
                Style::new().fg(warn),
                Style::new().fg(done),
                Style::new().fg(accent),
                Style::new().fg(Color::DarkGray),
                Style::new().fg(done),
                Style::new().fg(wrong),
            ],
            symbols: &UNICODE_SYMBOLS,
        }
    }

    /// Returns the theme of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "dark" => Self::DARK,
            "light" => Self::LIGHT,
            "mono" => Self::MONO,
            "ascii" => Self::PURE_ASCII,
            "high-contrast" => Self::HIGH_CONTRAST,
            _ => return None,
        })
    }

    /// Replaces the style of a role; `words` are ratatui's: `light-red`, `#a0c4ff`, `bold`, `on blue`.
    ///
    /// # Errors
    /// The word that is none of these.
    pub fn with_style(mut self, role: StyleRole, words: &str) -> Result<Self, String> {
        let mut style = Style::new();
        let mut ground = false;
        for word in words.split_whitespace() {
            match word {
                "on" => ground = true,
                "bold" => style = style.add_modifier(Modifier::BOLD),
                "dim" => style = style.add_modifier(Modifier::DIM),
                "italic" => style = style.add_modifier(Modifier::ITALIC),
                "underlined" => style = style.add_modifier(Modifier::UNDERLINED),
                "reversed" => style = style.add_modifier(Modifier::REVERSED),
                name => {
                    let colour: Color = name.parse().map_err(|_| word.to_owned())?;
                    style = if ground { style.bg(colour) } else { style.fg(colour) };
                    ground = false;
                }
            }
        }
        if let Some(place) = self.styles.get_mut(role as usize) {
            *place = style;
        }
        Ok(self)
    }

    /// Replaces the symbols with ASCII.
    #[must_use]
    pub const fn in_ascii(mut self) -> Self {
        self.symbols = &ASCII_SYMBOLS;
        self
    }

    /// Returns whether the symbols are ASCII.
    pub(crate) const fn is_ascii(&self) -> bool {
        self.symbols.dot.is_ascii()
    }

    /// Replaces symbols in our own text if the theme is ASCII.
    pub(crate) fn adapt_text<'w>(&self, words: &'w str) -> Cow<'w, str> {
        if !self.is_ascii() || words.is_ascii() {
            return Cow::Borrowed(words);
        }
        let mut plain = words.to_owned();
        for (sign, letters) in ASCII_REPLACEMENTS {
            plain = plain.replace(sign, letters);
        }
        Cow::Owned(plain)
    }

    /// Returns the style of a role.
    pub fn style(&self, role: StyleRole) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_marks_the_focus() {
        for name in Theme::NAMES {
            let focus = Theme::from_name(name).unwrap().style(StyleRole::Focus);
            let ground = Theme::from_name(name).unwrap().style(StyleRole::Plain).bg;
            assert!(focus.add_modifier.contains(Modifier::REVERSED) || focus.bg != ground, "{name}");
        }
        assert_eq!(Theme::from_name("neon"), None);
    }

    #[test]
    fn role_style_is_parsed() {
        let theme = Theme::DARK.with_style(StyleRole::Suggestion, "bold #a0c4ff on black").unwrap();
        let wanted =
            Style::new().fg(Color::Rgb(0xa0, 0xc4, 0xff)).bg(Color::Black).add_modifier(Modifier::BOLD);
        assert_eq!(theme.style(StyleRole::Suggestion), wanted);
        assert_eq!(theme.style(StyleRole::Plain), Theme::DARK.style(StyleRole::Plain));
        assert_eq!(Theme::DARK.with_style(StyleRole::Suggestion, "bold glowing"), Err("glowing".to_owned()));
    }

    #[test]
    fn ascii_signs_are_ascii() {
        let signs = &Theme::PURE_ASCII.symbols;
        let drawn = format!("{signs:?}");
        assert!(drawn.is_ascii(), "{drawn}");
    }
}
