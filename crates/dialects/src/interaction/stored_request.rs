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
use sayso_core::{ConsentQuestions, Question, Questionnaire, Rules, SectionId};
use std::collections::{HashMap, HashSet};

/// Returns the request that asked a questionnaire, with the asker's own form.
pub(super) fn to_request(questionnaire: &Questionnaire) -> InteractionRequest {
    let mut request = build_without_original(questionnaire);
    if let Some(input_schema) = original_form::original_schema(questionnaire, &request) {
        request.input_schema = input_schema;
    }
    request
}

fn build_without_original(questionnaire: &Questionnaire) -> InteractionRequest {
    let extensions = InteractionExtensions::from_questionnaire(questionnaire);
    let (prompt, description) = split_context(questionnaire.context.as_deref(), extensions.prompt.as_deref());
    let mut fields = Vec::with_capacity(questionnaire.questions.len());
    for (question, name) in questionnaire.questions.iter().zip(field_names(questionnaire)) {
        fields.push((question, build_field(question, name, &extensions)));
    }
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
    let has_dates = questionnaire.questions.iter().any(|question| question.kind.is_date_or_time());
    let completed_view = questionnaire.completed.as_ref().map(|view| CompletedView {
        show_inputs: Some(view.answers),
        summary_template: view.summary.clone(),
    });
    InteractionRequest {
        presentation: extensions.presentation,
        prompt,
        input_schema: schema,
        completed_view,
        timeout_ms: extensions.timeout_ms,
        on_timeout: extensions.on_timeout.unwrap_or_default(),
        waits: extensions.mode.is_none(),
        validate: !questionnaire.rules.unjudged,
        strict: !questionnaire.rules.loose_dates && has_dates,
        require_client: extensions.require_client,
        error_summary: extensions.error_summary,
        field_errors: FieldErrors(extensions.field_errors),
    }
}

/// Splits a context into the prompt and the description that it was joined of.
fn split_context(context: Option<&str>, prompt: Option<&str>) -> (Option<String>, Option<String>) {
    if let Some(context) = context
        && let Some(prompt) = prompt
        && let Some(rest) = context.strip_prefix(prompt)
    {
        if let Some(description) = rest.strip_prefix(PROMPT_SEPARATOR) {
            return (Some(prompt.to_owned()), Some(description.to_owned()));
        }
        if rest.is_empty() {
            return (Some(prompt.to_owned()), None);
        }
    }
    (None, context.map(str::to_owned))
}

/// Returns a unique name for each question: the asker's, or else the question's id.
fn field_names(questionnaire: &Questionnaire) -> Vec<&str> {
    let mut used_keys = HashSet::new();
    let mut names = Vec::with_capacity(questionnaire.questions.len());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for question in &questionnaire.questions {
        *counts.entry(question.id.as_str()).or_default() += 1;
    }
    for question in &questionnaire.questions {
        // A name that equals another question's id would collide with it.
        let is_free = question.key.as_ref().is_none_or(|key| !counts.contains_key(key.as_str()));
        let name = if is_free && used_keys.insert(question.asker_key()) {
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
    let mut sections = Vec::with_capacity(questionnaire.sections.len());
    for (section, name) in questionnaire.sections.iter().zip(section_names(questionnaire, extensions)) {
        sections.push(QuestionnaireSection {
            id: name.into(),
            title: section.title.clone(),
            description: section.detail.clone(),
            fields: by_section.remove(&Some(section.id.as_str())).unwrap_or_default(),
            optional: if section.optional { Some(true) } else { None },
            submit_label: section.submit.clone(),
        });
    }
    sections
}

/// Returns the asker's names of the sections if they result in the same ids, else the ids.
fn section_names<'n>(
    questionnaire: &'n Questionnaire,
    extensions: &'n InteractionExtensions,
) -> Vec<&'n str> {
    let section_ids: Vec<&str> = questionnaire.sections.iter().map(|section| section.id.as_str()).collect();
    let mut asker_names = Vec::with_capacity(section_ids.len());
    for id in &section_ids {
        asker_names.push(extensions.sections.get(*id).map_or(*id, String::as_str));
    }
    let mut resulting_ids = names::assign_ids(asker_names.iter().copied(), 's', 0, []);
    for (name, id) in asker_names.iter().zip(&section_ids) {
        if resulting_ids.next_id().as_deref().unwrap_or(name) != *id {
            return section_ids;
        }
    }
    asker_names
}
