//! Output of AUQ's command `history`.

use super::sessions::{AuqSession, javascript_time, options, picked_labels, title};
use super::user_answers::user_answers;
use crate::auq::messages::short_id;
use crate::auq::wire::UserAnswer;
use sayso_core::model::ask::DeliveryState;
use sayso_core::{Question, display};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Length of the excerpt of the first question in a line, in characters.
const PREVIEW_CHARS: usize = 40;

impl AuqSession<'_> {
    /// Header line of `history`.
    pub const HISTORY_HEADER: &'static str = "ID        Status          Time      Read   Q     Preview";

    /// Returns the time at which the asker got the answers.
    pub(crate) fn read_at(&self) -> Option<String> {
        match self.ask.state.delivery {
            DeliveryState::Acked { at } if user_answers(self.ask).is_some() => Some(javascript_time(at)),
            DeliveryState::Acked { .. }
            | DeliveryState::Ready
            | DeliveryState::Offered { .. }
            | DeliveryState::Parked { .. } => None,
        }
    }

    fn answer_count(&self) -> usize {
        user_answers(self.ask).map_or(0, |answers| answers.len())
    }

    fn marked_status(&self) -> String {
        let status = self.status();
        let mark = match status {
            "completed" => "✓",
            "rejected" => "✗",
            "timed_out" => "⏱",
            "abandoned" => "…",
            _ => "⏳",
        };
        format!("{mark} {status}")
    }

    fn preview(&self) -> String {
        let prompt = self.questions().first().map(|question| question.prompt.as_str()).unwrap_or_default();
        if prompt.chars().count() <= PREVIEW_CHARS {
            return prompt.to_owned();
        }
        prompt.chars().take(PREVIEW_CHARS - 1).chain(['…']).collect()
    }

    /// Returns its line in `history`.
    pub fn history_line(&self) -> String {
        let read_mark = if self.read_at().is_some() { "✓" } else { "─" };
        format!(
            "{:<10}{:<16}{:<10}{read_mark:<7}{:<6}{}",
            short_id(self.ask.id),
            self.marked_status(),
            self.age,
            format!("{}/{}", self.answer_count(), self.questions().len()),
            display::escape_line(&self.preview())
        )
    }

    /// Returns its entry in `history --json`.
    pub fn history_json(&self) -> Value {
        self.entry("preview", &self.preview().into())
    }

    /// Returns an entry of `history` in JSON, with one member that depends on the form.
    fn entry(&self, more: &str, value: &Value) -> Value {
        json!({
            "sessionId": self.ask.id,
            "status": self.status(),
            "createdAt": javascript_time(self.ask.request.created_at),
            "lastReadAt": self.read_at(),
            "questionCount": self.questions().len(),
            "answeredCount": self.answer_count(),
            more: value,
        })
    }

    /// Returns the output of `history show`.
    pub fn details(&self) -> String {
        let read_mark = match self.read_at() {
            Some(time) => format!("✓ {}", readable_time(&time)),
            None => "unread".to_owned(),
        };
        let mut text = format!(
            "Session: {}\nStatus: {}\nCreated: {} ({})\nRead: {read_mark}\nQuestions: {}/{} answered\n\n",
            self.ask.id,
            self.marked_status(),
            readable_time(&javascript_time(self.ask.request.created_at)),
            self.age,
            self.answer_count(),
            self.questions().len()
        );
        let answers = user_answers(self.ask);
        for (index, question) in self.questions().iter().enumerate() {
            let answer = answers.iter().flatten().find(|answer| answer.question_place() == Some(index));
            append_question(&mut text, index, question, answer);
        }
        text
    }

    /// Returns the output of `history show --json`.
    pub fn details_json(&self) -> Value {
        let answers = user_answers(self.ask);
        let mut questions = Vec::new();
        for (index, question) in self.questions().iter().enumerate() {
            let answer = answers.iter().flatten().find(|answer| answer.question_place() == Some(index));
            let labels = picked_labels(answer);
            let (options, multi) = options(question);
            let mut items = Vec::with_capacity(options.len());
            for option in options {
                items.push(json!({
                    "label": option.label,
                    "description": option.description,
                    "selected": labels.contains(option.label.as_str()),
                }));
            }
            questions.push(json!({
                "index": index,
                "title": title(question),
                "prompt": question.prompt,
                "multiSelect": multi,
                "options": items,
                "customText": answer.and_then(|answer| answer.custom_text.as_deref()),
            }));
        }
        self.entry("questions", &questions.into())
    }
}

/// Formats `2026-03-10T09:30:00.000Z` as `2026-03-10 09:30:00Z`.
fn readable_time(iso: &str) -> String {
    let whole_seconds = iso.split('.').next().unwrap_or(iso);
    format!("{}Z", whole_seconds.replace('T', " "))
}

fn append_question(text: &mut String, index: usize, question: &Question, answer: Option<&UserAnswer>) {
    let labels = picked_labels(answer);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}. {}", index + 1, display::escape_line(title(question)));
    let _ = writeln!(text, "   {}", display::escape_line(&question.prompt));
    for option in options(question).0 {
        let mark = if labels.contains(option.label.as_str()) { "(selected) " } else { "" };
        let line = match option.description.as_deref().unwrap_or_default() {
            "" => option.label.clone(),
            description => format!("{} — {description}", option.label),
        };
        let _ = writeln!(text, "   {mark}{}", display::escape_line(&line));
    }
    if let Some(own_answer) = answer.and_then(UserAnswer::custom_answer) {
        let _ = writeln!(text, "   (selected) Other: '{}'", display::escape_line(own_answer));
    }
    text.push('\n');
}
