//! Exact data of an action with our notes on its lines, in a language.

use super::{Lang, Message};
use crate::display::{self, LineNote};
use std::borrow::Cow;

/// Returns the lines of exact data as shown. A line that ends in `\` says in this language if the next one continues it.
pub fn exact_lines(text: &str, lang: Lang) -> Vec<Cow<'_, str>> {
    let mut lines = Vec::new();
    for line in display::exact_lines(text) {
        let Some(note) = line.note else {
            lines.push(line.text);
            continue;
        };
        let words = match note {
            LineNote::EmptyLines(count) => Message::EmptyLines.render_with(lang, [count]),
            LineNote::EndsHere => Message::LineEndsHere.plain(lang).to_owned(),
            LineNote::Continues => Message::LineContinues.plain(lang).to_owned(),
            LineNote::ContinuesUnlessComment => Message::LineContinuesUnlessComment.plain(lang).to_owned(),
        };
        let space = if line.text.is_empty() { "" } else { " " };
        lines.push(Cow::Owned(format!("{}{space}⟦{words}⟧", line.text)));
    }
    lines
}
