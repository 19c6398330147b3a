//! Members that the hosts share, under the names of each.

use super::call::HookCall;
use super::host_answer::HostAnswer;
use super::{HookContext, HookEvent, HookRequest, HookSession, permission, questions};
use sayso_core::Problem;
use sayso_core::wire::json;
use serde::Deserialize;
use serde_json::Value;

/// Tool with which an agent asks questions.
pub(super) const QUESTION_TOOL: &str = "AskUserQuestion";
/// Tool with which an agent presents its plan.
pub(super) const PLAN_TOOL: &str = "ExitPlanMode";

/// Input of a hook. All members are optional: a host's newer version may leave any out.
#[derive(Debug, Deserialize)]
pub(super) struct HookInput {
    #[serde(alias = "hookEventName", alias = "hookName")]
    hook_event_name: Option<String>,
    #[serde(alias = "sessionId")]
    session_id: Option<String>,
    cwd: Option<String>,
    #[serde(alias = "agentId")]
    agent_id: Option<String>,
    #[serde(alias = "toolName")]
    tool_name: Option<String>,
    #[serde(alias = "toolInput", alias = "toolArgs")]
    tool_input: Option<Value>,
}

impl HookInput {
    /// Reads the input.
    ///
    /// # Errors
    /// Fails if the text is no JSON object.
    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        json::read_body(text)
    }

    /// Converts to the event. `usual_name` is its name if the text has none; `races` if the host's own dialog is open while
    /// its hook runs, so that what has run shows what that dialog answered.
    pub(super) fn into_event(
        mut self,
        usual_name: Option<&str>,
        races: bool,
        context: HookContext<'_>,
    ) -> HookEvent {
        let name = self.hook_event_name.as_deref().or(usual_name).unwrap_or_default().to_owned();
        let id = self.session_id.unwrap_or_default();
        if id.is_empty() {
            return HookEvent::Other;
        }
        self.cwd.take_if(|folder| folder.is_empty());
        self.agent_id.take_if(|agent| agent.is_empty());
        let session = HookSession { id, folder: self.cwd, agent: self.agent_id };
        let call = self.tool_name.map(|tool| HookCall::new(tool, self.tool_input.unwrap_or_default()));
        match (canonical_name(&name).as_str(), call) {
            ("permissionrequest", Some(call)) => request(session, call, context),
            ("posttooluse", Some(call)) => {
                let answer = if races { HostAnswer::of_run(&call) } else { None };
                HookEvent::CallEnd(session, call, answer)
            }
            ("posttoolusefailure" | "permissiondenied", Some(call)) => {
                HookEvent::CallEnd(session, call, None)
            }
            (
                "userpromptsubmit"
                | "userpromptsubmitted"
                | "stop"
                | "stopfailure"
                | "agentstop"
                | "subagentstop",
                _,
            ) => HookEvent::TurnEnd(session),
            ("sessionend", _) => HookEvent::SessionEnd(session),
            _ => HookEvent::Other,
        }
    }
}

/// Returns the name of an event without the case that tells the hosts' spellings apart.
fn canonical_name(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns the request of a call. Questions that have no place at a desk, such as one for a secret, stay with the host.
pub(super) fn request(session: HookSession, call: HookCall, context: HookContext<'_>) -> HookEvent {
    let is_permission = call.tool() != QUESTION_TOOL;
    let questionnaire = if is_permission {
        Some(permission::questionnaire(&call, session.folder.as_deref(), context))
    } else {
        questions::questionnaire(call.input())
    };
    let Some(questionnaire) = questionnaire else { return HookEvent::Other };
    let tool = call.tool().to_owned();
    HookEvent::Request(Box::new(HookRequest {
        session,
        tool,
        call,
        questionnaire,
        is_permission,
        is_of_prompt_tool: false,
    }))
}
