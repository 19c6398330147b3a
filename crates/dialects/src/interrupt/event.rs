//! Events of a thread's stream about an interrupt. `end` is always the last event.

use super::extensions::InterruptExtensions;
use super::messages;
use super::writer::{find_approval, is_agreed};
use sayso_core::model::document_path::PathStep;
use sayso_core::wire::json;
use sayso_core::{Lang, LocalizedText, Outcome, Problem, Questionnaire};
use serde_json::{Value, json};

/// Event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterruptEvent {
    /// Name of the event.
    pub name: &'static str,
    /// Data of the event.
    pub data: Value,
}

impl InterruptEvent {
    /// Creates an event with a part of the agent's text.
    pub fn partial_text(content: &str) -> Self {
        Self { name: "messages/partial", data: json!({ "content": content }) }
    }

    /// Creates the event that a tool starts.
    pub fn tool_start(tool: &str) -> Self {
        Self { name: "tool/start", data: json!({ "tool": tool, "status": "running" }) }
    }

    /// Creates the event that a tool has ended.
    pub fn tool_end(tool: &str) -> Self {
        Self { name: "tool/end", data: json!({ "tool": tool, "status": "completed" }) }
    }

    /// Creates the event that sets the title of the thread.
    pub fn title(title: &str) -> Self {
        Self { name: "title_updated", data: json!({ "title": title }) }
    }

    /// Creates the event that the thread waits for this questionnaire, with our own labels in this language.
    pub fn interrupt(questionnaire: &Questionnaire, lang: Lang) -> Self {
        Self { name: "interrupt", data: super::event_data(questionnaire, lang) }
    }

    /// Creates the last event of a stream, with the action that resumed it, if there was one.
    pub fn end(action: Option<&str>) -> Self {
        Self { name: "end", data: action.map_or_else(|| json!({}), |action| json!({ "action": action })) }
    }

    /// Creates the event of an error.
    pub fn error(message: &str) -> Self {
        Self { name: "error", data: json!({ "message": message }) }
    }

    /// Creates an event with the reason for a pause: `no_agent`, `agent_stopped`, `retrying` or `starting`. The spec has no such
    /// event, and its clients ignore it.
    pub fn status(state: &str) -> Self {
        Self { name: "status", data: json!({ "state": state }) }
    }

    /// Parses an event as [`to_sse`](Self::to_sse) formats it, and formats it as an event without a name.
    pub fn envelope_from_sse(sse: &str) -> Option<String> {
        let (name, data) = sse.strip_prefix("event: ")?.split_once("\ndata: ")?;
        Some(envelope(name, &serde_json::from_str(data.trim_end()).ok()?))
    }

    /// Formats the event as one without a name: its data has its members, and `event` and `data` as the spec's front end
    /// reads them. `data` is the whole object, also for an interrupt, which has a member of that name.
    pub fn to_envelope(&self) -> String {
        envelope(self.name, &self.data)
    }

    /// Formats the event for a stream of server-sent events: a line with its name, a line with its data, an empty line.
    pub fn to_sse(&self) -> String {
        format!("event: {}\ndata: {}\n\n", self.name, json::write(&self.data))
    }
}

fn envelope(name: &str, data: &Value) -> String {
    let mut members = data.as_object().cloned().unwrap_or_default();
    members.insert("event".to_owned(), name.into());
    members.insert("data".to_owned(), data.clone());
    format!("data: {}\n\n", json::write(&members))
}

/// Returns the events of a chat that is interrupted by these questions or this approval.
pub fn interrupt_events(questionnaire: &Questionnaire, lang: Lang) -> Vec<InterruptEvent> {
    vec![InterruptEvent::interrupt(questionnaire, lang), InterruptEvent::end(None)]
}

/// Returns the events that end a resumed stream. The agent's own events come before them.
pub fn end_events(questionnaire: &Questionnaire, outcome: &Outcome) -> Vec<InterruptEvent> {
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    match outcome {
        Outcome::Answered { replies, .. } => match find_approval(questionnaire, &extensions) {
            None => vec![InterruptEvent::end(Some("answer"))],
            Some(question) if is_agreed(question, replies, &extensions) => {
                vec![InterruptEvent::end(Some("continue"))]
            }
            Some(_) => vec![InterruptEvent::end(Some("cancel"))],
        },
        Outcome::Declined { .. } | Outcome::Cancelled { .. } => vec![InterruptEvent::end(Some("cancel"))],
        Outcome::Expired { .. } => {
            vec![InterruptEvent::error(messages::EXPIRED), InterruptEvent::end(Some("error"))]
        }
    }
}

/// Returns the events of a resume that was rejected; the thread stays unchanged. The problem of an answer names its
/// index.
pub fn rejection_events(problem: &Problem, lang: Lang) -> Vec<InterruptEvent> {
    let words = problem.message.render(lang);
    let message = match (problem.path.0.as_slice(), &problem.message) {
        // A message that the spec prescribes names it already.
        (_, LocalizedText::Verbatim(_)) => words,
        ([PathStep::Key(_), PathStep::Index(index)], _) => messages::invalid_answer(*index, &words),
        _ => words,
    };
    vec![InterruptEvent::error(&message), InterruptEvent::end(Some("error"))]
}
