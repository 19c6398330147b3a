//! What goes over a WebSocket: frames of clients that show forms, and what they are sent.

use super::payload::{Event, UserAction, UserResponse};
use super::{FieldErrors, ToolError, fixed};
use sayso_core::wire::json;
use sayso_core::{Code, Path, Problem, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The version of the protocol.
pub const PROTOCOL: u64 = 2;

/// What a client sends.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientFrame {
    /// `hello`, the first frame.
    Hello(Hello),
    /// `set_interaction_mode`: it lets people respond from now on, or not any more.
    SetInteractionMode(SetInteractionMode),
    /// `tool_interaction_response`: a person responded.
    ToolInteractionResponse(Box<Responded>),
}

/// The first frame of a client.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// The version of the protocol that it speaks.
    pub protocol_version: u64,
    /// The session that it shows; all of them without it.
    #[serde(default)]
    pub session_id: Option<String>,
    /// Whether it can show forms.
    #[serde(default)]
    pub interaction: InteractionMode,
}

/// Whether a client lets people respond from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct SetInteractionMode {
    /// Whether it does.
    pub enabled: bool,
}

/// Whether a client can show forms, and lets people respond to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct InteractionMode {
    /// It can show them.
    pub supported: bool,
    /// People can respond.
    pub enabled: bool,
}

/// A response to a round.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Responded {
    /// The session.
    pub session_id: String,
    /// The call of the tool.
    pub call_id: String,
    /// The round.
    pub interaction_id: String,
    /// What the person did.
    pub action: UserAction,
    /// The values of the form.
    #[serde(default)]
    pub input: Option<Map<String, Value>>,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
}

impl Responded {
    /// What the person did.
    pub fn response(&self) -> UserResponse {
        UserResponse { action: self.action, input: self.input.clone(), reason: self.reason.clone() }
    }
}

/// Reads a frame.
///
/// # Errors
/// `invalid_json` and `invalid_client_message`.
pub fn read_frame(text: &str) -> Result<ClientFrame, FrameError> {
    let said = |problem: Problem| {
        let (code, words) = match problem.code {
            Code::InvalidJson | Code::TooDeep => ("invalid_json", "Client message was not valid JSON"),
            _ => ("invalid_client_message", "Client message validation failed"),
        };
        FrameError { path: Some(problem.path.pointer()), ..FrameError::new(code, words) }
    };
    // Its kind is read first: a reader of variants would no longer know the place of what is wrong.
    #[derive(Deserialize)]
    struct Kind<'t> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'t, str>,
    }
    let Kind { kind } = json::read_body(text).map_err(said)?;
    match &*kind {
        "hello" => json::read_body(text).map(ClientFrame::Hello).map_err(said),
        "set_interaction_mode" => json::read_body(text).map(ClientFrame::SetInteractionMode).map_err(said),
        "tool_interaction_response" => {
            json::read_body(text).map(ClientFrame::ToolInteractionResponse).map_err(said)
        }
        _ => {
            let words = Problem::new(Code::InvalidValue, Text::Verbatim(String::new()));
            Err(said(words.at(Path::root().then("type"))))
        }
    }
}

/// What a client is sent.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ServerFrame<'f> {
    /// Something happened in a session.
    ChatEvent {
        /// The session.
        session_id: &'f str,
        /// What happened.
        event: Event<'f>,
    },
    /// Something that the client sent was refused.
    Error(&'f FrameError),
}

impl ServerFrame<'_> {
    /// The frame as text.
    pub fn text(&self) -> String {
        json::write(self)
    }
}

/// Why a frame was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameError {
    /// The code.
    pub code: String,
    /// The words.
    pub message: String,
    /// Where in the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What is wrong with single fields of a form that nobody else judges.
    #[serde(skip_serializing_if = "FieldErrors::is_empty")]
    pub field_errors: FieldErrors,
}

impl FrameError {
    /// An error.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), path: None, field_errors: FieldErrors::default() }
    }

    /// A second hello.
    pub fn duplicate_hello() -> Self {
        Self::new("duplicate_hello", "hello has already been received")
    }

    /// Something else before the hello.
    pub fn no_hello() -> Self {
        Self::new("hello_required", "The first message must be hello")
    }

    /// A version that is not spoken here.
    pub fn unsupported(version: u64) -> Self {
        Self::new("unsupported_protocol_version", format!("Unsupported protocol version: {version}"))
    }

    /// A form was agreed to or refused, where nobody judges what that means.
    pub fn unexpected() -> Self {
        Self::new("invalid_client_message", fixed::UNEXPECTED)
    }

    /// Values that do not suffice, where nobody else judges them.
    pub fn invalid_input(field_errors: FieldErrors) -> Self {
        Self { field_errors, ..Self::new("invalid_input", fixed::ERROR_SUMMARY) }
    }

    /// A response of a client that lets nobody respond.
    pub fn disabled() -> Self {
        Self::new("interaction_disabled", "Interactive mode disabled — enable to respond")
    }
}

impl From<ToolError> for FrameError {
    fn from(error: ToolError) -> Self {
        Self::new(error.code, error.message)
    }
}
