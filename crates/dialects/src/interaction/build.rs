//! From the spec's shapes to the questionnaire that is asked.

use super::beside::Beside;
use super::wire::{
    FieldType, InteractionRequest, OnTimeout, QuestionnaireField, QuestionnaireOption, QuestionnaireSection,
};
use super::{fixed, hear};
use crate::names;
use sayso_core::limits;
use sayso_core::message::Message;
use sayso_core::rules::LengthUnit;
use sayso_core::{
    Choice, Code, Completed, Confirm, Kind, NumberEntry, Opt, Path, Problem, Question, Questionnaire, Rules,
    Section, SectionId, TextEntry,
};

/// How the spec judges answers.
pub(super) fn rules() -> Rules {
    Rules {
        length_unit: LengthUnit::Utf16,
        trim_text: false,
        repeated_picks: true,
        must_be_true: true,
        loose_dates: true,
        ..Rules::default()
    }
}

/// The questionnaire of a request that was understood.
pub(super) fn questionnaire(request: &InteractionRequest) -> Questionnaire {
    let schema = &request.input_schema;
    let has_dates = schema
        .all_fields()
        .any(|field| matches!(field.kind, FieldType::Date | FieldType::Time | FieldType::Datetime));
    let rules = Rules { unjudged: !request.validate, loose_dates: !(request.strict && has_dates), ..rules() };
    let mut beside = Beside {
        prompt: request.prompt.clone(),
        presentation: request.presentation.clone(),
        on_timeout: (request.on_timeout != OnTimeout::Error).then_some(request.on_timeout),
        require_client: request.require_client,
        error_summary: request.error_summary.clone(),
        field_errors: request.field_errors.0.clone(),
        initial_values: schema.merged_initial_values().unwrap_or_default(),
        ..Beside::default()
    };
    let mut questionnaire = Questionnaire {
        title: schema.title.clone(),
        context: context(request.prompt.as_deref(), schema.description.as_deref()),
        submit: schema.submit_label.clone(),
        cancel: schema.cancel_label.clone(),
        completed: request.completed_view.as_ref().map(|view| Completed {
            answers: view.show_inputs.unwrap_or(true),
            summary: view.summary_template.clone(),
        }),
        rules,
        ..Questionnaire::default()
    };
    let steps = schema.steps();
    let mut section_ids =
        ids(steps.iter().filter_map(|(section, _)| Some(section.as_ref()?.id.as_str())), 's', 0);
    let mut question_ids = ids(schema.all_fields().map(|field| field.id.as_str()), 'q', 0);
    for (section, fields) in steps {
        let section = section.map(|section| {
            let (id, name) = section_ids.next().unwrap_or_default();
            beside.sections.extend(name.map(|name| (id.clone(), name)));
            let section = as_section(id, section);
            let id = section.id.clone();
            questionnaire.sections.push(section);
            id
        });
        for field in fields {
            let (id, key) = question_ids.next().unwrap_or_default();
            let question = question(field, (id, key), section.clone(), &questionnaire.rules, &mut beside);
            questionnaire.questions.push(question);
        }
    }
    beside.keep(&mut questionnaire);
    questionnaire
}

/// What stands above the form: the prompt, and below it what the form is about.
fn context(prompt: Option<&str>, description: Option<&str>) -> Option<String> {
    match (prompt, description) {
        (Some(prompt), Some(description)) => Some(format!("{prompt}{BETWEEN}{description}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// What stands between the prompt and the description.
pub(super) const BETWEEN: &str = "\n\n";

fn as_section(id: String, section: &QuestionnaireSection) -> Section {
    Section {
        title: section.title.clone(),
        detail: section.description.clone(),
        optional: section.optional == Some(true),
        submit: section.submit_label.clone(),
        ..Section::new(id)
    }
}

type Id = (String, Option<String>);

/// An id for each name, with the name where that is another.
fn ids<'n>(names: impl Iterator<Item = &'n str>, letter: char, first: usize) -> std::vec::IntoIter<Id> {
    let names: Vec<&str> = names.collect();
    let ids = names::ids(&names, letter, first, []);
    let named: Vec<_> = names.into_iter().zip(ids).map(|(name, id)| names::named(name, id)).collect();
    named.into_iter()
}

fn question(
    field: &QuestionnaireField,
    (id, key): Id,
    section: Option<SectionId>,
    rules: &Rules,
    beside: &mut Beside,
) -> Question {
    if matches!(field.kind, FieldType::Checkbox | FieldType::Radio) {
        beside.types.insert(id.clone(), field.kind);
    }
    let mut question = Question {
        key,
        section,
        detail: field.description.clone(),
        required: field.required == Some(true),
        unchecked: field.validate_on_client == Some(false),
        placeholder: field.placeholder.clone(),
        constraints: fixed::constraints(field),
        ..Question::new(id, field.label.clone(), kind(field))
    };
    // A null is nothing, and everything is said with that.
    let initial = beside.initial_values.remove(&field.id).filter(|value| !value.is_null());
    question.prefill = initial.as_ref().and_then(|value| hear::prefill(&question, rules, value));
    if question.prefill.is_none() {
        beside.initial_values.extend(initial.map(|value| (field.id.clone(), value)));
    }
    question
}

fn kind(field: &QuestionnaireField) -> Kind {
    let choice = |multi| Kind::Choice(Choice { options: options(field), multi, ..Choice::default() });
    match field.kind {
        FieldType::Text => Kind::Text(TextEntry { long: false }),
        FieldType::Textarea => Kind::Text(TextEntry { long: true }),
        FieldType::Number => {
            let step = field.step.as_ref().and_then(fixed::number);
            Kind::Number(NumberEntry { step: step.filter(|step| step.is_positive()) })
        }
        FieldType::Boolean | FieldType::Checkbox => Kind::Confirm(Confirm::default()),
        FieldType::Select | FieldType::Radio => choice(false),
        FieldType::Multiselect => choice(true),
        FieldType::Date => Kind::Date,
        FieldType::Time => Kind::Time,
        FieldType::Datetime => Kind::Datetime,
    }
}

fn options(field: &QuestionnaireField) -> Vec<Opt> {
    let options = field.options.as_deref().unwrap_or_default();
    let ids = ids(options.iter().map(|option| option.value.as_str()), 'o', 1);
    let option = |(option, (id, value)): (&QuestionnaireOption, Id)| Opt {
        value,
        ..Opt::new(id, option.label.clone())
    };
    options.iter().zip(ids).map(option).collect()
}

/// What the asker should know of a request though it is valid: members that say nothing about a field of its type.
pub(super) fn warnings(request: &InteractionRequest, schema_at: &Path) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for (step, (section, fields)) in request.input_schema.steps().into_iter().enumerate() {
        let place = || match section {
            Some(_) => schema_at.then("sections").then(step).then("fields"),
            None => schema_at.then("fields"),
        };
        for (index, field) in fields.iter().enumerate() {
            for (member, said) in inert(field) {
                if warnings.len() < limits::PROBLEMS {
                    let place = place().then(index).then(member);
                    warnings.push(Problem::new(Code::BadConstraint, said).at(place));
                }
            }
        }
    }
    warnings
}

fn inert(field: &QuestionnaireField) -> Vec<(&'static str, sayso_core::Text)> {
    let (is_text, is_number) = (field.kind.is_text(), field.kind == FieldType::Number);
    let too_long = |length: Option<u64>| length.is_some_and(|length| u32::try_from(length).is_err());
    let step = field.step.as_ref().filter(|_| is_number).and_then(fixed::number);
    let members = [
        ("options", field.options.is_some() && !field.kind.has_options()),
        ("min", field.min.is_some() && !is_number),
        ("max", field.max.is_some() && !is_number),
        ("step", field.step.is_some() && !is_number),
        ("minLength", field.min_length.is_some() && !is_text || too_long(field.min_length)),
        ("maxLength", field.max_length.is_some() && !is_text || too_long(field.max_length)),
        ("pattern", field.pattern.is_some() && !is_text),
    ];
    let name = FieldType::ALL.iter().find(|(_, kind)| *kind == field.kind).map_or("", |(name, _)| name);
    let inert = members.into_iter().filter(|(_, is)| *is);
    let mut said: Vec<_> =
        inert.map(|(member, _)| (member, Message::MemberDoesNotSuit.with([member, name]))).collect();
    if let Some(step) = step.filter(|step| !step.is_positive()) {
        said.push(("step", Message::StepNotPositive.with([step])));
    }
    said
}
