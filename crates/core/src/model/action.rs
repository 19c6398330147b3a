//! The action that a person is asked to approve, as data, separate from the agent's description of it.

use crate::limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Action to be done. It is shown from these bytes and not from a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Action")]
pub struct ProposedAction {
    /// The tool that would do it, by its name.
    pub tool: String,
    /// The action itself, as data: run, write, open and so on.
    pub act: ActionKind,
}

/// Kinds of action that can be shown exactly, and all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// A program is started, with exactly these arguments.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
        /// In this folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
    },
    /// A line is given to a shell.
    Shell {
        /// The line.
        command: String,
        /// In this folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
    },
    /// A file is created or overwritten.
    Write {
        /// The file.
        path: String,
        /// The whole content.
        content: String,
        /// True if the file exists; otherwise unknown.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        overwrites: bool,
        /// The folder that the file is outside of, if it is: the one in which the agent works.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outside: Option<String>,
    },
    /// A file is changed.
    Edit {
        /// The file.
        path: String,
        /// The change, as a unified diff.
        diff: String,
        /// The folder that the file is outside of, if it is: the one in which the agent works.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outside: Option<String>,
    },
    /// An address is opened or called.
    Open {
        /// The address.
        url: String,
    },
    /// Any other tool: only those who know the tool know its effect.
    Call {
        /// Arguments for the tool, as JSON text.
        arguments: String,
    },
}

impl ActionKind {
    /// Returns the act that writes a file of which nothing else is known.
    pub const fn write(path: String, content: String) -> Self {
        Self::Write { path, content, overwrites: false, outside: None }
    }

    /// Returns the act that changes a file of which nothing else is known.
    pub const fn edit(path: String, diff: String) -> Self {
        Self::Edit { path, diff, outside: None }
    }
}

/// State of a file that an act is about, as far as it can be seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileState {
    /// True if it exists; false if it doesn't, or if nothing is known.
    pub exists: bool,
    /// Its text, unless it is too long or no text.
    pub text: Option<String>,
    /// True if it is outside of the folder in which the agent works.
    pub is_outside: bool,
}

/// An action in one line: its verb and the beginning of its exact data. A list shows plans before other permissions, and
/// the permissions of a session together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActSummary {
    /// The verb, in Sayso's own words.
    pub verb: ActVerb,
    /// Command, path, address, or tool with its arguments; not escaped for display.
    pub object: String,
    /// True if it is a plan, after which the agent would begin to work.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plan: bool,
    /// Session of the agent, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// Tools with which agents show a plan: Claude Code, OpenCode, Gemini CLI and editors that use ACP.
const PLAN_TOOLS: [&str; 4] = ["ExitPlanMode", "plan_exit", "exit_plan_mode", "switch_mode"];

/// Verb of an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActVerb {
    /// Runs a program or a shell command.
    Run,
    /// Writes a file.
    Write,
    /// Changes a file.
    Edit,
    /// Opens an address.
    Open,
    /// Calls a tool.
    Call,
}

impl From<&ProposedAction> for ActSummary {
    fn from(action: &ProposedAction) -> Self {
        let (verb, object) = match &action.act {
            ActionKind::Run { argv, .. } => {
                let arguments: Vec<_> = argv.iter().map(|argument| quote_argument(argument)).collect();
                (ActVerb::Run, arguments.join(" "))
            }
            ActionKind::Shell { command, .. } => (ActVerb::Run, command.clone()),
            ActionKind::Write { path, .. } => (ActVerb::Write, path.clone()),
            ActionKind::Edit { path, .. } => (ActVerb::Edit, path.clone()),
            ActionKind::Open { url } => (ActVerb::Open, url.clone()),
            ActionKind::Call { arguments } => (ActVerb::Call, format!("{} {arguments}", action.tool)),
        };
        let plan =
            matches!(action.act, ActionKind::Call { .. }) && PLAN_TOOLS.contains(&action.tool.as_str());
        Self { verb, object: first_line(&object), plan, session: None }
    }
}

/// Quotes an argument whose ends would not show between the others.
fn quote_argument(argument: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !(c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '\\'));
    if !argument.is_empty() && argument.chars().all(is_plain) {
        Cow::Borrowed(argument)
    } else {
        Cow::Owned(format!("{argument:?}"))
    }
}

/// Returns the first line of a text, as far as a list shows it, with a mark if more follows.
fn first_line(text: &str) -> String {
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(limits::LIST_TITLE_CHARS).collect();
    if shown.len() == text.len() { shown } else { format!("{} …", shown.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn act_summary_names_the_act() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let run = |argv| ActionKind::Run { argv: words(argv), folder: None };
        let shell = |command: &str| ActionKind::Shell { command: command.to_owned(), folder: None };
        let cases = [
            (run(&["terraform", "apply", "a b", ""]), ActVerb::Run, r#"terraform apply "a b" """#),
            (shell("echo hi\nrm -rf ~"), ActVerb::Run, "echo hi …"),
            (shell("\n  ls\n"), ActVerb::Run, "ls"),
            (ActionKind::write("/a".into(), "x".into()), ActVerb::Write, "/a"),
            (ActionKind::edit("/a".into(), "x".into()), ActVerb::Edit, "/a"),
            (ActionKind::Open { url: "https://a".into() }, ActVerb::Open, "https://a"),
            (ActionKind::Call { arguments: r#"{"n":1}"#.into() }, ActVerb::Call, r#"T {"n":1}"#),
        ];
        for (act, verb, object) in cases {
            let summary = ActSummary::from(&ProposedAction { tool: "T".into(), act });
            assert_eq!((summary.verb, summary.object.as_str()), (verb, object));
        }
        for (tool, plan) in [("ExitPlanMode", true), ("switch_mode", true), ("ExitPlanModes", false)] {
            let call = ProposedAction { tool: tool.into(), act: ActionKind::Call { arguments: "{}".into() } };
            assert_eq!(ActSummary::from(&call).plan, plan, "{tool}");
        }
        let long = ActSummary::from(&ProposedAction { tool: "T".into(), act: shell(&"x".repeat(400)) });
        assert_eq!(long.object, format!("{} …", "x".repeat(300)));
    }
}
