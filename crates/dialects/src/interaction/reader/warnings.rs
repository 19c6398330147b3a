//! Warnings about valid requests.

use crate::format::problem_list::ProblemList;
use crate::interaction::wire::{FieldType, InteractionRequest, QuestionnaireField, exact_number};
use crate::javascript;
use crate::lenient::validator::LazyPlace;
use sayso_core::i18n::own;
use sayso_core::{LocalizedText, Message};
use sayso_core::{Problem, ProblemCode};

/// Returns warnings about members that have no effect on a field of its type, or not the intended one.
pub(crate) fn find_warnings(request: &InteractionRequest, schema: LazyPlace<'_>) -> Vec<Problem> {
    let mut warnings = ProblemList::default();
    let sections = schema.member("sections");
    for (step, (section, fields)) in request.input_schema.steps().enumerate() {
        let section_place = sections.element(step);
        let around = if section.is_some() { section_place } else { schema };
        let fields_place = around.member("fields");
        for (index, field) in fields.iter().enumerate() {
            warn_of_inert_members(field, fields_place.element(index), &mut warnings);
        }
    }
    warnings.into_problems()
}

fn warn_of_inert_members(field: &QuestionnaireField, place: LazyPlace<'_>, warnings: &mut ProblemList) {
    let is_text = field.kind.is_text();
    let is_number = field.kind == FieldType::Number;
    let members = [
        ("options", field.options.is_some() && !field.kind.has_options()),
        ("min", field.min.is_some() && !is_number),
        ("max", field.max.is_some() && !is_number),
        ("step", field.step.is_some() && !is_number),
        ("minLength", field.min_length.is_some() && !is_text),
        ("maxLength", field.max_length.is_some() && !is_text),
        ("pattern", field.pattern.is_some() && !is_text),
    ];
    for (member, is_inert) in members {
        if is_inert {
            warnings.add(|| {
                let message = Message::MemberDoesNotSuit.with([member, field.kind.name()]);
                warning(message, place.member(member))
            });
        }
    }
    if is_text {
        for (member, length) in [("minLength", field.min_length), ("maxLength", field.max_length)] {
            if let Some(length) = length
                && u32::try_from(length).is_err()
            {
                warnings.add(|| warning(Message::LengthBeyond.with([length]), place.member(member)));
            }
        }
    }
    if is_number {
        for (member, number) in [("min", &field.min), ("max", &field.max), ("step", &field.step)] {
            if let Some(number) = number
                && exact_number(number).is_none()
            {
                warnings.add(|| {
                    let message = Message::ManyDigits.with([own(javascript::number_to_string(number))]);
                    warning(message, place.member(member))
                });
            }
        }
        if let Some(step) = field.step.as_ref().and_then(exact_number)
            && !step.is_positive()
        {
            warnings.add(|| warning(Message::StepNotPositive.with([step]), place.member("step")));
        }
    }
}

fn warning(message: LocalizedText, place: LazyPlace<'_>) -> Problem {
    Problem::new(ProblemCode::BadConstraint, message).at(place.path())
}
