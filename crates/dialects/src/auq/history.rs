//! Output of AUQ's command `history`.

use super::UserAnswer;
use super::read_back::user_answers;
use super::sessions::{Session, iso, options, picked, title};
use super::status::short;
use sayso_core::ask::Delivery;
use sayso_core::{Opt, Question, display};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Length of the excerpt of the first question in a line, in characters.
const PREVIEW_CHARS: usize = 40;

impl Session<'_> {
    /// Header line of `history`.
    pub const HISTORY_HEADER: &'static str = "ID        Status          Time      Read   Q     Preview";

    /// Returns the time at which the asker got the answers.
    pub(super) fn read_at(&self) -> Option<String> {
        match self.ask.state.delivery {
            Delivery::Acked { at } => user_answers(self.ask).map(|_| iso(at)),
            Delivery::Ready | Delivery::Offered { .. } | Delivery::Parked { .. } => None,
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
            short(self.ask.id),
            self.marked_status(),
            self.age,
            format!("{}/{}", self.answered(), self.questions().len()),
            display::line(&self.preview())
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
            "createdAt": iso(self.ask.request.created_at),
            "lastReadAt": self.read_at(),
            "questionCount": self.questions().len(),
            "answeredCount": self.answered(),
            more: value,
        })
    }

    /// Returns the output of `history show`.
    pub fn record(&self) -> String {
        let read =
            self.read_at().map_or_else(|| "unread".to_owned(), |at| format!("✓ {}", on_the_clock(&at)));
        let mut text = format!(
            "Session: {}\nStatus: {}\nCreated: {} ({})\nRead: {read}\nQuestions: {}/{} answered\n\n",
            self.ask.id,
            self.marked_status(),
            on_the_clock(&iso(self.ask.request.created_at)),
            self.age,
            self.answered(),
            self.questions().len()
        );
        let answers = user_answers(self.ask);
        for (index, question) in self.questions().iter().enumerate() {
            let answer = answers.iter().flatten().find(|answer| answer.place() == Some(index));
            record(&mut text, index, question, answer);
        }
        text
    }

    /// Returns the output of `history show --json`.
    pub fn record_json(&self) -> Value {
        let answers = user_answers(self.ask);
        let question = |(index, question): (usize, &Question)| {
            let answer = answers.iter().flatten().find(|answer| answer.place() == Some(index));
            let picked = picked(answer);
            let (options, multi) = options(question);
            let option = |option: &Opt| {
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
fn on_the_clock(iso: &str) -> String {
    let seconds = iso.split_once('.').map_or(iso, |(seconds, _)| seconds);
    format!("{}Z", seconds.replace('T', " "))
}

fn record(text: &mut String, index: usize, question: &Question, answer: Option<&UserAnswer>) {
    let picked = picked(answer);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}. {}", index + 1, display::line(title(question)));
    let _ = writeln!(text, "   {}", display::line(&question.prompt));
    for option in options(question).0 {
        let mark = if picked.contains(option.label.as_str()) { "(selected) " } else { "" };
        let description = option.description.as_deref().filter(|text| !text.is_empty());
        let after = description.map(|text| format!(" — {text}")).unwrap_or_default();
        let _ = writeln!(text, "   {mark}{}", display::line(&format!("{}{after}", option.label)));
    }
    if let Some(own) = answer.and_then(UserAnswer::own) {
        let _ = writeln!(text, "   (selected) Other: '{}'", display::line(own));
    }
    text.push('\n');
}
