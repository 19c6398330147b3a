//! The command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sayso_desk::token::Role;
use sayso_dialects::Form;
use std::ffi::OsString;
use std::path::PathBuf;

/// The question desk for agents: an agent asks, a person answers, and nothing is lost in between.
#[derive(Debug, Parser)]
#[command(name = "sayso", version, after_help = CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The desk: sqlite:PATH, or https://… for one on the network, with the tokens that SAYSO_TOKEN_FILE names [default:
    /// your own, in your data folder]
    #[arg(long, global = true, value_name = "DESK")]
    pub(crate) desk: Option<String>,
    /// The language Sayso speaks to you: en or zh [default: that of your locale]
    #[arg(long, global = true, value_name = "LANG")]
    pub(crate) lang: Option<String>,
}

const CODES: &str = "Exit codes: 0 answered, 1 the request is wrong, 2 usage, 3 declined, 4 left without an answer \
(draft kept), 5 expired, 6 cancelled by the asker, 7 the desk cannot be reached, 130 interrupted.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answer what waits, on the full screen; plain sayso does the same
    Inbox {
        /// List what waits instead
        #[arg(long)]
        plain: bool,
    },
    /// Ask and wait; the answer is printed in the asker's own format
    Ask(Ask),
    /// Wait for the answer of an ask, or get it again
    Wait(OneAsk),
    /// Take a question back
    Cancel(OneAsk),
    /// Answer a waiting ask
    Answer(Answer),
    /// List waiting asks, or past ones
    List(List),
    /// Show an ask with its answers, draft and receipt
    Show(Show),
    /// Say whether a request or answers are valid, and what the asker would be told
    Check(Check),
    /// Say a request in another dialect, and tell what could not be said
    Convert(Convert),
    /// Print the schema of a dialect, for programs and models
    Schema(Schema),
    /// Show the settings with where they come from, and whether the desk works
    Doctor(Doctor),
    /// Let agents ask as a tool: an MCP server on standard input and output
    Mcp(Mcp),
    /// Make, list and revoke the tokens by which others come to this desk over the network
    #[command(subcommand)]
    Token(Token),
    /// Serve the desk on the network: HTTP for agents and people, with tokens
    Serve(Serve),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Ask as the command AskUserQuestion does: see sayso AskUserQuestion --help
    #[command(name = "AskUserQuestion", disable_help_flag = true)]
    AskUserQuestion {
        /// The JSON, and --strict
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "JSON")]
        args: Vec<OsString>,
    },
    /// AUQ's own commands: see sayso auq --help
    #[command(disable_help_flag = true)]
    Auq {
        /// The command of AUQ, and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<OsString>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// A file, - for standard input, or the JSON itself
    #[arg(value_name = "FILE|-|JSON")]
    pub(crate) request: Option<String>,
    /// The format of the request [default: guessed when it is clear]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,
    /// Ask on this terminal
    #[arg(long, conflicts_with = "elsewhere")]
    pub(crate) here: bool,
    /// Leave it at the desk for another terminal
    #[arg(long)]
    pub(crate) elsewhere: bool,
    /// Ask line by line, without a full screen
    #[arg(long)]
    pub(crate) plain: bool,
    /// Print the id and do not wait
    #[arg(long, conflicts_with = "here")]
    pub(crate) no_wait: bool,
    /// With the same key the same asker, in the same folder, finds the same ask again
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Give up after this long: 90s, 2h, 3 days
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Who asks [default: the agent whose shell this is]
    #[arg(long, value_name = "NAME")]
    pub(crate) from: Option<String>,
}

/// The tools that agents get.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Tools {
    /// ask, wait_for_answer, list_asks, cancel_ask
    Ask,
    /// AUQ's ask_user_questions, and get_answered_questions where auq.compat = "3.4" is set
    Auq,
    /// ask_user of the interrupt format: its answers are a list of texts
    #[value(name = "ask_user")]
    AskUser,
    /// All of these
    All,
}

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Which tools agents get
    #[arg(long, value_name = "SET", value_enum, default_value_t = Tools::Ask)]
    pub(crate) tools: Tools,
    /// How long a call waits at most before it says that the answer is pending [default: 50s, or 110s where the host is
    /// known to bear it]
    #[arg(long, value_name = "TIME")]
    pub(crate) hold: Option<String>,
    /// Who asks [default: what the host calls itself]
    #[arg(long, value_name = "NAME")]
    pub(crate) from: Option<String>,
}

/// How the lines about requests look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7207")]
    pub(crate) listen: std::net::SocketAddr,
    /// Another name that the server is called by, as it stands in URLs: desk.example.com, or with :PORT
    #[arg(long = "allow-host", value_name = "HOST")]
    pub(crate) hosts: Vec<String>,
    /// A site whose pages may ask here, as in <https://app.example.com>
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) origins: Vec<String>,
    /// How the lines about requests on standard error look
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) log: LogFormat,
    /// Print the OpenAPI document of the API, and end
    #[arg(long)]
    pub(crate) openapi: bool,
    /// Requests that one account may make in a second; 0 for any number
    #[arg(long, value_name = "COUNT", default_value = "200")]
    pub(crate) rate: u32,
}

#[derive(Debug, Args)]
pub(crate) struct OneAsk {
    /// The id, its beginning, or the short form that list shows
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The id, its beginning, or the short form that list shows; without it, the one that waits longest
    pub(crate) id: Option<String>,
    /// Line by line, without a full screen
    #[arg(long)]
    pub(crate) plain: bool,
    /// The answers, in the dialect's own form, without a terminal
    #[arg(long, value_name = "JSON", conflicts_with = "decline")]
    pub(crate) answers: Option<String>,
    /// Say no
    #[arg(long)]
    pub(crate) decline: bool,
    /// Why
    #[arg(long, requires = "decline", value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// The states to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum State {
    /// Waiting for a person, or for the asker's verdict
    Pending,
    Open,
    Submitted,
    Answered,
    Declined,
    Cancelled,
    Expired,
    /// Every state
    All,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// In this state
    #[arg(long, value_enum, default_value = "pending")]
    pub(crate) state: State,
    /// With these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    /// From this place on, as the page before said
    #[arg(long, value_name = "PLACE")]
    pub(crate) after: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The id, its beginning, or the short form that list shows
    pub(crate) id: String,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// A file, - for standard input, or the JSON itself
    #[arg(value_name = "FILE|-|JSON")]
    pub(crate) request: Option<String>,
    /// The format of the request [default: guessed when it is clear]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,
    /// Judge these answers, not the request
    #[arg(long, value_name = "FILE|-|JSON")]
    pub(crate) answers: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// A file, - for standard input, or the JSON itself
    #[arg(value_name = "FILE|-|JSON")]
    pub(crate) request: Option<String>,
    /// The format of the request [default: guessed when it is clear]
    #[arg(long, value_name = "NAME")]
    pub(crate) from: Option<String>,
    /// The format to say it in
    #[arg(long, value_name = "NAME")]
    pub(crate) to: String,
    /// As JSON, with what was lost
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The dialect; without it, list all schemas there are
    #[arg(value_name = "NAME")]
    pub(crate) dialect: Option<String>,
    /// The form it is wanted in
    #[arg(long = "as", value_name = "FORM", value_parser = forms(), default_value = "json-schema", requires = "dialect")]
    pub(crate) form: Form,
    /// Of what the asker gets, not of the request
    #[arg(long, requires = "dialect")]
    pub(crate) outcome: bool,
}

fn forms() -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(Form::ALL.map(Form::name)).map(|name| Form::parse(&name).unwrap_or_default())
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Make a token; it is shown once
    New(NewToken),
    /// List the tokens, without their texts
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a token back: it opens nothing any more
    Revoke {
        /// The id that list shows
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewToken {
    /// What it allows
    #[arg(long, value_parser = roles())]
    pub(crate) role: Role,
    /// Whose it is: who asks, or who answers
    #[arg(long, value_name = "NAME")]
    pub(crate) account: String,
    /// When it ends by itself: 12h, 30d [default: never]
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
    /// Write it to a new file that only you can read, as a header for SAYSO_TOKEN_FILE and curl -H @FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn roles() -> impl TypedValueParser<Value = Role> {
    let values = Role::ALL.map(|role| {
        PossibleValue::new(role.as_str()).help(match role {
            Role::Asker => "asks, and sees what its own account asked",
            Role::Person => "sees every ask and answers",
            Role::Admin => "speaks for others, and manages tokens",
        })
    });
    PossibleValuesParser::new(values).try_map(|word| Role::parse(&word).ok_or("no role"))
}
