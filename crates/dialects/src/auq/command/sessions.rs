//! Output of AUQ's commands `sessions` and `fetch-answers`. An agent's text is sanitized in plain text, and unchanged
//! in JSON.

use super::user_answers::user_answers;
use crate::auq::messages::{short_id, status_word};
use crate::auq::wire::UserAnswer;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskSummary, ChoiceOption, Outcome, Question, display};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::{Display, Write as _};

/// An ask as a row of a list.
#[derive(Debug, Clone, Copy)]
pub struct AuqSessionSummary<'a> {
    /// The ask.
    pub row: &'a AskSummary,
    /// Age of the ask, in words.
    pub age: &'a str,
    /// Set if it has been waiting for long.
    pub stale: bool,
}

/// A single ask in full.
#[derive(Debug, Clone, Copy)]
pub struct AuqSession<'a> {
    /// The ask.
    pub ask: &'a Ask,
    /// Age of the ask, in words.
    pub age: &'a str,
}

/// Formats a time as JavaScript does.
pub(crate) fn javascript_time(time: impl Display) -> String {
    format!("{time:.3}")
}

impl AuqSessionSummary<'_> {
    /// Returns its line in `sessions list`.
    pub fn line(&self) -> String {
        let Self { row, age, stale } = self;
        let mark = if *stale { " ⚠" } else { "" };
        format!("{}  {}  {age}  questions: {}{mark}", row.id, status_word(row.state), row.questions)
    }

    /// Returns its entry in `sessions list --json`.
    pub fn json(&self) -> Value {
        json!({
            "sessionId": self.row.id,
            "status": status_word(self.row.state),
            "createdAt": javascript_time(self.row.created_at),
            "age": self.age,
            "stale": self.stale,
            "questionCount": self.row.questions,
        })
    }

    /// Header line of `fetch-answers` without a session.
    pub const UNREAD_HEADER: &'static str = "ID        Status     Age     Questions";

    /// Returns its line in `fetch-answers` without a session.
    pub fn unread_line(&self) -> String {
        let Self { row, age, .. } = self;
        format!("{:<10}{:<11}{age:<8}{}", short_id(row.id), status_word(row.state), row.questions)
    }

    /// Returns its entry in `fetch-answers --json` without a session.
    pub fn unread_json(&self) -> Value {
        json!({
            "sessionId": self.row.id,
            "status": status_word(self.row.state),
            "createdAt": javascript_time(self.row.created_at),
            "lastReadAt": null,
            "questionCount": self.row.questions,
        })
    }
}

/// Returns the options of a question, and whether several may be picked; the spec has only choices.
pub(crate) fn options(question: &Question) -> (&[ChoiceOption], bool) {
    match question.choice() {
        Some(choice) => (&choice.options, choice.multi),
        None => (&[], false),
    }
}

/// Returns the title of a question.
pub(crate) fn title(question: &Question) -> &str {
    question.label.as_deref().unwrap_or_default()
}

/// Returns the labels that an answer picks.
pub(crate) fn picked_labels(answer: Option<&UserAnswer>) -> HashSet<&str> {
    answer.and_then(UserAnswer::labels).into_iter().flatten().map(String::as_str).collect()
}

impl AuqSession<'_> {
    pub(crate) fn status(&self) -> &'static str {
        status_word(AskStatus::from_phase(&self.ask.state.phase))
    }

    pub(crate) fn questions(&self) -> &[Question] {
        &self.ask.request.questionnaire.questions
    }

    /// Returns the output of `sessions show`.
    pub fn text(&self) -> String {
        let mut text = format!(
            "Session: {}\nStatus: {} | Created: {}\nQuestions: {}\n\n",
            self.ask.id,
            self.status(),
            self.age,
            self.questions().len()
        );
        let answers = user_answers(self.ask);
        for (index, question) in self.questions().iter().enumerate() {
            let answer = answers.iter().flatten().find(|answer| answer.question_place() == Some(index));
            append_question(&mut text, index, question, answer);
        }
        let texts: Vec<_> = answers.iter().flatten().filter_map(summary).collect();
        if !texts.is_empty() {
            text.push_str(&format!("  (User answered: {})\n", display::escape_line(&texts.join(", "))));
        }
        text
    }

    /// Returns the output of `sessions show --json`.
    pub fn json(&self) -> Value {
        let mut questions = Vec::new();
        for (index, question) in self.questions().iter().enumerate() {
            let (options, multi) = options(question);
            questions.push(json!({
                "index": index,
                "prompt": question.prompt,
                "title": title(question),
                "multiSelect": multi,
                "options": options.iter().map(option_json).collect::<Vec<_>>(),
            }));
        }
        let answers = user_answers(self.ask);
        json!({
            "sessionId": self.ask.id,
            "status": self.status(),
            "createdAt": javascript_time(self.ask.request.created_at),
            "totalQuestions": self.questions().len(),
            "questions": questions,
            "answers": answers.map(|answers| answers.iter().map(answer_json).collect::<Vec<_>>()),
        })
    }

    /// Returns the output of `fetch-answers --json`. `now` is the read time of an answer read for the first time.
    pub fn fetched_json(&self, now: impl Display) -> Value {
        let answers = user_answers(self.ask);
        let mut read_at = None;
        if answers.is_some() {
            read_at = Some(self.read_at().unwrap_or_else(|| javascript_time(now)));
        }
        let mut value = json!({
            "sessionId": self.ask.id,
            "status": self.status(),
            "answers": answers,
            "lastReadAt": read_at,
        });
        if let (Some(Outcome::Declined { reason, .. }), Some(members)) =
            (self.ask.outcome(), value.as_object_mut())
        {
            members.insert("rejectionReason".to_owned(), json!(reason));
        }
        value
    }
}

fn option_json(option: &ChoiceOption) -> Value {
    match option.description.as_deref().unwrap_or_default() {
        "" => json!({ "label": option.label }),
        description => json!({ "label": option.label, "description": description }),
    }
}

fn answer_json(answer: &UserAnswer) -> Value {
    json!({
        "questionIndex": answer.question_index,
        "selectedOption": answer.selected_option,
        "selectedOptions": answer.selected_options,
        "customText": answer.custom_text,
        "timestamp": answer.timestamp,
    })
}

fn append_question(text: &mut String, index: usize, question: &Question, answer: Option<&UserAnswer>) {
    let (options, multi) = options(question);
    let tag = if multi { "[multi-select]" } else { "[single-select]" };
    let labels = picked_labels(answer);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "  {}. {}  {tag}", index + 1, display::escape_line(&question.prompt));
    for option in options {
        let mark = if labels.contains(option.label.as_str()) { "✓" } else { "→" };
        let _ = writeln!(text, "     {mark} {}", display::escape_line(&option.label));
        if let Some(description) = option.description.as_deref().filter(|text| !text.is_empty()) {
            let _ = writeln!(text, "       {}", display::escape_line(description));
        }
    }
    if let Some(own_answer) = answer.and_then(UserAnswer::custom_answer) {
        let _ = writeln!(text, "     ✎ Custom: {}", display::escape_line(own_answer));
    }
    text.push('\n');
}

/// Summarizes an answer.
fn summary(answer: &UserAnswer) -> Option<String> {
    if let Some(labels) = answer.labels()
        && !labels.is_empty()
    {
        return Some(labels.join(", "));
    }
    let own_answer = answer.custom_answer()?;
    Some(format!("\"{own_answer}\""))
}
