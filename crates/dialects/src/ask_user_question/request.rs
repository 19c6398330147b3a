//! Translation of a questionnaire from another dialect to the spec's command input, within the configured limits.

use super::AskLimits;
use super::read::{DESCRIPTION_LENGTH, LABEL_LENGTH, OPTIONS_MIN, rules};
use crate::names;
use crate::places::Places;
use crate::translate::{Can, Says, cut};
use crate::{Dialect, Lost, Translated};
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{Opt, Path, Question, Questionnaire};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

#[derive(Serialize)]
struct Document<'q> {
    questions: Vec<Item<'q>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'q> {
    question: &'q str,
    header: Cow<'q, str>,
    multi_select: bool,
    options: Vec<Entry<'q>>,
}

#[derive(Serialize)]
struct Entry<'q> {
    label: &'q str,
    description: Cow<'q, str>,
}

const UNIT: LengthUnit = LengthUnit::Utf16;

/// Returns the reason that the spec cannot express a question.
fn refuses(question: &Question, limits: &AskLimits) -> Option<Text> {
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
pub fn request(questionnaire: &Questionnaire, limits: &AskLimits) -> Translated {
    let can = Can::choices_alone(Dialect::AskUserQuestion, Says::Always, rules());
    let refuses = |question: &Question| refuses(question, limits);
    let (kept, mut lost) = can.translate(questionnaire, &refuses, limits.questions);
    let places = Places::of(questionnaire);
    let mut questions: Vec<_> =
        kept.iter().map(|question| item(question, &places, limits.header, &mut lost)).collect();
    tell_apart(&mut questions, &kept, &places, limits.header, &mut lost);
    Translated { text: json::write(&Document { questions }), lost }
}

/// Numbers duplicate headers: of two answers under one header only the later comes back. A name that the asker gave
/// stays, and the loss of its answer is reported.
fn tell_apart(
    items: &mut [Item<'_>],
    questions: &[&Question],
    places: &Places<'_>,
    longest: usize,
    lost: &mut Vec<Lost>,
) {
    let repeated = names::repeated(items.iter().map(|item| &*item.header));
    if repeated.is_empty() {
        return;
    }
    let mut taken: HashSet<String> = items.iter().map(|item| item.header.to_string()).collect();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for at in repeated {
        let Some((item, question)) = items.get_mut(at).zip(questions.get(at)) else { continue };
        let is_own = question.label.as_deref() == Some(&*item.header);
        let number = numbers.entry(item.header.to_string()).or_insert(1);
        let free = (!is_own).then(|| free(&item.header, number, longest, &taken)).flatten();
        if let Some(free) = free {
            taken.insert(free.clone());
            item.header = free.into();
        } else {
            let path = places.of_question(question).then("label");
            lost.push(Lost { path, what: Message::LostSameName.into(), instead: None });
        }
    }
}

/// Returns the header with the next free number; `None` if there is no room for one.
fn free(header: &str, number: &mut usize, longest: usize, taken: &HashSet<String>) -> Option<String> {
    loop {
        *number += 1;
        let end = format!(" {number}");
        let room = longest.checked_sub(UNIT.count(&end)).filter(|room| *room > 1)?;
        let name = format!("{}{end}", cut(header, room, UNIT, &Path::root, &mut Vec::new()));
        if !taken.contains(&name) {
            return Some(name);
        }
    }
}

fn item<'q>(question: &'q Question, places: &Places<'_>, longest: usize, lost: &mut Vec<Lost>) -> Item<'q> {
    let at = |member: &str| places.of_question(question).then(member);
    let header = match question.label.as_deref().filter(|label| !label.is_empty()) {
        Some(label) => cut(label, longest, UNIT, &|| at("label"), lost),
        None => places.made_up_name(question, longest, UNIT, lost),
    };
    let (options, multi_select) =
        question.choice().map_or((&[][..], false), |choice| (choice.options.as_slice(), choice.multi));
    let entry = |(index, option)| entry(option, &|| at("options").then(index).then("description"), lost);
    let options = options.iter().enumerate().map(entry).collect();
    Item { question: &question.prompt, header, multi_select, options }
}

fn entry<'q>(option: &'q Opt, place: &dyn Fn() -> Path, lost: &mut Vec<Lost>) -> Entry<'q> {
    let description = match option.description.as_deref().filter(|text| !text.is_empty()) {
        Some(description) => cut(description, DESCRIPTION_LENGTH, UNIT, place, lost),
        None => {
            let instead = Some(Message::LabelStands.into());
            lost.push(Lost { path: place(), what: Message::LostNoDescription.into(), instead });
            Cow::Borrowed(option.label.as_str())
        }
    };
    Entry { label: &option.label, description }
}
