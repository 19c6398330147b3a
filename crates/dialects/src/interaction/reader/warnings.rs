//! Warnings about valid requests.

use crate::format::problem_list::ProblemList;
use crate::interaction::wire::{FieldType, InteractionRequest, QuestionnaireField, exact_number};
use crate::javascript;
use crate::lenient::validator::LazyPlace;
use sayso_core::i18n::own;
use sayso_core::{LocalizedText, Message};
use sayso_core::{Problem, ProblemCode};

/// Returns warnings about members that have no effect on a field of its type, or not the intended one.
pub(crate) fn find_warnings(request: &InteractionRequest, schema_at: LazyPlace<'_>) -> Vec<Problem> {
    let mut warnings = ProblemList::default();
    for (step, (section, fields)) in request.input_schema.steps().enumerate() {
        for (index, field) in fields.iter().enumerate() {
            warn_of_inert_members(field, &mut |member, text| {
                warnings.add(|| {
                    let fields = match section {
                        Some(_) => schema_at().join("sections").join(step).join("fields"),
                        None => schema_at().join("fields"),
                    };
                    Problem::new(ProblemCode::BadConstraint, text()).at(fields.join(index).join(member))
                });
            });
        }
    }
    warnings.into_problems()
}

type WarnFn<'w> = &'w mut dyn FnMut(&'static str, &dyn Fn() -> LocalizedText);

fn warn_of_inert_members(field: &QuestionnaireField, warn: WarnFn<'_>) {
    let (is_text, is_number) = (field.kind.is_text(), field.kind == FieldType::Number);
    let members = [
        ("options", field.options.is_some() && !field.kind.has_options()),
        ("min", field.min.is_some() && !is_number),
        ("max", field.max.is_some() && !is_number),
        ("step", field.step.is_some() && !is_number),
        ("minLength", field.min_length.is_some() && !is_text),
        ("maxLength", field.max_length.is_some() && !is_text),
        ("pattern", field.pattern.is_some() && !is_text),
    ];
    for (member, _) in members.into_iter().filter(|(_, is_inert)| *is_inert) {
        warn(member, &|| Message::MemberDoesNotSuit.with([member, field.kind.name()]));
    }
    if is_text {
        let lengths = [("minLength", field.min_length), ("maxLength", field.max_length)];
        for (member, length) in lengths {
            if let Some(length) = length.filter(|length| u32::try_from(*length).is_err()) {
                warn(member, &|| Message::LengthBeyond.with([length]));
            }
        }
    }
    if is_number {
        for (member, found) in [("min", &field.min), ("max", &field.max), ("step", &field.step)] {
            if let Some(found) = found.as_ref().filter(|found| exact_number(found).is_none()) {
                warn(member, &|| Message::ManyDigits.with([own(javascript::number_to_string(found))]));
            }
        }
        let step = field.step.as_ref().and_then(exact_number);
        if let Some(step) = step.filter(|step| !step.is_positive()) {
            warn("step", &|| Message::StepNotPositive.with([step]));
        }
    }
}
