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
    let title = judge.optional(schema.title, place.member("title"));
    let description = judge.optional(schema.description, place.member("description"));
    let fields = validate_fields(judge, schema.fields, place.member("fields"));
    let sections = match schema.sections {
        Lenient::Missing => None,
        sections => Some(validate_sections(judge, sections, place.member("sections"))),
    };
    let valid_part = QuestionnaireSchema {
        title,
        description,
        fields,
        sections,
        submit_label: judge.optional(schema.submit_label, place.member("submitLabel")),
        cancel_label: judge.optional(schema.cancel_label, place.member("cancelLabel")),
        initial_values: validate_record(judge, schema.initial_values, place.member("initialValues")),
    };
    let has_fields = valid_part.fields.as_ref().is_some_and(|fields| !fields.is_empty());
    let has_sections = valid_part.sections.as_ref().is_some_and(|sections| !sections.is_empty());
    if judge.is_clean() && has_fields == has_sections {
        judge.report(
            ProblemCode::InvalidRequest,
            LocalizedText::Verbatim(messages::INVALID_INPUT.to_owned()),
            place,
        );
    }
    valid_part
}

fn validate_fields(
    judge: &mut RequestValidator,
    list: Lenient<LenientList<Box<InteractionFieldInput<'_>>>>,
    place: LazyPlace<'_>,
) -> Option<Vec<QuestionnaireField>> {
    if list.is_present() { Some(validate_field_list(judge, list, place)) } else { None }
}

fn validate_field_list(
    judge: &mut RequestValidator,
    list: Lenient<LenientList<Box<InteractionFieldInput<'_>>>>,
    place: LazyPlace<'_>,
) -> Vec<QuestionnaireField> {
    let items = judge.required_list(list, (0, limits::QUESTIONS), place);
    let mut fields = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        fields.extend(validate_field(judge, item, place.element(index)));
    }
    fields
}

fn validate_sections(
    judge: &mut RequestValidator,
    list: Lenient<LenientList<InteractionSectionInput<'_>>>,
    place: LazyPlace<'_>,
) -> Vec<QuestionnaireSection> {
    let items = judge.required_list(list, (0, limits::SECTIONS), place);
    let mut sections = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        sections.extend(validate_section(judge, item, place.element(index)));
    }
    sections
}

fn validate_section(
    judge: &mut RequestValidator,
    item: Lenient<InteractionSectionInput<'_>>,
    place: LazyPlace<'_>,
) -> Option<QuestionnaireSection> {
    let section = judge.required(item, place)?;
    Some(QuestionnaireSection {
        id: judge.required(section.id, place.member("id")).unwrap_or_default().into(),
        title: judge.optional(section.title, place.member("title")),
        description: judge.optional(section.description, place.member("description")),
        fields: validate_field_list(judge, section.fields, place.member("fields")),
        optional: judge.optional(section.optional, place.member("optional")),
        submit_label: judge.optional(section.submit_label, place.member("submitLabel")),
    })
}

fn validate_field(
    judge: &mut RequestValidator,
    item: Lenient<Box<InteractionFieldInput<'_>>>,
    place: LazyPlace<'_>,
) -> Option<QuestionnaireField> {
    let field = judge.required(item, place)?;
    Some(QuestionnaireField {
        id: judge.required(field.id, place.member("id")).unwrap_or_default().into(),
        kind: validate_field_type(judge, field.kind, place.member("type")),
        label: judge.required(field.label, place.member("label")).unwrap_or_default(),
        description: judge.optional(field.description, place.member("description")),
        required: judge.optional(field.required, place.member("required")),
        placeholder: judge.optional(field.placeholder, place.member("placeholder")),
        default_value: judge.optional(field.default_value, place.member("defaultValue")),
        validate_on_client: judge.optional(field.validate_on_client, place.member("validateOnClient")),
        options: validate_options(judge, field.options, place.member("options")),
        min: judge.optional(field.min, place.member("min")),
        max: judge.optional(field.max, place.member("max")),
        step: judge.optional(field.step, place.member("step")),
        min_length: validate_length(judge, field.min_length, place.member("minLength")),
        max_length: validate_length(judge, field.max_length, place.member("maxLength")),
        pattern: judge.optional(field.pattern, place.member("pattern")).map(LazyPattern::new),
    })
}

fn validate_field_type(
    judge: &mut RequestValidator,
    name: Lenient<CowText<'_>>,
    place: LazyPlace<'_>,
) -> FieldType {
    if let Lenient::WrongType(found) = name {
        judge.report_issue(&RequestIssue::WrongType { expected: TYPES, found }, place);
        return FieldType::Text;
    }
    let Some(name) = judge.required(name, place) else { return FieldType::Text };
    if let Some(field_type) = FieldType::parse(&name) {
        return field_type;
    }
    let allowed = FieldType::ALL.map(|(name, _)| name);
    judge.report_issue(&RequestIssue::NoneOf { allowed: &allowed, found: &name }, place);
    FieldType::Text
}

fn validate_options(
    judge: &mut RequestValidator,
    list: Lenient<LenientList<InteractionOptionInput<'_>>>,
    place: LazyPlace<'_>,
) -> Option<Vec<QuestionnaireOption>> {
    if !list.is_present() {
        return None;
    }
    let items = judge.required_list(list, (0, limits::OPTIONS), place);
    let mut options = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let place = place.element(index);
        let Some(option) = judge.required(item, place) else { continue };
        options.push(QuestionnaireOption {
            label: judge.required(option.label, place.member("label")).unwrap_or_default(),
            value: judge.required(option.value, place.member("value")).unwrap_or_default().into(),
        });
    }
    Some(options)
}

fn validate_length(
    judge: &mut RequestValidator,
    length: Lenient<Number>,
    place: LazyPlace<'_>,
) -> Option<u64> {
    let is_negative = matches!(&length, Lenient::Value(number) if number.as_f64() < Some(0.0));
    let whole = judge.optional_integer(length, place);
    if is_negative {
        let words = messages::NEGATIVE_LENGTH.to_owned();
        judge.report(ProblemCode::TooSmall, LocalizedText::Verbatim(words), place);
    }
    u64::try_from(whole?).ok()
}

/// Validates an object with members of any names.
pub(crate) fn validate_record(
    judge: &mut RequestValidator,
    record: Lenient<LenientRecord<'_, Value>>,
    place: LazyPlace<'_>,
) -> Option<Map<String, Value>> {
    let LenientRecord(members) = judge.optional(record, place)?;
    let mut values = Map::new();
    for (name, value) in members {
        if let Lenient::Value(value) = value {
            values.insert(name.into_owned(), value);
        }
    }
    Some(values)
}

/// Returns the problems across the members of a schema that has the right shape, in the words of the spec's tool.
pub(crate) fn validate_across_members(schema: &QuestionnaireSchema, place: LazyPlace<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut ids = names::SeenNames::default();
    let mut pattern_count = 0;
    let mut bad_pattern_count = 0;
    let sections = place.member("sections");
    for (step, (section, fields)) in schema.steps().enumerate() {
        let section_place = sections.element(step);
        let around = if section.is_some() { section_place } else { place };
        let fields_place = around.member("fields");
        for (index, field) in fields.iter().enumerate() {
            let place = fields_place.element(index);
            let id = field.id.as_str();
            if !ids.insert(id) {
                let problem = verbatim(ProblemCode::DuplicateId, messages::duplicate_id(id));
                problems.push(problem.at(place.member("id").path()));
            }
            if field.kind.has_options() && field.options.as_ref().is_none_or(Vec::is_empty) {
                let problem = verbatim(ProblemCode::NoSuchOption, messages::options_missing(id));
                problems.push(problem.at(place.member("options").path()));
            }
            let Some(pattern) = &field.pattern else { continue };
            if pattern.source().is_empty() {
                continue;
            }
            pattern_count += 1;
            if pattern_count > budget::PATTERNS || bad_pattern_count > budget::BAD_PATTERNS {
                continue;
            }
            if let Err(fault) = pattern.compiled() {
                bad_pattern_count += 1;
                let problem = verbatim(ProblemCode::BadPattern, messages::invalid_pattern(id));
                let problem = problem.at(place.member("pattern").path());
                problems.push(problem.with_hint(Problem::from(fault).message));
            }
        }
    }
    if pattern_count > budget::PATTERNS {
        let fault = Message::ManyPatterns.with([budget::PATTERNS, pattern_count]);
        problems.push(Problem::new(ProblemCode::TooBig, fault).at(place.path()));
    }
    problems
}
