//! Rows of ours that have words of others: the gutter is before a row of an agent's words, and never before ours.
//!
//! What others wrote in a sentence of ours is in quotation marks. A row that begins within a quotation is the quoted
//! author's and ends with it; all other rows are ours.

use super::line_builder::{LineBuilder, StyledSpan, display_width, spans_width};
use super::theme::StyleRole;
use super::wrapping::{breakable_parts, push_span, split_spans_to_width, trim_end};
use crate::describe::{Author, AuthoredText};
use ratatui::style::Style;

/// A span, its author, and the author of what is in quotation marks in a span of ours.
#[derive(Debug, Clone)]
pub(crate) struct AuthoredSpan {
    span: StyledSpan,
    author: Author,
    quotes: Author,
}

/// A word: no row ends in it, unless it is too wide for one.
struct Word<'s> {
    text: &'s str,
    style: Style,
    /// Author of its first letter.
    author: Author,
    source: &'s AuthoredSpan,
}

/// Rows under construction, each with the author of its first letter.
struct AuthoredRows {
    rows: Vec<Vec<StyledSpan>>,
    authors: Vec<Author>,
    /// Columns that the words of the last row take.
    used: usize,
}

/// Columns that the words of rows may take.
#[derive(Debug, Clone, Copy)]
struct RowRoom {
    columns: usize,
    /// Columns of the prefix of the first row.
    first_prefix: usize,
    margins: Margins,
}

/// Columns of the rows after the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Margins {
    /// Column of our words.
    pub(crate) ours: usize,
    /// Column of the mark of others.
    pub(crate) mark: usize,
}

impl Margins {
    /// Margins at which all words are in one column.
    pub(crate) const fn hanging(column: usize) -> Self {
        Self { ours: column, mark: column.saturating_sub(2) }
    }

    const fn width(self, author: Author) -> usize {
        match author {
            Author::Ours => self.ours,
            Author::Asker | Author::Person => self.mark + 2,
        }
    }
}

impl LineBuilder<'_> {
    /// Adds a sentence of ours. What it quotes are an agent's words.
    pub(crate) fn push_own(&mut self, indent: usize, words: &str, role: StyleRole) {
        let words = self.own_span(words, role);
        let margins = Margins { ours: indent, mark: indent };
        let start = self.rows.len();
        self.push_authored(&[(" ".repeat(indent), Style::new())], margins, &[words]);
        if role != StyleRole::Focus {
            self.restyle_quotations(start);
        }
    }

    /// Returns a span of ours. What it quotes are an agent's words.
    pub(crate) fn own_span(&self, words: impl Into<String>, role: StyleRole) -> AuthoredSpan {
        self.authored_span(AuthoredText::new(words.into(), Author::Ours), role)
    }

    /// Returns a span of an agent's words, which are escaped already.
    pub(crate) fn agent_span(&self, words: impl Into<String>, role: StyleRole) -> AuthoredSpan {
        self.authored_span(AuthoredText::new(words.into(), Author::Asker), role)
    }

    /// Returns a span of a text.
    pub(crate) fn authored_span(&self, part: AuthoredText, role: StyleRole) -> AuthoredSpan {
        AuthoredSpan { span: self.span(part.text, role), author: part.author, quotes: part.quotes }
    }

    /// Adds wrapped rows of spans, the first one after `first`.
    pub(crate) fn push_authored(&mut self, first: &[StyledSpan], margins: Margins, spans: &[AuthoredSpan]) {
        let room = RowRoom { columns: self.columns, first_prefix: spans_width(first), margins };
        let wrapped_rows = wrap_words(spans, room);
        for (row, (spans, author)) in wrapped_rows.rows.into_iter().zip(wrapped_rows.authors).enumerate() {
            let prefix = match author {
                _ if row == 0 => first.to_vec(),
                Author::Ours => vec![(" ".repeat(margins.ours), Style::new())],
                Author::Asker => self.gutter(margins.mark),
                Author::Person => self.person_mark(margins.mark),
            };
            self.push_row(prefix.into_iter().chain(spans).collect());
        }
    }

    /// Draws what is quoted in the rows from this one on as the agent's.
    fn restyle_quotations(&mut self, start: usize) {
        let agents = self.theme.style(StyleRole::Agent);
        let gutter = self.theme.style(StyleRole::Gutter);
        let mut author = Author::Ours;
        for row in self.rows.iter_mut().skip(start) {
            let mut spans = vec![Vec::new()];
            for (words, style) in row.spans.iter() {
                for letter in words.chars() {
                    let mut buffer = [0; 4];
                    let letter: &str = letter.encode_utf8(&mut buffer);
                    let next_author = author_after(author, letter, Author::Asker);
                    // The quotation marks themselves are ours.
                    let is_quoted = author == Author::Asker && next_author == Author::Asker;
                    let look = if is_quoted && *style != gutter { agents } else { *style };
                    push_span(&mut spans, letter, look);
                    author = next_author;
                }
            }
            row.spans = spans.concat().into();
        }
    }
}

/// Returns the author after a text of ours that this author began, whose quotations are of `quotes`.
fn author_after(author: Author, text: &str, quotes: Author) -> Author {
    let mut author = author;
    for letter in text.chars() {
        match letter {
            '"' if author == Author::Ours => author = quotes,
            '“' => author = quotes,
            '"' | '”' => author = Author::Ours,
            _ => {}
        }
    }
    author
}

fn words_of(spans: &[AuthoredSpan]) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for source in spans {
        let (text, style) = &source.span;
        let mut author = source.author;
        for part in breakable_parts(text) {
            let end = quotation_end(source, author, part).unwrap_or(part.len());
            let (quotation, rest) = part.split_at_checked(end).unwrap_or((part, ""));
            for text in [quotation, rest] {
                if !text.is_empty() {
                    words.push(Word { text, style: *style, author, source });
                    author = source.author_after(author, text);
                }
            }
        }
    }
    words
}

/// Returns the end of the first quotation in a part of a span if letters of ours follow it without a space.
fn quotation_end(source: &AuthoredSpan, author: Author, part: &str) -> Option<usize> {
    for (at, mark) in part.match_indices(['"', '”']) {
        let end = at + mark.len();
        let author_inside = source.author_after(author, part.get(..at)?);
        let author_outside = source.author_after(author, part.get(..end)?);
        if author_inside != Author::Ours && author_outside == Author::Ours {
            let has_letters = part.get(end..)?.contains(char::is_alphanumeric);
            return if has_letters { Some(end) } else { None };
        }
    }
    None
}

impl AuthoredSpan {
    /// Returns the span without its author.
    pub(crate) fn into_span(self) -> StyledSpan {
        self.span
    }

    /// Returns the width in columns.
    pub(crate) fn width(&self) -> usize {
        display_width(&self.span.0)
    }

    fn author_after(&self, author: Author, text: &str) -> Author {
        if self.author == Author::Ours { author_after(author, text, self.quotes) } else { self.author }
    }
}

impl AuthoredRows {
    fn begin_row(&mut self, author: Author) {
        trim_end(&mut self.rows);
        self.rows.push(Vec::new());
        self.authors.push(author);
        self.used = 0;
    }

    fn last_author(&self) -> Author {
        self.authors.last().copied().unwrap_or(Author::Ours)
    }
}

impl RowRoom {
    /// Returns the columns for the words of a row, at least 4.
    fn columns(self, row: usize, author: Author) -> usize {
        let prefix = if row == 0 { self.first_prefix } else { self.margins.width(author) };
        self.columns.saturating_sub(prefix).max(4)
    }
}

/// Wraps spans into rows at word boundaries, or inside words that are too wide for a row.
fn wrap_words(spans: &[AuthoredSpan], room: RowRoom) -> AuthoredRows {
    let mut rows = AuthoredRows { rows: vec![Vec::new()], authors: vec![Author::Ours], used: 0 };
    for word in words_of(spans) {
        let is_space = word.text.trim().is_empty();
        let is_first_row = rows.rows.len() == 1;
        let author = rows.last_author();
        let is_others_row = !is_first_row && author != Author::Ours;
        let is_too_wide = rows.used + display_width(word.text) > room.columns(rows.rows.len() - 1, author);
        if is_space && (is_too_wide || (rows.used == 0 && !is_first_row)) {
            continue;
        }
        if rows.used > 0 && !is_space && (is_too_wide || (is_others_row && word.author != author)) {
            rows.begin_row(word.author);
        }
        let row_columns = room.columns(rows.rows.len() - 1, rows.last_author());
        let whole = (word.text.to_owned(), word.style);
        let mut author = word.author;
        for (index, part) in split_spans_to_width(&[whole], row_columns).into_iter().enumerate() {
            if index > 0 {
                rows.begin_row(author);
            }
            for (text, style) in part {
                rows.used += display_width(&text);
                author = word.source.author_after(author, &text);
                push_span(&mut rows.rows, &text, style);
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::theme::Theme;
    use super::*;
    use sayso_core::i18n::foreign;
    use sayso_core::{Lang, Message};

    fn drawn(builder: &LineBuilder<'_>) -> Vec<String> {
        let text = |words: &[StyledSpan]| words.iter().map(|(words, _)| words.as_str()).collect();
        builder.rows.iter().map(|row| text(&row.spans)).collect()
    }

    #[test]
    fn quotation_is_behind_the_gutter_only() {
        let mut builder = LineBuilder::new(&Theme::MONO, 16);
        builder.push_own(1, "The tool \"one two three four five six\" would act now.", StyleRole::Plain);
        let rows = [" The tool \"one", " ┃ two three", " ┃ four five", " ┃ six\"", " would act now."];
        assert_eq!(drawn(&builder), rows);
        let mut builder = LineBuilder::new(&Theme::MONO, 14);
        let person = AuthoredText {
            quotes: Author::Person,
            ..AuthoredText::new("own answer: \"one two three\", sent".to_owned(), Author::Ours)
        };
        let spans = [builder.authored_span(person, StyleRole::Plain)];
        builder.push_authored(&[], Margins::hanging(2), &spans);
        assert_eq!(drawn(&builder), ["own answer:", "  \"one two", "› three\",", "  sent"]);
    }

    /// Letter of which the words of the test's agent consist; no sentence of ours has it.
    const LETTER: char = 'ŧ';

    /// Returns whether a sentence quotes words of ours, which are short on the full screen.
    fn quotes_ours(text: &str) -> bool {
        let mut quoted = text.split(['"', '“', '”']).skip(1).step_by(2);
        quoted.any(|words| !words.contains(LETTER))
    }

    #[test]
    fn every_message_wraps_by_author() {
        let values = [LETTER.to_string().repeat(3), format!("{0} {0} {0}", LETTER.to_string().repeat(9))];
        let values = values.into_iter().chain([LETTER.to_string().repeat(150)]);
        let cases =
            values.flat_map(|value| Message::ALL.iter().map(move |message| (value.clone(), *message)));
        for (value, message) in cases {
            for (lang, columns) in
                Lang::ALL.into_iter().flat_map(|lang| (20..=120).step_by(5).map(move |at| (lang, at)))
            {
                let text = message.render_with(lang, (0..=9).map(|_| foreign(&value)));
                if quotes_ours(&text) {
                    continue;
                }
                let mut builder = LineBuilder::new(&Theme::MONO, columns);
                builder.push_own(1, &text.replace('\n', " "), StyleRole::Plain);
                for row in drawn(&builder) {
                    let is_letter = |c: &char| c.is_alphabetic();
                    let first = row.chars().find(|c| is_letter(c) || "\"“".contains(*c));
                    match row.split_once('┃') {
                        Some((_, words)) => {
                            assert!(
                                words.chars().filter(is_letter).all(|c| c == LETTER),
                                "{message:?} {columns}: {row}"
                            );
                        }
                        None => assert_ne!(first, Some(LETTER), "{message:?} {columns}: {row}"),
                    }
                }
            }
        }
    }
}
