//! Message of a person in a thread: the body of `POST /api/chat/{thread_id}`.

use super::resume::{InterruptBodyError, InterruptBodyIssue};
use serde_json::Value;

/// Body of the right shape. Members that the spec does not know are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatRequest {
    /// Text of the message.
    pub message: String,
}

impl ChatRequest {
    /// Validates a body.
    ///
    /// # Errors
    /// Fails with [`InterruptBodyError::Unprocessable`] if the body has another shape.
    pub fn from_body(body: &Value) -> Result<Self, InterruptBodyError> {
        let members = InterruptBodyIssue::body_members(body)?;
        let mut invalid = Vec::new();
        let message = InterruptBodyIssue::required_text(members, "message", body, &mut invalid);
        if invalid.is_empty() {
            Ok(Self { message })
        } else {
            Err(InterruptBodyError::Unprocessable(invalid))
        }
    }
}
