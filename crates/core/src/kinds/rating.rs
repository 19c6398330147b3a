//! A step on a scale of whole numbers.

use super::KindName;
use super::behavior::{KindAliases, KindBehavior, ReadResult};
use super::input::QuestionInput;
use super::members::KindMembers;
use crate::i18n::{Lang, LocalizedText, Message, MessageArg, foreign, own};
use crate::limits;
use crate::model::answer::Answer;
use crate::model::document_path::DocumentPath;
use crate::model::id::{IdSet, OptionId};
use crate::model::question::Question;
use crate::model::question::constraint::Requirement;
use crate::model::question::kind::RatingQuestion;
use crate::model::validation_rules::Rules;
use crate::model::value::number::Number;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::problem::{Problem, ProblemCode};
use jiff::Zoned;
use std::borrow::Cow;

/// Faces of a scale with five steps.
const FACES: [&str; 5] = ["😡", "😟", "😐", "😊", "😍"];

impl RatingQuestion {
    pub(super) fn take_from(members: &mut KindMembers<'_>) -> Self {
        let usual = Self::default();
        Self {
            min: members.min.unwrap_or(usual.min),
            max: members.max.unwrap_or(usual.max),
            emoji: members.emoji,
            annotations: members.annotations.take().map(Cow::into_owned).unwrap_or_default(),
        }
    }

    /// Returns the face of a step; on scales of other than five steps the nearest one.
    pub fn face(&self, step: i32) -> Option<&'static str> {
        let (from, to) = (i64::from(self.min), i64::from(self.max));
        let place = (i64::from(step) - from) * 4 / (to - from).max(1);
        usize::try_from(place).ok().and_then(|place| FACES.get(place)).copied()
    }
}

impl KindBehavior for RatingQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Rating
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[KindAliases { flag: None, names: &["scale", "stars", "likert"] }]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Scale(self)
    }

    fn write<'q>(&'q self, members: &mut KindMembers<'q>) {
        members.min = Some(self.min);
        members.max = Some(self.max);
        members.emoji = self.emoji;
        if !self.annotations.is_empty() {
            members.annotations = Some(Cow::Borrowed(&self.annotations));
        }
    }

    fn problems<'q>(&'q self, _: &mut IdSet<&'q OptionId>) -> Vec<Problem> {
        let steps = i64::from(self.max) - i64::from(self.min) + 1;
        if (2..=limits::RATING_STEPS).contains(&steps) {
            return Vec::new();
        }
        let message = match self.max > self.min {
            true => Message::RatingBounds.with([limits::RATING_STEPS]),
            false => Message::RatingOrder.with([self.max, self.min]),
        };
        vec![Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("max"))]
    }

    fn unmeetable_problem(&self, _: &Rules, requirement: &Requirement) -> Option<Problem> {
        let is_beyond = match requirement {
            Requirement::Min(ComparisonValue::Number(least)) => *least > i64::from(self.max).into(),
            Requirement::Max(ComparisonValue::Number(most)) => *most < i64::from(self.min).into(),
            _ => false,
        };
        let arguments = [MessageArg::from(requirement), self.min.into(), self.max.into()];
        is_beyond.then(|| Problem::new(ProblemCode::BadConstraint, Message::BeyondScale.with(arguments)))
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsRating.with([self.min, self.max])
    }

    fn answer_words(&self) -> LocalizedText {
        Message::RateFromTo.with([self.min, self.max])
    }

    fn line_hint(&self) -> Message {
        Message::HintNumber
    }

    fn parse_typed(&self, text: &str, _: Option<&Zoned>) -> Option<Answer> {
        let step: i32 = text.parse().ok()?;
        self.has_step(step).then_some(Answer::Rating(step))
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Rating(_))
    }

    fn answer_problems(&self, _: &Rules, answer: &Answer) -> Vec<Problem> {
        match answer {
            Answer::Rating(step) if !self.has_step(*step) => vec![*self.type_problem()],
            _ => Vec::new(),
        }
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["rating"]
    }

    fn read_number(&self, value: Number) -> ReadResult<Answer> {
        let step = value.to_integer().and_then(|step| i32::try_from(step).ok());
        step.map(Answer::Rating).ok_or_else(|| self.type_problem())
    }

    fn ordered_value(&self, value: &ComparisonValue) -> Option<OrderedValue> {
        match value {
            ComparisonValue::Number(number) => Some(OrderedValue::Number(*number)),
            ComparisonValue::Bool(_) | ComparisonValue::Text(_) => None,
        }
    }

    fn ordered_example(&self) -> Option<&'static str> {
        Some("4")
    }
}

/// Describes a step, with its label if it has one.
pub(super) fn describe<'a>(question: &Question, step: i32, lang: Lang) -> Cow<'a, str> {
    let label = match question.input() {
        QuestionInput::Scale(rating) => rating.label(step),
        QuestionInput::Options(_) | QuestionInput::Toggle(_) | QuestionInput::Line(_) => None,
    };
    match label {
        Some(label) => Cow::Owned(Message::Quotes.render_with(lang, [own(step), foreign(label)])),
        None => Cow::Owned(step.to_string()),
    }
}
