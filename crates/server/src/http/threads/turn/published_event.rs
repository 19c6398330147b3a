//! Events that an agent publishes in its turn.

use sayso_dialects::interrupt::InterruptEvent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Event that an agent sends to the readers of its thread.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PublishedEvent {
    /// A piece of text.
    Text(String),
    /// A tool with this name starts.
    ToolStart(String),
    /// A tool with this name has run.
    ToolEnd(String),
    /// New title of the thread.
    Title(String),
    /// An error. The turn continues until it is ended.
    Error(String),
}

impl PublishedEvent {
    /// Returns the event for the stream.
    pub(crate) fn event(&self) -> InterruptEvent {
        match self {
            Self::Text(text) => InterruptEvent::partial_text(text),
            Self::ToolStart(tool) => InterruptEvent::tool_start(tool),
            Self::ToolEnd(tool) => InterruptEvent::tool_end(tool),
            Self::Title(title) => InterruptEvent::title(title),
            Self::Error(message) => InterruptEvent::error(message),
        }
    }
}
