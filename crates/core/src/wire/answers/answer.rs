//! Reader of one answer, straight into the kind of its question.

use super::pick::{Names, OwnSeed, PickSeed, named};
use super::{Asked, Found, Name};
use crate::answer::{Answer, Pick};
use crate::limits;
use crate::moment::{self, Moment};
use crate::number::Number;
use crate::problem::{Code, Problem};
use crate::question::{Kind, Opt, Question};
use crate::sheet::judge;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// An answer, or none for null.
pub(super) struct Maybe<'q>(pub(super) AnswerSeed<'q>);

impl<'de> DeserializeSeed<'de> for Maybe<'_> {
    type Value = Option<Found<Answer>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Maybe<'_> {
    type Value = Option<Found<Answer>>;

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
pub(super) struct AnswerSeed<'q>(pub(super) Asked<'q>);

impl<'de> DeserializeSeed<'de> for AnswerSeed<'_> {
    type Value = Found<Answer>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnswerSeed<'_> {
    type Value = Found<Answer>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Err(wrong(self.0.question)))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(match self.0.question.kind {
            Kind::Confirm(_) => Ok(Answer::Confirm(value)),
            _ => Err(wrong(self.0.question)),
        })
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(number(self.0.question, Some(Number::from(value))))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(number(self.0.question, Number::parse(&value.to_string())))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(number(self.0.question, Number::of_float(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(match &self.0.question.kind {
            Kind::Choice(choice) => named(choice, value).map(|(_, option)| picked(option)),
            Kind::Text(_) => Ok(Answer::Text(value.to_owned())),
            _ => written(self.0, value),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let Kind::Choice(choice) = &self.0.question.kind else {
            while array.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Err(wrong(self.0.question)));
        };
        let most = choice.options.len().max(limits::OPTIONS) + 2;
        let (mut picks, mut problem) = (Vec::new(), None);
        let options = Names::default();
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
        while let Some(name) = map.next_key_seed(Name)? {
            if TAGS.contains(&name.as_ref()) {
                put(self.0, &mut answer, Some(tagged(self.0, &name, &mut map)?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(answer.unwrap_or_else(|| Err(wrong(self.0.question))))
    }
}

/// Members that hold an answer, named by the kind of its question.
pub(super) const TAGS: [&str; 10] =
    ["option", "other", "picks", "text", "confirm", "rating", "number", "date", "time", "datetime"];

/// Merges the answer of one member with that of others: two answers in one object are invalid.
pub(super) fn put(asked: Asked<'_>, answer: &mut Option<Found<Answer>>, said: Option<Found<Answer>>) {
    match (answer.is_some(), said) {
        (_, None) => {}
        (false, said) => *answer = said,
        (true, Some(_)) => *answer = Some(Err(wrong(asked.question))),
    }
}

/// Reads the answer of a member with this name: `{"text":"…"}`, `{"picks":[…]}`, or a single pick.
pub(super) fn tagged<'de, A: MapAccess<'de>>(
    asked: Asked<'_>,
    name: &str,
    map: &mut A,
) -> Result<Found<Answer>, A::Error> {
    let question = asked.question;
    match (name, &question.kind) {
        ("option", Kind::Choice(choice)) => {
            let found = map.next_value_seed(PickSeed { question, choice, names: None })?;
            Ok(found.map(|pick| Answer::Picks(pick.into())))
        }
        ("other", Kind::Choice(_)) => {
            let found = map.next_value_seed(OwnSeed(question))?;
            Ok(found.map(|own| Answer::Picks(own.into())))
        }
        ("picks", Kind::Choice(_))
        | ("text", Kind::Text(_) | Kind::Date | Kind::Time | Kind::Datetime)
        | ("confirm", Kind::Confirm(_))
        | ("rating", Kind::Rating(_))
        | ("number", Kind::Number(_))
        | ("date", Kind::Date)
        | ("time", Kind::Time)
        | ("datetime", Kind::Datetime) => map.next_value_seed(AnswerSeed(asked)),
        _ => {
            map.next_value::<IgnoredAny>()?;
            Ok(Err(wrong(question)))
        }
    }
}

/// Returns the answer that picks this option alone.
#[inline]
pub(super) fn picked(option: &Opt) -> Answer {
    Answer::Picks(Pick::Option(option.id.clone()).into())
}

/// Reads a string as the answer to a question whose answers are mostly not strings.
pub(super) fn written(asked: Asked<'_>, value: &str) -> Found<Answer> {
    let question = asked.question;
    let read = match &question.kind {
        Kind::Number(_) => number(question, Number::parse(value)),
        Kind::Date => moment::date(value).map(Answer::Date).ok_or_else(|| wrong(question)),
        Kind::Time => moment::time(value).map(Answer::Time).ok_or_else(|| wrong(question)),
        Kind::Datetime => Moment::parse(value).map(Answer::Datetime).ok_or_else(|| wrong(question)),
        Kind::Choice(_) | Kind::Text(_) | Kind::Confirm(_) | Kind::Rating(_) => Err(wrong(question)),
    };
    // If the rules accept any text as a date, invalid ones stay as text.
    let loose = asked.rules.loose_dates && question.kind.is_date_or_time();
    read.or_else(|problem| if loose { Ok(Answer::Text(value.to_owned())) } else { Err(problem) })
}

fn number(question: &Question, number: Option<Number>) -> Found<Answer> {
    let found = number.and_then(|number| match question.kind {
        Kind::Number(_) => Some(Answer::Number(number)),
        Kind::Rating(_) => number.whole().and_then(|step| i32::try_from(step).ok()).map(Answer::Rating),
        _ => None,
    });
    found.ok_or_else(|| wrong(question))
}

#[cold]
pub(super) fn wrong(question: &Question) -> Box<Problem> {
    Box::new(Problem::new(Code::InvalidType, judge::wants(&question.kind)))
}
