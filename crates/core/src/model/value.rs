//! Values that conditions and constraints compare answers with, and ordered values.

pub mod datetime;
pub mod number;

use datetime::DatetimeValue;
use jiff::civil::{Date, Time};
use number::Number;
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
pub enum ComparisonValue {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(Number),
    /// An option's id, a text, or a date or time in its ISO form.
    Text(#[schemars(with = "String")] SmolStr),
}

impl<'de> Deserialize<'de> for ComparisonValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;
        impl Visitor<'_> for ValueVisitor {
            type Value = ComparisonValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number, true or false")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<ComparisonValue, E> {
                Ok(ComparisonValue::Bool(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<ComparisonValue, E> {
                Ok(ComparisonValue::Number(value.into()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<ComparisonValue, E> {
                number(&value.to_string())
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<ComparisonValue, E> {
                let number = Number::from_float(value).map(ComparisonValue::Number);
                number.ok_or_else(|| E::custom(format!("{value} is not exact: write its digits as a string")))
            }

            // Digits in a string are the id of an option, or a number that JSON cannot represent exactly.
            fn visit_str<E: Error>(self, value: &str) -> Result<ComparisonValue, E> {
                Ok(ComparisonValue::Text(value.into()))
            }
        }

        fn number<E: Error>(text: &str) -> Result<ComparisonValue, E> {
            let number = Number::parse(text).map(ComparisonValue::Number);
            number.ok_or_else(|| E::custom(format!("{text} is no number of at most 28 digits")))
        }
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl fmt::Display for ComparisonValue {
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
pub enum OrderedValue {
    /// A number or a rating.
    Number(Number),
    /// A day.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A day and a time of day.
    Moment(DatetimeValue),
}

impl OrderedValue {
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
