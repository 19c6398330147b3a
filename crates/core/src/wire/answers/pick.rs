//! Reader of picks: by an option's id, by its label, or as an own answer.

use super::{NameSeed, type_problem};
use crate::kinds::behavior::ReadResult;
use crate::kinds::choice::{ambiguous_label_problem, find_option, no_such_option};
use crate::model::answer::Pick;
use crate::model::question::Question;
use crate::model::question::choice::ChoiceQuestion;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// One of several picks: an option's id or label, `{"option":"id"}` or `{"other":"text"}`.
#[derive(Clone, Copy)]
pub(super) struct PickSeed<'q, 'n> {
    pub(super) question: &'q Question,
    pub(super) choice: &'q ChoiceQuestion,
    pub(super) names: Option<&'n OptionNames<'q>>,
}

impl<'de> DeserializeSeed<'de> for PickSeed<'_, '_> {
    type Value = ReadResult<Pick>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PickSeed<'_, '_> {
    type Value = ReadResult<Pick>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pick")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Err(type_problem(self.question)))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Err(type_problem(self.question)))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Err(type_problem(self.question)))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Err(type_problem(self.question)))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Err(type_problem(self.question)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(match self.names {
            Some(names) => names.pick(self.choice, value),
            None => match find_option(self.choice, value) {
                Ok(option) => Ok(Pick::Option(option.id.clone())),
                Err(problem) => Err(problem),
            },
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Err(type_problem(self.question)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pick = None;
        while let Some(name) = map.next_key_seed(NameSeed)? {
            let member = match name.as_ref() {
                "option" => map.next_value_seed(self)?,
                "other" => map.next_value_seed(OwnAnswerSeed(self.question))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            // Two picks in one object are invalid.
            pick = Some(if pick.is_none() { member } else { Err(type_problem(self.question)) });
        }
        Ok(match pick {
            Some(pick) => pick,
            None => Err(type_problem(self.question)),
        })
    }
}

/// Text of an own answer.
pub(super) struct OwnAnswerSeed<'q>(pub(super) &'q Question);

impl<'de> DeserializeSeed<'de> for OwnAnswerSeed<'_> {
    type Value = ReadResult<Pick>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let value = serde::Deserialize::deserialize(deserializer)?;
        Ok(match value {
            serde_json::Value::String(words) => Ok(Pick::Other(words)),
            _ => Err(type_problem(self.0)),
        })
    }
}

/// Index of options by id and label, built lazily if there are many picks.
#[derive(Default)]
pub(super) struct OptionNames<'c>(std::cell::OnceCell<HashMap<&'c str, ReadResult<Pick>>>);

impl<'c> OptionNames<'c> {
    fn pick(&self, choice: &'c ChoiceQuestion, name: &str) -> ReadResult<Pick> {
        let names = self.0.get_or_init(|| Self::index(choice));
        match names.get(name) {
            Some(pick) => pick.clone(),
            None => Err(Box::new(no_such_option(name))),
        }
    }

    /// Indexes the options. Ids take precedence over labels; a label shared by several options matches none.
    fn index(choice: &'c ChoiceQuestion) -> HashMap<&'c str, ReadResult<Pick>> {
        let mut names: HashMap<&str, ReadResult<Pick>> = HashMap::with_capacity(choice.options.len() * 2);
        for option in &choice.options {
            let pick = if names.contains_key(option.label.as_str()) {
                Err(ambiguous_label_problem(&option.label))
            } else {
                Ok(Pick::Option(option.id.clone()))
            };
            names.insert(&option.label, pick);
        }
        for option in &choice.options {
            names.insert(option.id.as_str(), Ok(Pick::Option(option.id.clone())));
        }
        names
    }
}
