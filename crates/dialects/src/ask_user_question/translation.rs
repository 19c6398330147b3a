//! Translation of a questionnaire from another dialect to the spec's command input, within the configured limits.

use super::AskUserQuestionLimits;
use super::reader::{DESCRIPTION_LENGTH, LABEL_LENGTH, OPTIONS_MIN, rules};
use crate::translation::names;
use crate::translation::places::QuestionPlaces;
use crate::translation::{DialectCapabilities, RuleSupport, truncate};
use crate::{Dialect, TranslatedRequest, TranslationLoss};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{ChoiceOption, DocumentPath, Question, Questionnaire};
use sayso_core::{LocalizedText, Message};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

#[derive(Serialize)]
struct AskUserQuestionDocument<'q> {
    questions: Vec<QuestionDocument<'q>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QuestionDocument<'q> {
    question: &'q str,
    header: Cow<'q, str>,
    multi_select: bool,
    options: Vec<OptionDocument<'q>>,
}

#[derive(Serialize)]
struct OptionDocument<'q> {
    label: &'q str,
    description: Cow<'q, str>,
}

const UNIT: LengthUnit = LengthUnit::Utf16;

/// Returns the reason that the spec cannot express a question.
fn untranslatable(question: &Question, limits: &AskUserQuestionLimits) -> Option<LocalizedText> {
    let Some(choice) = question.choice() else {
        return Some(Message::LostKind.with([question.kind.name()]));
    };
    let count = choice.options.len();
    if !(OPTIONS_MIN..=limits.options).contains(&count) {
        return Some(Message::LostOptionCount.with([count, OPTIONS_MIN, limits.options]));
    }
    let mut words = choice.options.iter().map(|option| (option.label.as_str(), LABEL_LENGTH));
    let long = words.find(|(label, most)| label.is_empty() || UNIT.count(label) > *most);
    if question.prompt.is_empty() || long.is_some_and(|(label, _)| label.is_empty()) {
        return Some(Message::LostEmpty.into());
    }
    let prompt = (question.prompt.as_str(), limits.question);
    let mut long = long.into_iter().chain([prompt]);
    long.find(|(words, most)| UNIT.count(words) > *most).map(|(_, most)| Message::LostLength.with([most]))
}

/// Writes a questionnaire as a request: the first expressible questions, as many as a call may have.
pub fn write_request(questionnaire: &Questionnaire, limits: &AskUserQuestionLimits) -> TranslatedRequest {
    let can = DialectCapabilities::choices_only(Dialect::AskUserQuestion, RuleSupport::Always, rules());
    let refuses = |question: &Question| untranslatable(question, limits);
    let (kept, mut lost) = can.translate(questionnaire, &refuses, limits.questions);
    let places = QuestionPlaces::from_questionnaire(questionnaire);
    let mut questions: Vec<_> =
        kept.iter().map(|question| item(question, &places, limits.header, &mut lost)).collect();
    number_duplicates(&mut questions, &kept, &places, limits.header, &mut lost);
    TranslatedRequest { text: json::write(&AskUserQuestionDocument { questions }), lost }
}

/// Numbers duplicate headers: of two answers under one header only the later comes back. A name that the asker gave
/// stays, and the loss of its answer is reported.
fn number_duplicates(
    items: &mut [QuestionDocument<'_>],
    questions: &[&Question],
    places: &QuestionPlaces<'_>,
    longest: usize,
    lost: &mut Vec<TranslationLoss>,
) {
    let repeated = names::repeated_indexes(items.iter().map(|item| &*item.header));
    if repeated.is_empty() {
        return;
    }
    let mut taken: HashSet<String> = items.iter().map(|item| item.header.to_string()).collect();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for at in repeated {
        let Some((item, question)) = items.get_mut(at).zip(questions.get(at)) else { continue };
        let is_own = question.label.as_deref() == Some(&*item.header);
        let number = numbers.entry(item.header.to_string()).or_insert(1);
        let free = (!is_own).then(|| free_header(&item.header, number, longest, &taken)).flatten();
        if let Some(free) = free {
            taken.insert(free.clone());
            item.header = free.into();
        } else {
            let path = places.place(question).join("label");
            lost.push(TranslationLoss::new(path, Message::LostSameName));
        }
    }
}

/// Returns the header with the next free number; `None` if there is no room for one.
fn free_header(header: &str, number: &mut usize, longest: usize, taken: &HashSet<String>) -> Option<String> {
    loop {
        *number += 1;
        let end = format!(" {number}");
        let room = longest.checked_sub(UNIT.count(&end)).filter(|room| *room > 1)?;
        let name = format!("{}{end}", truncate(header, room, UNIT, &DocumentPath::root, &mut Vec::new()));
        if !taken.contains(&name) {
            return Some(name);
        }
    }
}

fn item<'q>(
    question: &'q Question,
    places: &QuestionPlaces<'_>,
    longest: usize,
    lost: &mut Vec<TranslationLoss>,
) -> QuestionDocument<'q> {
    let at = |member: &str| places.place(question).join(member);
    let header = match question.label.as_deref().filter(|label| !label.is_empty()) {
        Some(label) => truncate(label, longest, UNIT, &|| at("label"), lost),
        None => places.generated_name(question, longest, UNIT, lost),
    };
    let (options, multi_select) =
        question.choice().map_or((&[][..], false), |choice| (choice.options.as_slice(), choice.multi));
    let entry = |(index, option)| entry(option, &|| at("options").join(index).join("description"), lost);
    let options = options.iter().enumerate().map(entry).collect();
    QuestionDocument { question: &question.prompt, header, multi_select, options }
}

fn entry<'q>(
    option: &'q ChoiceOption,
    place: &dyn Fn() -> DocumentPath,
    lost: &mut Vec<TranslationLoss>,
) -> OptionDocument<'q> {
    let description = match option.description.as_deref().filter(|text| !text.is_empty()) {
        Some(description) => truncate(description, DESCRIPTION_LENGTH, UNIT, place, lost),
        None => {
            let loss = TranslationLoss::new(place(), Message::LostNoDescription);
            lost.push(loss.replaced_by(Message::LabelStands));
            Cow::Borrowed(option.label.as_str())
        }
    };
    OptionDocument { label: &option.label, description }
}
