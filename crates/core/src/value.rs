//! Values that conditions and constraints compare answers with, and ordered values.

use crate::answer::Answer;
use crate::moment::{self, Moment};
use crate::number::Number;
use crate::question::Kind;
use jiff::civil::{Date, Time};
use schemars::JsonSchema;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use smol_str::SmolStr;
use std::cmp::Ordering;
use std::fmt;

/// A value to compare an answer with: an option's id, a text, a date, a number, or true and false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Value")]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(Number),
    /// An option's id, a text, or a date or time in its ISO form.
    Text(#[schemars(with = "String")] SmolStr),
}

impl Value {
    /// Compares an answer to a question of this kind with the value; `None` if the two have no order.
    pub fn order(&self, kind: &Kind, answer: &Answer) -> Option<Ordering> {
        Point::of(answer)?.compare(Point::read(kind, self)?)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number, true or false")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Number(value.into()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
                number(&value.to_string())
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                let number = Number::of_float(value).map(Value::Number);
                number.ok_or_else(|| E::custom(format!("{value} is not exact: write its digits as a string")))
            }

            // Digits in a string are the id of an option, or a number that JSON cannot represent exactly.
            fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
                Ok(Value::Text(value.into()))
            }
        }

        fn number<E: Error>(text: &str) -> Result<Value, E> {
            let number = Number::parse(text).map(Value::Number);
            number.ok_or_else(|| E::custom(format!("{text} is no number of at most 28 digits")))
        }
        deserializer.deserialize_any(Any)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// An ordered value: an answer of a kind with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A number or a rating.
    Number(Number),
    /// A day.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A day and a time of day.
    Moment(Moment),
}

impl Point {
    /// Returns the ordered value of an answer, if it has one.
    pub fn of(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Rating(rating) => Some(Self::Number(Number::from(i64::from(*rating)))),
            Answer::Number(number) => Some(Self::Number(*number)),
            Answer::Date(date) => Some(Self::Date(*date)),
            Answer::Time(time) => Some(Self::Time(*time)),
            Answer::Datetime(moment) => Some(Self::Moment(*moment)),
            Answer::Picks(_) | Answer::Text(_) | Answer::Confirm(_) => None,
        }
    }

    /// Returns the ordered value that a value represents for a kind of question; `None` if it has none.
    pub fn read(kind: &Kind, value: &Value) -> Option<Self> {
        match (kind, value) {
            (Kind::Rating(_) | Kind::Number(_), Value::Number(number)) => Some(Self::Number(*number)),
            (Kind::Number(_), Value::Text(digits)) => Number::parse(digits).map(Self::Number),
            (Kind::Date, Value::Text(text)) => moment::date(text).map(Self::Date),
            (Kind::Time, Value::Text(text)) => moment::time(text).map(Self::Time),
            (Kind::Datetime, Value::Text(text)) => Moment::parse(text).map(Self::Moment),
            _ => None,
        }
    }

    /// Compares two values of the same type; `None` for different types.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        Some(match (self, other) {
            (Self::Number(this), Self::Number(other)) => this.cmp(&other),
            (Self::Date(this), Self::Date(other)) => this.cmp(&other),
            (Self::Time(this), Self::Time(other)) => this.cmp(&other),
            (Self::Moment(this), Self::Moment(other)) => this.compare(other),
            _ => return None,
        })
    }
}
