//! Warnings about valid requests.

use super::fixed;
use super::wire::{FieldType, InteractionRequest, QuestionnaireField};
use crate::javascript;
use crate::judge::Place;
use crate::told::Told;
use sayso_core::message::{Message, Text};
use sayso_core::{Code, Problem};

/// Returns warnings about members that have no effect on a field of its type, or not the intended one.
pub(super) fn warnings(request: &InteractionRequest, schema_at: Place<'_>) -> Vec<Problem> {
    let mut warnings = Told::default();
    for (step, (section, fields)) in request.input_schema.steps().enumerate() {
        for (index, field) in fields.iter().enumerate() {
            inert(field, &mut |member, said| {
                warnings.add(|| {
                    let fields = match section {
                        Some(_) => schema_at().then("sections").then(step).then("fields"),
                        None => schema_at().then("fields"),
                    };
                    Problem::new(Code::BadConstraint, said()).at(fields.then(index).then(member))
                });
            });
        }
    }
    warnings.all()
}

type Warn<'w> = &'w mut dyn FnMut(&'static str, &dyn Fn() -> Text);

fn inert(field: &QuestionnaireField, warn: Warn<'_>) {
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
            if let Some(found) = found.as_ref().filter(|found| fixed::number(found).is_none()) {
                warn(member, &|| Message::ManyDigits.with([javascript::number(found)]));
            }
        }
        let step = field.step.as_ref().and_then(fixed::number);
        if let Some(step) = step.filter(|step| !step.is_positive()) {
            warn("step", &|| Message::StepNotPositive.with([step]));
        }
    }
}
