//! Events and answers of OpenCode. Its server publishes questions and permissions as events; the plugin that setup
//! installs hands them over, and sends the answers back.

use super::call::HookCall;
use super::host_answer::HostAnswer;
use super::permission::{self, PermissionDecision};
use super::{HookContext, HookEvent, HookRequest, HookSession, questions};
use sayso_core::wire::json;
use sayso_core::{Outcome, Problem, Question};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct PluginInput {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    properties: Value,
    directory: Option<String>,
}

/// Reads an event of the plugin: the server's event with the folder.
///
/// # Errors
/// Fails if the text is no JSON object with a type.
pub(super) fn read_event(text: &str, context: HookContext<'_>) -> Result<HookEvent, Problem> {
    let PluginInput { kind, properties, directory } = json::read_body(text)?;
    let member = |name: &str| properties.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let session = HookSession { id: member("sessionID"), folder: directory, agent: None };
    if session.id.is_empty() {
        return Ok(HookEvent::Other);
    }
    // The server numbers its requests, so its id identifies the call.
    let call = |id: String| HookCall::new("request".to_owned(), Value::String(id));
    let kind = kind.trim_start_matches("v2.").replace(".v2.", ".");
    Ok(match kind.as_str() {
        "question.asked" => {
            let Some(questionnaire) = questions::questionnaire(&properties) else {
                return Ok(HookEvent::Other);
            };
            let tool = "question".to_owned();
            let call = call(member("id"));
            HookEvent::Request(Box::new(HookRequest {
                session,
                tool,
                call,
                questionnaire,
                is_permission: false,
                is_of_prompt_tool: false,
            }))
        }
        "permission.asked" => {
            let visible_call = visible_call(&properties);
            let questionnaire = permission::questionnaire(&visible_call, session.folder.as_deref(), context);
            let tool = visible_call.tool().to_owned();
            let call = call(member("id"));
            HookEvent::Request(Box::new(HookRequest {
                session,
                tool,
                call,
                questionnaire,
                is_permission: true,
                is_of_prompt_tool: false,
            }))
        }
        "question.replied" | "question.rejected" | "permission.replied" => {
            let request_id = member("requestID");
            let id = if request_id.is_empty() { member("permissionID") } else { request_id };
            // Older versions call it a response.
            let reply = properties.get("reply").or(properties.get("response")).and_then(Value::as_str);
            let answer = match properties.get("answers") {
                Some(answers) => HostAnswer::of_labels(answers),
                None if kind == "question.rejected" => Some(HostAnswer::Rejection),
                None => reply.map(|reply| HostAnswer::Permission(reply != "reject")),
            };
            HookEvent::CallEnd(session, call(id), answer)
        }
        "session.idle" | "session.deleted" => HookEvent::SessionEnd(session),
        _ => HookEvent::Other,
    })
}

/// Returns the call to show: the permission's name is the tool, its metadata are the arguments. Patterns are shown if
/// there are no arguments.
fn visible_call(properties: &Value) -> HookCall {
    let tool = properties.get("permission").and_then(Value::as_str).unwrap_or("tool");
    let input = match properties.get("metadata") {
        Some(Value::Object(metadata)) if !metadata.is_empty() => Value::Object(metadata.clone()),
        _ => json!({ "patterns": properties.get("patterns") }),
    };
    HookCall::new(tool.to_owned(), input)
}

/// Writes the body of the reply that the plugin sends.
pub(super) fn write_answer(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    let reply = if request.is_permission {
        match permission::decision(outcome)? {
            PermissionDecision::Allow => json!({ "reply": "once" }),
            PermissionDecision::Deny(words) => json!({ "reply": "reject", "message": words }),
        }
    } else {
        match outcome {
            Outcome::Answered { replies, .. } => {
                json!({ "answers": questions::label_lists(&request.questionnaire, replies) })
            }
            Outcome::Declined { reason, .. } => {
                let questions = &request.questionnaire.questions;
                let takes_text = questions.iter().all(takes_own_text);
                match questions::declined_text(reason.as_deref()) {
                    // A rejection has no place for words, and ends the turn.
                    Some(text) if takes_text => {
                        let mut answers = vec![Vec::new(); questions.len()];
                        answers.first_mut()?.push(text);
                        json!({ "answers": answers })
                    }
                    _ => json!({ "reject": true }),
                }
            }
            Outcome::Cancelled { .. } | Outcome::Expired { .. } => return None,
        }
    };
    Some(json::write(&reply))
}

/// Returns true if a question takes an own text. OpenCode reads any text but "No" as a yes to a plan.
fn takes_own_text(question: &Question) -> bool {
    question.choice().is_some_and(|choice| choice.other)
}
