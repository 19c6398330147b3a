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
    if view.form.action_place() != Some(place) {
        return;
    }
    let Some(action) = &view.form.sheet.questionnaire().action else { return };
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
        if let Some(summary) = &feedback.summary {
            page.builder.push_markdown(1, summary);
        }
    }
    // The context of an action is below the action.
    if sheet.questionnaire().action.is_none()
        && let Some(context) = view.form.context_at(place)
    {
        page.push_context(|builder| builder.push_markdown(1, context));
        page.builder.push_blank();
    }
    let is_low = page.is_low();
    let builder = &mut page.builder;
    if let Some(section) = describe::section_heading(sheet, place, question, lang) {
        let role = if section.is_first { StyleRole::Strong } else { StyleRole::Faint };
        builder.push_own(1, &section.line, role);
        if let Some(title) = &section.title {
            builder.push_agent(1, title, role);
        }
        if section.is_first {
            if let Some(detail) = &section.detail {
                builder.push_markdown(1, detail);
            }
            if section.optional {
                builder.push_own(1, Message::SectionMayStay.plain(lang), StyleRole::Faint);
            }
            if !is_low {
                builder.push_blank();
            }
        }
        page.section_row = Some(builder.rows.len());
    }
    let mut facts = Vec::new();
    let total = sheet.progress().total;
    // A lone question has no number.
    if total > 1 {
        facts.push(Message::QuestionPlace.render_with(lang, [sheet.number_of(place), total]));
    }
    if question.parent.is_some() {
        facts.push(Message::FollowUp.plain(lang).to_owned());
    }
    facts.push(question.kind.answer_words().render(lang));
    let requirement = match describe::requirement(sheet, place, question) {
        Message::MaySkip => Message::Optional,
        other => other,
    };
    facts.push(requirement.plain(lang).to_owned());
    facts.retain(|fact| !fact.is_empty());
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
    let constraint_texts = describe::constraint_texts(view.form.constraints(place), lang);
    if constraint_texts.iter().any(|text| matches!(text, ConstraintText::FromAsker(_))) {
        builder.push_own(1, Message::WhatIsChecked.plain(lang), StyleRole::Faint);
    }
    for text in constraint_texts {
        match text {
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
