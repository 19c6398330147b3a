//! Text for people that is rendered when its language is known.

use super::{Lang, Message};
use crate::display;
use std::fmt;

/// Text for people: a sentence of the catalogue, or text that a spec prescribes to the letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalizedText {
    /// A sentence and its arguments.
    Message(Message, Vec<String>),
    /// Text that is the same in every language.
    Verbatim(String),
}

impl LocalizedText {
    /// Renders the text in a language.
    pub fn render(&self, lang: Lang) -> String {
        match self {
            Self::Verbatim(words) => words.clone(),
            Self::Message(message, args) => substitute_args(message.template(lang), args),
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

/// Substitutes the arguments: `{0}` is the first one, which is ours, `{0:foreign}` one that others wrote, and
/// `{0:problem|problems}` the singular or plural word for its number. An argument is never searched for placeholders
/// itself.
fn substitute_args(template: &str, args: &[String]) -> String {
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
            match forms.split_once('|') {
                Some((one, _)) if arg == "1" => words.push_str(one),
                Some((_, several)) => words.push_str(several),
                None if forms == "foreign" => words.push_str(&display::quotable(arg)),
                None => words.push_str(arg),
            }
        }
        rest = tail;
    }
    words.push_str(rest);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_substituted_once() {
        assert_eq!(substitute_args("{1} before {0}.", &["{1}".into(), "b".into()]), "b before {1}.");
        assert_eq!(substitute_args("nothing", &[]), "nothing");
    }
}
