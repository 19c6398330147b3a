//! Validation of a schema: the same checks and messages as the spec's Zod schema, in the order of its members.

use super::loose_wire::{
    InteractionFieldInput, InteractionOptionInput, InteractionSchemaInput, InteractionSectionInput,
};
use super::wire::{
    FieldType, QuestionnaireField, QuestionnaireOption, QuestionnaireSchema, QuestionnaireSection,
};
use crate::judge::{Issue, Judge, Place};
use crate::loose::{List, Loose, Record, Words};
use crate::names;
use sayso_core::limits;
use sayso_core::message::Text;
use sayso_core::{Code, LazyPattern, Message, Problem};
use serde_json::{Map, Number, Value};

/// Types of fields, as Zod lists the members of an expected enumeration.
const TYPES: &str = "'text' | 'textarea' | 'number' | 'boolean' | 'select' | 'multiselect' | 'checkbox' | 'radio' | 'date' | 'time' | 'datetime'";

/// Most patterns that are reported as invalid.
const BAD_PATTERNS: usize = 10;

/// Validates a schema and returns it as far as it can be read.
pub(super) fn schema(
    judge: &mut Judge,
    schema: InteractionSchemaInput<'_>,
    place: Place<'_>,
) -> QuestionnaireSchema {
    let at = |member: &'static str| move || place().then(member);
    let title = judge.allow(schema.title, &at("title"));
    let description = judge.allow(schema.description, &at("description"));
    let fields = fields(judge, schema.fields, &at("fields"));
    let sections = match schema.sections {
        Loose::Missing => None,
        found => {
            let sections = judge.list(found, (0, limits::SECTIONS), &at("sections"));
            let section = |(index, found)| section(judge, found, &|| at("sections")().then(index));
            Some(sections.into_iter().enumerate().filter_map(section).collect())
        }
    };
    let read = QuestionnaireSchema {
        title,
        description,
        fields,
        sections,
        submit_label: judge.allow(schema.submit_label, &at("submitLabel")),
        cancel_label: judge.allow(schema.cancel_label, &at("cancelLabel")),
        initial_values: record(judge, schema.initial_values, &at("initialValues")),
    };
    let has_fields = read.fields.as_ref().is_some_and(|fields| !fields.is_empty());
    let has_sections = read.sections.as_ref().is_some_and(|sections| !sections.is_empty());
    if judge.is_clean() && has_fields == has_sections {
        judge.note(Code::InvalidRequest, Text::Verbatim("Invalid input".to_owned()), place);
    }
    read
}

fn fields(
    judge: &mut Judge,
    found: Loose<List<Box<InteractionFieldInput<'_>>>>,
    place: Place<'_>,
) -> Option<Vec<QuestionnaireField>> {
    found.is_there().then(|| all_fields(judge, found, place))
}

fn all_fields(
    judge: &mut Judge,
    found: Loose<List<Box<InteractionFieldInput<'_>>>>,
    place: Place<'_>,
) -> Vec<QuestionnaireField> {
    let fields = judge.list(found, (0, limits::QUESTIONS), place);
    let mut all = Vec::with_capacity(fields.len());
    let read = |(index, found)| field(judge, found, &|| place().then(index));
    all.extend(fields.into_iter().enumerate().filter_map(read));
    all
}

fn section(
    judge: &mut Judge,
    found: Loose<InteractionSectionInput<'_>>,
    place: Place<'_>,
) -> Option<QuestionnaireSection> {
    let section = judge.expect(found, place)?;
    let at = |member: &'static str| move || place().then(member);
    Some(QuestionnaireSection {
        id: judge.expect(section.id, &at("id")).unwrap_or_default().into(),
        title: judge.allow(section.title, &at("title")),
        description: judge.allow(section.description, &at("description")),
        fields: all_fields(judge, section.fields, &at("fields")),
        optional: judge.allow(section.optional, &at("optional")),
        submit_label: judge.allow(section.submit_label, &at("submitLabel")),
    })
}

fn field(
    judge: &mut Judge,
    found: Loose<Box<InteractionFieldInput<'_>>>,
    place: Place<'_>,
) -> Option<QuestionnaireField> {
    let field = judge.expect(found, place)?;
    let at = |member: &'static str| move || place().then(member);
    Some(QuestionnaireField {
        id: judge.expect(field.id, &at("id")).unwrap_or_default().into(),
        kind: field_type(judge, field.kind, &at("type")),
        label: judge.expect(field.label, &at("label")).unwrap_or_default(),
        description: judge.allow(field.description, &at("description")),
        required: judge.allow(field.required, &at("required")),
        placeholder: judge.allow(field.placeholder, &at("placeholder")),
        default_value: judge.allow(field.default_value, &at("defaultValue")),
        validate_on_client: judge.allow(field.validate_on_client, &at("validateOnClient")),
        options: options(judge, field.options, &at("options")),
        min: judge.allow(field.min, &at("min")),
        max: judge.allow(field.max, &at("max")),
        step: judge.allow(field.step, &at("step")),
        min_length: length(judge, field.min_length, &at("minLength")),
        max_length: length(judge, field.max_length, &at("maxLength")),
        pattern: judge.allow(field.pattern, &at("pattern")).map(LazyPattern::new),
    })
}

fn field_type(judge: &mut Judge, found: Loose<Words<'_>>, place: Place<'_>) -> FieldType {
    let name = match found {
        Loose::Wrong(found) => {
            judge.issue(&Issue::Wrong { expected: TYPES, found }, place);
            None
        }
        found => judge.expect(found, place),
    };
    let Some(name) = name else { return FieldType::Text };
    FieldType::parse(&name).unwrap_or_else(|| {
        let allowed = FieldType::ALL.map(|(name, _)| name);
        judge.issue(&Issue::NoneOf { allowed: &allowed, found: &name }, place);
        FieldType::Text
    })
}

fn options(
    judge: &mut Judge,
    found: Loose<List<InteractionOptionInput<'_>>>,
    place: Place<'_>,
) -> Option<Vec<QuestionnaireOption>> {
    if !found.is_there() {
        return None;
    }
    let entries = judge.list(found, (0, limits::OPTIONS), place);
    let option = |(index, found): (usize, Loose<InteractionOptionInput<'_>>)| {
        let place = || place().then(index);
        let entry = judge.expect(found, &place)?;
        Some(QuestionnaireOption {
            label: judge.expect(entry.label, &|| place().then("label")).unwrap_or_default(),
            value: judge.expect(entry.value, &|| place().then("value")).unwrap_or_default().into(),
        })
    };
    let mut options = Vec::with_capacity(entries.len());
    options.extend(entries.into_iter().enumerate().filter_map(option));
    Some(options)
}

fn length(judge: &mut Judge, found: Loose<Number>, place: Place<'_>) -> Option<u64> {
    let is_negative = matches!(&found, Loose::Value(number) if number.as_f64().is_some_and(|n| n < 0.0));
    let whole = judge.whole(found, place);
    if is_negative {
        let words = "Number must be greater than or equal to 0".to_owned();
        judge.note(Code::TooSmall, Text::Verbatim(words), place);
    }
    whole.and_then(|whole| u64::try_from(whole).ok())
}

/// Validates an object with members of any names.
pub(super) fn record(
    judge: &mut Judge,
    found: Loose<Record<'_, Value>>,
    place: Place<'_>,
) -> Option<Map<String, Value>> {
    let record = judge.allow(found, place)?;
    let member = |(name, value): (Words<'_>, Loose<Value>)| match value {
        Loose::Value(value) => Some((name.into_owned(), value)),
        Loose::Missing | Loose::Wrong(_) => None,
    };
    Some(record.0.into_iter().filter_map(member).collect())
}

/// Returns the problems across the members of a schema that has the right shape, in the words of the spec's tool.
pub(super) fn across(schema: &QuestionnaireSchema, place: Place<'_>) -> Vec<Problem> {
    let (mut problems, mut ids) = (Vec::new(), names::Seen::default());
    let (mut patterns, mut bad) = (0, 0);
    for (step, (section, fields)) in schema.steps().enumerate() {
        let place = || match section {
            Some(_) => place().then("sections").then(step).then("fields"),
            None => place().then("fields"),
        };
        for (index, field) in fields.iter().enumerate() {
            let at = |member: &str| place().then(index).then(member);
            let mut tell = |code, words: String, member: &str| {
                problems.push(Problem::new(code, Text::Verbatim(words)).at(at(member)));
            };
            let id = &field.id;
            if !ids.is_new(id.as_str()) {
                tell(Code::DuplicateId, format!("Duplicate field id: {id}"), "id");
            }
            if field.kind.has_options() && field.options.as_ref().is_none_or(Vec::is_empty) {
                tell(Code::NoSuchOption, format!("Field \"{id}\" requires options"), "options");
            }
            let Some(pattern) = field.pattern.as_ref().filter(|pattern| !pattern.source().is_empty()) else {
                continue;
            };
            patterns += 1;
            if patterns > limits::PATTERNS || bad > BAD_PATTERNS {
                continue;
            }
            if let Err(problem) = pattern.compiled() {
                bad += 1;
                let said = Text::Verbatim(format!("Invalid pattern for field \"{id}\""));
                let hint = problem.message.clone();
                problems.push(Problem::new(Code::BadPattern, said).at(at("pattern")).hint(hint));
            }
        }
    }
    if patterns > limits::PATTERNS {
        let said = Message::ManyPatterns.with([limits::PATTERNS, patterns]);
        problems.push(Problem::new(Code::TooBig, said).at(place()));
    }
    problems
}
