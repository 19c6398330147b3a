//! Validation of a schema: the same checks and messages as the spec's Zod schema, in the order of its members.

use super::lenient_wire::{
    InteractionFieldInput, InteractionOptionInput, InteractionSchemaInput, InteractionSectionInput,
};
use crate::format::problem_list::verbatim;
use crate::interaction::messages;
use crate::interaction::wire::{
    FieldType, QuestionnaireField, QuestionnaireOption, QuestionnaireSchema, QuestionnaireSection,
};
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording::RequestIssue;
use crate::lenient::{CowText, Lenient, LenientList, LenientRecord};
use crate::names;
use sayso_core::LocalizedText;
use sayso_core::limits;
use sayso_core::pattern::budget;
use sayso_core::{LazyPattern, Message, Problem, ProblemCode};
use serde_json::{Map, Number, Value};

/// Types of fields, as Zod lists the members of an expected enumeration.
const TYPES: &str = "'text' | 'textarea' | 'number' | 'boolean' | 'select' | 'multiselect' | 'checkbox' | 'radio' | 'date' | 'time' | 'datetime'";

/// Validates a schema and returns it as far as it can be read.
pub(crate) fn validate_schema(
    judge: &mut RequestValidator,
    schema: InteractionSchemaInput<'_>,
    place: LazyPlace<'_>,
) -> QuestionnaireSchema {
    let at = |member: &'static str| move || place().join(member);
    let title = judge.optional(schema.title, &at("title"));
    let description = judge.optional(schema.description, &at("description"));
    let fields = validate_fields(judge, schema.fields, &at("fields"));
    let sections = match schema.sections {
        Lenient::Missing => None,
        found => {
            let sections = judge.required_list(found, (0, limits::SECTIONS), &at("sections"));
            let section = |(index, found)| validate_section(judge, found, &|| at("sections")().join(index));
            Some(sections.into_iter().enumerate().filter_map(section).collect())
        }
    };
    let read = QuestionnaireSchema {
        title,
        description,
        fields,
        sections,
        submit_label: judge.optional(schema.submit_label, &at("submitLabel")),
        cancel_label: judge.optional(schema.cancel_label, &at("cancelLabel")),
        initial_values: validate_record(judge, schema.initial_values, &at("initialValues")),
    };
    let has_fields = read.fields.as_ref().is_some_and(|fields| !fields.is_empty());
    let has_sections = read.sections.as_ref().is_some_and(|sections| !sections.is_empty());
    if judge.is_clean() && has_fields == has_sections {
        judge.report(
            ProblemCode::InvalidRequest,
            LocalizedText::Verbatim(messages::INVALID_INPUT.to_owned()),
            place,
        );
    }
    read
}

fn validate_fields(
    judge: &mut RequestValidator,
    found: Lenient<LenientList<Box<InteractionFieldInput<'_>>>>,
    place: LazyPlace<'_>,
) -> Option<Vec<QuestionnaireField>> {
    found.is_present().then(|| validate_field_list(judge, found, place))
}

fn validate_field_list(
    judge: &mut RequestValidator,
    found: Lenient<LenientList<Box<InteractionFieldInput<'_>>>>,
    place: LazyPlace<'_>,
) -> Vec<QuestionnaireField> {
    let fields = judge.required_list(found, (0, limits::QUESTIONS), place);
    let mut all = Vec::with_capacity(fields.len());
    let read = |(index, found)| validate_field(judge, found, &|| place().join(index));
    all.extend(fields.into_iter().enumerate().filter_map(read));
    all
}

fn validate_section(
    judge: &mut RequestValidator,
    found: Lenient<InteractionSectionInput<'_>>,
    place: LazyPlace<'_>,
) -> Option<QuestionnaireSection> {
    let section = judge.required(found, place)?;
    let at = |member: &'static str| move || place().join(member);
    Some(QuestionnaireSection {
        id: judge.required(section.id, &at("id")).unwrap_or_default().into(),
        title: judge.optional(section.title, &at("title")),
        description: judge.optional(section.description, &at("description")),
        fields: validate_field_list(judge, section.fields, &at("fields")),
        optional: judge.optional(section.optional, &at("optional")),
        submit_label: judge.optional(section.submit_label, &at("submitLabel")),
    })
}

fn validate_field(
    judge: &mut RequestValidator,
    found: Lenient<Box<InteractionFieldInput<'_>>>,
    place: LazyPlace<'_>,
) -> Option<QuestionnaireField> {
    let field = judge.required(found, place)?;
    let at = |member: &'static str| move || place().join(member);
    Some(QuestionnaireField {
        id: judge.required(field.id, &at("id")).unwrap_or_default().into(),
        kind: validate_field_type(judge, field.kind, &at("type")),
        label: judge.required(field.label, &at("label")).unwrap_or_default(),
        description: judge.optional(field.description, &at("description")),
        required: judge.optional(field.required, &at("required")),
        placeholder: judge.optional(field.placeholder, &at("placeholder")),
        default_value: judge.optional(field.default_value, &at("defaultValue")),
        validate_on_client: judge.optional(field.validate_on_client, &at("validateOnClient")),
        options: validate_options(judge, field.options, &at("options")),
        min: judge.optional(field.min, &at("min")),
        max: judge.optional(field.max, &at("max")),
        step: judge.optional(field.step, &at("step")),
        min_length: validate_length(judge, field.min_length, &at("minLength")),
        max_length: validate_length(judge, field.max_length, &at("maxLength")),
        pattern: judge.optional(field.pattern, &at("pattern")).map(LazyPattern::new),
    })
}

fn validate_field_type(
    judge: &mut RequestValidator,
    found: Lenient<CowText<'_>>,
    place: LazyPlace<'_>,
) -> FieldType {
    let name = match found {
        Lenient::WrongType(found) => {
            judge.report_issue(&RequestIssue::WrongType { expected: TYPES, found }, place);
            None
        }
        found => judge.required(found, place),
    };
    let Some(name) = name else { return FieldType::Text };
    FieldType::parse(&name).unwrap_or_else(|| {
        let allowed = FieldType::ALL.map(|(name, _)| name);
        judge.report_issue(&RequestIssue::NoneOf { allowed: &allowed, found: &name }, place);
        FieldType::Text
    })
}

fn validate_options(
    judge: &mut RequestValidator,
    found: Lenient<LenientList<InteractionOptionInput<'_>>>,
    place: LazyPlace<'_>,
) -> Option<Vec<QuestionnaireOption>> {
    if !found.is_present() {
        return None;
    }
    let entries = judge.required_list(found, (0, limits::OPTIONS), place);
    let option = |(index, found): (usize, Lenient<InteractionOptionInput<'_>>)| {
        let place = || place().join(index);
        let entry = judge.required(found, &place)?;
        Some(QuestionnaireOption {
            label: judge.required(entry.label, &|| place().join("label")).unwrap_or_default(),
            value: judge.required(entry.value, &|| place().join("value")).unwrap_or_default().into(),
        })
    };
    let mut options = Vec::with_capacity(entries.len());
    options.extend(entries.into_iter().enumerate().filter_map(option));
    Some(options)
}

fn validate_length(
    judge: &mut RequestValidator,
    found: Lenient<Number>,
    place: LazyPlace<'_>,
) -> Option<u64> {
    let is_negative = matches!(&found, Lenient::Value(number) if number.as_f64().is_some_and(|n| n < 0.0));
    let whole = judge.optional_integer(found, place);
    if is_negative {
        let words = messages::NEGATIVE_LENGTH.to_owned();
        judge.report(ProblemCode::TooSmall, LocalizedText::Verbatim(words), place);
    }
    whole.and_then(|whole| u64::try_from(whole).ok())
}

/// Validates an object with members of any names.
pub(crate) fn validate_record(
    judge: &mut RequestValidator,
    found: Lenient<LenientRecord<'_, Value>>,
    place: LazyPlace<'_>,
) -> Option<Map<String, Value>> {
    let record = judge.optional(found, place)?;
    let member = |(name, value): (CowText<'_>, Lenient<Value>)| match value {
        Lenient::Value(value) => Some((name.into_owned(), value)),
        Lenient::Missing | Lenient::WrongType(_) => None,
    };
    Some(record.0.into_iter().filter_map(member).collect())
}

/// Returns the problems across the members of a schema that has the right shape, in the words of the spec's tool.
pub(crate) fn validate_across_members(schema: &QuestionnaireSchema, place: LazyPlace<'_>) -> Vec<Problem> {
    let (mut problems, mut ids) = (Vec::new(), names::SeenNames::default());
    let (mut patterns, mut bad) = (0, 0);
    for (step, (section, fields)) in schema.steps().enumerate() {
        let place = || match section {
            Some(_) => place().join("sections").join(step).join("fields"),
            None => place().join("fields"),
        };
        for (index, field) in fields.iter().enumerate() {
            let at = |member: &str| place().join(index).join(member);
            let mut tell = |code, words: String, member: &str| {
                problems.push(verbatim(code, words).at(at(member)));
            };
            let id = &field.id;
            if !ids.insert(id.as_str()) {
                tell(ProblemCode::DuplicateId, messages::duplicate_id(id.as_str()), "id");
            }
            if field.kind.has_options() && field.options.as_ref().is_none_or(Vec::is_empty) {
                tell(ProblemCode::NoSuchOption, messages::options_missing(id.as_str()), "options");
            }
            let Some(pattern) = field.pattern.as_ref().filter(|pattern| !pattern.source().is_empty()) else {
                continue;
            };
            patterns += 1;
            if patterns > budget::PATTERNS || bad > budget::BAD_PATTERNS {
                continue;
            }
            if let Err(fault) = pattern.compiled() {
                bad += 1;
                let problem = verbatim(ProblemCode::BadPattern, messages::invalid_pattern(id.as_str()));
                problems.push(problem.at(at("pattern")).with_hint(Problem::from(fault).message));
            }
        }
    }
    if patterns > budget::PATTERNS {
        let fault = Message::ManyPatterns.with([budget::PATTERNS, patterns]);
        problems.push(Problem::new(ProblemCode::TooBig, fault).at(place()));
    }
    problems
}
