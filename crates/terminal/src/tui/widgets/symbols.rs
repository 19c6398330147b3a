//! Symbols of a theme: for states and lines, in Unicode and in ASCII.

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

pub(super) const UNICODE_SYMBOLS: SymbolSet = SymbolSet {
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

pub(super) const ASCII_SYMBOLS: SymbolSet = SymbolSet {
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
pub(super) const ASCII_REPLACEMENTS: [(&str, &str); 14] = [
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_signs_are_ascii() {
        let drawn = format!("{ASCII_SYMBOLS:?}");
        assert!(drawn.is_ascii(), "{drawn}");
    }
}
