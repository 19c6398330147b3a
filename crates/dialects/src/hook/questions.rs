//! Questions that an agent asks with its host's own tool: choices with an own answer.

use crate::format::form_note::form_note_text;
use sayso_core::wire::json;
use sayso_core::{
    Answer, ChoiceOption, ChoiceQuestion, OptionId, Pick, Question, QuestionId, Questionnaire, Replies,
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Words for the model if the person declined without a reason.
pub(super) const DECLINED: &str = "The person declined to answer.";
/// Beginning of an own text that declines with a reason, where a host has no other place for the reason.
const DECLINED_WITH_REASON: &str = "The person declined to answer: ";
/// Beginning of an own text that is the person's note, where a host has no other place for notes.
const NOTE: &str = "Note: ";
/// Separator of several labels in one answer.
const SEPARATOR: &str = ", ";

#[derive(Deserialize)]
struct QuestionsInput {
    questions: Vec<HookQuestionInput>,
}

#[derive(Deserialize)]
struct HookQuestionInput {
    question: String,
    header: Option<String>,
    #[serde(default)]
    options: Vec<OptionInput>,
    #[serde(default, rename = "multiSelect", alias = "multiple", alias = "multi_select")]
    multi: bool,
    /// False if the host takes its own options alone.
    #[serde(default = "takes_own_text")]
    custom: bool,
    /// A secret has no place at a desk that others read.
    #[serde(default, rename = "isSecret", alias = "is_secret")]
    is_secret: bool,
}

const fn takes_own_text() -> bool {
    true
}

#[derive(Deserialize)]
struct OptionInput {
    label: String,
    description: Option<String>,
    preview: Option<String>,
}

/// Returns the questionnaire of the tool's arguments; `None` if they have another form, or ask for a secret.
pub(super) fn questionnaire(input: &Value) -> Option<Questionnaire> {
    let QuestionsInput { questions } = QuestionsInput::deserialize(input).ok()?;
    if questions.is_empty() || questions.iter().any(|question| question.is_secret) {
        return None;
    }
    let mut questionnaire = Questionnaire::default();
    for (index, question) in questions.into_iter().enumerate() {
        questionnaire.questions.push(choice_question(index, question));
    }
    Some(questionnaire)
}

fn choice_question(index: usize, input: HookQuestionInput) -> Question {
    let mut choice = ChoiceQuestion { multi: input.multi, other: input.custom, ..ChoiceQuestion::default() };
    for (index, option) in input.options.into_iter().enumerate() {
        choice.options.push(ChoiceOption {
            description: option.description.filter(is_not_blank),
            preview: option.preview.filter(is_not_blank),
            ..ChoiceOption::new(OptionId::numbered('o', index + 1), option.label)
        });
    }
    let mut question = Question::new(QuestionId::numbered('q', index), input.question, choice);
    question.label = input.header.filter(is_not_blank);
    question
}

#[expect(clippy::ptr_arg, reason = "the argument of `Option::filter`")]
fn is_not_blank(text: &String) -> bool {
    !text.trim().is_empty()
}

/// Returns the picked labels and own texts of each question with an answer, in the order of the questions.
pub(super) fn picked_labels<'q>(
    questionnaire: &'q Questionnaire,
    replies: &'q Replies,
) -> Vec<(&'q Question, Vec<&'q str>)> {
    let mut all = Vec::new();
    for question in &questionnaire.questions {
        if let Some(labels) = question_labels(question, replies) {
            all.push((question, labels));
        }
    }
    all
}

/// Returns the picked labels and own texts of a question; `None` without an answer.
fn question_labels<'q>(question: &'q Question, replies: &'q Replies) -> Option<Vec<&'q str>> {
    let Answer::Picks(picks) = replies.get(&question.id)?.answer()? else { return None };
    let mut labels = Vec::with_capacity(picks.len());
    for pick in picks.iter() {
        match pick {
            Pick::Other(text) => labels.push(text.as_str()),
            Pick::Option(id) => {
                let option = question.choice().and_then(|choice| choice.option(id));
                labels.extend(option.map(|option| option.label.as_str()));
            }
        }
    }
    Some(labels)
}

/// Returns the own text that declines with a reason; `None` without a reason.
pub(super) fn declined_text(reason: Option<&str>) -> Option<String> {
    let words = reason?.trim();
    if words.is_empty() { None } else { Some(format!("{DECLINED_WITH_REASON}{words}")) }
}

/// Returns the labels, own texts and note of every question, for a host that reads lists of labels.
pub(super) fn label_lists(questionnaire: &Questionnaire, replies: &Replies) -> Vec<Vec<String>> {
    let mut lists = Vec::with_capacity(questionnaire.questions.len());
    for question in &questionnaire.questions {
        let labels = question_labels(question, replies).unwrap_or_default();
        let mut list: Vec<String> = labels.into_iter().map(str::to_owned).collect();
        if let Some(reply) = replies.get(&question.id)
            && let Some(note) = &reply.note
        {
            list.push(format!("{NOTE}{note}"));
        }
        lists.push(list);
    }
    if let Some(last) = lists.last_mut() {
        last.extend(form_note_text(replies));
    }
    lists
}

/// Returns the answers as one text a question, by the question.
pub(super) fn answers_by_question(questionnaire: &Questionnaire, replies: &Replies) -> Value {
    let mut answers = Map::new();
    for (question, labels) in picked_labels(questionnaire, replies) {
        let is_list = question.choice().is_some_and(|choice| choice.multi);
        let text = if is_list { join_items(&labels) } else { labels.concat() };
        answers.insert(question.prompt.clone(), Value::from(text));
    }
    Value::Object(answers)
}

/// Joins labels and own texts as Claude Code does: one that contains the separator or a quotation mark is a JSON string.
fn join_items(items: &[&str]) -> String {
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let needs_quotes = item.contains(SEPARATOR) || item.contains('"');
        texts.push(if needs_quotes { json::write(item) } else { (*item).to_owned() });
    }
    texts.join(SEPARATOR)
}

/// Splits such a text; `None` if it is no list.
pub(super) fn split_items(text: &str) -> Option<Vec<String>> {
    let mut items = Vec::new();
    let mut rest = text;
    loop {
        let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let (item, length) = if rest.starts_with('"') {
            (strings.next()?.ok()?, strings.byte_offset())
        } else {
            let end = rest.find(SEPARATOR).unwrap_or(rest.len());
            (rest.get(..end)?.to_owned(), end)
        };
        items.push(item);
        match rest.get(length..)? {
            "" => return Some(items),
            more => rest = more.strip_prefix(SEPARATOR)?,
        }
    }
}

/// Returns the notes of the person by the question. The last one has that on the whole form too.
pub(super) fn notes_by_question(questionnaire: &Questionnaire, replies: &Replies) -> Vec<(String, String)> {
    let mut form_note = form_note_text(replies);
    let mut notes = Vec::new();
    for question in questionnaire.questions.iter().rev() {
        let own = replies.get(&question.id).and_then(|reply| reply.note.clone());
        let lines: Vec<_> = own.into_iter().chain(form_note.take()).collect();
        if !lines.is_empty() {
            notes.push((question.prompt.clone(), lines.join("\n")));
        }
    }
    notes.reverse();
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_joined_as_claude_code_does() {
        for (items, text) in [
            (&["Salt", "Oil"] as &[&str], "Salt, Oil"),
            (&["Salt, pepper", "Oil"], r#""Salt, pepper", Oil"#),
            (&["a \"b\""], r#""a \"b\"""#),
            (&["a,b"], "a,b"),
        ] {
            assert_eq!(join_items(items), text);
            assert_eq!(split_items(text).unwrap(), items);
        }
        assert_eq!(split_items("\"a"), None);
    }
}
