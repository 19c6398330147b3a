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
    /// A piece of what the agent says.
    pub fn text(content: &str) -> Self {
        Self { name: "messages/partial", data: json!({ "content": content }) }
    }

    /// A tool begins to run.
    pub fn tool_start(tool: &str) -> Self {
        Self { name: "tool/start", data: json!({ "tool": tool, "status": "running" }) }
    }

    /// A tool has run.
    pub fn tool_end(tool: &str) -> Self {
        Self { name: "tool/end", data: json!({ "tool": tool, "status": "completed" }) }
    }

    /// What the thread is called from now on.
    pub fn title(title: &str) -> Self {
        Self { name: "title_updated", data: json!({ "title": title }) }
    }

    /// The thread waits for this.
    pub fn interrupt(questionnaire: &Questionnaire) -> Self {
        Self { name: "interrupt", data: super::event_data(questionnaire) }
    }

    /// The last event of a stream, with what it was resumed by, where it was.
    pub fn end(action: Option<&str>) -> Self {
        Self { name: "end", data: action.map_or_else(|| json!({}), |action| json!({ "action": action })) }
    }

    /// Something went wrong.
    pub fn error(message: &str) -> Self {
        Self { name: "error", data: json!({ "message": message }) }
    }

    /// Why nothing comes: `no_agent`, `agent_stopped` or `retrying`. The spec has no such event, and its clients ignore it.
    pub fn status(state: &str) -> Self {
        Self { name: "status", data: json!({ "state": state }) }
    }

    /// The event as a server sends it: its name in a line, its data in a line, an empty line.
    pub fn sse(&self) -> String {
        format!("event: {}\ndata: {}\n\n", self.name, json::write(&self.data))
    }
}

/// The events when a chat is interrupted by these questions or this approval.
pub fn interrupted(questionnaire: &Questionnaire) -> Vec<Event> {
    vec![Event::interrupt(questionnaire), Event::end(None)]
}

/// The events with which a resumed stream ends. What the agent says in between comes before them.
pub fn ended(questionnaire: &Questionnaire, outcome: &Outcome) -> Vec<Event> {
    let kept = Kept::of(questionnaire);
    match outcome {
        Outcome::Answered { replies, .. } => match approval::approved(questionnaire, &kept) {
            None => vec![Event::end(Some("answer"))],
            Some(question) if is_agreed(question, replies, &kept) => vec![Event::end(Some("continue"))],
            Some(_) => vec![Event::end(Some("cancel"))],
        },
        Outcome::Declined { .. } | Outcome::Cancelled { .. } => vec![Event::end(Some("cancel"))],
        Outcome::Expired { .. } => {
            vec![Event::error("No answer before the deadline"), Event::end(Some("error"))]
        }
    }
}

/// The events of a resume that was not accepted; the thread stays as it was.
pub fn refused(problem: &Problem) -> Vec<Event> {
    vec![Event::error(&problem.message.to_string()), Event::end(Some("error"))]
}
