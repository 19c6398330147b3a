//! Descriptions of an answer in words, as a person would say it. They may contain an agent's text and are not escaped
//! for display.

use crate::i18n::spelling;
use crate::i18n::{Lang, Message};
use crate::i18n::{foreign, own};
use crate::kinds::choice::ChoiceQuestion;
use crate::kinds::confirm::ConfirmQuestion;
use crate::kinds::input::QuestionInput;
use crate::kinds::rating::RatingQuestion;
use crate::model::answer::Pick;
use crate::model::question::Question;
use crate::rules::Rules;
use std::borrow::Cow;

/// Describes a pick: an option's label, or the typed text.
pub fn describe_pick<'a>(question: &'a Question, pick: &'a Pick) -> &'a str {
    match pick {
        Pick::Other(text) => text,
        Pick::Option(id) => {
            let option = question.choice().and_then(|choice| choice.option(id));
            option.map_or(id.as_str(), |option| option.label.as_str())
        }
    }
}

/// Describes yes or no in our own word, followed by the asker's label as a quotation: the first word is never the
/// asker's.
pub fn describe_confirm(question: &Question, confirmed: bool, lang: Lang) -> Cow<'_, str> {
    let ours = yes_or_no(confirmed, lang);
    match confirm_label(question, confirmed, lang) {
        Some(label) => Cow::Owned(Message::Quotes.render_with(lang, [own(ours), foreign(label)])),
        None => Cow::Borrowed(ours),
    }
}

/// Returns our own word for yes or no.
pub const fn yes_or_no(confirmed: bool, lang: Lang) -> &'static str {
    if confirmed { Message::Yes.plain(lang) } else { Message::No.plain(lang) }
}

/// Returns the asker's label of yes or no, unless it is only our own word.
pub fn confirm_label(question: &Question, confirmed: bool, lang: Lang) -> Option<&str> {
    let QuestionInput::Toggle(ConfirmQuestion { yes, no, .. }) = question.input() else { return None };
    let label = if confirmed { yes } else { no }.as_deref()?;
    let is_ours = spelling::is_same_spelling(label, yes_or_no(confirmed, lang));
    (!label.trim().is_empty() && !is_ours).then_some(label)
}

/// Formats an option's label, with its value if that is shown.
pub fn label_with_value<'a>(label: &'a str, sent: Option<&str>, lang: Lang) -> Cow<'a, str> {
    match sent {
        Some(sent) => {
            Cow::Owned(format!("{label} [{}]", Message::ItsValue.render_with(lang, [foreign(sent)])))
        }
        None => Cow::Borrowed(label),
    }
}

/// Returns the name of the own answer: the asker's label, or the word that its format has for it.
pub fn own_answer_name<'c>(choice: &'c ChoiceQuestion, rules: &Rules, lang: Lang) -> &'c str {
    own_answer_label(choice, rules, Message::OtherName, lang)
}

/// Returns the name of the own answer for a list without a text box next to it: it says what to do.
pub fn own_answer_row<'c>(choice: &'c ChoiceQuestion, rules: &Rules, lang: Lang) -> &'c str {
    own_answer_label(choice, rules, Message::OtherOption, lang)
}

fn own_answer_label<'c>(choice: &'c ChoiceQuestion, rules: &Rules, other: Message, lang: Lang) -> &'c str {
    let ours = if rules.own_answers_are_custom { Message::CustomOption } else { other };
    choice.other_label.as_deref().filter(|label| !label.trim().is_empty()).unwrap_or(ours.plain(lang))
}

/// Returns the asker's label of a rating step, if it has one.
pub fn rating_label(question: &Question, step: i32) -> Option<&str> {
    let QuestionInput::Scale(rating) = question.input() else { return None };
    rating.annotations.get(&step).map(String::as_str)
}

/// Emoji of a five-step scale.
const SCALE_EMOJI: [&str; 5] = ["😡", "😟", "😐", "😊", "😍"];

/// Returns the emoji of a step; on scales of other sizes the nearest one.
pub fn step_emoji(rating: &RatingQuestion, step: i32) -> Option<&'static str> {
    let (from, to) = (i64::from(rating.min), i64::from(rating.max));
    let place = (i64::from(step) - from) * 4 / (to - from).max(1);
    usize::try_from(place).ok().and_then(|place| SCALE_EMOJI.get(place)).copied()
}
