//! Themes: a style for each role of an element, and the symbols to draw.
//!
//! No state is shown by colour alone: each has a symbol or a word too, so that every theme shows the same.

use super::symbols::{ASCII_REPLACEMENTS, ASCII_SYMBOLS, SymbolSet, UNICODE_SYMBOLS};
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

    /// Returns the role of the focus if the element has it.
    pub(crate) const fn focused_if(self, has_focus: bool) -> Self {
        if has_focus { Self::Focus } else { self }
    }

    /// Returns whether text of this role is an agent's, which is shown verbatim.
    pub(crate) const fn is_agents(self) -> bool {
        matches!(self, Self::Agent | Self::Code | Self::Hunk | Self::DiffHeader | Self::Added | Self::Removed)
    }
}

/// Colours of a theme. They are from the 240 of which no palette changes the look, so that they keep their contrast:
/// a palette may have colour 8 next to its background.
#[derive(Clone, Copy)]
struct ThemeColours {
    accent: Color,
    done: Color,
    warn: Color,
    wrong: Color,
    faint: Color,
}

/// A theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; StyleRole::ALL.len()],
    /// The symbols.
    pub symbols: &'static SymbolSet,
}

impl Default for Theme {
    fn default() -> Self {
        Self::DARK
    }
}

impl Theme {
    /// Names of the themes.
    pub const NAMES: [&'static str; 5] = ["dark", "light", "mono", "ascii", "high-contrast"];

    /// Theme for dark backgrounds.
    pub const DARK: Self = Self::with_colours(ThemeColours {
        accent: Color::Indexed(80),
        done: Color::Indexed(114),
        warn: Color::Indexed(221),
        wrong: Color::Indexed(210),
        faint: Color::Indexed(247),
    });

    /// Theme for light backgrounds.
    pub const LIGHT: Self = Self::with_colours(ThemeColours {
        accent: Color::Indexed(25),
        done: Color::Indexed(22),
        warn: Color::Indexed(90),
        wrong: Color::Indexed(124),
        faint: Color::Indexed(240),
    });

    /// Theme without colours. Nothing is dim, since each terminal has a contrast of its own for that.
    pub const MONO: Self = Self {
        styles: [
            Style::new(),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
            Style::new().add_modifier(Modifier::REVERSED),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD),
            Style::new(),
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
            Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(123)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(231)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(123)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(120)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(227)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(88)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(123)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(227)).bg(Color::Indexed(16)).add_modifier(Modifier::BOLD),
            Style::new().fg(Color::Indexed(120)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(123)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(120)).bg(Color::Indexed(16)),
            Style::new().fg(Color::Indexed(210)).bg(Color::Indexed(16)),
        ],
        symbols: &UNICODE_SYMBOLS,
    };

    const fn with_colours(colours: ThemeColours) -> Self {
        let ThemeColours { accent, done, warn, wrong, faint } = colours;
        Self {
            styles: [
                Style::new(),
                Style::new(),
                Style::new().fg(accent),
                Style::new().add_modifier(Modifier::BOLD),
                Style::new().fg(faint),
                Style::new().fg(accent).add_modifier(Modifier::REVERSED),
                Style::new().fg(accent).add_modifier(Modifier::BOLD),
                Style::new().fg(done),
                Style::new().fg(warn),
                Style::new().fg(wrong).add_modifier(Modifier::BOLD),
                Style::new().fg(accent).add_modifier(Modifier::BOLD),
                Style::new().fg(warn),
                Style::new().fg(done),
                Style::new().fg(accent),
                Style::new().fg(faint),
                Style::new().fg(done),
                Style::new().fg(wrong),
            ],
            symbols: &UNICODE_SYMBOLS,
        }
    }

    /// Returns the theme of this name, one of [`NAMES`](Self::NAMES).
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
        let mut is_background = false;
        for word in words.split_whitespace() {
            match word {
                "on" => is_background = true,
                "bold" => style = style.add_modifier(Modifier::BOLD),
                "dim" => style = style.add_modifier(Modifier::DIM),
                "italic" => style = style.add_modifier(Modifier::ITALIC),
                "underlined" => style = style.add_modifier(Modifier::UNDERLINED),
                "reversed" => style = style.add_modifier(Modifier::REVERSED),
                name => {
                    let Ok(colour) = name.parse::<Color>() else { return Err(word.to_owned()) };
                    style = if is_background { style.bg(colour) } else { style.fg(colour) };
                    is_background = false;
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
mod contrast;

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
}
