//! Text of a document: borrowed from the value written, or from the text read if it has no escapes there.

use schemars::JsonSchema;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use smol_str::SmolStr;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Copy-on-write text.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(crate) struct WireText<'q>(Cow<'q, str>);

impl<'q> WireText<'q> {
    pub(crate) fn from_option(text: Option<&'q String>) -> Option<Self> {
        text.map(|text| Self::from(text.as_str()))
    }

    pub(crate) fn into_cow(self) -> Cow<'q, str> {
        self.0
    }

    pub(crate) fn into_owned(self) -> String {
        self.0.into_owned()
    }
}

impl<'q> From<&'q str> for WireText<'q> {
    fn from(text: &'q str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'q> From<Cow<'q, str>> for WireText<'q> {
    fn from(text: Cow<'q, str>) -> Self {
        Self(text)
    }
}

impl From<String> for WireText<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl From<WireText<'_>> for SmolStr {
    fn from(words: WireText<'_>) -> Self {
        words.0.into()
    }
}

impl Deref for WireText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'q, 'q> Deserialize<'de> for WireText<'q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = WireText<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<WireText<'de>, E> {
                Ok(WireText(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<WireText<'de>, E> {
                Ok(WireText(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}
