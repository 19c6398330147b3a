//! Arguments of `sayso agent`.

use super::english;
use clap::{Args, ValueEnum};
use sayso_core::Message;
use std::ffi::OsString;

/// Mode in which the sessions of an agent are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentModeArg {
    #[value(help = english(Message::ValueModeAsking))]
    Asking,
    #[value(help = english(Message::ValueModeOwn))]
    Own,
}

#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    #[arg(help = english(Message::ArgAgentName))]
    pub(crate) name: String,
    #[arg(long, value_name = "URL", help = english(Message::ArgAgentServer))]
    pub(crate) server: Option<String>,
    #[arg(long, value_enum, value_name = "MODE", default_value = "asking", help = english(Message::ArgAgentMode))]
    pub(crate) mode: AgentModeArg,
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help = english(Message::ArgAgentSilence))]
    pub(crate) silence: Option<String>,
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    #[arg(help = english(Message::ArgAgentCommand))]
    pub(crate) command: Vec<OsString>,
}
