//! Descriptions of a question in our own sentences, shared by all surfaces.

use crate::describe;
use sayso_core::i18n::{foreign, own};
use sayso_core::sheet::VisibilityChange;
use sayso_core::{
    ChoiceOption, Constraint, Lang, Message, OptionId, Question, QuestionInput, Questionnaire, Requirement,
    Sheet, ShownValues, display,
};
use std::collections::HashMap;

/// Constraint on an answer: in our words, or in the asker's if it supplied some.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ConstraintText<'q> {
    Own(String),
    FromAsker(&'q str),
}

/// Visual checks of a question's text against spoofing. They depend on the question alone.
#[derive(Debug)]
pub(crate) struct SpoofingCheck {
    /// Warnings to show before the text is trusted.
    pub(crate) warnings: Vec<String>,
    /// Values shown next to the labels of options.
    values: HashMap<OptionId, String>,
}

impl SpoofingCheck {
    pub(crate) fn new(questionnaire: &Questionnaire, question: &Question, lang: Lang) -> Self {
        let shown = ShownValues::for_question(questionnaire, question);
        let values = shown.iter().map(|(id, value)| (id.clone(), describe::excerpt(value))).collect();
        Self { warnings: spoofing_warnings(question, lang), values }
    }

    /// Returns the value that an option sends, if the person must see it.
    pub(crate) fn option_value(&self, option: &ChoiceOption) -> Option<&str> {
        self.values.get(&option.id).map(String::as_str)
    }
}

fn spoofing_warnings(question: &Question, lang: Lang) -> Vec<String> {
    let mut texts = vec![question.prompt.as_str()];
    texts.extend(question.detail.as_deref());
    match question.input() {
        QuestionInput::Options(choice) => {
            for option in &choice.options {
                texts.push(&option.label);
                texts.extend(option.description.as_deref());
            }
        }
        QuestionInput::Toggle(confirm) => {
            texts.extend(confirm.yes.iter().chain(&confirm.no).map(String::as_str));
        }
        QuestionInput::Scale(_) | QuestionInput::Line(_) => {}
    }
    let mut lines = Vec::new();
    let hidden: usize = texts.iter().map(|text| display::count_tokens(text)).sum();
    if hidden > 0 {
        lines.push(describe::count_message(
            Message::HiddenShownOne,
            Message::HiddenShown,
            hidden as u64,
            lang,
        ));
    }
    let mut mixed: Vec<&str> = texts.iter().flat_map(|text| display::mixed_script_words(text)).collect();
    mixed.dedup();
    if !mixed.is_empty() {
        lines
            .push(Message::MixedAlphabets.render_with(lang, [foreign(describe::excerpt(&mixed.join(", ")))]));
    }
    lines
}

/// Returns the message for required or optional.
pub(crate) fn requirement(sheet: &Sheet, index: usize, question: &Question) -> Message {
    let in_optional_section = || {
        let section = question.section.as_ref().and_then(|id| sheet.questionnaire().section(id));
        section.is_some_and(|section| section.optional)
    };
    match sheet.needs_input(index) {
        _ if question.required && in_optional_section() => Message::MustAnswerInSection,
        true => Message::MustAnswer,
        false => Message::MaySkip,
    }
}

/// Returns the constraints on an answer, before it fails them.
pub(crate) fn constraint_texts(constraints: &[Constraint], lang: Lang) -> Vec<ConstraintText<'_>> {
    // Two demands only have messages for a failure; the meaning of a pattern is known to its asker alone.
    let shown = |constraint: &&Constraint| {
        constraint
            .requirements()
            .any(|demand| !matches!(demand, Requirement::Answered | Requirement::MatchesKind))
    };
    let mut demanded = Vec::new();
    for constraint in constraints.iter().filter(shown) {
        if let Some(message) = &constraint.message {
            demanded.push(ConstraintText::FromAsker(message));
            continue;
        }
        let ours = constraint.requirements().filter(|demand| {
            !matches!(demand, Requirement::Answered | Requirement::MatchesKind | Requirement::Pattern(_))
        });
        demanded.extend(ours.map(|demand| ConstraintText::Own(demand.default_message().render(lang))));
    }
    demanded
}

/// Returns the heading of a question's section.
pub(crate) fn section_heading<'s>(
    sheet: &'s Sheet,
    index: usize,
    question: &Question,
    lang: Lang,
) -> Option<SectionHeading<'s>> {
    let questionnaire = sheet.questionnaire();
    let section = question.section.as_ref().and_then(|id| questionnaire.section(id))?;
    let (first, _) = sheet.asked_questions().find(|(_, other)| other.section == question.section)?;
    let place = questionnaire.sections.iter().position(|other| other.id == section.id).unwrap_or_default();
    let title = section.title.as_deref().filter(|title| !title.trim().is_empty());
    let (number, count) = ((place + 1).to_string(), questionnaire.sections.len().to_string());
    let line = match title.filter(|title| display::is_plain_name(title)) {
        Some(title) => Message::SectionNamed.render_with(lang, [own(number), own(count), foreign(title)]),
        None => Message::SectionPlace.render_with(lang, [own(number), own(count)]),
    };
    Some(SectionHeading {
        line,
        title: title.filter(|title| !display::is_plain_name(title)),
        detail: section.detail.as_deref(),
        optional: section.optional,
        is_first: first == index,
    })
}

/// Heading of a section.
#[derive(Debug)]
pub(crate) struct SectionHeading<'s> {
    pub(crate) line: String,
    /// The title, if the line leaves it out.
    pub(crate) title: Option<&'s str>,
    pub(crate) detail: Option<&'s str>,
    pub(crate) optional: bool,
    /// True if the question is the first active one of the section.
    pub(crate) is_first: bool,
}

/// Returns sentences for the questions that a reply made active or inactive; none if it changed nothing. It names the
/// removed ones too: if two went and one came, "added" alone contradicts the count.
pub(crate) fn question_changes(sheet: &Sheet, effect: &VisibilityChange, lang: Lang) -> Vec<String> {
    let (came, went) = (effect.appeared.len(), effect.vanished.len());
    let had_answer = effect.vanished.iter().any(|place| sheet.reply_at(*place).has_input());
    let (one, many) = if had_answer {
        (Message::VanishedOne, Message::Vanished)
    } else {
        (Message::RemovedOne, Message::Removed)
    };
    let message = [(Message::AppearedOne, Message::Appeared, came), (one, many, went)];
    let message = message.into_iter().filter(|(.., count)| *count > 0);
    message.map(|(one, many, count)| describe::count_message(one, many, count as u64, lang)).collect()
}
