//! The action that a person is asked to approve, as data, separate from the agent's description of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Action to be done. It is shown from these bytes and not from a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Action")]
pub struct ProposedAction {
    /// The tool that would do it, by its name.
    pub tool: String,
    /// The action itself, as data: run, write, open and so on.
    pub act: ActionKind,
}

/// The acts that can be shown as what they are, and the rest.
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
    /// A file is written anew.
    Write {
        /// The file.
        path: String,
        /// All of what would be in it.
        content: String,
    },
    /// A file is changed.
    Edit {
        /// The file.
        path: String,
        /// The change, as a unified diff.
        diff: String,
    },
    /// An address is opened or called.
    Open {
        /// The address.
        url: String,
    },
    /// Anything else: its effect is known only to those who know the tool.
    Call {
        /// Arguments for the tool, as JSON text.
        arguments: String,
    },
}
