//! Reader of one answer, straight into the kind of its question.

use super::pick::{OptionNames, OwnAnswerSeed, PickSeed, find_option};
use super::{NameSeed, QuestionContext, ReadResult};
use crate::kinds::Answer;
use crate::kinds::QuestionKind;
use crate::kinds::choice::ChoiceOption;
use crate::limits;
use crate::model::answer::Pick;
use crate::model::problem::{Problem, ProblemCode};
use crate::model::question::Question;
use crate::model::value::datetime::{self, DatetimeValue};
use crate::model::value::number::Number;
use crate::rules::validator;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// An answer, or none for null.
pub(super) struct MaybeAnswerSeed<'q>(pub(super) AnswerSeed<'q>);

impl<'de> DeserializeSeed<'de> for MaybeAnswerSeed<'_> {
    type Value = Option<ReadResult<Answer>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for MaybeAnswerSeed<'_> {
    type Value = Option<ReadResult<Answer>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(deserializer).map(Some)
    }
}

#[derive(Clone, Copy)]
pub(super) struct AnswerSeed<'q>(pub(super) QuestionContext<'q>);

impl<'de> DeserializeSeed<'de> for AnswerSeed<'_> {
    type Value = ReadResult<Answer>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnswerSeed<'_> {
    type Value = ReadResult<Answer>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Err(type_problem(self.0.question)))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(match self.0.question.kind {
            QuestionKind::Confirm(_) => Ok(Answer::Confirm(value)),
            _ => Err(type_problem(self.0.question)),
        })
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(number(self.0.question, Some(Number::from(value))))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(number(self.0.question, Number::parse(&value.to_string())))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(number(self.0.question, Number::from_float(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(match &self.0.question.kind {
            QuestionKind::Choice(choice) => find_option(choice, value).map(single_pick),
            QuestionKind::Text(_) => Ok(Answer::Text(value.to_owned())),
            _ => answer_from_text(self.0, value),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let QuestionKind::Choice(choice) = &self.0.question.kind else {
            while array.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Err(type_problem(self.0.question)));
        };
        let most = choice.options.len().max(limits::OPTIONS) + 2;
        let (mut picks, mut problem) = (Vec::new(), None);
        let options = OptionNames::default();
        let seed = PickSeed { question: self.0.question, choice, names: Some(&options) };
        while picks.len() < most {
            match array.next_element_seed(seed)? {
                None => return Ok(problem.map_or(Ok(Answer::Picks(picks.into())), Err)),
                Some(Ok(pick)) => picks.push(pick),
                Some(Err(wrong)) => problem = problem.or(Some(wrong)),
            }
        }
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(problem.map_or(Ok(Answer::Picks(picks.into())), Err))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut answer = None;
        while let Some(name) = map.next_key_seed(NameSeed)? {
            if TAGS.contains(&name.as_ref()) {
                merge_answer(self.0, &mut answer, Some(read_tagged(self.0, &name, &mut map)?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(answer.unwrap_or_else(|| Err(type_problem(self.0.question))))
    }
}

/// Members that hold an answer, named by the kind of its question.
pub(super) const TAGS: [&str; 10] =
    ["option", "other", "picks", "text", "confirm", "rating", "number", "date", "time", "datetime"];

/// Merges the answer of one member with that of others: two answers in one object are invalid.
pub(super) fn merge_answer(
    asked: QuestionContext<'_>,
    answer: &mut Option<ReadResult<Answer>>,
    found: Option<ReadResult<Answer>>,
) {
    match (answer.is_some(), found) {
        (_, None) => {}
        (false, found) => *answer = found,
        (true, Some(_)) => *answer = Some(Err(type_problem(asked.question))),
    }
}

/// Reads the answer of a member with this name: `{"text":"…"}`, `{"picks":[…]}`, or a single pick.
pub(super) fn read_tagged<'de, A: MapAccess<'de>>(
    asked: QuestionContext<'_>,
    name: &str,
    map: &mut A,
) -> Result<ReadResult<Answer>, A::Error> {
    let question = asked.question;
    match (name, &question.kind) {
        ("option", QuestionKind::Choice(choice)) => {
            let found = map.next_value_seed(PickSeed { question, choice, names: None })?;
            Ok(found.map(|pick| Answer::Picks(pick.into())))
        }
        ("other", QuestionKind::Choice(_)) => {
            let found = map.next_value_seed(OwnAnswerSeed(question))?;
            Ok(found.map(|own| Answer::Picks(own.into())))
        }
        ("picks", QuestionKind::Choice(_))
        | (
            "text",
            QuestionKind::Text(_) | QuestionKind::Date | QuestionKind::Time | QuestionKind::Datetime,
        )
        | ("confirm", QuestionKind::Confirm(_))
        | ("rating", QuestionKind::Rating(_))
        | ("number", QuestionKind::Number(_))
        | ("date", QuestionKind::Date)
        | ("time", QuestionKind::Time)
        | ("datetime", QuestionKind::Datetime) => map.next_value_seed(AnswerSeed(asked)),
        _ => {
            map.next_value::<IgnoredAny>()?;
            Ok(Err(type_problem(question)))
        }
    }
}

/// Returns the answer that picks this option alone.
#[inline]
fn single_pick(option: &ChoiceOption) -> Answer {
    Answer::Picks(Pick::Option(option.id.clone()).into())
}

/// Reads a string as the answer to a question whose answers are mostly not strings.
fn answer_from_text(asked: QuestionContext<'_>, value: &str) -> ReadResult<Answer> {
    let question = asked.question;
    let read = match &question.kind {
        QuestionKind::Number(_) => number(question, Number::parse(value)),
        QuestionKind::Date => {
            datetime::parse_date(value).map(Answer::Date).ok_or_else(|| type_problem(question))
        }
        QuestionKind::Time => {
            datetime::parse_time(value).map(Answer::Time).ok_or_else(|| type_problem(question))
        }
        QuestionKind::Datetime => {
            DatetimeValue::parse(value).map(Answer::Datetime).ok_or_else(|| type_problem(question))
        }
        QuestionKind::Choice(_)
        | QuestionKind::Text(_)
        | QuestionKind::Confirm(_)
        | QuestionKind::Rating(_) => Err(type_problem(question)),
    };
    // If the rules accept any text as a date, invalid ones stay as text.
    let loose = asked.rules.loose_dates && question.kind.is_date_or_time();
    read.or_else(|problem| if loose { Ok(Answer::Text(value.to_owned())) } else { Err(problem) })
}

fn number(question: &Question, number: Option<Number>) -> ReadResult<Answer> {
    let found = number.and_then(|number| match question.kind {
        QuestionKind::Number(_) => Some(Answer::Number(number)),
        QuestionKind::Rating(_) => {
            number.to_integer().and_then(|step| i32::try_from(step).ok()).map(Answer::Rating)
        }
        _ => None,
    });
    found.ok_or_else(|| type_problem(question))
}

#[cold]
pub(super) fn type_problem(question: &Question) -> Box<Problem> {
    Box::new(Problem::new(ProblemCode::InvalidType, validator::expected_answer(&question.kind)))
}
