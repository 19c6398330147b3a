//! Definition of the command line. Its help texts are in the catalogue; `help` translates them.

mod agent_args;
mod ask_args;
pub(crate) mod durations;
pub(crate) mod help;
pub(crate) mod help_topics;
pub(crate) mod request;
mod serve_args;
mod token_args;
mod usage_error;

use crate::commands::setup::SetupHost;
pub(crate) use agent_args::{AgentArgs, AgentModeArg};
pub(crate) use ask_args::{AskArgs, AskingArgs, OutputArgs, RunArgs};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sayso_core::{Lang, Message};
use sayso_dialects::SchemaFormat;
use sayso_dialects::hook::HookHost;
pub(crate) use serve_args::{LogFormat, ServeArgs};
use std::ffi::OsString;
use std::path::PathBuf;
pub(crate) use token_args::{GroupCommand, GroupMembersArgs, NewTokenArgs, TokenCommand};

#[derive(Debug, Parser)]
#[command(name = "sayso", version = env!("SAYSO_VERSION"), about = english(Message::AboutSayso), after_help = english(Message::ExitCodes))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    #[arg(long, global = true, value_name = "DESK", help = english(Message::ArgDesk))]
    pub(crate) desk: Option<String>,
    #[arg(long, global = true, value_name = "LANG", help = english(Message::ArgLang))]
    pub(crate) lang: Option<String>,
    #[arg(long, help = english(Message::ArgPlain))]
    pub(crate) plain: bool,
}

/// Returns the English help text, from which `help` finds the translation.
const fn english(message: Message) -> &'static str {
    message.plain(Lang::En)
}

// Only the one that is called is made: a start pays for the arguments of no other.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum CliCommand {
    #[command(about = english(Message::AboutInbox))]
    Inbox {
        #[arg(long, help = english(Message::ArgInboxPlain))]
        plain: bool,
        #[arg(long, help = english(Message::ArgAll))]
        all: bool,
    },
    #[command(about = english(Message::AboutAsk), after_help = english(Message::ExitCodes))]
    Ask(AskArgs),
    #[command(about = english(Message::AboutRun), after_help = english(Message::RunExitCodes))]
    Run(RunArgs),
    #[command(about = english(Message::AboutWait), after_help = english(Message::ExitCodes))]
    Wait(WaitArgs),
    #[command(about = english(Message::AboutCancel))]
    Cancel(AskIdArg),
    #[command(about = english(Message::AboutAnswer))]
    Answer(AnswerArgs),
    #[command(about = english(Message::AboutList))]
    List(ListArgs),
    #[command(about = english(Message::AboutShow))]
    Show(ShowArgs),
    #[command(about = english(Message::AboutLink))]
    Link(AskIdArg),
    #[command(about = english(Message::AboutCheck))]
    Check(CheckArgs),
    #[command(about = english(Message::AboutSchema))]
    Schema(SchemaArgs),
    #[command(about = english(Message::AboutDoctor))]
    Doctor(DoctorArgs),
    #[command(about = english(Message::AboutMcp))]
    Mcp(McpArgs),
    #[command(about = english(Message::AboutSetup))]
    Setup(SetupArgs),
    #[command(about = english(Message::AboutHook))]
    Hook(HookArgs),
    #[command(subcommand, about = english(Message::AboutToken))]
    Token(TokenCommand),
    #[command(subcommand, about = english(Message::AboutGroup))]
    Group(GroupCommand),
    #[command(subcommand, about = english(Message::AboutDesk))]
    Desk(DeskCommand),
    #[command(about = english(Message::AboutServe))]
    Serve(Box<ServeArgs>),
    #[command(about = english(Message::AboutAgent))]
    Agent(AgentArgs),
    #[command(about = english(Message::AboutCompletions))]
    Completions {
        #[arg(help = english(Message::ArgShell))]
        shell: clap_complete::Shell,
    },
    #[command(name = "AskUserQuestion", disable_help_flag = true, about = english(Message::AboutAskUserQuestion))]
    AskUserQuestion {
        #[arg(value_name = "JSON", help = english(Message::ArgSpecJson))]
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    #[command(disable_help_flag = true, about = english(Message::AboutAuq))]
    Auq {
        #[arg(value_name = "ARGS", help = english(Message::ArgAuqArgs))]
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

/// The tools that agents get.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ToolsArg {
    #[value(help = english(Message::ValueToolsAsk))]
    Ask,
    #[value(help = english(Message::ValueToolsAuq))]
    Auq,
    #[value(name = "ask_user", help = english(Message::ValueToolsAskUser))]
    AskUser,
    #[value(help = english(Message::ValueToolsPermission))]
    Permission,
    #[value(help = english(Message::ValueToolsAll))]
    All,
}

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[arg(long, value_name = "SET", value_enum, default_value_t = ToolsArg::Ask, help = english(Message::ArgTools))]
    pub(crate) tools: ToolsArg,
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help = english(Message::ArgHold))]
    pub(crate) hold: Option<String>,
    #[arg(long, value_name = "NAME", help = english(Message::ArgMcpFrom))]
    pub(crate) from: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SetupArgs {
    #[arg(value_name = "HOST", value_parser = setup_host_parser(), help = english(Message::ArgSetupHost))]
    pub(crate) host: Option<SetupHost>,
    #[arg(long, help = english(Message::ArgSetupYes))]
    pub(crate) yes: bool,
    #[arg(long, help = english(Message::ArgSetupUndo))]
    pub(crate) undo: bool,
    #[arg(long, conflicts_with_all = ["undo", "yes", "print"], help = english(Message::ArgSetupCheck))]
    pub(crate) check: bool,
    #[arg(long, conflicts_with = "yes", help = english(Message::ArgSetupPrint))]
    pub(crate) print: bool,
}

fn setup_host_parser() -> impl TypedValueParser<Value = SetupHost> {
    PossibleValuesParser::new(SetupHost::ALL.map(SetupHost::name))
        .try_map(|name| SetupHost::parse(&name).ok_or("no host"))
}

#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    #[arg(value_name = "HOST", value_parser = hook_host_parser(), help = english(Message::ArgHookHost))]
    pub(crate) host: HookHost,
    #[arg(value_name = "EVENT", help = english(Message::ArgHookEvent))]
    pub(crate) event: Option<String>,
}

impl HookArgs {
    /// Reads the command line that setup writes, `hook HOST [EVENT]`, without clap; `None` for any other.
    pub(crate) fn read_plain(args: &[OsString]) -> Option<Self> {
        let words: Option<Vec<&str>> = args.iter().skip(1).map(|word| word.to_str()).collect();
        let (host, event) = match words?.as_slice() {
            ["hook", host] => (*host, None),
            ["hook", host, event] if !event.starts_with('-') => (*host, Some((*event).to_owned())),
            _ => return None,
        };
        Some(Self { host: HookHost::parse(host)?, event })
    }
}

fn hook_host_parser() -> impl TypedValueParser<Value = HookHost> {
    PossibleValuesParser::new(HookHost::ALL.map(HookHost::name))
        .try_map(|name| HookHost::parse(&name).ok_or("no host"))
}

#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    #[arg(help = english(Message::ArgId))]
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help = english(Message::ArgPatience))]
    pub(crate) timeout: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AskIdArg {
    #[arg(help = english(Message::ArgId))]
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    #[arg(help = english(Message::ArgIdOrOldest))]
    pub(crate) id: Option<String>,
    #[arg(long, help = english(Message::ArgAnswerPlain))]
    pub(crate) plain: bool,
    #[arg(long, value_name = "JSON", conflicts_with = "decline", help = english(Message::ArgAnswers))]
    pub(crate) answers: Option<String>,
    #[arg(long, requires = "answers", value_name = "TEXT", help = english(Message::ArgNote))]
    pub(crate) note: Option<String>,
    #[arg(long, help = english(Message::ArgDecline))]
    pub(crate) decline: bool,
    #[arg(long, requires = "decline", value_name = "TEXT", help = english(Message::ArgReason))]
    pub(crate) reason: Option<String>,
}

/// Filter of asks by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StateArg {
    #[value(help = english(Message::ValueStatePending))]
    Pending,
    Open,
    Submitted,
    Answered,
    Declined,
    Cancelled,
    Expired,
    #[value(help = english(Message::ValueStateDone))]
    Done,
    #[value(help = english(Message::ValueStateAll))]
    All,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[arg(long, value_enum, default_value = "pending", help = english(Message::ArgState))]
    pub(crate) state: StateArg,
    #[arg(long, help = english(Message::ArgAll))]
    pub(crate) all: bool,
    #[arg(long, value_name = "WORDS", help = english(Message::ArgSearch))]
    pub(crate) search: Option<String>,
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(help = english(Message::ArgLimit))]
    pub(crate) limit: Option<u64>,
    #[arg(long, value_name = "PLACE", help = english(Message::ArgAfter))]
    pub(crate) after: Option<String>,
    #[arg(long, help = english(Message::ArgJson))]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[arg(help = english(Message::ArgId))]
    pub(crate) id: String,
    #[arg(long, help = english(Message::ArgJson))]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[arg(value_name = "FILE|-|JSON", help = english(Message::ArgCheckRequest))]
    pub(crate) request: Option<String>,
    #[arg(long = "format", value_name = "NAME", help = english(Message::ArgFormat))]
    pub(crate) dialect: Option<String>,
    #[arg(long, value_name = "FILE|-|JSON", help = english(Message::ArgCheckAnswers))]
    pub(crate) answers: Option<String>,
    #[arg(long, help = english(Message::ArgJson))]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    #[arg(value_name = "NAME", help = english(Message::ArgSchemaOf))]
    pub(crate) dialect: Option<String>,
    #[arg(long = "as", value_name = "FORM", value_parser = form_parser(), default_value = "json-schema")]
    #[arg(requires = "dialect", help = english(Message::ArgForm))]
    pub(crate) form: SchemaFormat,
    #[arg(long, requires = "dialect", help = english(Message::ArgOutcome))]
    pub(crate) outcome: bool,
}

fn form_parser() -> impl TypedValueParser<Value = SchemaFormat> {
    PossibleValuesParser::new(SchemaFormat::ALL.map(SchemaFormat::name))
        .map(|name| SchemaFormat::parse(&name).unwrap_or_default())
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[arg(long, help = english(Message::ArgJson))]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum DeskCommand {
    #[command(about = english(Message::AboutDeskCheck))]
    Check {
        #[arg(long, help = english(Message::ArgAccept))]
        accept: bool,
        #[arg(long, help = english(Message::ArgJson))]
        json: bool,
    },
    #[command(about = english(Message::AboutDeskBackup))]
    Backup {
        #[arg(value_name = "FILE", help = english(Message::ArgBackupFile))]
        file: PathBuf,
        #[arg(long, help = english(Message::ArgJson))]
        json: bool,
    },
    #[command(about = english(Message::AboutDeskCopy))]
    Copy {
        #[arg(value_name = "FROM", help = english(Message::ArgCopyFrom))]
        from: String,
        #[arg(value_name = "TO", help = english(Message::ArgCopyTo))]
        to: String,
        #[arg(long, help = english(Message::ArgJson))]
        json: bool,
    },
    #[command(about = english(Message::AboutDeskMigrate))]
    Migrate,
    #[command(about = english(Message::AboutDeskRestore))]
    Restore {
        #[arg(value_name = "FILE", help = english(Message::ArgRestoreFile))]
        file: PathBuf,
        #[arg(long, help = english(Message::ArgReplace))]
        replace: bool,
        #[arg(long, help = english(Message::ArgJson))]
        json: bool,
    },
}
