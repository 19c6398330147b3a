//! Original forms: a client is shown the asker's own `inputSchema`, member for member.

use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::reader::{builder, parse_request};
use crate::interaction::wire::{FieldType, InteractionRequest, QuestionnaireField, QuestionnaireSchema};
use crate::lenient;
use sayso_core::Questionnaire;
use sayso_core::wire::json;
use serde_json::{Map, Number, Value};

/// Returns the form to store with a questionnaire as JSON text, which takes a third of the time of a tree of values;
/// `None` if the questionnaire alone reproduces it.
pub(crate) fn stored_form(schema: &QuestionnaireSchema, is_further_round: bool) -> Option<String> {
    // A further round is written with initial values, even if there are none.
    let is_usual = |values: &Map<String, Value>| is_further_round && values.is_empty();
    let differs = schema.initial_values.as_ref().is_some_and(|values| !is_usual(values))
        || (schema.fields.is_some() && schema.sections.is_some())
        || schema.sections.iter().flatten().any(|section| section.optional == Some(false))
        || schema.all_fields().any(may_change);
    differs.then(|| json::write(schema))
}

/// Returns whether a field may change in the round trip through a question.
fn may_change(field: &QuestionnaireField) -> bool {
    let (is_text, is_number) = (field.kind.is_text(), field.kind == FieldType::Number);
    let is_exact = |number: &Number| is_number && (number.is_i64() || number.is_u64());
    let numbers = [&field.min, &field.max, &field.step];
    let lengths = [field.min_length, field.max_length];
    field.default_value.is_some()
        || field.required == Some(false)
        || field.validate_on_client == Some(true)
        || (field.options.is_some() && !field.kind.has_options())
        || numbers.into_iter().flatten().any(|number| !is_exact(number))
        || lengths.into_iter().flatten().any(|length| !is_text || u32::try_from(length).is_err())
        || field.pattern.as_ref().is_some_and(|pattern| !is_text || pattern.source().is_empty())
}

/// Returns the stored original form if it still has the same content as the questionnaire.
pub(crate) fn original_schema(
    questionnaire: &Questionnaire,
    made: &InteractionRequest,
) -> Option<QuestionnaireSchema> {
    let kept = InteractionExtensions::from_questionnaire(questionnaire).original_form?;
    let input_schema = parse_request::parse_any_form(lenient::read(&kept).ok()?).ok()?.request.input_schema;
    let again = builder::build_questionnaire(InteractionRequest {
        input_schema: input_schema.clone(),
        ..made.clone()
    });
    // The stored extensions are no part of the content.
    let is_same = Questionnaire { extensions: questionnaire.extensions.clone(), ..again } == *questionnaire;
    is_same.then_some(input_schema)
}
