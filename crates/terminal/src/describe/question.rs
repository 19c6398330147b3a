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
        let mut values = HashMap::new();
        for (id, value) in ShownValues::for_question(questionnaire, question).iter() {
            values.insert(id.clone(), describe::excerpt(value));
        }
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
    let count: usize = texts.iter().map(|text| display::count_tokens(text)).sum();
    if count > 0 {
        let one = Message::HiddenShownOne;
        lines.push(describe::count_message(one, Message::HiddenShown, count as u64, lang));
    }
    let mut words: Vec<&str> = texts.iter().flat_map(|text| display::mixed_script_words(text)).collect();
    words.dedup();
    if !words.is_empty() {
        let words = foreign(describe::excerpt(&words.join(", ")));
        lines.push(Message::MixedAlphabets.render_with(lang, [words]));
    }
    lines
}

/// Returns the message for required or optional.
pub(crate) fn requirement(sheet: &Sheet, index: usize, question: &Question) -> Message {
    if question.required
        && let Some(id) = &question.section
        && let Some(section) = sheet.questionnaire().section(id)
        && section.optional
    {
        return Message::MustAnswerInSection;
    }
    if sheet.needs_input(index) { Message::MustAnswer } else { Message::MaySkip }
}

/// Returns the constraints on an answer, before it fails them.
pub(crate) fn constraint_texts(constraints: &[Constraint], lang: Lang) -> Vec<ConstraintText<'_>> {
    let mut texts = Vec::new();
    for constraint in constraints {
        for requirement in constraint.requirements() {
            // These only have messages for a failure.
            if matches!(requirement, Requirement::Answered | Requirement::MatchesKind) {
                continue;
            }
            if let Some(message) = &constraint.message {
                // One message is for all its requirements.
                texts.push(ConstraintText::FromAsker(message));
                break;
            }
            // The meaning of a pattern is known to its asker alone.
            if !matches!(requirement, Requirement::Pattern(_)) {
                texts.push(ConstraintText::Own(requirement.default_message().render(lang)));
            }
        }
    }
    texts
}

/// Returns the heading of a question's section.
pub(crate) fn section_heading<'s>(
    sheet: &'s Sheet,
    index: usize,
    question: &Question,
    lang: Lang,
) -> Option<SectionHeading<'s>> {
    let questionnaire = sheet.questionnaire();
    let section = questionnaire.section(question.section.as_ref()?)?;
    let (first, _) = sheet.asked_questions().find(|(_, other)| other.section == question.section)?;
    let place = questionnaire.sections.iter().position(|other| other.id == section.id).unwrap_or_default();
    let number = own(place + 1);
    let count = own(questionnaire.sections.len());
    let title = section.title.as_deref().unwrap_or_default();
    let (line, title_below) = if title.trim().is_empty() {
        (Message::SectionPlace.render_with(lang, [number, count]), None)
    } else if display::is_plain_name(title) {
        (Message::SectionNamed.render_with(lang, [number, count, foreign(title)]), None)
    } else {
        (Message::SectionPlace.render_with(lang, [number, count]), Some(title))
    };
    Some(SectionHeading {
        line,
        title: title_below,
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
    let mut sentences = Vec::new();
    let appeared_count = effect.appeared.len() as u64;
    if appeared_count > 0 {
        let one = Message::AppearedOne;
        sentences.push(describe::count_message(one, Message::Appeared, appeared_count, lang));
    }
    let vanished_count = effect.vanished.len() as u64;
    if vanished_count > 0 {
        let had_answer = effect.vanished.iter().any(|place| sheet.reply_at(*place).has_input());
        let (one, many) = if had_answer {
            (Message::VanishedOne, Message::Vanished)
        } else {
            (Message::RemovedOne, Message::Removed)
        };
        sentences.push(describe::count_message(one, many, vanished_count, lang));
    }
    sentences
}
