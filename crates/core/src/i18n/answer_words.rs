//! Descriptions of an answer in words, as a person would say it. They may contain an agent's text and are not escaped
//! for display.

use crate::i18n::{Lang, Message, foreign};
use crate::model::answer::Pick;
use crate::model::question::Question;
use std::borrow::Cow;

/// Describes a pick: an option's label, or the typed text.
pub fn describe_pick<'a>(question: &'a Question, pick: &'a Pick) -> &'a str {
    match pick {
        Pick::Other(text) => text,
        Pick::Option(id) => match question.choice() {
            Some(choice) => choice.option(id).map_or(id.as_str(), |option| &option.label),
            None => id.as_str(),
        },
    }
}

/// Returns our own word for yes or no.
pub const fn yes_or_no(confirmed: bool, lang: Lang) -> &'static str {
    if confirmed { Message::Yes.plain(lang) } else { Message::No.plain(lang) }
}

/// Formats an option's label, with its value if that is shown.
pub fn label_with_value<'a>(label: &'a str, value: Option<&str>, lang: Lang) -> Cow<'a, str> {
    match value {
        Some(value) => {
            Cow::Owned(format!("{label} [{}]", Message::ItsValue.render_with(lang, [foreign(value)])))
        }
        None => Cow::Borrowed(label),
    }
}
