//! Parts of our own sentences: short texts of others, separators, counts and ages.

use super::short_form::truncate_chars;
use sayso_core::i18n::MessageArg;
use sayso_core::{Lang, Message, display};
use std::time::Duration;

/// Author of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Author {
    /// Sayso.
    Ours,
    /// The asker.
    Asker,
    /// The person who answers.
    Person,
}

/// A text and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuthoredText {
    pub(crate) text: String,
    pub(crate) author: Author,
    /// Author of what is in quotation marks, if the text is ours.
    pub(crate) quotes: Author,
}

impl AuthoredText {
    /// Returns a text that quotes the asker, if it is ours and quotes at all.
    pub(crate) const fn new(text: String, author: Author) -> Self {
        Self { text, author, quotes: Author::Asker }
    }
}

/// Maximum length in characters of a name or an answer within a sentence of our own.
pub(super) const BRIEF_MAX_CHARS: usize = 200;

/// Returns a text as part of a sentence: escaped, truncated and on one line.
pub(crate) fn brief(text: &str) -> String {
    display::escape_line(&truncate_chars(text, BRIEF_MAX_CHARS)).into_owned()
}

/// Returns a text for quotation marks, which escape it: truncated.
pub(crate) fn excerpt(text: &str) -> String {
    truncate_chars(text, BRIEF_MAX_CHARS).into_owned()
}

/// Returns a name or a title as part of a sentence. Its line breaks become spaces.
pub(crate) fn title(text: &str) -> String {
    brief(&display::join_lines(text))
}

/// Returns the separator between two sentences.
pub(crate) const fn sentence_separator(lang: Lang) -> &'static str {
    match lang {
        Lang::En => " ",
        Lang::Zh => "",
    }
}

/// Returns a name and its value, separated by a colon.
pub(crate) fn label_value(name: &str, what: &str) -> String {
    let name = title(name);
    let colon = if name.ends_with(['?', '？', ':', '：']) { "" } else { ":" };
    format!("{name}{colon} {what}")
}

/// Returns an age in its largest unit.
pub(crate) fn age_text(age: Duration, lang: Lang) -> String {
    let minutes = age.as_secs() / 60;
    let (one, many, count) = match minutes {
        0 => return Message::AgeNow.plain(lang).to_owned(),
        1..60 => (Message::AgeMinute, Message::AgeMinutes, minutes),
        60..1440 => (Message::AgeHour, Message::AgeHours, minutes / 60),
        _ => (Message::AgeDay, Message::AgeDays, minutes / 1440),
    };
    count_message(one, many, count, lang)
}

/// Returns the message for one, or the message for several with their count.
pub(crate) fn count_message<N: Into<MessageArg> + PartialEq + From<u8>>(
    one: Message,
    many: Message,
    count: N,
    lang: Lang,
) -> String {
    if count == N::from(1) { one.plain(lang).to_owned() } else { many.render_with(lang, [count]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_use_the_largest_unit() {
        let cases = [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (150, "2 minutes ago"),
            (3_600, "1 hour ago"),
            (7_300, "2 hours ago"),
            (86_400, "1 day ago"),
            (400_000, "4 days ago"),
        ];
        for (seconds, words) in cases {
            assert_eq!(age_text(Duration::from_secs(seconds), Lang::En), words);
        }
    }
}
