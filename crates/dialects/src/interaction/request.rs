//! Translation of a questionnaire of any dialect into a request of this one.
//!
//! The request is read back by the dialect's own rules, and every difference is reported as a loss. So nothing is lost
//! in silence.

use super::beside::{self, Beside};
use super::build::{self, BETWEEN};
use super::document::Document;
use super::wire::{
    CompletedView, FieldErrors, FieldType, InteractionRequest, QuestionnaireField, QuestionnaireOption,
    QuestionnaireSchema, QuestionnaireSection,
};
use super::{as_asked, hear, initial, write, yes_no};
use crate::translate::{Can, Says};
use crate::{Dialect, Lost, Translated};
use sayso_core::message::{Message, Text};
use sayso_core::wire::json;
use sayso_core::{
    Answer, Choice, Constraint, Demand, Kind, Opt, Path, Question, Questionnaire, Rating, Rules, Section,
    SectionId, Value, limits, words,
};
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};

fn can(rules: &Rules) -> Can {
    Can {
        dialect: Dialect::Interaction,
        title: true,
        context: true,
        action: |_, _| false,
        sections: true,
        section_conditions: false,
        buttons: true,
        completed: true,
        question_ids: true,
        option_values: true,
        follow_ups: false,
        condition: |_, _, _| false,
        label: false,
        detail: true,
        placeholder: |_| true,
        prefill: true,
        unchecked: true,
        required: Says::Either,
        own_answer: Says::Never,
        own_label: false,
        own_place: false,
        description: false,
        constraint: |_, _| true,
        kind: |question| match &question.kind {
            Kind::Confirm(confirm) => {
                let is_said = |confirmed, label: &Option<String>| {
                    label.as_deref().is_some_and(|label| !words::is_yes_or_no(confirmed, label))
                };
                let named = [("yes", is_said(true, &confirm.yes)), ("no", is_said(false, &confirm.no))];
                named
                    .into_iter()
                    .filter(|(_, is)| *is)
                    .map(|(member, _)| (member, Message::LostLabels))
                    .collect()
            }
            Kind::Rating(rating) if rating.emoji => vec![("emoji", Message::LostEmoji)],
            _ => Vec::new(),
        },
        rules: Rules { unjudged: rules.unjudged, loose_dates: rules.loose_dates, ..build::rules() },
    }
}

/// Translates a questionnaire into a request. It is a schema alone if that holds everything, else the operation's
/// arguments, else an interaction request. A rating becomes a choice of its steps, and a choice without options a text.
pub fn request(questionnaire: &Questionnaire) -> Translated {
    let can = can(&questionnaire.rules);
    let (_, mut lost) = can.translate(questionnaire, &|_| None, limits::QUESTIONS);
    let written = interaction_request(questionnaire, &can.rules);
    let text = json::write(&Document::of(&written));
    let read = build::questionnaire(written);
    let places = questionnaire.places();
    for ((question, place), read) in questionnaire.questions.iter().zip(&places).zip(&read.questions) {
        compare(question, read, place, &mut lost);
    }
    // Rules that make no difference to any answer are not written.
    let read = Questionnaire { rules: questionnaire.rules.clone(), ..read };
    let read = as_asked::unless_new(questionnaire, read);
    let is_kept = beside::is_kept(questionnaire, &read);
    if !is_kept || (lost.is_empty() && read != *questionnaire) {
        let path = Path::root().then("beside").then(Dialect::Interaction.name());
        lost.push(Lost {
            path,
            what: Message::LostBeside.with([Dialect::Interaction.name()]),
            instead: None,
        });
    }
    Translated { text, lost }
}

/// Reports the differences of a question that was read back, unless they are reported already.
fn compare(question: &Question, read: &Question, place: &Path, lost: &mut Vec<Lost>) {
    let mut lose = |path: Path, what: Text, instead: Option<Message>| {
        lost.push(Lost { path, what, instead: instead.map(Text::from) });
    };
    if question.id != read.id || question.key != read.key {
        lose(place.then("id"), Message::LostId.into(), None);
    }
    let kind = || Message::LostKind.with([question.kind.name()]);
    match (&question.kind, &read.kind) {
        (Kind::Rating(_), _) => lose(place.then("kind"), kind(), Some(Message::StepsAreOptions)),
        (Kind::Confirm(_), Kind::Choice(_)) => {
            lose(place.then("kind"), kind(), Some(Message::EitherIsAnOption));
        }
        (Kind::Choice(_), Kind::Text(_)) => lose(place.then("kind"), kind(), Some(Message::AskedAsText)),
        (Kind::Choice(choice), Kind::Choice(read)) => {
            let same = |(option, read): &(&Opt, &Opt)| option.id == read.id && option.value == read.value;
            let options = choice.options.iter().zip(&read.options).enumerate();
            for (index, _) in options.filter(|(_, pair)| !same(pair)) {
                lose(place.then("options").then(index).then("id"), Message::LostId.into(), None);
            }
        }
        (Kind::Number(entry), Kind::Number(read)) if entry.step != read.step => {
            lose(place.then("step"), Message::LostStep.into(), None);
        }
        _ => {}
    }
    let is_said = question.prefill == read.prefill
        || matches!(question.kind, Kind::Confirm(_)) && read.prefill.is_some();
    if !is_said {
        lose(place.then("prefill"), Message::LostPrefill.into(), None);
    }
    constraints(&question.constraints, &read.constraints, &mut |at, what| {
        let place = place.then("constraints");
        lose(at.map_or_else(|| place.clone(), |at| place.then(at)), what.into(), None);
    });
}

/// Reports constraints that were dropped, or else that their messages or their order changed.
fn constraints(asked: &[Constraint], read: &[Constraint], lose: &mut dyn FnMut(Option<usize>, Message)) {
    let made: Vec<&Demand> = read.iter().flat_map(Constraint::demands).collect();
    let is_made =
        |demand: &Demand| matches!(demand, Demand::Fits | Demand::Answered) || made.contains(&demand);
    let mut any = false;
    for (at, constraint) in asked.iter().enumerate() {
        if !constraint.demands().all(is_made) {
            any = true;
            lose(Some(at), Message::LostConstraint);
        }
    }
    if !any && asked != read {
        lose(None, Message::LostWords);
    }
}

/// Returns the request that asks a questionnaire, as far as this dialect can express it.
pub(super) fn asked(questionnaire: &Questionnaire) -> InteractionRequest {
    interaction_request(questionnaire, &can(&questionnaire.rules).rules)
}

fn interaction_request(questionnaire: &Questionnaire, rules: &Rules) -> InteractionRequest {
    let made = made_of(questionnaire, rules);
    match as_asked::schema(questionnaire, &made) {
        Some(input_schema) => InteractionRequest { input_schema, ..made },
        None => made,
    }
}

fn made_of(questionnaire: &Questionnaire, rules: &Rules) -> InteractionRequest {
    let extensions = Beside::of(questionnaire);
    let (prompt, description) = around(questionnaire.context.as_deref(), extensions.prompt.as_deref());
    let names = names(questionnaire);
    let mut fields: Vec<(&Question, QuestionnaireField)> = questionnaire
        .questions
        .iter()
        .zip(names)
        .map(|(question, name)| {
            (question, field(&yes_no::asked(question, &questionnaire.rules), name, &extensions))
        })
        .collect();
    let initial_values = initial::values(&extensions, &mut fields, rules);
    let mut schema = QuestionnaireSchema {
        title: questionnaire.title.clone(),
        description,
        submit_label: questionnaire.submit.clone(),
        cancel_label: questionnaire.cancel.clone(),
        initial_values,
        ..QuestionnaireSchema::default()
    };
    if questionnaire.sections.is_empty() && !fields.is_empty() {
        schema.fields = Some(fields.into_iter().map(|(_, field)| field).collect());
    } else {
        schema.sections = Some(sections(questionnaire, fields, &extensions));
    }
    let is_date = |question: &Question| question.kind.is_date_or_time();
    InteractionRequest {
        presentation: extensions.presentation,
        prompt,
        input_schema: schema,
        completed_view: questionnaire.completed.as_ref().map(|completed| CompletedView {
            show_inputs: Some(completed.answers),
            summary_template: completed.summary.clone(),
        }),
        timeout_ms: extensions.timeout_ms,
        on_timeout: extensions.on_timeout.unwrap_or_default(),
        waits: extensions.mode.is_none(),
        validate: !questionnaire.rules.unjudged,
        strict: !questionnaire.rules.loose_dates && questionnaire.questions.iter().any(is_date),
        require_client: extensions.require_client,
        error_summary: extensions.error_summary,
        field_errors: FieldErrors(extensions.field_errors),
    }
}

/// Splits a context into the prompt and the description that it was joined of.
fn around(context: Option<&str>, prompt: Option<&str>) -> (Option<String>, Option<String>) {
    let parts = context.zip(prompt).and_then(|(context, prompt)| {
        let rest = context.strip_prefix(prompt)?;
        let description = rest.strip_prefix(BETWEEN);
        (rest.is_empty() || description.is_some()).then_some((prompt, description))
    });
    match parts {
        Some((prompt, description)) => (Some(prompt.to_owned()), description.map(str::to_owned)),
        None => (None, context.map(str::to_owned)),
    }
}

/// Returns a unique name for each question: the asker's, or else the question's id.
fn names(questionnaire: &Questionnaire) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut names = Vec::with_capacity(questionnaire.questions.len());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for question in &questionnaire.questions {
        *counts.entry(question.id.as_str()).or_default() += 1;
    }
    for question in &questionnaire.questions {
        // A name that equals another question's id would collide with it.
        let is_free = question.key.as_ref().is_none_or(|key| !counts.contains_key(key.as_str()));
        let name = if is_free && seen.insert(question.key()) { question.key() } else { question.id.as_str() };
        names.push(name);
    }
    names
}

fn sections<'q>(
    questionnaire: &'q Questionnaire,
    fields: Vec<(&'q Question, QuestionnaireField)>,
    extensions: &Beside,
) -> Vec<QuestionnaireSection> {
    let mut by_section: HashMap<Option<&str>, Vec<QuestionnaireField>> = HashMap::new();
    for (question, field) in fields {
        let section = question.section.as_ref().map(SectionId::as_str);
        by_section.entry(section).or_default().push(field);
    }
    if questionnaire.sections.is_empty() {
        let empty = QuestionnaireSection {
            id: SectionId::numbered('s', 0),
            title: None,
            description: None,
            fields: Vec::new(),
            optional: None,
            submit_label: None,
        };
        return vec![empty];
    }
    let section = |(section, name): (&'q Section, &str)| {
        let id = section.id.as_str();
        QuestionnaireSection {
            id: name.into(),
            title: section.title.clone(),
            description: section.detail.clone(),
            fields: by_section.remove(&Some(id)).unwrap_or_default(),
            optional: section.optional.then_some(true),
            submit_label: section.submit.clone(),
        }
    };
    questionnaire.sections.iter().zip(section_names(questionnaire, extensions)).map(section).collect()
}

/// Returns the asker's names of the sections if they result in the same ids, else the ids.
fn section_names<'n>(questionnaire: &'n Questionnaire, extensions: &'n Beside) -> Vec<&'n str> {
    let own = || questionnaire.sections.iter().map(|section| section.id.as_str());
    let called: Vec<&str> = own().map(|id| extensions.sections.get(id).map_or(id, String::as_str)).collect();
    let mut ids = crate::names::ids(called.iter().copied(), 's', 0, []);
    let mut is_same = |(called, own): (&&str, &str)| ids.of_next().as_deref().unwrap_or(called) == own;
    if called.iter().zip(own()).all(&mut is_same) { called } else { own().collect() }
}

fn field(question: &Question, name: &str, extensions: &Beside) -> QuestionnaireField {
    let kind = field_type(question, extensions);
    let mut field = QuestionnaireField {
        id: name.into(),
        kind,
        label: question.prompt.clone(),
        description: question.detail.clone(),
        required: question.required.then_some(true),
        placeholder: question.placeholder.clone(),
        default_value: question.prefill.as_ref().map(|answer| default_value(question, answer)),
        validate_on_client: question.unchecked.then_some(false),
        options: kind.has_options().then(|| options(question)),
        min: None,
        max: None,
        step: None,
        min_length: None,
        max_length: None,
        pattern: None,
    };
    if let Kind::Number(entry) = &question.kind {
        field.step = entry.step.as_ref().and_then(number);
    }
    for demand in question.constraints.iter().flat_map(Constraint::demands) {
        demanded(&mut field, demand);
    }
    field
}

/// Writes a demand to a field, if the field can express it and has none of the same kind.
fn demanded(field: &mut QuestionnaireField, demand: &Demand) {
    let (is_text, is_number) = (field.kind.is_text(), field.kind == FieldType::Number);
    match demand {
        Demand::MinLength(length) if is_text => {
            field.min_length.get_or_insert((*length).into());
        }
        Demand::MaxLength(length) if is_text => {
            field.max_length.get_or_insert((*length).into());
        }
        Demand::Pattern(pattern) if is_text => {
            field.pattern.get_or_insert_with(|| pattern.clone());
        }
        Demand::Min(value) if is_number && field.min.is_none() => field.min = bound(value),
        Demand::Max(value) if is_number && field.max.is_none() => field.max = bound(value),
        _ => {}
    }
}

fn bound(value: &Value) -> Option<serde_json::Number> {
    match value {
        Value::Number(value) => number(value),
        Value::Text(_) | Value::Bool(_) => None,
    }
}

/// Converts a number to exactly the same JSON number.
fn number(number: &sayso_core::Number) -> Option<serde_json::Number> {
    match serde_json::to_value(number) {
        Ok(Json::Number(number)) => Some(number),
        _ => None,
    }
}

fn field_type(question: &Question, extensions: &Beside) -> FieldType {
    let usual = hear::field_type(&question.kind);
    let rarer = extensions.types.get(question.id.as_str()).copied();
    match (&question.kind, usual, rarer) {
        (Kind::Choice(choice), ..) if choice.options.is_empty() => FieldType::Text,
        (_, FieldType::Boolean, Some(FieldType::Checkbox)) => FieldType::Checkbox,
        (_, FieldType::Select, Some(FieldType::Radio)) => FieldType::Radio,
        _ => usual,
    }
}

fn default_value(question: &Question, answer: &Answer) -> Json {
    match (&question.kind, answer) {
        (Kind::Rating(_), Answer::Rating(step)) => Json::from(step.to_string()),
        (Kind::Choice(choice), Answer::Picks(_)) if choice.options.is_empty() => {
            let Json::Array(values) = write::value(question, answer) else {
                return write::value(question, answer);
            };
            values.into_iter().next().unwrap_or_default()
        }
        _ => write::value(question, answer),
    }
}

pub(super) fn options(question: &Question) -> Vec<QuestionnaireOption> {
    match &question.kind {
        Kind::Choice(choice) => choice_options(choice),
        Kind::Rating(rating) => steps(rating),
        _ => Vec::new(),
    }
}

fn choice_options(choice: &Choice) -> Vec<QuestionnaireOption> {
    let option =
        |option: &Opt| QuestionnaireOption { label: option.label.clone(), value: option.sent().into() };
    choice.options.iter().map(option).collect()
}

/// Returns the steps of a rating as options, each with its annotation.
fn steps(rating: &Rating) -> Vec<QuestionnaireOption> {
    let step = |step: i32| {
        let value = step.to_string();
        let label = match rating.annotations.get(&step) {
            Some(note) => format!("{step} ({note})"),
            None => value.clone(),
        };
        QuestionnaireOption { label, value: value.into() }
    };
    (rating.min..=rating.max).take(limits::OPTIONS).map(step).collect()
}
