//! WebSocket frames: of clients that show forms, and of the server.

use super::payload::{InteractionEvent, UserAction, UserResponse};
use crate::interaction::messages;
use crate::interaction::tool::refusal::ToolError;
use crate::interaction::wire::FieldErrors;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Version of the protocol.
pub const PROTOCOL: u64 = 2;

/// Frame that a client sends.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientFrame {
    /// `hello`, the first frame.
    Hello(HelloFrame),
    /// `set_interaction_mode`: the client starts or stops letting people respond.
    SetInteractionMode(SetInteractionMode),
    /// `tool_interaction_response`: a person responded.
    ToolInteractionResponse(Box<ResponseFrame>),
}

/// First frame of a client.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HelloFrame {
    /// Version of the protocol that the client speaks.
    pub protocol_version: u64,
    /// Session that the client shows; all sessions if absent.
    #[serde(default)]
    pub session_id: Option<String>,
    /// Support for forms.
    #[serde(default)]
    pub interaction: InteractionMode,
}

/// Change of a client's interaction mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct SetInteractionMode {
    /// Set if the client lets people respond from now on.
    pub enabled: bool,
}

/// Support of a client for forms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct InteractionMode {
    /// Set if the client can show forms.
    pub supported: bool,
    /// Set if people can respond to them.
    pub enabled: bool,
}

/// Response to a round.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseFrame {
    /// Id of the session.
    pub session_id: String,
    /// Id of the tool call.
    pub call_id: String,
    /// Id of the round.
    pub interaction_id: String,
    /// Action of the person.
    pub action: UserAction,
    /// Values of the form.
    #[serde(default)]
    pub input: Option<Map<String, Value>>,
    /// Reason that the person gave.
    #[serde(default)]
    pub reason: Option<String>,
}

impl ResponseFrame {
    /// Returns the response of the person.
    pub fn response(&self) -> UserResponse {
        UserResponse { action: self.action, input: self.input.clone(), reason: self.reason.clone() }
    }
}

/// Reads a frame.
///
/// # Errors
/// Fails with `invalid_json` or `invalid_client_message`.
pub fn read_frame(text: &str) -> Result<ClientFrame, FrameError> {
    // The kind is read first: a deserializer of an enum's variants would lose the path of an error.
    #[derive(Deserialize)]
    struct FrameKind<'t> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'t, str>,
    }
    let FrameKind { kind } = json::read_body(text)?;
    Ok(match &*kind {
        "hello" => ClientFrame::Hello(json::read_body(text)?),
        "set_interaction_mode" => ClientFrame::SetInteractionMode(json::read_body(text)?),
        "tool_interaction_response" => ClientFrame::ToolInteractionResponse(json::read_body(text)?),
        _ => {
            let path = DocumentPath::root().join("type").to_json_pointer();
            let error = FrameError::new("invalid_client_message", messages::FRAME_INVALID);
            return Err(FrameError { path: Some(path), ..error });
        }
    })
}

/// Frame that the server sends.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ServerFrame<'f> {
    /// Event in a session.
    ChatEvent {
        /// Id of the session.
        session_id: &'f str,
        /// The event.
        event: InteractionEvent<'f>,
    },
    /// Rejection of something that the client sent.
    Error(&'f FrameError),
}

impl ServerFrame<'_> {
    /// Returns the frame as JSON.
    pub fn to_json(&self) -> String {
        json::write(self)
    }
}

/// Reason for the rejection of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameError {
    /// Stable code, for programs.
    pub code: String,
    /// Message, for people.
    pub message: String,
    /// Path in the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Messages for single fields of a form that only the server validates.
    #[serde(skip_serializing_if = "FieldErrors::is_empty")]
    pub field_errors: FieldErrors,
}

impl FrameError {
    /// Creates an error without a path.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), path: None, field_errors: FieldErrors::default() }
    }

    /// Returns the error for a second hello.
    pub fn duplicate_hello() -> Self {
        Self::new("duplicate_hello", messages::SECOND_HELLO)
    }

    /// Returns the error for another frame before the hello.
    pub fn hello_required() -> Self {
        Self::new("hello_required", messages::HELLO_FIRST)
    }

    /// Returns the error for an unsupported version of the protocol.
    pub fn unsupported_version(version: u64) -> Self {
        Self::new("unsupported_protocol_version", messages::unsupported_version(version))
    }

    /// Returns the error for a form that was approved or denied while no hook decides about responses.
    pub fn unexpected_action() -> Self {
        Self::new("invalid_client_message", messages::UNEXPECTED_ACTION)
    }

    /// Returns the error for invalid values of a form that only the server validates.
    pub fn invalid_input(field_errors: FieldErrors) -> Self {
        Self { field_errors, ..Self::new("invalid_input", messages::ERROR_SUMMARY) }
    }

    /// Returns the error for a response of a client whose interactive mode is off.
    pub fn interaction_disabled() -> Self {
        Self::new("interaction_disabled", messages::INTERACTION_DISABLED)
    }
}

/// The error of a frame that is no JSON, or has another shape.
impl From<Problem> for FrameError {
    fn from(problem: Problem) -> Self {
        let (code, words) = match problem.code {
            ProblemCode::InvalidJson | ProblemCode::TooDeep => ("invalid_json", messages::FRAME_NOT_JSON),
            _ => ("invalid_client_message", messages::FRAME_INVALID),
        };
        Self { path: Some(problem.path.to_json_pointer()), ..Self::new(code, words) }
    }
}

impl From<ToolError> for FrameError {
    fn from(error: ToolError) -> Self {
        Self::new(error.code, error.message)
    }
}
