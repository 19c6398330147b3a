//! Text for people that is rendered when its language is known.

use super::{Lang, Message};
use crate::display;
use std::borrow::Cow;
use std::fmt;

/// Text for people: a sentence of the catalogue, or text that a spec prescribes to the letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalizedText {
    /// A sentence and its arguments.
    Message(Message, Vec<String>),
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
        }
    }
}

impl From<&'static str> for MessageArg {
    fn from(text: &'static str) -> Self {
        Self::Own(text.to_owned())
    }
}

macro_rules! own_arguments {
    ($($number:ty)*) => { $(
        impl From<$number> for MessageArg {
            fn from(number: $number) -> Self {
                Self::Own(number.to_string())
            }
        }
    )* };
}
own_arguments! { i32 u8 u16 u32 u64 usize }

impl LocalizedText {
    /// Renders the text in a language.
    pub fn render(&self, lang: Lang) -> String {
        match self {
            Self::Verbatim(words) => words.clone(),
            Self::Message(message, args) => message.render_with(lang, args.iter().map(own)),
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
pub(super) fn substitute_args(template: &str, args: &[MessageArg], lang: Lang) -> String {
    let mut words = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        words.push_str(before);
        let Some((place, tail)) = after.split_once('}') else {
            rest = after;
            break;
        };
        let (index, forms) = place.split_once(':').unwrap_or((place, ""));
        if let Some(arg) = index.parse::<usize>().ok().and_then(|index| args.get(index)) {
            let (MessageArg::Own(text) | MessageArg::Foreign(text)) = arg;
            match (forms.split_once('|'), arg) {
                (Some((one, _)), _) if text == "1" => words.push_str(one),
                (Some((_, several)), _) => words.push_str(several),
                (None, _) if forms == "foreign" => words.push_str(&display::quotable(text)),
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
    let (opening, closing) = match lang {
        Lang::En => ('"', '"'),
        Lang::Zh => ('“', '”'),
    };
    format!("{opening}{}{closing}", display::quotable(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_substituted_once() {
        let args = ["{1}".into(), "b".into()];
        assert_eq!(substitute_args("{1} before {0}.", &args, Lang::En), "b before {1}.");
        assert_eq!(substitute_args("nothing", &[], Lang::En), "nothing");
    }
}
