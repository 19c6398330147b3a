//! Text that a person typed, behind a mark that no agent's text has.

use super::authored_text::Margins;
use super::diff;
use super::line_builder::{LineBuilder, StyledSpan};
use super::theme::StyleRole;
use crate::describe::{AuthoredText, EndedLine};
use ratatui::style::Style;
use sayso_core::display;

impl LineBuilder<'_> {
    /// Returns the mark of persons at a column.
    pub(super) fn person_mark(&self, indent: usize) -> Vec<StyledSpan> {
        let mark = self.span(format!("{} ", self.theme.symbols.right), StyleRole::Strong);
        vec![(" ".repeat(indent), Style::new()), mark]
    }

    /// Adds a person's text, each row behind the mark of persons.
    pub(crate) fn push_person(&mut self, indent: usize, text: &str) {
        let prefix = self.person_mark(indent);
        for line in display::escape_lines(text) {
            let words = vec![self.span(line, StyleRole::Plain)];
            self.push_wrapped(&prefix, &prefix, words);
        }
    }

    /// Adds a line of the view of an ended ask, behind the mark of who wrote it.
    pub(crate) fn push_ended_line(&mut self, line: &EndedLine) {
        match line {
            EndedLine::Own(words) if words.is_empty() => self.push_blank(),
            EndedLine::Own(words) | EndedLine::Offers(words) => self.push_own(2, words, StyleRole::Faint),
            EndedLine::Markdown(text) => self.push_markdown(0, text),
            EndedLine::Exact { text, lang } => self.push_exact(0, text, diff::is_diff(text), *lang),
            EndedLine::Asker(words) => self.push_agent(0, words, StyleRole::Agent),
            EndedLine::Picked(parts) => {
                let mark = self.span(format!("{} ", self.theme.symbols.answered), StyleRole::Completed);
                let mut spans = Vec::new();
                for part in parts {
                    let text = display::escape_composed(&part.text).into_owned();
                    let part = AuthoredText { text, ..part.clone() };
                    spans.push(self.authored_span(part, StyleRole::Agent));
                }
                self.push_authored(&[mark], Margins::hanging(2), &spans);
            }
            EndedLine::Person(words) => self.push_person(0, words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme::Theme;
    use super::*;

    #[test]
    fn person_text_has_no_gutter() {
        let mut builder = LineBuilder::new(&Theme::MONO, 14);
        builder.push_ended_line(&EndedLine::Person("one two three four\n┃ five".to_owned()));
        let rows = builder.rows.iter();
        let rows: Vec<String> =
            rows.map(|row| row.spans.iter().map(|(words, _)| words.as_str()).collect()).collect();
        assert_eq!(rows, ["› one two", "› three four", "› ┃ five"]);
    }
}
