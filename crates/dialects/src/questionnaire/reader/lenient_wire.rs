//! Wire types of a request, read leniently; validation comes later.

use crate::lenient::{CowText, Lenient, LenientList, LenientRecord, ObjectMembers, members};
use serde::de::MapAccess;
use serde_json::{Number, Value};

/// The spec's `QuestionnaireParams`.
#[derive(Default)]
pub(crate) struct QuestionnaireRequestInput<'t> {
    pub(crate) questions: Lenient<LenientList<QuestionnaireItemInput<'t>>>,
}

/// The spec's `Question` of any type. Members that only some types have are boxed, because a request may have very many
/// elements that are no questions.
#[derive(Default)]
pub(crate) struct QuestionnaireItemInput<'t> {
    pub(crate) id: Lenient<CowText<'t>>,
    pub(crate) kind: Lenient<CowText<'t>>,
    pub(crate) label: Lenient<String>,
    pub(crate) prompt: Lenient<String>,
    pub(crate) details: Option<Box<QuestionnaireDetailsInput<'t>>>,
}

/// Members that only some types of question have.
#[derive(Default)]
pub(crate) struct QuestionnaireDetailsInput<'t> {
    pub(crate) constraints: Lenient<LenientList<QuestionnaireConstraintInput<'t>>>,
    pub(crate) children: Lenient<LenientList<QuestionnaireItemInput<'t>>>,
    pub(crate) show_if: Lenient<QuestionnaireShowIfInput<'t>>,
    pub(crate) max_select: Lenient<Number>,
    pub(crate) options: Lenient<LenientList<QuestionnaireOptionInput<'t>>>,
    pub(crate) placeholder: Lenient<String>,
    pub(crate) multiline: Lenient<bool>,
    pub(crate) yes_label: Lenient<String>,
    pub(crate) no_label: Lenient<String>,
    pub(crate) range: Lenient<QuestionnaireRangeInput>,
    pub(crate) show_emoji: Lenient<bool>,
    pub(crate) annotations: Lenient<LenientRecord<'t, String>>,
}

/// The spec's `Constraint`.
#[derive(Default)]
pub(crate) struct QuestionnaireConstraintInput<'t> {
    pub(crate) kind: Lenient<CowText<'t>>,
    pub(crate) value: Lenient<Value>,
    pub(crate) message: Lenient<String>,
}

/// The spec's `showIf`.
#[derive(Default)]
pub(crate) struct QuestionnaireShowIfInput<'t> {
    pub(crate) value: Lenient<CowText<'t>>,
}

/// The spec's `Option`.
#[derive(Default)]
pub(crate) struct QuestionnaireOptionInput<'t> {
    pub(crate) value: Lenient<CowText<'t>>,
    pub(crate) label: Lenient<String>,
    pub(crate) description: Lenient<String>,
}

/// The spec's `range` of a rating.
#[derive(Default)]
pub(crate) struct QuestionnaireRangeInput {
    pub(crate) min: Lenient<Number>,
    pub(crate) max: Lenient<Number>,
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
