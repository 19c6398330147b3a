//! The kinds of question, one file a kind. No other module has a `match` on them.

pub(crate) mod behavior;
pub mod choice;
pub mod confirm;
pub mod date;
pub mod datetime;
pub mod input;
pub(crate) mod members;
pub mod number;
pub mod rating;
pub mod text;
pub mod time;

use crate::i18n::{Lang, LocalizedText, Message};
use crate::model::answer::Answer;
use crate::model::question::Question;
use crate::model::question::choice::ChoiceQuestion;
use crate::model::question::kind::{
    ConfirmQuestion, NumberQuestion, QuestionKind, RatingQuestion, TextQuestion,
};
use crate::model::validation_rules::Rules;
use crate::model::value::{ComparisonValue, OrderedValue};
use behavior::KindBehavior;
use date::DateQuestion;
use datetime::DatetimeQuestion;
use input::QuestionInput;
use jiff::Zoned;
use members::KindMembers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use time::TimeQuestion;

/// A question of each kind, without settings.
pub(crate) static KINDS: [QuestionKind; 8] = [
    QuestionKind::Choice(ChoiceQuestion {
        options: Vec::new(),
        multi: false,
        other: false,
        other_label: None,
        other_at: None,
    }),
    QuestionKind::Text(TextQuestion { long: false }),
    QuestionKind::Confirm(ConfirmQuestion { yes: None, no: None, consent: None }),
    QuestionKind::Rating(RatingQuestion { min: 1, max: 5, emoji: false, annotations: BTreeMap::new() }),
    QuestionKind::Number(NumberQuestion { step: None }),
    QuestionKind::Date,
    QuestionKind::Time,
    QuestionKind::Datetime,
];

// Name of a kind in the wire format. A doc comment would be part of the schema.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KindName {
    /// One or several of some options.
    Choice,
    /// Typed text.
    Text,
    /// Yes or no.
    Confirm,
    /// A step on a scale of whole numbers.
    Rating,
    /// A number.
    Number,
    /// A day, `2026-03-01`.
    Date,
    /// A time of day, `14:30`.
    Time,
    /// A day with a time of day, `2026-03-01T14:30`.
    Datetime,
}

impl QuestionKind {
    /// Returns the behavior of its struct.
    pub(crate) const fn behavior(&self) -> &dyn KindBehavior {
        match self {
            Self::Choice(choice) => choice,
            Self::Text(text) => text,
            Self::Confirm(confirm) => confirm,
            Self::Rating(rating) => rating,
            Self::Number(number) => number,
            Self::Date => &DateQuestion,
            Self::Time => &TimeQuestion,
            Self::Datetime => &DatetimeQuestion,
        }
    }

    /// Returns its name in the wire format.
    pub fn name(&self) -> &'static str {
        self.behavior().kind_name().as_str()
    }

    /// Returns how it is answered.
    pub fn input(&self) -> QuestionInput<'_> {
        self.behavior().input()
    }

    /// Describes the answers that it expects.
    pub fn expected_answer(&self) -> LocalizedText {
        self.behavior().expected_answer()
    }

    /// Names the answer that it takes, in a few words.
    pub fn answer_words(&self) -> LocalizedText {
        self.behavior().answer_words()
    }

    /// Returns the hint in front of a typed line.
    pub fn line_hint(&self) -> Message {
        self.behavior().line_hint()
    }

    /// Returns examples of what may be typed; `None` for a kind that needs none.
    pub fn typing_help(&self) -> Option<Message> {
        self.behavior().typing_help()
    }

    /// Parses an answer that is written as a text in data; `None` for one that is not.
    pub fn parse_text(&self, text: &str) -> Option<Answer> {
        self.behavior().read_text(text).ok()
    }

    /// Parses an answer as people type it: "tomorrow", "fri 14:00", "+3d". Dates relative to now need the local date
    /// and time. Returns `None` for what is not understood, and for choices and yes or no, whose labels a surface knows.
    pub fn parse_typed(&self, text: &str, now: Option<&Zoned>) -> Option<Answer> {
        self.behavior().parse_typed(text, now)
    }

    /// Returns the message for a well-formed date or time that does not exist.
    pub fn impossible_message(&self, text: &str) -> Option<Message> {
        self.behavior().impossible_message(text)
    }

    /// Returns true if answers of this kind are dates or times.
    pub fn is_date_or_time(&self) -> bool {
        self.behavior().is_date_or_time()
    }

    /// Returns the ordered value that a value represents; `None` if it has none.
    pub(crate) fn ordered_value(&self, value: &ComparisonValue) -> Option<OrderedValue> {
        self.behavior().ordered_value(value)
    }

    /// Returns true if answers of this kind can be ordered.
    pub fn has_order(&self) -> bool {
        self.behavior().ordered_example().is_some()
    }
}

/// Returns true if a member with this name holds an answer of some kind.
pub(crate) fn is_answer_member(name: &str) -> bool {
    KINDS.iter().any(|kind| kind.behavior().answer_members().contains(&name))
}

impl ComparisonValue {
    /// Compares an answer to a question of this kind with the value; `None` if the two have no order.
    pub fn compare_answer(&self, kind: &QuestionKind, answer: &Answer) -> Option<Ordering> {
        answer.ordered_value()?.compare(kind.ordered_value(self)?)
    }
}

impl KindName {
    /// Returns the name as it is written.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Text => "text",
            Self::Confirm => "confirm",
            Self::Rating => "rating",
            Self::Number => "number",
            Self::Date => "date",
            Self::Time => "time",
            Self::Datetime => "datetime",
        }
    }

    /// Takes the settings of this kind out of the members of a question, and ignores members of other kinds.
    pub(crate) fn take_from(self, members: &mut KindMembers<'_>) -> QuestionKind {
        match self {
            Self::Choice => ChoiceQuestion::take_from(members).into(),
            Self::Text => TextQuestion::take_from(members).into(),
            Self::Confirm => ConfirmQuestion::take_from(members).into(),
            Self::Rating => RatingQuestion::take_from(members).into(),
            Self::Number => NumberQuestion::take_from(members).into(),
            Self::Date => DateQuestion.into(),
            Self::Time => TimeQuestion.into(),
            Self::Datetime => DatetimeQuestion.into(),
        }
    }
}

impl Answer {
    /// Returns true if it is empty: no picks, or only white space. It counts as none.
    pub(crate) fn is_blank(&self, question: &Question, rules: &Rules) -> bool {
        match self {
            Self::Picks(picks) => choice::is_blank(rules, picks),
            Self::Text(text) => rules.is_blank(text),
            Self::Confirm(confirmed) => question.required && rules.must_be_true && !confirmed,
            Self::Rating(_) | Self::Number(_) | Self::Date(_) | Self::Time(_) | Self::Datetime(_) => false,
        }
    }

    /// Describes it in words: labels, the text as typed, dates and numbers in their plain forms.
    pub fn describe<'a>(&'a self, question: &'a Question, lang: Lang) -> Cow<'a, str> {
        match self {
            Self::Picks(picks) => choice::describe(question, picks),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Confirm(confirmed) => confirm::describe(question, *confirmed, lang),
            Self::Rating(step) => rating::describe(question, *step, lang),
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Date(date) => Cow::Owned(date.to_string()),
            Self::Time(time) => Cow::Owned(time::format(*time)),
            Self::Datetime(moment) => Cow::Owned(datetime::format(*moment)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_each_kind_once() {
        let schema = serde_json::to_value(schemars::schema_for!(KindName)).unwrap();
        let names: Vec<_> =
            schema["oneOf"].as_array().unwrap().iter().map(|one| one["const"].clone()).collect();
        assert_eq!(names, KINDS.iter().map(QuestionKind::name).collect::<Vec<_>>());
    }
}
