//! Wire types of a request, read leniently; validation comes later.

use crate::lenient::{CowText, Lenient, LenientList, LenientRecord, ObjectMembers, lenient_objects};
use serde::de::MapAccess;
use serde_json::{Number, Value};

lenient_objects! {
    /// The spec's `QuestionnaireParams`.
    QuestionnaireRequestInput<'t> {
        questions: "questions" => LenientList<QuestionnaireItemInput<'t>>,
    }
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

lenient_objects! {
    /// Members that only some types of question have.
    QuestionnaireDetailsInput<'t> {
        constraints: "constraints" => LenientList<QuestionnaireConstraintInput<'t>>,
        children: "children" => LenientList<QuestionnaireItemInput<'t>>,
        show_if: "showIf" => QuestionnaireShowIfInput<'t>,
        max_select: "maxSelect" => Number,
        options: "options" => LenientList<QuestionnaireOptionInput<'t>>,
        placeholder: "placeholder" => String,
        multiline: "multiline" => bool,
        yes_label: "yesLabel" => String,
        no_label: "noLabel" => String,
        range: "range" => QuestionnaireRangeInput,
        show_emoji: "showEmoji" => bool,
        annotations: "annotations" => LenientRecord<'t, String>,
    }

    /// The spec's `Constraint`.
    QuestionnaireConstraintInput<'t> {
        kind: "type" => CowText<'t>,
        value: "value" => Value,
        message: "message" => String,
    }

    /// The spec's `showIf`.
    QuestionnaireShowIfInput<'t> {
        value: "value" => CowText<'t>,
    }

    /// The spec's `Option`.
    QuestionnaireOptionInput<'t> {
        value: "value" => CowText<'t>,
        label: "label" => String,
        description: "description" => String,
    }

    /// The spec's `range` of a rating.
    QuestionnaireRangeInput {
        min: "min" => Number,
        max: "max" => Number,
    }
}

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
