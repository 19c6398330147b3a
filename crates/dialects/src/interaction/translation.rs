//! Translation of a questionnaire of any dialect into a request of this one.
//!
//! The request is read back by the dialect's own rules, and every difference is reported as a loss. So nothing is lost
//! in silence.

mod confirmations;
mod document;
mod field;
pub(super) mod original_form;

pub(super) use field::field_options;

use super::extensions::{self, InteractionExtensions};
use super::reader::builder::{self, PROMPT_SEPARATOR};
use super::reader::initial_values;
use super::wire::{
    CompletedView, FieldErrors, InteractionRequest, QuestionnaireField, QuestionnaireSchema,
    QuestionnaireSection,
};
use crate::translation::{DialectCapabilities, RuleSupport};
use crate::{Dialect, TranslatedRequest, TranslationLoss};
use document::InteractionDocument;
use field::build_field;
use sayso_core::wire::json;
use sayso_core::{
    ChoiceOption, Constraint, DocumentPath, Question, QuestionKind, Questionnaire, Requirement, Rules,
    Section, SectionId, i18n::describe_answer, limits,
};
use sayso_core::{LocalizedText, Message};
use std::collections::{HashMap, HashSet};

fn capabilities(rules: &Rules) -> DialectCapabilities {
    DialectCapabilities {
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
        required: RuleSupport::Configurable,
        own_answer: RuleSupport::Never,
        own_label: false,
        own_place: false,
        description: false,
        constraint: |_, _| true,
        kind: |question| match &question.kind {
            QuestionKind::Confirm(confirm) => {
                let is_said = |confirmed, label: &Option<String>| {
                    label.as_deref().is_some_and(|label| !describe_answer::is_yes_or_no(confirmed, label))
                };
                let named = [("yes", is_said(true, &confirm.yes)), ("no", is_said(false, &confirm.no))];
                named
                    .into_iter()
                    .filter(|(_, is)| *is)
                    .map(|(member, _)| (member, Message::LostLabels))
                    .collect()
            }
            QuestionKind::Rating(rating) if rating.emoji => vec![("emoji", Message::LostEmoji)],
            _ => Vec::new(),
        },
        rules: Rules { unjudged: rules.unjudged, loose_dates: rules.loose_dates, ..builder::spec_rules() },
    }
}

/// Translates a questionnaire into a request. It is a schema alone if that holds everything, else the operation's
/// arguments, else an interaction request. A rating becomes a choice of its steps, and a choice without options a text.
pub fn write_request(questionnaire: &Questionnaire) -> TranslatedRequest {
    let can = capabilities(&questionnaire.rules);
    let (_, mut lost) = can.translate(questionnaire, &|_| None, limits::QUESTIONS);
    let written = build_request(questionnaire, &can.rules);
    let text = json::write(&InteractionDocument::from_request(&written));
    let read = builder::build_questionnaire(written);
    let places = questionnaire.question_paths();
    for ((question, place), read) in questionnaire.questions.iter().zip(&places).zip(&read.questions) {
        report_differences(question, read, place, &mut lost);
    }
    // Rules that make no difference to any answer are not written.
    let read = Questionnaire { rules: questionnaire.rules.clone(), ..read };
    let read = original_form::drop_new_form(questionnaire, read);
    let is_kept = extensions::is_preserved(questionnaire, &read);
    if !is_kept || (lost.is_empty() && read != *questionnaire) {
        lost.push(TranslationLoss::of_extensions(Dialect::Interaction.name()));
    }
    TranslatedRequest { text, lost }
}

/// Reports the differences of a question that was read back, unless they are reported already.
fn report_differences(
    question: &Question,
    read: &Question,
    place: &DocumentPath,
    lost: &mut Vec<TranslationLoss>,
) {
    let mut lose = |path: DocumentPath, what: LocalizedText, instead: Option<Message>| {
        lost.push(TranslationLoss { path, what, replacement: instead.map(LocalizedText::from) });
    };
    if question.id != read.id || question.key != read.key {
        lose(place.join("id"), Message::LostId.into(), None);
    }
    let kind = || Message::LostKind.with([question.kind.name()]);
    match (&question.kind, &read.kind) {
        (QuestionKind::Rating(_), _) => lose(place.join("kind"), kind(), Some(Message::StepsAreOptions)),
        (QuestionKind::Confirm(_), QuestionKind::Choice(_)) => {
            lose(place.join("kind"), kind(), Some(Message::EitherIsAnOption));
        }
        (QuestionKind::Choice(_), QuestionKind::Text(_)) => {
            lose(place.join("kind"), kind(), Some(Message::AskedAsText));
        }
        (QuestionKind::Choice(choice), QuestionKind::Choice(read)) => {
            let same = |(option, read): &(&ChoiceOption, &ChoiceOption)| {
                option.id == read.id && option.value == read.value
            };
            let options = choice.options.iter().zip(&read.options).enumerate();
            for (index, _) in options.filter(|(_, pair)| !same(pair)) {
                lose(place.join("options").join(index).join("id"), Message::LostId.into(), None);
            }
        }
        (QuestionKind::Number(entry), QuestionKind::Number(read)) if entry.step != read.step => {
            lose(place.join("step"), Message::LostStep.into(), None);
        }
        _ => {}
    }
    let is_said = question.prefill == read.prefill
        || matches!(question.kind, QuestionKind::Confirm(_)) && read.prefill.is_some();
    if !is_said {
        lose(place.join("prefill"), Message::LostPrefill.into(), None);
    }
    report_constraint_losses(&question.constraints, &read.constraints, &mut |at, what| {
        let place = place.join("constraints");
        lose(at.map_or_else(|| place.clone(), |at| place.join(at)), what.into(), None);
    });
}

/// Reports constraints that were dropped, or else that their messages or their order changed.
fn report_constraint_losses(
    asked: &[Constraint],
    read: &[Constraint],
    lose: &mut dyn FnMut(Option<usize>, Message),
) {
    let made: Vec<&Requirement> = read.iter().flat_map(Constraint::requirements).collect();
    let is_made = |demand: &Requirement| {
        matches!(demand, Requirement::MatchesKind | Requirement::Answered) || made.contains(&demand)
    };
    let mut any = false;
    for (at, constraint) in asked.iter().enumerate() {
        if !constraint.requirements().all(is_made) {
            any = true;
            lose(Some(at), Message::LostConstraint);
        }
    }
    if !any && asked != read {
        lose(None, Message::LostWords);
    }
}

/// Returns the request that asks a questionnaire, as far as this dialect can express it.
pub(super) fn to_request(questionnaire: &Questionnaire) -> InteractionRequest {
    build_request(questionnaire, &capabilities(&questionnaire.rules).rules)
}

fn build_request(questionnaire: &Questionnaire, rules: &Rules) -> InteractionRequest {
    let made = build_without_original(questionnaire, rules);
    match original_form::original_schema(questionnaire, &made) {
        Some(input_schema) => InteractionRequest { input_schema, ..made },
        None => made,
    }
}

fn build_without_original(questionnaire: &Questionnaire, rules: &Rules) -> InteractionRequest {
    let extensions = InteractionExtensions::from_questionnaire(questionnaire);
    let (prompt, description) = split_context(questionnaire.context.as_deref(), extensions.prompt.as_deref());
    let names = field_names(questionnaire);
    let mut fields: Vec<(&Question, QuestionnaireField)> = questionnaire
        .questions
        .iter()
        .zip(names)
        .map(|(question, name)| {
            (
                question,
                build_field(
                    &confirmations::to_asked_question(question, &questionnaire.rules),
                    name,
                    &extensions,
                ),
            )
        })
        .collect();
    let initial_values = initial_values::initial_values(&extensions, &mut fields, rules);
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
    let mut ids = crate::translation::names::assign_ids(called.iter().copied(), 's', 0, []);
    let mut is_same = |(called, own): (&&str, &str)| ids.next_id().as_deref().unwrap_or(called) == own;
    if called.iter().zip(own()).all(&mut is_same) { called } else { own().collect() }
}
