//! An option of a choice as JSON: an object with its members, or its label alone.

use super::question::is_false;
use super::text::WireText;
use crate::limits;
use crate::model::id::OptionId;
use crate::model::question::choice::ChoiceOption;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// One option of a choice.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Option")]
pub(crate) enum OptionEntry<'q> {
    /// Label that the person reads, and also its id if that is not too long.
    Label(#[schemars(length(min = 1))] WireText<'q>),
    /// Properties of the option.
    Members(OptionMembers<'q>),
}

/// Properties of an option.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct OptionMembers<'q> {
    /// Identifies it within its question; numbered where it is left out.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    id: Option<WireText<'q>>,
    /// Value that you get for it, if that is not its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<WireText<'q>>,
    /// Label that the person reads.
    #[schemars(length(min = 1))]
    label: WireText<'q>,
    /// Meaning. May be Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<WireText<'q>>,
    /// Preview: a text of any length, shown next to the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preview: Option<WireText<'q>>,
    /// Your suggestion: it is marked, never picked for the person. Consent takes none.
    #[serde(default, skip_serializing_if = "is_false")]
    recommended: bool,
}

/// Returns the entry of an option, with its id.
pub(crate) fn option_entry(option: &ChoiceOption) -> OptionEntry<'_> {
    OptionEntry::Members(OptionMembers {
        id: Some(option.id.as_str().into()),
        value: WireText::from_option(option.value.as_ref()),
        label: option.label.as_str().into(),
        description: WireText::from_option(option.description.as_ref()),
        preview: WireText::from_option(option.preview.as_ref()),
        recommended: option.recommended,
    })
}

impl OptionEntry<'_> {
    /// Builds the option with this number, from 0.
    pub(crate) fn into_option(self, index: usize) -> ChoiceOption {
        match self {
            Self::Label(label) => {
                let label = label.into_owned();
                let can_be_id = (1..=limits::ID_CHARS).contains(&label.chars().count());
                let id = id(if can_be_id { Some(&label) } else { None }, index);
                ChoiceOption::new(id, label)
            }
            Self::Members(members) => ChoiceOption {
                value: members.value.map(WireText::into_owned),
                description: members.description.map(WireText::into_owned),
                preview: members.preview.map(WireText::into_owned),
                recommended: members.recommended,
                ..ChoiceOption::new(id(members.id.as_deref(), index), members.label.into_owned())
            },
        }
    }
}

fn id(id: Option<&str>, index: usize) -> OptionId {
    match id {
        Some(id) => OptionId::new(id),
        None => OptionId::numbered('o', index + 1),
    }
}

impl<'de: 'q, 'q> Deserialize<'de> for OptionEntry<'q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LabelOrMembers;
        impl<'de> Visitor<'de> for LabelOrMembers {
            type Value = OptionEntry<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an option: its label, or an object with one")
            }

            fn visit_borrowed_str<E: Error>(self, label: &'de str) -> Result<OptionEntry<'de>, E> {
                Ok(OptionEntry::Label(label.into()))
            }

            fn visit_str<E: Error>(self, label: &str) -> Result<OptionEntry<'de>, E> {
                Ok(OptionEntry::Label(label.to_owned().into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<OptionEntry<'de>, A::Error> {
                OptionMembers::deserialize(MapAccessDeserializer::new(members)).map(OptionEntry::Members)
            }
        }
        deserializer.deserialize_any(LabelOrMembers)
    }
}
