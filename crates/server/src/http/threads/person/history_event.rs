//! Events in the history of a thread: what its agent asked, what was decided, and which tools ran.

use crate::http::context::find_ask;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, Lang, Problem};
use sayso_desk::StoreDesk;
use sayso_desk::thread::{ThreadEvent, ThreadEventKind};
use sayso_dialects::interrupt::{self, InterruptDecision};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Event in a thread besides its messages.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum HistoryEvent {
    /// Questions from the agent.
    Question(HistoryAsk),
    /// Approval that the agent asked for.
    Approval(HistoryAsk),
    /// A tool that runs or has run.
    Tool(HistoryTool),
}

/// Ask of the agent in a thread, with the decision.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryAsk {
    /// Number of messages before it.
    after: usize,
    /// Ask at the desk.
    ask: AskId,
    /// `info` of its interrupt; null once the desk has purged the ask.
    info: Option<String>,
    /// Questions of its interrupt; null for an approval.
    questions: Option<Value>,
    /// Decision; null while it waits.
    decision: Option<ThreadDecision>,
}

/// Decision on an ask in a thread.
#[derive(Serialize, JsonSchema)]
pub(super) struct ThreadDecision {
    /// `continue`, `cancel` or `answer`; `error` if no one decided in time.
    action: &'static str,
    /// Answers, in the order of the questions.
    answers: Option<Vec<String>>,
    /// Reason of a `cancel`.
    reason: Option<String>,
}

/// A run of one of the agent's tools.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryTool {
    /// Number of messages before it.
    after: usize,
    /// Name of the tool.
    tool: String,
    /// `running` or `completed`.
    status: &'static str,
}

impl From<InterruptDecision> for ThreadDecision {
    fn from(decision: InterruptDecision) -> Self {
        let InterruptDecision { action, answers, reason } = decision;
        Self { action, answers, reason }
    }
}

impl HistoryEvent {
    /// Loads what the desk has of an event, with our own labels in this language.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(crate) fn load(desk: &StoreDesk, event: ThreadEvent, lang: Lang) -> Result<Self, Problem> {
        let ThreadEvent { after, kind, state } = event;
        let (tool, status) = match kind {
            ThreadEventKind::Ask { ask, is_approval, .. } => {
                let ask = HistoryAsk::load(desk, after, ask, lang, decision_of_purged(state, is_approval))?;
                return Ok(if is_approval { Self::Approval(ask) } else { Self::Question(ask) });
            }
            ThreadEventKind::ToolStart(tool) => (tool, "running"),
            ThreadEventKind::ToolEnd(tool) => (tool, "completed"),
        };
        Ok(Self::Tool(HistoryTool { after, tool, status }))
    }
}

impl HistoryAsk {
    fn load(
        desk: &StoreDesk,
        after: usize,
        id: AskId,
        lang: Lang,
        of_purged: Option<ThreadDecision>,
    ) -> Result<Self, Problem> {
        let Some(ask) = find_ask(desk, id)? else {
            return Ok(Self { after, ask: id, info: None, questions: None, decision: of_purged });
        };
        let questionnaire = &ask.request.questionnaire;
        let mut data = interrupt::event_data(questionnaire, lang);
        let info = match data.get_mut("info").map(Value::take) {
            Some(Value::String(info)) => Some(info),
            _ => None,
        };
        let mut questions = data.get_mut("questions").map(Value::take);
        questions.take_if(|questions| questions.is_null());
        let decision = ask.outcome().map(|outcome| interrupt::decision(questionnaire, outcome).into());
        Ok(Self { after, ask: id, info, questions, decision })
    }
}

/// Returns what is known of the decision on a purged ask.
fn decision_of_purged(state: Option<AskStatus>, is_approval: bool) -> Option<ThreadDecision> {
    let action = match state? {
        AskStatus::Answered if is_approval => "continue",
        AskStatus::Answered => "answer",
        AskStatus::Declined | AskStatus::Cancelled => "cancel",
        AskStatus::Expired => "error",
        AskStatus::Open | AskStatus::Submitted => return None,
    };
    Some(ThreadDecision { action, answers: None, reason: None })
}
