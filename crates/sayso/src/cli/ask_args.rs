//! Arguments of `sayso ask` and `sayso run`, and those that they share.

use super::{durations, english};
use clap::{Args, ValueEnum};
use sayso_core::{Message, Problem};
use sayso_dialects::PlainAnswer;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    #[arg(value_name = "WORDS|FILE|-|JSON", help = english(Message::ArgRequest))]
    pub(crate) request: Option<String>,
    #[arg(value_name = "OPTION", help = english(Message::ArgWordsOption))]
    pub(crate) options: Vec<String>,
    #[arg(long, conflicts_with = "text", help = english(Message::ArgMulti))]
    pub(crate) multi: bool,
    #[arg(long, conflicts_with = "text", help = english(Message::ArgOther))]
    pub(crate) other: bool,
    #[arg(long, conflicts_with = "options", help = english(Message::ArgText))]
    pub(crate) text: bool,
    #[arg(long = "format", value_name = "NAME", help = english(Message::ArgFormat))]
    pub(crate) dialect: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
    #[arg(long, conflicts_with = "here", help = english(Message::ArgNoWait))]
    pub(crate) no_wait: bool,
    #[arg(long, value_name = "KEY", help = english(Message::ArgKey))]
    pub(crate) key: Option<String>,
}

// Place of a person and life of an ask, for each command that asks. A doc comment would become the command's help.
#[derive(Debug, Args)]
pub(crate) struct AskingArgs {
    #[arg(long, conflicts_with = "elsewhere", help = english(Message::ArgHere))]
    pub(crate) here: bool,
    #[arg(long, help = english(Message::ArgElsewhere))]
    pub(crate) elsewhere: bool,
    #[arg(long, help = english(Message::ArgAskPlain))]
    pub(crate) plain: bool,
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help = english(Message::ArgTimeout))]
    pub(crate) timeout: Option<String>,
    #[arg(long, value_name = "NAME", help = english(Message::ArgAskFrom))]
    pub(crate) from: Option<String>,
    #[arg(long = "for", value_name = "NAMES", value_delimiter = ',', help = english(Message::ArgAskFor))]
    pub(crate) audience: Vec<String>,
}

impl AskingArgs {
    /// Returns the time limit, in milliseconds.
    ///
    /// # Errors
    /// Fails if it is no duration, or out of the bounds of a time limit.
    pub(crate) fn time_limit_ms(&self) -> Result<Option<i64>, Problem> {
        self.timeout.as_deref().map(durations::parse_limit).transpose()
    }
}

// Form of the answer on standard output.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "quiet", help = english(Message::ArgOutput))]
    pub(crate) output: Option<OutputArg>,
    #[arg(short, long, help = english(Message::ArgQuiet))]
    pub(crate) quiet: bool,
}

/// Plain forms of an answer.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum OutputArg {
    #[value(help = english(Message::ValueOutputValue))]
    Value,
    #[value(help = english(Message::ValueOutputAnswers))]
    Answers,
    #[value(help = english(Message::ValueOutputJson))]
    Json,
    #[value(help = english(Message::ValueOutputEnv))]
    Env,
}

impl OutputArgs {
    /// Returns the plain form of the answer; `None` for the asker's own format.
    pub(crate) const fn plain_answer(&self) -> Option<PlainAnswer> {
        if self.quiet {
            return Some(PlainAnswer::Quiet);
        }
        match self.output {
            None => None,
            Some(OutputArg::Value) => Some(PlainAnswer::Value),
            Some(OutputArg::Answers) => Some(PlainAnswer::Answers),
            Some(OutputArg::Json) => Some(PlainAnswer::Json),
            Some(OutputArg::Env) => Some(PlainAnswer::Env),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, help = english(Message::ArgRunCommand))]
    pub(crate) command: Vec<String>,
}
