//! What the stream of a thread says about an interrupt. `end` is always the last event.

use super::approval;
use super::kept::Kept;
use super::write::is_agreed;
use sayso_core::wire::json;
use sayso_core::{Outcome, Problem, Questionnaire};
use serde_json::{Value, json};

/// An event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: &'static str,
    /// Its data.
    pub data: Value,
}

impl Event {
    fn end(action: &str) -> Self {
        Self { name: "end", data: json!({ "action": action }) }
    }

    fn error(message: &str) -> Self {
        Self { name: "error", data: json!({ "message": message }) }
    }

    /// The event as a server sends it: its name in a line, its data in a line, an empty line.
    pub fn sse(&self) -> String {
        format!("event: {}\ndata: {}\n\n", self.name, json::write(&self.data))
    }
}

/// The events when a chat is interrupted by these questions or this approval.
pub fn interrupted(questionnaire: &Questionnaire) -> Vec<Event> {
    let interrupt = Event { name: "interrupt", data: super::event_data(questionnaire) };
    vec![interrupt, Event { name: "end", data: json!({}) }]
}

/// The events with which a resumed stream ends. What the agent says in between comes before them.
pub fn ended(questionnaire: &Questionnaire, outcome: &Outcome) -> Vec<Event> {
    let kept = Kept::of(questionnaire);
    match outcome {
        Outcome::Answered { replies, .. } => match approval::approved(questionnaire, &kept) {
            None => vec![Event::end("answer")],
            Some(question) if is_agreed(question, replies, &kept) => vec![Event::end("continue")],
            Some(_) => vec![Event::end("cancel")],
        },
        Outcome::Declined { .. } | Outcome::Cancelled { .. } => vec![Event::end("cancel")],
        Outcome::Expired { .. } => vec![Event::error("No answer before the deadline"), Event::end("error")],
    }
}

/// The events of a resume that was not accepted; the thread stays as it was.
pub fn refused(problem: &Problem) -> Vec<Event> {
    vec![Event::error(&problem.message.to_string()), Event::end("error")]
}
