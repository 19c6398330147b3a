//! Descriptions of a question in our own sentences, shared by all surfaces.

use crate::recap;
use sayso_core::{Constraint, Demand, Kind, Lang, Message, Opt, OptionId, Question, Rating, Sheet, display};
use std::collections::HashSet;

/// Emoji of a five-step scale.
const FACES: [&str; 5] = ["😡", "😟", "😐", "😊", "😍"];

/// Constraint on an answer: in our words, or in the asker's if it supplied some.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Demanded<'q> {
    Ours(String),
    Askers(&'q str),
}

/// Visual checks of a question's text against spoofing. They depend on the question alone.
#[derive(Debug)]
pub(crate) struct Looks {
    /// Warnings to show before the text is trusted.
    pub(crate) warnings: Vec<String>,
    /// Options with labels that look like another one's.
    alike: HashSet<OptionId>,
}

impl Looks {
    pub(crate) fn of(question: &Question, lang: Lang) -> Self {
        let mut alike = HashSet::new();
        if let Kind::Choice(choice) = &question.kind {
            let looks = display::alike(choice.options.iter().map(|option| option.label.as_str()));
            let options = choice.options.iter().zip(looks).filter(|(_, is_alike)| *is_alike);
            alike.extend(options.map(|(option, _)| option.id.clone()));
        }
        Self { warnings: warnings(question, lang), alike }
    }

    /// Returns the value that an option sends, if the person must see it: it differs from the label, or it tells
    /// lookalike options apart.
    pub(crate) fn value(&self, option: &Opt, lang: Lang) -> Option<String> {
        let alike = self.alike.contains(&option.id).then(|| option.sent());
        option.sent_beside().or(alike).map(|sent| Message::ItsValue.say(lang, [recap::brief(sent)]))
    }
}

fn warnings(question: &Question, lang: Lang) -> Vec<String> {
    let mut texts = vec![question.prompt.as_str()];
    texts.extend(question.detail.as_deref());
    if let Kind::Choice(choice) = &question.kind {
        for option in &choice.options {
            texts.push(&option.label);
            texts.extend(option.description.as_deref());
        }
    }
    if let Kind::Confirm(confirm) = &question.kind {
        texts.extend(confirm.yes.iter().chain(&confirm.no).map(String::as_str));
    }
    let mut said = Vec::new();
    let hidden: usize = texts.iter().map(|text| display::hidden(text)).sum();
    if hidden > 0 {
        said.push(recap::counted(Message::HiddenShownOne, Message::HiddenShown, hidden as u64, lang));
    }
    let mut mixed: Vec<&str> = texts.iter().flat_map(|text| display::mixed(text)).collect();
    mixed.dedup();
    if !mixed.is_empty() {
        said.push(Message::MixedAlphabets.say(lang, [recap::brief(&mixed.join(", "))]));
    }
    said
}

/// Returns the kind of answer that a question takes.
pub(crate) fn kind(question: &Question, lang: Lang) -> String {
    let message = match &question.kind {
        Kind::Choice(choice) if choice.multi => Message::ChooseSeveral,
        Kind::Choice(_) => Message::ChooseOne,
        Kind::Text(text) if text.long => Message::LongText,
        Kind::Text(_) => Message::OneLineText,
        Kind::Confirm(_) => Message::YesOrNo,
        Kind::Rating(rating) => return Message::RateFromTo.say(lang, [rating.min, rating.max]),
        Kind::Number(_) => Message::ANumber,
        Kind::Date => Message::ADate,
        Kind::Time => Message::ATime,
        Kind::Datetime => Message::ADatetime,
    };
    message.plain(lang).to_owned()
}

/// Returns the message for required or optional.
pub(crate) fn need(sheet: &Sheet, index: usize, question: &Question) -> Message {
    let in_optional_section = || {
        let section = question.section.as_ref().and_then(|id| sheet.questionnaire().section(id));
        section.is_some_and(|section| section.optional)
    };
    match sheet.is_needed(index) {
        _ if question.required && in_optional_section() => Message::MustAnswerInSection,
        true => Message::MustAnswer,
        false => Message::MaySkip,
    }
}

/// Returns the constraints on an answer, before it fails them.
pub(crate) fn demanded(constraints: &[Constraint], lang: Lang) -> Vec<Demanded<'_>> {
    // Two demands only have messages for a failure; the meaning of a pattern is known to its asker alone.
    let shown = |constraint: &&Constraint| {
        constraint.demands().any(|demand| !matches!(demand, Demand::Answered | Demand::Fits))
    };
    let mut demanded = Vec::new();
    for constraint in constraints.iter().filter(shown) {
        if let Some(message) = &constraint.message {
            demanded.push(Demanded::Askers(message));
            continue;
        }
        let ours = constraint
            .demands()
            .filter(|demand| !matches!(demand, Demand::Answered | Demand::Fits | Demand::Pattern(_)));
        demanded.extend(ours.map(|demand| Demanded::Ours(demand.words().render(lang))));
    }
    demanded
}

/// Returns the emoji of a step; on scales of other sizes the nearest one.
pub(crate) fn face(rating: &Rating, step: i32) -> Option<&'static str> {
    let (from, to) = (i64::from(rating.min), i64::from(rating.max));
    let place = (i64::from(step) - from) * 4 / (to - from).max(1);
    usize::try_from(place).ok().and_then(|place| FACES.get(place)).copied()
}

/// Returns the heading of a question's section.
pub(crate) fn section<'s>(
    sheet: &'s Sheet,
    index: usize,
    question: &Question,
    lang: Lang,
) -> Option<Section<'s>> {
    let questionnaire = sheet.questionnaire();
    let section = question.section.as_ref().and_then(|id| questionnaire.section(id))?;
    let (first, _) = sheet.asked().find(|(_, other)| other.section == question.section)?;
    let place = questionnaire.sections.iter().position(|other| other.id == section.id).unwrap_or_default();
    let title = section.title.as_deref().map(recap::brief).unwrap_or_default();
    let counts = [(place + 1).to_string(), questionnaire.sections.len().to_string(), title];
    Some(Section {
        line: Message::SectionPlace.say(lang, counts).trim_end().to_owned(),
        detail: section.detail.as_deref(),
        optional: section.optional,
        begins: first == index,
    })
}

/// Heading of a section.
#[derive(Debug)]
pub(crate) struct Section<'s> {
    pub(crate) line: String,
    pub(crate) detail: Option<&'s str>,
    pub(crate) optional: bool,
    /// True if the question is the first active one of the section.
    pub(crate) begins: bool,
}
