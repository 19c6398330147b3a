//! Exact decimal numbers: 0.1 is exactly one tenth, and 1 equals 1.0.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A decimal number of at most 28 digits.
///
/// In JSON it is a number if that is exact, else a string of digits.
///
/// ```
/// use sayso_core::Number;
/// assert_eq!(Number::parse("1.50"), Number::parse("1.5"));
/// assert_eq!(Number::parse("one"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(Decimal);

impl Number {
    /// Parses digits with an optional sign, point and exponent. `None` for anything else and for a number that is not
    /// exact within 28 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let digits = digits.strip_prefix('.').unwrap_or(digits);
        if !is_number || !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let decimal = if text.contains(['e', 'E']) {
            parse_scientific(text)?
        } else {
            Decimal::from_str_exact(text).ok()?
        };
        Some(Self(decimal.normalize()))
    }

    /// Converts a floating-point number. `None` for those so large that they represent several numbers.
    pub(crate) fn from_float(float: f64) -> Option<Self> {
        if float.abs() < EXACT_FLOAT_MAX { Self::parse(&float.to_string()) } else { None }
    }

    /// Returns true if it is a whole multiple of another. No number is a multiple of zero.
    pub fn is_multiple_of(self, step: Self) -> bool {
        self.0.checked_rem(step.0) == Some(Decimal::ZERO)
    }

    /// Returns true if it is greater than zero.
    pub fn is_positive(self) -> bool {
        self.0.is_sign_positive() && !self.0.is_zero()
    }

    /// Returns the sum of two; `None` if it has too many digits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let sum = self.0.checked_add(other.0)?;
        Some(Self(sum.normalize()))
    }

    /// Returns the difference of two; `None` if it has too many digits.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        let difference = self.0.checked_sub(other.0)?;
        Some(Self(difference.normalize()))
    }

    /// Returns the number as an integer, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        if self.0.is_integer() { self.0.to_i64() } else { None }
    }

    /// Returns the floating-point number that represents exactly this number, if one does.
    fn to_exact_float(self) -> Option<f64> {
        let float = self.0.to_f64()?;
        if Self::from_float(float) == Some(self) { Some(float) } else { None }
    }
}

/// From here on a floating-point number, and so a number in JavaScript's JSON, represents several whole numbers.
const EXACT_FLOAT_MAX: f64 = 9_007_199_254_740_992.0;

/// Parses scientific notation; `None` if the number needs too many digits.
fn parse_scientific(text: &str) -> Option<Decimal> {
    let (digits, exponent) = text.split_once(['e', 'E'])?;
    let exponent: i32 = exponent.parse().ok()?;
    if !(-28..=28).contains(&exponent) {
        return None;
    }
    let digits = Decimal::from_str_exact(digits).ok()?;
    let mut power = Decimal::ONE;
    for _ in 0..exponent.abs() {
        power = power.checked_mul(Decimal::TEN)?;
    }
    if exponent >= 0 {
        return digits.checked_mul(power);
    }
    let quotient = digits.checked_div(power)?;
    // A quotient that was rounded is not exact.
    if quotient.checked_mul(power)? == digits { Some(quotient) } else { None }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(number.into())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A decimal number of at most 28 digits; a string of digits if JSON cannot express it \
                exactly.",
            "anyOf": [{ "type": "number" }, { "type": "string", "pattern": "^[+-]?\\.?[0-9]" }],
        })
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.to_exact_float(), self.to_integer()) {
            (Some(_), Some(whole)) => serializer.serialize_i64(whole),
            (Some(float), None) => serializer.serialize_f64(float),
            (None, _) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of at most 28 digits")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
                Ok(Number::from(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
                Ok(Number(number.into()))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
                Number::from_float(number)
                    .ok_or_else(|| E::custom(format!("{number} is not exact: write its digits as a string")))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                Number::parse(text)
                    .ok_or_else(|| E::custom(format!("{text:?} is no number of at most 28 digits")))
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_exact_decimals() {
        assert_eq!(parse("1.0"), parse("1"));
        assert_eq!(parse("1e3"), parse("1000"));
        assert_eq!(parse("125e-2"), parse("1.25"));
        assert!(parse("0.3").is_multiple_of(parse("0.1")));
        assert!(!parse("0.35").is_multiple_of(parse("0.1")));
        assert!(!parse("0.35").is_multiple_of(parse("0")));
        assert!(parse("-1.5") < parse("-1"));
        assert_eq!(parse("-7.50").to_string(), "-7.5");
        assert_eq!(parse("7.0").to_integer(), Some(7));
        assert_eq!(parse("7.5").to_integer(), None);
    }

    #[test]
    fn invalid_numbers_are_refused() {
        for text in [
            "", "-", ".", "1_000", "0x10", "1e", "e1", "--1", "1.2.3", "NaN", "inf", "1e400", "1e-400", "1 2",
        ] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
        assert_eq!(Number::parse("123456789012345678901234567890"), None);
        assert!(serde_json::from_str::<Number>("1e300").is_err());
    }

    #[test]
    fn json_numbers_are_exact() {
        for text in [
            "1",
            "-1.5",
            "0.1",
            "9007199254740993",
            "18446744073709551615",
            "0.12345678901234567890",
            "10000000000000000000",
            "1e28",
            "-9007199254740992",
        ] {
            let number = parse(text);
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), number, "{json}");
        }
        assert_eq!(serde_json::to_string(&parse("2.50")).unwrap(), "2.5");
        assert_eq!(serde_json::to_string(&parse("9007199254740991")).unwrap(), "9007199254740991");
        assert_eq!(serde_json::to_string(&parse("9007199254740993")).unwrap(), "\"9007199254740993\"");
        assert_eq!(
            serde_json::to_string(&parse("0.12345678901234567890")).unwrap(),
            "\"0.1234567890123456789\""
        );
    }

    /// Returns a strategy for numbers, with round ones more often than by chance.
    fn number() -> impl Strategy<Value = Number> {
        let digits = any::<i128>().prop_map(|bits| bits >> 32);
        let of_any_digits = (digits, 0_u32..=28).prop_filter_map("too large", |(digits, scale)| {
            Decimal::try_from_i128_with_scale(digits, scale).ok()
        });
        let round = (any::<i16>(), 0_u32..=23).prop_map(|(some, zeros)| {
            Decimal::from_i128_with_scale(i128::from(some) * 10_i128.pow(zeros), 0)
        });
        prop_oneof![of_any_digits, round].prop_map(|decimal| Number(decimal.normalize()))
    }

    proptest! {
        #[test]
        fn any_number_survives_json(number in number()) {
            let json = serde_json::to_string(&number).unwrap();
            prop_assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), number);
            // A reader with JavaScript's number type gets the same number.
            if let Ok(float) = json.parse::<f64>() {
                prop_assert_eq!(Number::parse(&float.to_string()), Some(number));
            }
            prop_assert_eq!(Number::parse(&number.to_string()), Some(number));
        }

        #[test]
        fn any_text_parses_without_panic(text in ".{0,40}") {
            let _ = Number::parse(&text);
        }
    }
}
