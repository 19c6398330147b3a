//! A questionnaire as JSON. Members that have a usual value may be left out when it is written by hand: ids are then
//! numbered, the kind is a choice where there are options and a text where there are none.

use super::json;
use crate::id::{OptionId, QuestionId};
use crate::problem::Problem;
use crate::question::{Choice, Kind, Opt, Question, TextEntry};
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    questions: Vec<Entry>,
    #[serde(default, skip_serializing_if = "is_usual")]
    rules: Rules,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindName {
    Choice,
    Text,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    id: Option<QuestionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<KindName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Vec<OptionEntry>>,
    #[serde(default, skip_serializing_if = "is_false")]
    multi: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    other: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    long: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    placeholder: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct OptionEntry {
    id: Option<OptionId>,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
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

/// The canonical bytes: what the digest is made of and what a store keeps.
pub fn to_bytes(questionnaire: &Questionnaire) -> Vec<u8> {
    json::write(questionnaire).into_bytes()
}

impl Serialize for Questionnaire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Document {
            title: self.title.clone(),
            context: self.context.clone(),
            questions: self.questions.iter().map(entry).collect(),
            rules: self.rules.clone(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Questionnaire {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        Ok(Self {
            title: document.title,
            context: document.context,
            questions: document.questions.into_iter().enumerate().map(question).collect(),
            rules: document.rules,
        })
    }
}

fn entry(question: &Question) -> Entry {
    let mut entry = Entry {
        id: Some(question.id.clone()),
        kind: None,
        label: question.label.clone(),
        prompt: question.prompt.clone(),
        detail: question.detail.clone(),
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
            entry.placeholder.clone_from(&text.placeholder);
        }
    }
    entry
}

fn option_entry(option: &Opt) -> OptionEntry {
    OptionEntry {
        id: Some(option.id.clone()),
        label: option.label.clone(),
        description: option.description.clone(),
    }
}

fn question((index, entry): (usize, Entry)) -> Question {
    let usual = if entry.options.is_some() { KindName::Choice } else { KindName::Text };
    let kind = match entry.kind.unwrap_or(usual) {
        KindName::Choice => Kind::Choice(Choice {
            options: entry.options.unwrap_or_default().into_iter().enumerate().map(option).collect(),
            multi: entry.multi,
            other: entry.other,
        }),
        KindName::Text => Kind::Text(TextEntry { long: entry.long, placeholder: entry.placeholder }),
    };
    Question {
        id: entry.id.unwrap_or_else(|| QuestionId::new(format!("q{index}"))),
        label: entry.label,
        prompt: entry.prompt,
        detail: entry.detail,
        required: entry.required,
        kind,
    }
}

fn option((index, entry): (usize, OptionEntry)) -> Opt {
    Opt {
        id: entry.id.unwrap_or_else(|| OptionId::new(format!("o{}", index + 1))),
        label: entry.label,
        description: entry.description,
    }
}
