//! Permission for a tool call: its questionnaire, and the decision that an outcome makes.

use super::call::HookCall;
use super::input::PLAN_TOOL;
use super::{HookContext, action};
use sayso_core::i18n::foreign;
use sayso_core::{Answer, ConfirmQuestion, Lang, Message, Outcome, Question, QuestionId, Questionnaire};
use serde_json::{Value, json};

/// Id of the question.
const ALLOW: &str = "allow";
/// Words for the model if the person gave no reason.
const DENIED: &str = "The person denied this.";

/// Decision of a person about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PermissionDecision {
    /// The call may run.
    Allow,
    /// The call must not run, with the words for the model.
    Deny(String),
}

impl PermissionDecision {
    /// Returns the decision as Claude Code, Codex and Copilot read it.
    pub(super) fn to_behavior(&self) -> Value {
        match self {
            Self::Allow => json!({ "behavior": "allow" }),
            Self::Deny(words) => json!({ "behavior": "deny", "message": words }),
        }
    }
}

/// Returns the questionnaire that asks for permission: the action from the host's data, and the agent's own words
/// about it as the context.
pub(super) fn questionnaire(
    call: &HookCall,
    folder: Option<&str>,
    context: HookContext<'_>,
) -> Questionnaire {
    let plan = if call.tool() == PLAN_TOOL { plan_text(call, folder, context) } else { None };
    // Each reader sees it in their own language.
    let prompt = match plan {
        Some(_) => Message::HookPlan.plain(Lang::En).to_owned(),
        None => Message::HookPermission.render_with(Lang::En, [foreign(call.tool())]),
    };
    let action = match plan {
        Some(_) => action::rest_of_plan(call),
        None => Some(action::action(call, folder, context)),
    };
    let words = argument_text(call, if action::is_fetch(call) { "prompt" } else { "description" });
    Questionnaire {
        context: plan.or(words),
        action,
        questions: vec![Question::new(ALLOW, prompt, ConfirmQuestion::default())],
        ..Questionnaire::default()
    }
}

/// Returns the text of a plan. The agent has written its plan into a file before; the call may leave it out.
fn plan_text(call: &HookCall, folder: Option<&str>, context: HookContext<'_>) -> Option<String> {
    if let Some(plan) = argument_text(call, "plan") {
        return Some(plan);
    }
    let text = (context.file_state)(&argument_text(call, "planFilePath")?, folder).text?;
    if text.trim().is_empty() { None } else { Some(text) }
}

/// Returns an argument that is a text and not blank.
fn argument_text(call: &HookCall, name: &str) -> Option<String> {
    let text = call.input().get(name)?.as_str()?;
    if text.trim().is_empty() { None } else { Some(text.to_owned()) }
}

/// Returns the decision; `None` if no person decided.
pub(super) fn decision(outcome: &Outcome) -> Option<PermissionDecision> {
    match outcome {
        Outcome::Answered { replies, .. } => {
            let reply = replies.get(&QuestionId::from(ALLOW))?;
            match reply.answer()? {
                Answer::Confirm(true) => Some(PermissionDecision::Allow),
                Answer::Confirm(false) => Some(denial(reply.note.as_deref())),
                _ => None,
            }
        }
        Outcome::Declined { reason, .. } => Some(denial(reason.as_deref())),
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => None,
    }
}

fn denial(words: Option<&str>) -> PermissionDecision {
    let words = words.unwrap_or_default().trim();
    PermissionDecision::Deny(if words.is_empty() { DENIED } else { words }.to_owned())
}
