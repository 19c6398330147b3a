//! Output of AUQ's command `history`.

use super::sessions::{AuqSession, javascript_time, options, picked_labels, title};
use super::user_answers::user_answers;
use crate::auq::messages::short_id;
use crate::auq::wire::UserAnswer;
use sayso_core::model::ask::DeliveryState;
use sayso_core::{ChoiceOption, Question, display};
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
            DeliveryState::Acked { at } => user_answers(self.ask).map(|_| javascript_time(at)),
            DeliveryState::Ready | DeliveryState::Offered { .. } | DeliveryState::Parked { .. } => None,
        }
    }

    fn answered(&self) -> usize {
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
        let read = if self.read_at().is_some() { "✓" } else { "─" };
        format!(
            "{:<10}{:<16}{:<10}{read:<7}{:<6}{}",
            short_id(self.ask.id),
            self.marked_status(),
            self.age,
            format!("{}/{}", self.answered(), self.questions().len()),
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
            "answeredCount": self.answered(),
            more: value,
        })
    }

    /// Returns the output of `history show`.
    pub fn details(&self) -> String {
        let read =
            self.read_at().map_or_else(|| "unread".to_owned(), |at| format!("✓ {}", readable_time(&at)));
        let mut text = format!(
            "Session: {}\nStatus: {}\nCreated: {} ({})\nRead: {read}\nQuestions: {}/{} answered\n\n",
            self.ask.id,
            self.marked_status(),
            readable_time(&javascript_time(self.ask.request.created_at)),
            self.age,
            self.answered(),
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
        let question = |(index, question): (usize, &Question)| {
            let answer = answers.iter().flatten().find(|answer| answer.question_place() == Some(index));
            let picked = picked_labels(answer);
            let (options, multi) = options(question);
            let option = |option: &ChoiceOption| {
                json!({
                    "label": option.label,
                    "description": option.description,
                    "selected": picked.contains(option.label.as_str()),
                })
            };
            json!({
                "index": index,
                "title": title(question),
                "prompt": question.prompt,
                "multiSelect": multi,
                "options": options.iter().map(option).collect::<Vec<_>>(),
                "customText": answer.and_then(|answer| answer.custom_text.as_deref()),
            })
        };
        self.entry("questions", &self.questions().iter().enumerate().map(question).collect())
    }
}

/// Formats `2026-03-10T09:30:00.000Z` as `2026-03-10 09:30:00Z`.
fn readable_time(iso: &str) -> String {
    let seconds = iso.split_once('.').map_or(iso, |(seconds, _)| seconds);
    format!("{}Z", seconds.replace('T', " "))
}

fn append_question(text: &mut String, index: usize, question: &Question, answer: Option<&UserAnswer>) {
    let picked = picked_labels(answer);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}. {}", index + 1, display::escape_line(title(question)));
    let _ = writeln!(text, "   {}", display::escape_line(&question.prompt));
    for option in options(question).0 {
        let mark = if picked.contains(option.label.as_str()) { "(selected) " } else { "" };
        let description = option.description.as_deref().filter(|text| !text.is_empty());
        let after = description.map(|text| format!(" — {text}")).unwrap_or_default();
        let _ = writeln!(text, "   {mark}{}", display::escape_line(&format!("{}{after}", option.label)));
    }
    if let Some(own) = answer.and_then(UserAnswer::custom_answer) {
        let _ = writeln!(text, "   (selected) Other: '{}'", display::escape_line(own));
    }
    text.push('\n');
}
