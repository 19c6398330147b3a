//! Original forms: a client is shown the asker's own `inputSchema`, member for member.

use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::reader::{builder, parse_request};
use crate::interaction::wire::{FieldType, InteractionRequest, QuestionnaireField, QuestionnaireSchema};
use crate::lenient;
use sayso_core::Questionnaire;
use sayso_core::wire::json;

/// Returns the form to store with a questionnaire as JSON text, which takes a third of the time of a tree of values;
/// `None` if the questionnaire alone reproduces it.
pub(crate) fn stored_form(schema: &QuestionnaireSchema, is_further_round: bool) -> Option<String> {
    // A further round is written with initial values, even if there are none.
    let has_usual_values = match &schema.initial_values {
        Some(values) => is_further_round && values.is_empty(),
        None => true,
    };
    let has_both_forms = schema.fields.is_some() && schema.sections.is_some();
    let mut sections = schema.sections.iter().flatten();
    let is_reproduced = has_usual_values
        && !has_both_forms
        && sections.all(|section| section.optional != Some(false))
        && !schema.all_fields().any(may_change);
    if is_reproduced { None } else { Some(json::write(schema)) }
}

/// Returns whether a field may change in the round trip through a question.
fn may_change(field: &QuestionnaireField) -> bool {
    let is_number = field.kind == FieldType::Number;
    for number in [&field.min, &field.max, &field.step].into_iter().flatten() {
        // A float may be written with other digits.
        if !is_number || number.is_f64() {
            return true;
        }
    }
    let is_text = field.kind.is_text();
    for length in [field.min_length, field.max_length].into_iter().flatten() {
        if !is_text || u32::try_from(length).is_err() {
            return true;
        }
    }
    if let Some(pattern) = &field.pattern
        && (!is_text || pattern.source().is_empty())
    {
        return true;
    }
    field.default_value.is_some()
        || field.required == Some(false)
        || field.validate_on_client == Some(true)
        || (field.options.is_some() && !field.kind.has_options())
}

/// Returns the stored original form if it still has the same content as the questionnaire.
pub(crate) fn original_schema(
    questionnaire: &Questionnaire,
    made: &InteractionRequest,
) -> Option<QuestionnaireSchema> {
    let original_form = InteractionExtensions::from_questionnaire(questionnaire).original_form?;
    let original = parse_request::parse_any_form(lenient::read(&original_form).ok()?).ok()?;
    let input_schema = original.request.input_schema;
    let again = builder::build_questionnaire(InteractionRequest {
        input_schema: input_schema.clone(),
        ..made.clone()
    });
    // The stored extensions are no part of the content.
    let is_same = Questionnaire { extensions: questionnaire.extensions.clone(), ..again } == *questionnaire;
    if is_same { Some(input_schema) } else { None }
}
