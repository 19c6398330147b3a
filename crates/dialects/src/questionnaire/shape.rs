//! Wire types of a request, read leniently; validation comes later.

use crate::loose::{List, Loose, Members, Record, Words, members};
use serde::de::MapAccess;
use serde_json::{Number, Value};

/// The spec's `QuestionnaireParams`.
#[derive(Default)]
pub(super) struct Request<'t> {
    pub(super) questions: Loose<List<Item<'t>>>,
}

/// The spec's `Question` of any type. Members that only some types have are boxed, because a request may have very many
/// elements that are no questions.
#[derive(Default)]
pub(super) struct Item<'t> {
    pub(super) id: Loose<Words<'t>>,
    pub(super) kind: Loose<Words<'t>>,
    pub(super) label: Loose<String>,
    pub(super) prompt: Loose<String>,
    pub(super) details: Option<Box<Details<'t>>>,
}

/// Members that only some types of question have.
#[derive(Default)]
pub(super) struct Details<'t> {
    pub(super) constraints: Loose<List<Rule<'t>>>,
    pub(super) children: Loose<List<Item<'t>>>,
    pub(super) show_if: Loose<ShowIf<'t>>,
    pub(super) max_select: Loose<Number>,
    pub(super) options: Loose<List<Entry<'t>>>,
    pub(super) placeholder: Loose<String>,
    pub(super) multiline: Loose<bool>,
    pub(super) yes_label: Loose<String>,
    pub(super) no_label: Loose<String>,
    pub(super) range: Loose<Range>,
    pub(super) show_emoji: Loose<bool>,
    pub(super) annotations: Loose<Record<'t, String>>,
}

/// The spec's `Constraint`.
#[derive(Default)]
pub(super) struct Rule<'t> {
    pub(super) kind: Loose<Words<'t>>,
    pub(super) value: Loose<Value>,
    pub(super) message: Loose<String>,
}

/// The spec's `showIf`.
#[derive(Default)]
pub(super) struct ShowIf<'t> {
    pub(super) value: Loose<Words<'t>>,
}

/// The spec's `Option`.
#[derive(Default)]
pub(super) struct Entry<'t> {
    pub(super) value: Loose<Words<'t>>,
    pub(super) label: Loose<String>,
    pub(super) description: Loose<String>,
}

/// The spec's `range` of a rating.
#[derive(Default)]
pub(super) struct Range {
    pub(super) min: Loose<Number>,
    pub(super) max: Loose<Number>,
}

members!(Request<'t> { "questions" => questions });

impl<'t> Members<'t> for Item<'t> {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "id" => self.id = object.next_value()?,
            "type" => self.kind = object.next_value()?,
            "label" => self.label = object.next_value()?,
            "prompt" => self.prompt = object.next_value()?,
            _ => {
                let had_details = self.details.is_some();
                let is_known = self.details.get_or_insert_default().member(name, object)?;
                if !is_known && !had_details {
                    self.details = None;
                }
                return Ok(is_known);
            }
        }
        Ok(true)
    }
}

members!(Details<'t> {
    "constraints" => constraints,
    "children" => children,
    "showIf" => show_if,
    "maxSelect" => max_select,
    "options" => options,
    "placeholder" => placeholder,
    "multiline" => multiline,
    "yesLabel" => yes_label,
    "noLabel" => no_label,
    "range" => range,
    "showEmoji" => show_emoji,
    "annotations" => annotations,
});

members!(Rule<'t> { "type" => kind, "value" => value, "message" => message });

members!(ShowIf<'t> { "value" => value });

members!(Entry<'t> { "value" => value, "label" => label, "description" => description });

members!(Range { "min" => min, "max" => max });
