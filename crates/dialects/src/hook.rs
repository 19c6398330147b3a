//! Hooks of agent hosts: the JSON that a host gives its hook, read as an ask or as the end of one, and the answer that
//! the host reads.
//!
//! A host here is a program that runs an agent, such as Claude Code. Its own dialogs ask questions and permissions;
//! a hook brings them to the desk. `input` reads the members that the hosts share, `call` identifies a tool call,
//! `action` shows it as what it would do, `questions` and `permission` build the questionnaires, `host_answer` reads what
//! the host's own dialog answered. The answers for each host are in its own module.

mod action;
mod call;
mod claude_code;
mod codex;
mod copilot;
mod host_answer;
mod input;
mod opencode;
mod permission;
mod questions;

pub use call::{HookCall, is_own_call, reads_only};
pub use host_answer::HostAnswer;

use sayso_core::model::action::FileState;
use sayso_core::model::ask::AskRequest;
use sayso_core::{Ask, Asker, NewAsk, Outcome, Problem, Questionnaire};
use serde_json::{Map, Value};

/// Host whose hooks are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HookHost {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Copilot CLI.
    Copilot,
    /// OpenCode, through the plugin that setup installs.
    OpenCode,
}

/// Event that a host reports to its hook.
#[derive(Debug, Clone, PartialEq)]
pub enum HookEvent {
    /// The host asks a person. Boxed: it is much larger than the others.
    Request(Box<HookRequest>),
    /// A call that the host may have asked about has run, failed or was answered in the host, with the answer if the
    /// host tells it.
    CallEnd(HookSession, HookCall, Option<HostAnswer>),
    /// Everything that an agent of a session asked has ended: a new prompt came, or its turn is over.
    TurnEnd(HookSession),
    /// Everything that a session asked has ended, with its other agents.
    SessionEnd(HookSession),
    /// Any other event.
    Other,
}

/// Session of a host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookSession {
    /// Id that the host gave it.
    pub id: String,
    /// Folder that it works in.
    pub folder: Option<String>,
    /// Agent that the session's own one has started, if it is one: such agents go on after the turn that started them.
    pub agent: Option<String>,
}

/// Question or permission that a host asks a person for.
#[derive(Debug, Clone, PartialEq)]
pub struct HookRequest {
    /// Session that asks.
    pub session: HookSession,
    /// Tool that the host asks about, by its name.
    pub tool: String,
    /// Call that the host asks about.
    pub call: HookCall,
    /// Questionnaire for the person.
    pub questionnaire: Questionnaire,
    /// True if it asks for a permission, and false if it asks questions of the agent.
    pub is_permission: bool,
    /// True if it came to the permission prompt tool, and not to a hook.
    pub is_of_prompt_tool: bool,
}

/// Circumstances of a reading, besides the event.
#[derive(Clone, Copy)]
pub struct HookContext<'a> {
    /// Looks up a file by its path, from the folder of the session.
    pub file_state: &'a dyn Fn(&str, Option<&str>) -> FileState,
}

impl HookContext<'_> {
    /// No files are looked up.
    pub const WITHOUT_FILES: HookContext<'static> =
        HookContext { file_state: &|_, _| FileState { exists: false, text: None, is_outside: false } };
}

impl std::fmt::Debug for HookContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HookContext").finish_non_exhaustive()
    }
}

/// Member of the questionnaire that identifies the call.
const CALL_MEMBER: &str = "hook_call";
/// Member of the questionnaire of an ask by the permission prompt tool.
const PROMPT_TOOL_MEMBER: &str = "hook_prompt_tool";
/// Member of the questionnaire that identifies the agent.
const AGENT_MEMBER: &str = "hook_agent";

impl HookRequest {
    /// Returns the ask of a host.
    pub fn new_ask(&self, host: HookHost) -> NewAsk {
        let mut questionnaire = self.questionnaire.clone();
        questionnaire.extensions.insert(CALL_MEMBER.to_owned(), self.call.fingerprint().into());
        if let Some(agent) = &self.session.agent {
            questionnaire.extensions.insert(AGENT_MEMBER.to_owned(), agent.clone().into());
        }
        let asker = Asker {
            name: host.display_name().to_owned(),
            folder: self.session.folder.clone(),
            session: Some(self.session.id.clone()).filter(|id| !id.is_empty()),
            account: None,
        };
        if self.is_of_prompt_tool {
            questionnaire.extensions.insert(PROMPT_TOOL_MEMBER.to_owned(), true.into());
        }
        let draft_key = Some(self.call.draft_key());
        NewAsk { draft_key, ..NewAsk::new(questionnaire.into(), AskRequest::HOOK_DIALECT, asker) }
    }
}

/// Returns true if the permission prompt tool of a program asks, and not its hook.
pub fn is_of_prompt_tool(ask: &Ask) -> bool {
    ask.request.questionnaire.extensions.contains_key(PROMPT_TOOL_MEMBER)
}

/// Returns true if two asks are about the same call in the same session of a program. A program that has both a hook and
/// a permission prompt tool asks both at once.
pub fn is_same_call(one: &Ask, other: &Ask) -> bool {
    let [one, other] = [one, other].map(|ask| {
        let asker = &ask.request.asker;
        (&asker.name, &asker.session, ask.request.questionnaire.extensions.get(CALL_MEMBER))
    });
    one == other && one.1.is_some()
}

/// Returns true if an ask of a host is about a call with this fingerprint.
pub fn is_about_call(ask: &Ask, fingerprint: &str) -> bool {
    let own = ask.request.questionnaire.extensions.get(CALL_MEMBER);
    own.and_then(|own| own.as_str()) == Some(fingerprint)
}

/// Returns true if an ask of a host is by this agent; `None` is the session's own one.
pub fn is_by_agent(ask: &Ask, agent: Option<&str>) -> bool {
    let own = ask.request.questionnaire.extensions.get(AGENT_MEMBER);
    own.and_then(|own| own.as_str()) == agent
}

/// Reads the arguments with which Claude Code calls its permission prompt tool: `tool_name` and `input`. `None` if
/// they have another form, or ask for a secret.
pub fn read_permission_prompt(
    arguments: &Map<String, Value>,
    session: HookSession,
    context: HookContext<'_>,
) -> Option<HookRequest> {
    let tool = arguments.get("tool_name")?.as_str()?.to_owned();
    let call = HookCall::new(tool, arguments.get("input").cloned().unwrap_or_default());
    match input::request(session, call, context) {
        HookEvent::Request(request) => Some(HookRequest { is_of_prompt_tool: true, ..*request }),
        _ => None,
    }
}

/// Writes the result of the permission prompt tool; `None` if no person decided.
pub fn write_permission_result(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    claude_code::write_permission_result(request, outcome)
}

impl HookHost {
    /// Every host.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::Codex, Self::Copilot, Self::OpenCode];

    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::OpenCode => "opencode",
        }
    }

    /// Returns the name that people know it by.
    pub const fn display_name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Copilot => "Copilot CLI",
            Self::OpenCode => "OpenCode",
        }
    }

    /// Returns the host with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns true if its own dialog is open while the hook runs, so that either may be answered first. Claude Code
    /// shows the dialog of an agent in the background only after the hook.
    pub const fn shows_dialog_meanwhile(self, request: &HookRequest) -> bool {
        match self {
            Self::ClaudeCode => request.session.agent.is_none(),
            Self::OpenCode => true,
            Self::Codex | Self::Copilot => false,
        }
    }

    /// Returns true if an event tells that the host took an answer: until then, or without it, no one has taken it.
    pub const fn confirms_answers(self) -> bool {
        matches!(self, Self::OpenCode)
    }

    /// Reads what the host gives its hook. `event` names the event if the text doesn't.
    ///
    /// # Errors
    /// Fails if the text is not the JSON of an event.
    pub fn read_event(
        self,
        text: &str,
        event: Option<&str>,
        context: HookContext<'_>,
    ) -> Result<HookEvent, Problem> {
        match self {
            Self::OpenCode => opencode::read_event(text, context),
            Self::ClaudeCode | Self::Codex | Self::Copilot => {
                let input = input::HookInput::read(text)?;
                Ok(input.into_event(event, self == Self::ClaudeCode, context))
            }
        }
    }

    /// Returns the answer that allows a call of our own tools, for a host without a list of tools that need no permission.
    pub fn own_call_answer(self, request: &HookRequest) -> Option<String> {
        let is_allowed = self == Self::Copilot && call::is_own_tool(&request.tool);
        is_allowed.then(copilot::allow)
    }

    /// Writes the outcome of a request as the answer that the host reads; `None` if it answers nothing, so that the
    /// host's own dialog decides.
    pub fn write_answer(self, request: &HookRequest, outcome: &Outcome) -> Option<String> {
        match self {
            Self::ClaudeCode => claude_code::write_answer(request, outcome),
            Self::Codex => codex::write_answer(request, outcome),
            Self::Copilot => copilot::write_answer(request, outcome),
            Self::OpenCode => opencode::write_answer(request, outcome),
        }
    }
}
