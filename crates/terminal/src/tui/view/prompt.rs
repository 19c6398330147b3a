//! Everything above the answer: the action, the context, the prompt and the constraints.

use super::super::answer::AskView;
use super::super::widgets::line_builder::LineBuilder;
use super::super::widgets::theme::StyleRole;
use super::question::PageBuilder;
use super::{ViewContext, action};
use crate::describe::{self, ConstraintText};
use sayso_core::i18n::own_prompt;
use sayso_core::{Message, Question, QuestionInput, Questionnaire};

/// Adds the action above the question that takes consent to it, and what the agent says about it.
pub(super) fn push_action(cx: &ViewContext<'_>, view: &AskView, place: usize, page: &mut PageBuilder<'_>) {
    let questionnaire = view.form.sheet.questionnaire();
    let action = questionnaire.action.as_ref().filter(|_| view.form.action_place() == Some(place));
    let Some(action) = action else { return };
    action::push_action(cx, action, &mut page.builder);
    if let Some(context) = view.form.context_at(place) {
        if !page.is_low() {
            page.builder.push_blank();
        }
        page.builder.push_own(1, Message::AgentSays.plain(cx.lang), StyleRole::Faint);
        page.push_context(|builder| builder.push_markdown(1, context));
    }
    page.builder.push_blank();
}

/// Adds the prompt, and everything to know before answering.
pub(super) fn push_prompt(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    question: &Question,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let sheet = &view.form.sheet;
    let is_first = sheet.asked_questions().next().is_some_and(|(first, _)| first == place);
    if (is_first || view.first_correction() == Some(place))
        && let Some(feedback) = view.ask.feedback()
    {
        let heading = describe::changes_heading(&view.ask, sheet, lang);
        page.builder.push_own(1, &heading, StyleRole::Warning);
        feedback.summary.iter().for_each(|summary| page.builder.push_markdown(1, summary));
    }
    let has_action = sheet.questionnaire().action.is_some();
    if let Some(context) = view.form.context_at(place).filter(|_| !has_action) {
        page.push_context(|builder| builder.push_markdown(1, context));
        page.builder.push_blank();
    }
    let is_low = page.is_low();
    let builder = &mut page.builder;
    if let Some(section) = describe::section_heading(sheet, place, question, lang) {
        let role = if section.is_first { StyleRole::Strong } else { StyleRole::Faint };
        builder.push_own(1, &section.line, role);
        section.title.iter().for_each(|title| builder.push_agent(1, title, role));
        if section.is_first {
            section.detail.iter().for_each(|detail| builder.push_markdown(1, detail));
        }
        if section.is_first && section.optional {
            builder.push_own(1, Message::SectionMayStay.plain(lang), StyleRole::Faint);
        }
        if section.is_first && !is_low {
            builder.push_blank();
        }
        page.section_row = Some(builder.rows.len());
    }
    let follow_up = if question.parent.is_some() { Message::FollowUp.plain(lang) } else { "" };
    let need = match describe::requirement(sheet, place, question) {
        Message::MaySkip => Message::Optional,
        need => need,
    };
    let need = need.plain(lang);
    let total = sheet.progress().total;
    let number = Message::QuestionPlace.render_with(lang, [sheet.number_of(place), total]);
    // A lone question has no number.
    let number = if total > 1 { number } else { String::new() };
    let facts = [number.as_str(), follow_up, &question.kind.answer_words().render(lang), need];
    let facts: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    builder.push_own(1, &facts.join(describe::sentence_separator(lang)), StyleRole::Faint);
    page.prompt_row = builder.rows.len();
    push_prompt_text(cx, sheet.questionnaire(), question, 1, builder);
    if let Some(detail) = &question.detail {
        builder.push_row(builder.gutter(1));
        page.push_context(|builder| builder.push_markdown(1, detail));
    }
    let builder = &mut page.builder;
    for text in &page.display_hints.warnings {
        builder.push_own(1, text, StyleRole::Warning);
    }
    push_constraints(cx, view, place, question, builder);
}

/// Adds the constraints of the answer, before any of them fails.
fn push_constraints(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    question: &Question,
    builder: &mut LineBuilder<'_>,
) {
    let lang = cx.lang;
    let rules = &view.form.sheet.questionnaire().rules;
    if rules.must_be_true && question.required && matches!(question.input(), QuestionInput::Toggle(_)) {
        builder.push_own(1, Message::OnlyYesCounts.plain(lang), StyleRole::Faint);
    }
    let demanded = describe::constraint_texts(view.form.constraints(place), lang);
    if demanded.iter().any(|demanded| matches!(demanded, ConstraintText::FromAsker(_))) {
        builder.push_own(1, Message::WhatIsChecked.plain(lang), StyleRole::Faint);
    }
    for demanded in demanded {
        match demanded {
            ConstraintText::FromAsker(words) => builder.push_agent(1, words, StyleRole::Agent),
            ConstraintText::Own(words) => builder.push_own(1, &words, StyleRole::Faint),
        }
    }
}

/// Adds the text of a prompt: the agent's, or a sentence of ours.
pub(super) fn push_prompt_text(
    cx: &ViewContext<'_>,
    questionnaire: &Questionnaire,
    question: &Question,
    indent: usize,
    builder: &mut LineBuilder<'_>,
) {
    match own_prompt(questionnaire, question, cx.lang) {
        Some(prompt) => builder.push_own(indent, &prompt, StyleRole::Strong),
        None => builder.push_prompt(indent, &question.prompt),
    }
}
