//! Reader of one answer, straight into the kind of its question.

use super::pick::{OptionNames, OwnAnswerSeed, PickSeed};
use super::{NameSeed, QuestionContext};
use crate::kinds::behavior::ReadResult;
use crate::kinds::is_answer_member;
use crate::limits;
use crate::model::answer::Answer;
use crate::model::question::Question;
use crate::model::value::number::Number;
use crate::problem::Problem;
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
        Ok(self.0.question.kind.behavior().read_bool(value))
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
        let kind = self.0.question.kind.behavior();
        let answer = kind.read_text(value);
        // If the rules accept any text as a date, invalid ones stay as text.
        if answer.is_err() && self.0.rules.loose_dates && kind.is_date_or_time() {
            return Ok(Ok(Answer::Text(value.to_owned())));
        }
        Ok(answer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let Some(choice) = self.0.question.choice() else {
            while array.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Err(type_problem(self.0.question)));
        };
        let most = choice.options.len().max(limits::OPTIONS) + 2;
        let mut picks = Vec::new();
        let mut problem = None;
        let options = OptionNames::default();
        let seed = PickSeed { question: self.0.question, choice, names: Some(&options) };
        while picks.len() < most {
            match array.next_element_seed(seed)? {
                None => break,
                Some(Ok(pick)) => picks.push(pick),
                Some(Err(wrong)) => problem = problem.or(Some(wrong)),
            }
        }
        // Picks beyond the limit are passed over; their number is checked later.
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(match problem {
            None => Ok(Answer::Picks(picks.into())),
            Some(problem) => Err(problem),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut answer = None;
        while let Some(name) = map.next_key_seed(NameSeed)? {
            if is_answer_member(&name) {
                merge_answer(self.0, &mut answer, Some(read_tagged(self.0, &name, &mut map)?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(match answer {
            Some(answer) => answer,
            None => Err(type_problem(self.0.question)),
        })
    }
}

/// Merges the answer of one member with that of others: two answers in one object are invalid.
pub(super) fn merge_answer(
    context: QuestionContext<'_>,
    answer: &mut Option<ReadResult<Answer>>,
    other: Option<ReadResult<Answer>>,
) {
    if other.is_none() {
        return;
    }
    *answer = if answer.is_none() { other } else { Some(Err(type_problem(context.question))) };
}

/// Reads the answer of a member with this name: `{"text":"…"}`, `{"picks":[…]}`, or a single pick.
pub(super) fn read_tagged<'de, A: MapAccess<'de>>(
    context: QuestionContext<'_>,
    name: &str,
    map: &mut A,
) -> Result<ReadResult<Answer>, A::Error> {
    let question = context.question;
    if !question.kind.behavior().answer_members().contains(&name) {
        map.next_value::<IgnoredAny>()?;
        return Ok(Err(type_problem(question)));
    }
    match (name, question.choice()) {
        ("option", Some(choice)) => {
            Ok(match map.next_value_seed(PickSeed { question, choice, names: None })? {
                Ok(pick) => Ok(Answer::Picks(pick.into())),
                Err(problem) => Err(problem),
            })
        }
        ("other", Some(_)) => Ok(match map.next_value_seed(OwnAnswerSeed(question))? {
            Ok(own_answer) => Ok(Answer::Picks(own_answer.into())),
            Err(problem) => Err(problem),
        }),
        _ => map.next_value_seed(AnswerSeed(context)),
    }
}

fn number(question: &Question, number: Option<Number>) -> ReadResult<Answer> {
    match number {
        Some(number) => question.kind.behavior().read_number(number),
        None => Err(type_problem(question)),
    }
}

pub(super) fn type_problem(question: &Question) -> Box<Problem> {
    question.kind.behavior().type_problem()
}
