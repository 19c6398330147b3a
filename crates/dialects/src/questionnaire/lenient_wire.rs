//! Wire types of a request, read leniently; validation comes later.

use crate::lenient::{CowText, Lenient, LenientList, LenientRecord, ObjectMembers, members};
use serde::de::MapAccess;
use serde_json::{Number, Value};

/// The spec's `QuestionnaireParams`.
#[derive(Default)]
pub(super) struct QuestionnaireRequestInput<'t> {
    pub(super) questions: Lenient<LenientList<QuestionnaireItemInput<'t>>>,
}

/// The spec's `Question` of any type. Members that only some types have are boxed, because a request may have very many
/// elements that are no questions.
#[derive(Default)]
pub(super) struct QuestionnaireItemInput<'t> {
    pub(super) id: Lenient<CowText<'t>>,
    pub(super) kind: Lenient<CowText<'t>>,
    pub(super) label: Lenient<String>,
    pub(super) prompt: Lenient<String>,
    pub(super) details: Option<Box<QuestionnaireDetailsInput<'t>>>,
}

/// Members that only some types of question have.
#[derive(Default)]
pub(super) struct QuestionnaireDetailsInput<'t> {
    pub(super) constraints: Lenient<LenientList<QuestionnaireConstraintInput<'t>>>,
    pub(super) children: Lenient<LenientList<QuestionnaireItemInput<'t>>>,
    pub(super) show_if: Lenient<QuestionnaireShowIfInput<'t>>,
    pub(super) max_select: Lenient<Number>,
    pub(super) options: Lenient<LenientList<QuestionnaireOptionInput<'t>>>,
    pub(super) placeholder: Lenient<String>,
    pub(super) multiline: Lenient<bool>,
    pub(super) yes_label: Lenient<String>,
    pub(super) no_label: Lenient<String>,
    pub(super) range: Lenient<QuestionnaireRangeInput>,
    pub(super) show_emoji: Lenient<bool>,
    pub(super) annotations: Lenient<LenientRecord<'t, String>>,
}

/// The spec's `Constraint`.
#[derive(Default)]
pub(super) struct QuestionnaireConstraintInput<'t> {
    pub(super) kind: Lenient<CowText<'t>>,
    pub(super) value: Lenient<Value>,
    pub(super) message: Lenient<String>,
}

/// The spec's `showIf`.
#[derive(Default)]
pub(super) struct QuestionnaireShowIfInput<'t> {
    pub(super) value: Lenient<CowText<'t>>,
}

/// The spec's `Option`.
#[derive(Default)]
pub(super) struct QuestionnaireOptionInput<'t> {
    pub(super) value: Lenient<CowText<'t>>,
    pub(super) label: Lenient<String>,
    pub(super) description: Lenient<String>,
}

/// The spec's `range` of a rating.
#[derive(Default)]
pub(super) struct QuestionnaireRangeInput {
    pub(super) min: Lenient<Number>,
    pub(super) max: Lenient<Number>,
}

members!(QuestionnaireRequestInput<'t> { "questions" => questions });

impl<'t> ObjectMembers<'t> for QuestionnaireItemInput<'t> {
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

members!(QuestionnaireDetailsInput<'t> {
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

members!(QuestionnaireConstraintInput<'t> { "type" => kind, "value" => value, "message" => message });

members!(QuestionnaireShowIfInput<'t> { "value" => value });

members!(QuestionnaireOptionInput<'t> { "value" => value, "label" => label, "description" => description });

members!(QuestionnaireRangeInput { "min" => min, "max" => max });
