//! Field that asks a question.

use crate::interaction::answers::parse_answer;
use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::tool::writer;
use crate::interaction::wire::{FieldType, QuestionnaireField, QuestionnaireOption};
use sayso_core::{ComparisonValue, Constraint, LineFormat, Question, QuestionInput, Requirement};
use serde_json::Value as Json;

/// Returns the field that asks a question.
pub(super) fn build_field(
    question: &Question,
    name: &str,
    extensions: &InteractionExtensions,
) -> QuestionnaireField {
    let kind = field_type(question, extensions);
    let mut field = QuestionnaireField {
        id: name.into(),
        kind,
        label: question.prompt.clone(),
        description: question.detail.clone(),
        required: if question.required { Some(true) } else { None },
        placeholder: question.placeholder.clone(),
        default_value: question.prefill.as_ref().map(|answer| writer::answer_value(question, answer)),
        validate_on_client: if question.validates_on_submit { Some(false) } else { None },
        options: if kind.has_options() { Some(field_options(question)) } else { None },
        min: None,
        max: None,
        step: None,
        min_length: None,
        max_length: None,
        pattern: None,
    };
    if let QuestionInput::Line(LineFormat::Number { step: Some(step) }) = question.input() {
        field.step = json_number(&step);
    }
    for demand in question.constraints.iter().flat_map(Constraint::requirements) {
        apply_demand(&mut field, demand);
    }
    field
}

/// Writes a demand to a field, if the field can express it and has none of the same kind.
fn apply_demand(field: &mut QuestionnaireField, demand: &Requirement) {
    let is_text = field.kind.is_text();
    let is_number = field.kind == FieldType::Number;
    match demand {
        Requirement::MinLength(length) if is_text => {
            field.min_length.get_or_insert((*length).into());
        }
        Requirement::MaxLength(length) if is_text => {
            field.max_length.get_or_insert((*length).into());
        }
        Requirement::Pattern(pattern) if is_text && field.pattern.is_none() => {
            field.pattern = Some(pattern.clone());
        }
        Requirement::Min(value) if is_number && field.min.is_none() => field.min = number_bound(value),
        Requirement::Max(value) if is_number && field.max.is_none() => field.max = number_bound(value),
        _ => {}
    }
}

fn number_bound(value: &ComparisonValue) -> Option<serde_json::Number> {
    match value {
        ComparisonValue::Number(value) => json_number(value),
        ComparisonValue::Text(_) | ComparisonValue::Bool(_) => None,
    }
}

/// Converts a number to exactly the same JSON number.
fn json_number(number: &sayso_core::Number) -> Option<serde_json::Number> {
    match serde_json::to_value(number) {
        Ok(Json::Number(number)) => Some(number),
        _ => None,
    }
}

fn field_type(question: &Question, extensions: &InteractionExtensions) -> FieldType {
    let usual = parse_answer::field_type(question);
    match (usual, extensions.types.get(question.id.as_str())) {
        (FieldType::Boolean, Some(FieldType::Checkbox)) => FieldType::Checkbox,
        (FieldType::Select, Some(FieldType::Radio)) => FieldType::Radio,
        _ => usual,
    }
}

fn field_options(question: &Question) -> Vec<QuestionnaireOption> {
    let Some(choice) = question.choice() else { return Vec::new() };
    let mut options = Vec::with_capacity(choice.options.len());
    for option in &choice.options {
        let label = option.label.clone();
        options.push(QuestionnaireOption { label, value: option.sent_value().into() });
    }
    options
}
