//! Colours of code: a scanner that knows comments, strings, numbers and keywords of a few languages, and diffs. One
//! pass over the text, without tables to load (see the decision on code colours).

mod languages;

use super::theme::StyleRole;
use languages::{LANGUAGES, Syntax};

/// Maximum size of a coloured block.
pub(super) const MAX_BYTES: usize = 64 << 10;

/// Language of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// A unified diff.
    Diff,
    /// The language at this index.
    Code(usize),
}

impl Language {
    /// Returns the language with this name, or with this file extension.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let name = name.split([' ', ',', '{', ':']).next().unwrap_or_default().to_ascii_lowercase();
        if matches!(name.as_str(), "diff" | "patch" | "udiff") {
            return Some(Self::Diff);
        }
        let place = LANGUAGES.iter().position(|syntax| syntax.names.contains(&name.as_str()));
        place.map(Self::Code)
    }

    /// Returns the language of a file, from its extension.
    pub(crate) fn from_path(path: &str) -> Option<Self> {
        Self::from_name(path.rsplit_once('.')?.1)
    }

    /// Returns [`Diff`](Self::Diff) for a text that is a diff.
    pub(crate) fn of_diff(text: &str) -> Option<Self> {
        let mut last = "";
        let is_diff = text.lines().take(40).any(|line| {
            let is_start = line.starts_with("diff --git ")
                || line.starts_with("@@ -")
                || line.starts_with("+++ ") && last.starts_with("--- ");
            last = line;
            is_start
        });
        is_diff.then_some(Self::Diff)
    }
}

/// State of the scanner between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScanState {
    Code,
    /// Inside of an element that ends with this mark.
    Inside(&'static str, StyleRole),
}

/// Splits lines into parts with a role. The parts of a line are the whole line.
pub(super) fn highlight(language: Language, lines: &[String]) -> Vec<Vec<(&str, StyleRole)>> {
    let syntax = match language {
        Language::Diff => return lines.iter().map(|line| vec![(line.as_str(), diff_role(line))]).collect(),
        Language::Code(place) => LANGUAGES.get(place),
    };
    let Some(syntax) = syntax else {
        return lines.iter().map(|line| vec![(line.as_str(), StyleRole::Agent)]).collect();
    };
    let mut state = ScanState::Code;
    lines.iter().map(|line| LineScanner::new(syntax, line).scan(&mut state)).collect()
}

fn diff_role(line: &str) -> StyleRole {
    match line.as_bytes().first() {
        Some(b'+') if !line.starts_with("+++ ") => StyleRole::Added,
        Some(b'-') if !line.starts_with("--- ") => StyleRole::Removed,
        Some(b'@') => StyleRole::Keyword,
        Some(b' ') | None => StyleRole::Agent,
        _ if ["diff ", "index ", "+++ ", "--- "].iter().any(|start| line.starts_with(start)) => {
            StyleRole::Comment
        }
        _ => StyleRole::Agent,
    }
}

/// Scanner of one line.
struct LineScanner<'l> {
    syntax: &'static Syntax,
    line: &'l str,
    parts: Vec<(&'l str, StyleRole)>,
    /// Start of the plain text that is not in `parts` yet.
    plain: usize,
}

impl<'l> LineScanner<'l> {
    const fn new(syntax: &'static Syntax, line: &'l str) -> Self {
        Self { syntax, line, parts: Vec::new(), plain: 0 }
    }

    fn rest(&self, at: usize) -> &'l str {
        self.line.get(at..).unwrap_or_default()
    }

    /// Adds a part that ends here, after the plain text before it.
    fn push(&mut self, start: usize, end: usize, role: StyleRole) {
        for (from, to, role) in [(self.plain, start, StyleRole::Agent), (start, end, role)] {
            let words = self.line.get(from..to).unwrap_or_default();
            if !words.is_empty() {
                self.parts.push((words, role));
            }
        }
        self.plain = end;
    }

    fn scan(mut self, state: &mut ScanState) -> Vec<(&'l str, StyleRole)> {
        let mut at = 0;
        if let ScanState::Inside(end, role) = *state {
            at = self.end_of(0, end, false).map_or(self.line.len(), |end| {
                *state = ScanState::Code;
                end
            });
            self.push(0, at, role);
        }
        while let Some(c) = self.rest(at).chars().next() {
            at = match self.scan_element(at, state) {
                Some((end, role)) => {
                    self.push(at, end, role);
                    end
                }
                None if is_word(c) => self.scan_word(at),
                None => at + c.len_utf8(),
            };
        }
        self.push(at, at, StyleRole::Agent);
        self.parts
    }

    /// Returns the end of a comment or a string that begins here.
    fn scan_element(&self, at: usize, state: &mut ScanState) -> Option<(usize, StyleRole)> {
        let syntax = self.syntax;
        let rest = self.rest(at);
        // A sign such as # begins a comment only after a space: a#b is a word, and $# a variable.
        let after_space = self.line.get(..at).is_none_or(|before| before.ends_with(' ') || before.is_empty());
        let is_comment = syntax
            .comments
            .iter()
            .any(|mark| rest.starts_with(mark) && (after_space || !mark.starts_with('#')));
        if is_comment {
            return Some((self.line.len(), StyleRole::Comment));
        }
        for (start, end, role) in syntax.blocks {
            if rest.starts_with(start) {
                return Some(match self.end_of(at + start.len(), end, *role == StyleRole::Literal) {
                    Some(end) => (end, *role),
                    None => {
                        *state = ScanState::Inside(end, *role);
                        (self.line.len(), *role)
                    }
                });
            }
        }
        let quote = syntax.quotes.iter().find(|quote| rest.starts_with(**quote))?;
        // A quotation mark without its counterpart on the line is an apostrophe.
        let end = self.end_of(at + quote.len(), quote, true)?;
        let is_key = syntax.key_sign.is_some_and(|sign| self.rest(end).trim_start().starts_with(sign));
        Some((end, if is_key { StyleRole::Keyword } else { StyleRole::Literal }))
    }

    /// Returns the position after the next mark, which a backslash may escape.
    fn end_of(&self, at: usize, mark: &str, has_escapes: bool) -> Option<usize> {
        let mut escaped = false;
        self.rest(at).char_indices().find_map(|(offset, c)| {
            let is_escaped = escaped;
            escaped = has_escapes && c == '\\' && !is_escaped;
            let is_end = !is_escaped && self.rest(at + offset).starts_with(mark);
            is_end.then_some(at + offset + mark.len())
        })
    }

    /// Adds a word or a number, and returns its end.
    fn scan_word(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
        let end = rest
            .find(|c: char| !(is_word(c) || is_number && c == '.'))
            .map_or(self.line.len(), |end| at + end);
        let word = self.line.get(at..end).unwrap_or_default();
        let is_first =
            self.line.get(..at).is_some_and(|before| before.trim_start_matches(['-', ' ']).is_empty());
        let is_key = || {
            is_first && self.syntax.key_sign.is_some_and(|sign| self.rest(end).trim_start().starts_with(sign))
        };
        if is_number {
            self.push(at, end, StyleRole::Literal);
        } else if self.syntax.is_keyword(word) || is_key() {
            self.push(at, end, StyleRole::Keyword);
        }
        end
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the parts that have a colour, and their roles.
    fn coloured(name: &str, code: &str) -> Vec<(String, StyleRole)> {
        let lines: Vec<_> = code.lines().map(str::to_owned).collect();
        let parts = highlight(Language::from_name(name).unwrap(), &lines).concat();
        parts
            .into_iter()
            .filter(|(_, role)| *role != StyleRole::Agent)
            .map(|(w, r)| (w.to_owned(), r))
            .collect()
    }

    #[test]
    fn scanner_knows_its_languages() {
        use StyleRole::{Added, Comment, Keyword, Literal, Removed};
        type Case<'a> = (&'a str, &'a str, &'a [(&'a str, StyleRole)]);
        let cases: &[Case<'_>] = &[
            ("rust", "fn a<'b>(c: &'b u8) {}", &[("fn", Keyword)]),
            (
                "rs",
                "/* x\ny */ let s = \"a\\\"b\"; // c",
                &[
                    ("/* x", Comment),
                    ("y */", Comment),
                    ("let", Keyword),
                    ("\"a\\\"b\"", Literal),
                    ("// c", Comment),
                ],
            ),
            (
                "py",
                "def f(): return 'x' # y",
                &[("def", Keyword), ("return", Keyword), ("'x'", Literal), ("# y", Comment)],
            ),
            ("bash", "echo $# it's 3.5", &[("echo", Keyword), ("3.5", Literal)]),
            (
                "json",
                "{\"a\": \"b\", \"c\": true}",
                &[("\"a\"", Keyword), ("\"b\"", Literal), ("\"c\"", Keyword), ("true", Keyword)],
            ),
            ("yaml", "- name: x # y", &[("name", Keyword), ("# y", Comment)]),
            ("sql", "SELECT 1 -- all", &[("SELECT", Keyword), ("1", Literal), ("-- all", Comment)]),
            (
                "diff",
                "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z",
                &[
                    ("--- a", Comment),
                    ("+++ b", Comment),
                    ("@@ -1 +1 @@", Keyword),
                    ("-x", Removed),
                    ("+y", Added),
                ],
            ),
        ];
        for (name, code, expected) in cases {
            let expected: Vec<_> =
                expected.iter().map(|(words, role)| ((*words).to_owned(), *role)).collect();
            assert_eq!(coloured(name, code), expected, "{name}");
        }
        assert_eq!(Language::from_name("brainfuck"), None);
        assert_eq!(Language::from_path("src/main.RS"), Language::from_name("rust"));
        assert_eq!(Language::of_diff("a\n--- a\n+++ b\n"), Some(Language::Diff));
        assert_eq!(Language::of_diff("- a\n+ b\n"), None);
    }

    #[test]
    fn keywords_are_sorted() {
        for syntax in LANGUAGES {
            assert!(syntax.keywords.is_sorted(), "{:?}", syntax.names);
        }
    }

    proptest! {
        #[test]
        fn parts_are_the_whole_text(
            place in 0..LANGUAGES.len(),
            lines in prop::collection::vec("[a-z0-9 '\"`#/*\\\\é字=:-]{0,20}", 0..6),
        ) {
            for (line, parts) in lines.iter().zip(highlight(Language::Code(place), &lines)) {
                let whole: String = parts.iter().map(|(words, _)| *words).collect();
                prop_assert_eq!(line, &whole);
            }
        }
    }
}
