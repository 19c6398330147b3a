//! Themes: a style for each role of an element, and the symbols to draw.
//!
//! No state is shown by colour alone: each has a symbol or a word too, so that every theme shows the same.

use ratatui::style::{Color, Modifier, Style};
use std::borrow::Cow;

/// Role of an element on the screen. Agents' text is always [`Agent`](Self::Agent), and only the
/// [`Gutter`](Self::Gutter) before it has its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
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
    /// A completed element.
    Done,
    /// An element that needs attention.
    Warn,
    /// An error.
    Wrong,
    /// A key in a key hint.
    Key,
    /// The asker's suggestion.
    Star,
}

impl Role {
    /// Every role, by its name in a theme file.
    pub const ALL: [(&'static str, Self); 11] = [
        ("plain", Self::Plain),
        ("agent", Self::Agent),
        ("gutter", Self::Gutter),
        ("strong", Self::Strong),
        ("faint", Self::Faint),
        ("focus", Self::Focus),
        ("done", Self::Done),
        ("warn", Self::Warn),
        ("wrong", Self::Wrong),
        ("key", Self::Key),
        ("star", Self::Star),
    ];
}

/// A theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; Role::ALL.len()],
    /// The symbols.
    pub signs: &'static Signs,
}

/// Symbols for states and lines.
#[derive(Debug, PartialEq, Eq)]
pub struct Signs {
    pub(super) pointer: &'static str,
    pub(super) picked: &'static str,
    pub(super) unpicked: &'static str,
    pub(super) checked: &'static str,
    pub(super) unchecked: &'static str,
    pub(super) star: &'static str,
    pub(super) gutter: &'static str,
    pub(super) rule: &'static str,
    pub(super) parting: &'static str,
    /// Corners of a box, the left one first.
    pub(super) upper: [&'static str; 2],
    pub(super) lower: [&'static str; 2],
    pub(super) untouched: &'static str,
    pub(super) current: &'static str,
    pub(super) typed: &'static str,
    pub(super) answered: &'static str,
    pub(super) skipped: &'static str,
    pub(super) wrong: &'static str,
    pub(super) follows: &'static str,
    pub(super) gone: &'static str,
    pub(super) track: &'static str,
    pub(super) hollow: &'static str,
    pub(super) thumb: &'static str,
    pub(super) up: &'static str,
    pub(super) down: &'static str,
    pub(super) left: &'static str,
    pub(super) right: &'static str,
    pub(super) dot: &'static str,
    pub(super) cut: &'static str,
}

const UNICODE: Signs = Signs {
    pointer: "▸",
    picked: "(•)",
    unpicked: "( )",
    checked: "[x]",
    unchecked: "[ ]",
    star: "★",
    gutter: "┃",
    rule: "─",
    parting: "│",
    upper: ["┌", "┐"],
    lower: ["└", "┘"],
    untouched: "○",
    current: "●",
    typed: "✎",
    answered: "✓",
    skipped: "–",
    wrong: "!",
    follows: "↳",
    gone: "◌",
    track: "─",
    hollow: "○",
    thumb: "●",
    up: "▲",
    down: "▼",
    left: "‹",
    right: "›",
    dot: "·",
    cut: "…",
};

const ASCII: Signs = Signs {
    pointer: ">",
    picked: "(*)",
    unpicked: "( )",
    checked: "[x]",
    unchecked: "[ ]",
    star: "*",
    gutter: "|",
    rule: "-",
    parting: "|",
    upper: ["+", "+"],
    lower: ["+", "+"],
    untouched: "o",
    current: "*",
    typed: "~",
    answered: "v",
    skipped: "-",
    wrong: "!",
    follows: ">",
    gone: "?",
    track: "-",
    hollow: "o",
    thumb: "*",
    up: "^",
    down: "v",
    left: "<",
    right: ">",
    dot: "-",
    cut: "...",
};

/// ASCII replacements for symbols inside of sentences.
const LETTERS: [(&str, &str); 14] = [
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
    pub const DARK: Self = Self::coloured(Color::Cyan, Color::Green, Color::Yellow, Color::LightRed);

    /// Theme for light backgrounds.
    pub const LIGHT: Self = Self::coloured(Color::Blue, Color::Green, Color::Magenta, Color::Red);

    /// Theme without colours.
    pub const MONO: Self = Self {
        styles: [
            Style::new(),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::DIM),
            Style::new().add_modifier(Modifier::REVERSED),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
        ],
        signs: &UNICODE,
    };

    /// Theme without colours, in ASCII.
    pub const PURE_ASCII: Self = Self { styles: Self::MONO.styles, signs: &ASCII };

    /// High-contrast theme: nothing faint, nothing tinted.
    pub const HIGH_CONTRAST: Self = Self {
        styles: [
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::LightYellow).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::White).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::White).bg(Color::Black),
            Style::new().fg(Color::Black).bg(Color::White).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightGreen).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightYellow).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::White).bg(Color::Red).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightCyan).bg(Color::Black).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::LightYellow).bg(Color::Black).add_modifier(Modifier::BOLD),
        ],
        signs: &UNICODE,
    };

    const fn coloured(accent: Color, done: Color, warn: Color, wrong: Color) -> Self {
        Self {
            styles: [
                Style::new(),
                Style::new(),
                Style::new().fg(accent),
                Style::new().add_modifier(Modifier::BOLD),
                Style::new().fg(Color::DarkGray),
                Style::new().add_modifier(Modifier::REVERSED),
                Style::new().fg(done),
                Style::new().fg(warn),
                Style::new().fg(wrong).add_modifier(Modifier::BOLD),
                Style::new().add_modifier(Modifier::BOLD),
                Style::new().fg(warn),
            ],
            signs: &UNICODE,
        }
    }

    /// Returns the theme of this name.
    pub fn named(name: &str) -> Option<Self> {
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
    pub fn with(mut self, role: Role, words: &str) -> Result<Self, String> {
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
        self.signs = &ASCII;
        self
    }

    /// Returns whether the symbols are ASCII.
    pub(super) const fn is_ascii(&self) -> bool {
        self.signs.dot.is_ascii()
    }

    /// Replaces symbols in our own text if the theme is ASCII.
    pub(super) fn words<'w>(&self, words: &'w str) -> Cow<'w, str> {
        if !self.is_ascii() || words.is_ascii() {
            return Cow::Borrowed(words);
        }
        let mut plain = words.to_owned();
        for (sign, letters) in LETTERS {
            plain = plain.replace(sign, letters);
        }
        Cow::Owned(plain)
    }

    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_marks_the_focus() {
        for name in Theme::NAMES {
            let focus = Theme::named(name).unwrap().style(Role::Focus);
            let ground = Theme::named(name).unwrap().style(Role::Plain).bg;
            assert!(focus.add_modifier.contains(Modifier::REVERSED) || focus.bg != ground, "{name}");
        }
        assert_eq!(Theme::named("neon"), None);
    }

    #[test]
    fn role_style_is_parsed() {
        let theme = Theme::DARK.with(Role::Star, "bold #a0c4ff on black").unwrap();
        let wanted =
            Style::new().fg(Color::Rgb(0xa0, 0xc4, 0xff)).bg(Color::Black).add_modifier(Modifier::BOLD);
        assert_eq!(theme.style(Role::Star), wanted);
        assert_eq!(theme.style(Role::Plain), Theme::DARK.style(Role::Plain));
        assert_eq!(Theme::DARK.with(Role::Star, "bold glowing"), Err("glowing".to_owned()));
    }

    #[test]
    fn ascii_signs_are_ascii() {
        let signs = &Theme::PURE_ASCII.signs;
        let drawn = format!("{signs:?}");
        assert!(drawn.is_ascii(), "{drawn}");
    }
}
