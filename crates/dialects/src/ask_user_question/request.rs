//! Requests written: a questionnaire of another dialect as the spec's command input, within the limits that are set.

use super::AskLimits;
use super::read::{DESCRIPTION_LENGTH, LABEL_LENGTH, OPTIONS_MIN, rules};
use crate::places::Places;
use crate::translate::{Can, Says, cut};
use crate::{Dialect, Lost, Translated};
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{Choice, Kind, Opt, Path, Question, Questionnaire};
use serde::Serialize;
use std::borrow::Cow;

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

fn can() -> Can {
    // What is beyond the limits that are set is left out afterwards.
    let refuses = |question: &Question| refuses(question, &AskLimits::NONE);
    Can::choices_alone(Dialect::AskUserQuestion, Says::Always, refuses, rules())
}

/// Why the spec has no words for a question.
fn refuses(question: &Question, limits: &AskLimits) -> Option<Text> {
    let Kind::Choice(choice) = &question.kind else {
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

/// A questionnaire as a request: the first questions that the spec has words for, as many as a call may have.
pub fn request(questionnaire: &Questionnaire, limits: &AskLimits) -> Translated {
    let (mut kept, mut lost) = can().translate(questionnaire);
    let places = Places::of(questionnaire);
    places.leave_out(&mut kept, &mut lost, |question| refuses(question, limits));
    places.leave_out_beyond(limits.questions, &mut kept, &mut lost);
    let questions =
        kept.into_iter().map(|question| item(question, &places, limits.header, &mut lost)).collect();
    Translated { text: json::write(&Document { questions }), lost }
}

fn item<'q>(question: &'q Question, places: &Places<'_>, longest: usize, lost: &mut Vec<Lost>) -> Item<'q> {
    let at = |member: &str| places.of_question(question).then(member);
    let header = match question.label.as_deref().filter(|label| !label.is_empty()) {
        Some(label) => cut(label, longest, UNIT, &|| at("label"), lost),
        None => places.made_up_name(question, longest, UNIT, lost),
    };
    let (options, multi_select) = match &question.kind {
        Kind::Choice(Choice { options, multi, .. }) => (options.as_slice(), *multi),
        _ => (&[][..], false),
    };
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
