//! Text for people that is rendered when its language is known.

use super::{Lang, Message};
use crate::display;
use crate::model::id::{AskId, OptionId, QuestionId};
use crate::model::question::constraint::Requirement;
use crate::model::value::ComparisonValue;
use crate::model::value::number::Number;
use std::borrow::Cow;
use std::fmt;

/// Text for people: a sentence of the catalogue, or text that a spec prescribes to the letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalizedText {
    /// A sentence and its arguments.
    Message(Message, Vec<MessageArg>),
    /// Text that is the same in every language.
    Verbatim(String),
}

/// Argument of a sentence. Its type says who wrote it: a text becomes one only through [`own`] or [`foreign`], unless it
/// is part of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageArg {
    /// Words of ours, a number, or what the operator of this machine set.
    Own(String),
    /// Words that an agent or another person wrote: one line, always between quotation marks.
    Foreign(String),
    /// Several of them, each between quotation marks.
    ForeignList(Vec<String>),
    /// JSON for an asker to copy. Its strings have the quotation marks of JSON.
    Json(String),
}

/// Returns an argument of ours that is made when the program runs, such as a time or a path of this machine.
#[expect(clippy::needless_pass_by_value, reason = "callers have texts as well as references to them")]
pub fn own(text: impl ToString) -> MessageArg {
    MessageArg::Own(text.to_string())
}

/// Returns an argument that others wrote.
#[expect(clippy::needless_pass_by_value, reason = "callers have texts as well as references to them")]
pub fn foreign(text: impl ToString) -> MessageArg {
    MessageArg::Foreign(text.to_string())
}

impl MessageArg {
    /// Returns the text as a sentence has it where it has no quotation marks itself.
    pub fn render(&self, lang: Lang) -> Cow<'_, str> {
        match self {
            Self::Own(text) => Cow::Borrowed(text),
            Self::Foreign(text) => Cow::Owned(quote(text, lang)),
            Self::ForeignList(texts) => {
                Cow::Owned(texts.iter().map(|text| quote(text, lang)).collect::<Vec<_>>().join(", "))
            }
            Self::Json(text) => display::escape_line(text),
        }
    }
}

impl From<&'static str> for MessageArg {
    fn from(text: &'static str) -> Self {
        Self::Own(text.to_owned())
    }
}

macro_rules! arguments {
    ($author:ident: $($value:ty)*) => { $(
        impl From<$value> for MessageArg {
            fn from(value: $value) -> Self {
                Self::$author(value.to_string())
            }
        }
    )* };
}
arguments! { Own: i32 i64 u8 u16 u32 u64 usize AskId Number &Number }
arguments! { Foreign: &QuestionId &OptionId }

impl From<&ComparisonValue> for MessageArg {
    /// A number, a date and a time have no words; any other text is the asker's.
    fn from(value: &ComparisonValue) -> Self {
        let text = value.to_string();
        match value {
            ComparisonValue::Text(_) if text.contains(|c: char| !"0123456789-:.+TZ ".contains(c)) => {
                Self::Foreign(text)
            }
            _ => Self::Own(text),
        }
    }
}

impl From<&Requirement> for MessageArg {
    /// A requirement as it is written, with its bound.
    fn from(requirement: &Requirement) -> Self {
        let bound: Self = match requirement {
            Requirement::MinPicks(count) | Requirement::MaxPicks(count) => (*count).into(),
            Requirement::MinLength(length) | Requirement::MaxLength(length) => (*length).into(),
            Requirement::Min(value) | Requirement::Max(value) => value.into(),
            Requirement::Answered
            | Requirement::MatchesKind
            | Requirement::Pattern(_)
            | Requirement::MultipleOf(_) => "".into(),
        };
        own(format!("{} {}", requirement.name(), bound.render(Lang::En)))
    }
}

impl LocalizedText {
    /// Renders the text in a language.
    pub fn render(&self, lang: Lang) -> String {
        match self {
            Self::Verbatim(words) => words.clone(),
            Self::Message(message, args) => substitute_args(message.template(lang), args, lang),
        }
    }
}

impl From<Message> for LocalizedText {
    fn from(message: Message) -> Self {
        Self::Message(message, Vec::new())
    }
}

impl fmt::Display for LocalizedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Lang::En))
    }
}

/// Substitutes the arguments: `{0}` is the first one, `{0:foreign}` one in quotation marks of the sentence, and
/// `{0:problem|problems}` the singular or plural word for its number. Words of others get quotation marks where the
/// sentence has none. An argument is never searched for placeholders itself.
fn substitute_args(template: &str, args: &[MessageArg], lang: Lang) -> String {
    let mut words = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        words.push_str(before);
        let (placeholder, tail) = after.split_once('}').unwrap_or((after, ""));
        let (index, forms) = placeholder.split_once(':').unwrap_or((placeholder, ""));
        let Ok(index) = index.parse::<usize>() else {
            // A brace of the sentence itself, as in JSON.
            words.push('{');
            rest = after;
            continue;
        };
        if let Some(arg) = args.get(index) {
            match (forms.split_once('|'), arg) {
                (Some((one, _)), MessageArg::Own(number)) if number == "1" => words.push_str(one),
                (Some((_, several)), _) => words.push_str(several),
                (None, MessageArg::Own(text) | MessageArg::Foreign(text)) if forms == "foreign" => {
                    words.push_str(&display::quotable(text));
                }
                (None, arg) => words.push_str(&arg.render(lang)),
            }
        }
        rest = tail;
    }
    words.push_str(rest);
    words
}

/// Returns words of others between quotation marks, on one line.
pub fn quote(text: &str, lang: Lang) -> String {
    quote_escaped(&display::quotable(text), lang)
}

/// Returns a line that is escaped already between quotation marks.
pub fn quote_escaped(line: &str, lang: Lang) -> String {
    let (opening, closing) = match lang {
        Lang::En => ('"', '"'),
        Lang::Zh => ('“', '”'),
    };
    format!("{opening}{}{closing}", display::without_quotes(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_substituted_once() {
        let args = ["{1}".into(), "b".into()];
        assert_eq!(substitute_args("{1} before {0}.", &args, Lang::En), "b before {1}.");
        assert_eq!(substitute_args("nothing", &[], Lang::En), "nothing");
        let json = substitute_args("one: {\"agent\": \"{0}\"}", &["b".into()], Lang::En);
        assert_eq!(json, "one: {\"agent\": \"b\"}");
    }
}
