//! Request of a stored questionnaire, as a client is shown it.

mod field;
pub(super) mod original_form;

use super::extensions::InteractionExtensions;
use super::reader::builder::{self, PROMPT_SEPARATOR};
use super::reader::initial_values;
use super::wire::{
    CompletedView, FieldErrors, InteractionRequest, QuestionnaireField, QuestionnaireSchema,
    QuestionnaireSection,
};
use crate::names;
use field::build_field;
use sayso_core::{ConsentQuestions, Question, Questionnaire, Rules, Section, SectionId};
use std::collections::{HashMap, HashSet};

/// Returns the request that asked a questionnaire, with the asker's own form.
pub(super) fn to_request(questionnaire: &Questionnaire) -> InteractionRequest {
    let made = build_without_original(questionnaire);
    match original_form::original_schema(questionnaire, &made) {
        Some(input_schema) => InteractionRequest { input_schema, ..made },
        None => made,
    }
}

fn build_without_original(questionnaire: &Questionnaire) -> InteractionRequest {
    let extensions = InteractionExtensions::from_questionnaire(questionnaire);
    let (prompt, description) = split_context(questionnaire.context.as_deref(), extensions.prompt.as_deref());
    let names = field_names(questionnaire);
    let mut fields: Vec<(&Question, QuestionnaireField)> = questionnaire
        .questions
        .iter()
        .zip(names)
        .map(|(question, name)| (question, build_field(question, name, &extensions)))
        .collect();
    let Rules { unjudged, loose_dates, .. } = questionnaire.rules;
    let rules = Rules { unjudged, loose_dates, ..builder::spec_rules() };
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let initial_values = initial_values::initial_values(&extensions, &mut fields, consent, &rules);
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
        schema.sections = Some(build_sections(questionnaire, fields, &extensions));
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
fn split_context(context: Option<&str>, prompt: Option<&str>) -> (Option<String>, Option<String>) {
    let parts = context.zip(prompt).and_then(|(context, prompt)| {
        let rest = context.strip_prefix(prompt)?;
        let description = rest.strip_prefix(PROMPT_SEPARATOR);
        (rest.is_empty() || description.is_some()).then_some((prompt, description))
    });
    match parts {
        Some((prompt, description)) => (Some(prompt.to_owned()), description.map(str::to_owned)),
        None => (None, context.map(str::to_owned)),
    }
}

/// Returns a unique name for each question: the asker's, or else the question's id.
fn field_names(questionnaire: &Questionnaire) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut names = Vec::with_capacity(questionnaire.questions.len());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for question in &questionnaire.questions {
        *counts.entry(question.id.as_str()).or_default() += 1;
    }
    for question in &questionnaire.questions {
        // A name that equals another question's id would collide with it.
        let is_free = question.key.as_ref().is_none_or(|key| !counts.contains_key(key.as_str()));
        let name = if is_free && seen.insert(question.asker_key()) {
            question.asker_key()
        } else {
            question.id.as_str()
        };
        names.push(name);
    }
    names
}

fn build_sections<'q>(
    questionnaire: &'q Questionnaire,
    fields: Vec<(&'q Question, QuestionnaireField)>,
    extensions: &InteractionExtensions,
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
fn section_names<'n>(
    questionnaire: &'n Questionnaire,
    extensions: &'n InteractionExtensions,
) -> Vec<&'n str> {
    let own = || questionnaire.sections.iter().map(|section| section.id.as_str());
    let called: Vec<&str> = own().map(|id| extensions.sections.get(id).map_or(id, String::as_str)).collect();
    let mut ids = names::assign_ids(called.iter().copied(), 's', 0, []);
    let mut is_same = |(called, own): (&&str, &str)| ids.next_id().as_deref().unwrap_or(called) == own;
    if called.iter().zip(own()).all(&mut is_same) { called } else { own().collect() }
}
