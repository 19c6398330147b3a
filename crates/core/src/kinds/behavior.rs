//! What core knows of each kind of question.

use super::KindName;
use super::input::QuestionInput;
use super::members::KindMembers;
use crate::i18n::{LocalizedText, Message, MessageArg};
use crate::model::answer::Answer;
use crate::model::id::{IdSet, OptionId, QuestionId};
use crate::model::question::constraint::Requirement;
use crate::model::validation_rules::Rules;
use crate::model::value::number::Number;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::problem::{Problem, ProblemCode};
use jiff::Zoned;

/// An answer that was read, or the problem of it.
pub(crate) type ReadResult<T> = Result<T, Box<Problem>>;

/// Names of a kind in other formats, in lower case, without separators.
pub(crate) struct KindAliases {
    /// A member that is true for a kind with such a name: `multi` or `long`.
    pub(crate) flag: Option<&'static str>,
    pub(crate) names: &'static [&'static str],
}

/// Behavior of a kind, implemented by its struct.
pub(crate) trait KindBehavior {
    fn kind_name(&self) -> KindName;

    /// Returns its names in other formats.
    fn aliases(&self) -> &'static [KindAliases];

    fn input(&self) -> QuestionInput<'_>;

    /// Fills in its members.
    fn write<'q>(&'q self, _members: &mut KindMembers<'q>) {}

    /// Returns the problems of its settings, each with its path inside the question.
    fn problems<'q>(&'q self, _seen_options: &mut IdSet<&'q OptionId>) -> Vec<Problem> {
        Vec::new()
    }

    /// Returns the reason for which no answer meets a requirement.
    fn unmeetable_problem(&self, _rules: &Rules, _requirement: &Requirement) -> Option<Problem> {
        None
    }

    /// Describes the answers that it expects.
    fn expected_answer(&self) -> LocalizedText;

    /// Names the answer that it takes, in a few words.
    fn answer_words(&self) -> LocalizedText;

    /// Returns the hint in front of a typed line.
    fn line_hint(&self) -> Message;

    /// Returns examples of what may be typed; `None` for a kind that needs none.
    fn typing_help(&self) -> Option<Message> {
        None
    }

    /// Parses an answer as people type it; dates relative to now need the local date and time.
    fn parse_typed(&self, _text: &str, _now: Option<&Zoned>) -> Option<Answer> {
        None
    }

    /// Returns the message for a well-formed date or time that does not exist.
    fn impossible_message(&self, _text: &str) -> Option<Message> {
        None
    }

    /// Returns the problem of an answer of another type.
    #[cold]
    fn type_problem(&self) -> Box<Problem> {
        Box::new(Problem::new(ProblemCode::InvalidType, self.expected_answer()))
    }

    /// Returns true if an answer has its type, valid or not.
    fn accepts(&self, answer: &Answer) -> bool;

    /// Returns the problems of an answer of its type, without the asker's constraints.
    fn answer_problems(&self, _rules: &Rules, _answer: &Answer) -> Vec<Problem> {
        Vec::new()
    }

    /// Returns the members that hold an answer to it in an object.
    fn answer_members(&self) -> &'static [&'static str];

    fn read_bool(&self, _value: bool) -> ReadResult<Answer> {
        Err(self.type_problem())
    }

    fn read_number(&self, _value: Number) -> ReadResult<Answer> {
        Err(self.type_problem())
    }

    fn read_text(&self, _text: &str) -> ReadResult<Answer> {
        Err(self.type_problem())
    }

    /// Returns the ordered value that a value represents for this kind; `None` if it has none.
    fn ordered_value(&self, _value: &ComparisonValue) -> Option<OrderedValue> {
        None
    }

    /// Returns an example of an ordered value as JSON; `None` for a kind without an order.
    fn ordered_example(&self) -> Option<&'static str> {
        None
    }

    /// Returns the problem of a value that answers are compared with.
    fn comparison_problem(
        &self,
        _compared: &ComparedQuestion<'_>,
        value: &ComparisonValue,
    ) -> Option<Problem> {
        self.ordered_value_problem(value)
    }

    /// Returns the problem of a value that is to be ordered with answers.
    fn ordered_value_problem(&self, value: &ComparisonValue) -> Option<Problem> {
        if self.ordered_value(value).is_some() {
            return None;
        }
        let message = Message::NoSuchPoint.with([value.into(), MessageArg::from(self.kind_name().as_str())]);
        let hint = self.ordered_example().map(|example| Message::WriteLike.with([example]));
        Some(Problem { hint, ..Problem::new(ProblemCode::InvalidValue, message) })
    }

    /// Returns true if answers of this kind are dates or times.
    fn is_date_or_time(&self) -> bool {
        false
    }
}

/// A question whose answers a condition compares with a value.
pub(crate) struct ComparedQuestion<'q> {
    pub(crate) id: &'q QuestionId,
    pub(crate) rules: &'q Rules,
    /// Looks up the ids of its options.
    pub(crate) has_option: &'q dyn Fn(&str) -> bool,
}

impl ComparedQuestion<'_> {
    /// Returns the problem of a value of the wrong type.
    pub(crate) fn wrong_value(&self, message: Message, value: &ComparisonValue) -> Problem {
        let message = message.with([MessageArg::from(self.id), value.into()]);
        Problem::new(ProblemCode::BadCondition, message)
    }
}

/// Returns the problem of a requirement that only an empty answer would meet.
pub(super) fn leaves_no_answer_problem(requirement: &Requirement) -> Problem {
    Problem::new(ProblemCode::BadConstraint, Message::LeavesNoAnswer.with([requirement]))
}
