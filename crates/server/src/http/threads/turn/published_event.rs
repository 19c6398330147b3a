//! Events that an agent publishes in its turn.

use sayso_dialects::interrupt::InterruptEvent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that an agent tells those who read its thread.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "Published")]
#[serde(rename_all = "snake_case")]
pub(crate) enum PublishedEvent {
    /// A piece of text.
    Text(String),
    /// A tool of this name begins to run.
    ToolStart(String),
    /// A tool of this name has run.
    ToolEnd(String),
    /// New title of the thread.
    Title(String),
    /// Something went wrong. The turn goes on until it is ended.
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
