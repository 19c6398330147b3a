//! A questionnaire as JSON. Members that have a usual value may be left out when it is written by hand: ids are then
//! numbered, the kind is a choice where there are options and a text where there are none.

use super::json;
use crate::id::{OptionId, QuestionId};
use crate::problem::Problem;
use crate::question::{Choice, Kind, Opt, Question, TextEntry};
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// Text that is borrowed when it is written and owned when it was read.
type Words<'q> = Cow<'q, str>;

#[derive(Serialize, Deserialize)]
struct Document<'q> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<Words<'q>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Words<'q>>,
    questions: Vec<Entry<'q>>,
    #[serde(default, skip_serializing_if = "is_usual")]
    rules: Cow<'q, Rules>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindName {
    Choice,
    Text,
}

#[derive(Serialize, Deserialize)]
struct Entry<'q> {
    id: Option<Words<'q>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<KindName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Words<'q>>,
    prompt: Words<'q>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Words<'q>>,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Vec<OptionEntry<'q>>>,
    #[serde(default, skip_serializing_if = "is_false")]
    multi: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    other: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    long: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    placeholder: Option<Words<'q>>,
}

#[derive(Serialize, Deserialize)]
struct OptionEntry<'q> {
    id: Option<Words<'q>>,
    label: Words<'q>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Words<'q>>,
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_true(value: &bool) -> bool {
    *value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn is_usual(rules: &Rules) -> bool {
    *rules == Rules::default()
}

/// Reads a questionnaire from JSON text and checks it.
///
/// # Errors
/// Every problem found: either the one that stopped the reading, or all that are wrong with what was read.
pub fn read(text: &str) -> Result<Questionnaire, Vec<Problem>> {
    let questionnaire: Questionnaire = json::read(text).map_err(|problem| vec![problem])?;
    let problems = questionnaire.problems();
    if problems.is_empty() { Ok(questionnaire) } else { Err(problems) }
}

/// The canonical JSON: what the digest is made of and what a store keeps.
pub fn write(questionnaire: &Questionnaire) -> String {
    json::write(questionnaire)
}

impl Serialize for Questionnaire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Document {
            title: borrowed(self.title.as_ref()),
            context: borrowed(self.context.as_ref()),
            questions: self.questions.iter().map(entry).collect(),
            rules: Cow::Borrowed(&self.rules),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Questionnaire {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        Ok(Self {
            title: document.title.map(Cow::into_owned),
            context: document.context.map(Cow::into_owned),
            questions: document.questions.into_iter().enumerate().map(question).collect(),
            rules: document.rules.into_owned(),
        })
    }
}

fn borrowed(text: Option<&String>) -> Option<Words<'_>> {
    text.map(|text| Cow::Borrowed(text.as_str()))
}

fn entry(question: &Question) -> Entry<'_> {
    let mut entry = Entry {
        id: Some(Cow::Borrowed(question.id.as_str())),
        kind: None,
        label: borrowed(question.label.as_ref()),
        prompt: Cow::Borrowed(&question.prompt),
        detail: borrowed(question.detail.as_ref()),
        required: question.required,
        options: None,
        multi: false,
        other: false,
        long: false,
        placeholder: None,
    };
    match &question.kind {
        Kind::Choice(choice) => {
            entry.kind = Some(KindName::Choice);
            entry.options = Some(choice.options.iter().map(option_entry).collect());
            entry.multi = choice.multi;
            entry.other = choice.other;
        }
        Kind::Text(text) => {
            entry.kind = Some(KindName::Text);
            entry.long = text.long;
            entry.placeholder = borrowed(text.placeholder.as_ref());
        }
    }
    entry
}

fn option_entry(option: &Opt) -> OptionEntry<'_> {
    OptionEntry {
        id: Some(Cow::Borrowed(option.id.as_str())),
        label: Cow::Borrowed(&option.label),
        description: borrowed(option.description.as_ref()),
    }
}

fn question((index, entry): (usize, Entry<'_>)) -> Question {
    let usual = if entry.options.is_some() { KindName::Choice } else { KindName::Text };
    let kind = match entry.kind.unwrap_or(usual) {
        KindName::Choice => Kind::Choice(Choice {
            options: entry.options.unwrap_or_default().into_iter().enumerate().map(option).collect(),
            multi: entry.multi,
            other: entry.other,
        }),
        KindName::Text => {
            Kind::Text(TextEntry { long: entry.long, placeholder: entry.placeholder.map(Cow::into_owned) })
        }
    };
    Question {
        id: QuestionId::new(entry.id.map_or_else(|| format!("q{index}"), Cow::into_owned)),
        label: entry.label.map(Cow::into_owned),
        prompt: entry.prompt.into_owned(),
        detail: entry.detail.map(Cow::into_owned),
        required: entry.required,
        kind,
    }
}

fn option((index, entry): (usize, OptionEntry<'_>)) -> Opt {
    Opt {
        id: OptionId::new(entry.id.map_or_else(|| format!("o{}", index + 1), Cow::into_owned)),
        label: entry.label.into_owned(),
        description: entry.description.map(Cow::into_owned),
    }
}
