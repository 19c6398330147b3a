//! `sayso ask`: asks and waits, and prints the answer in the asker's own format.

pub(super) mod ask_user_question;
pub(super) mod cancel;
pub(super) mod flow;
pub(super) mod run_command;
mod stop_signals;
pub(super) mod wait;

use crate::cli::request::{self, RequestText};
use crate::cli::{AskArgs, AskingArgs};
use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::delivery::{self, OutcomeFormat};
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, AnswerPlace, PipedLines, PromptMode};
use flow::{AskPlan, OnLeave};
use sayso_core::{Problem, Questionnaire};
use sayso_dialects::{Dialect, ParsedRequest, PlainAnswer, plain_words};

pub(super) fn run(session: &CliSession, args: AskArgs) -> Result<CommandExit, Problem> {
    if let Some(question) = request::question_in_words(&args)? {
        return ask(session, args, question.read()?, plain_words::NAME, PipedLines::ScriptedAnswers);
    }
    let RequestText { text, from_stdin } = request::read_request_text(args.request.as_deref())?;
    let dialect = request::choose_dialect(session, args.dialect.as_deref(), &text)?;
    let lines = if from_stdin { PipedLines::NoAnswers } else { PipedLines::ScriptedAnswers };
    match request::read_request(session, dialect, &text) {
        Ok(read) => ask(session, args, read, dialect.name(), lines),
        Err(problems) => Ok(print_refusal(session, &args, dialect, &problems)),
    }
}

fn print_refusal(
    session: &CliSession,
    args: &AskArgs,
    dialect: Dialect,
    problems: &[Problem],
) -> CommandExit {
    let reply = dialect.refuse(problems, session.lang());
    console::print_untrusted(&reply.stderr);
    if let Some(others) = request::other_dialects(session, args.dialect.as_deref(), dialect) {
        console::print_message(&format!("  {}", others.render(session.lang())));
    }
    print_output(&reply.stdout).then(CommandExit::Prescribed(reply.exit))
}

fn ask(
    session: &CliSession,
    args: AskArgs,
    read: ParsedRequest,
    dialect: &'static str,
    lines: PipedLines,
) -> Result<CommandExit, Problem> {
    let plain = args.output.plain_answer();
    if let Some(plain) = plain {
        plain.check(&read.questionnaire)?;
    }
    for warning in &read.warnings {
        console::print_warning(warning, session.lang());
    }
    let place = choose_place(session, &args.asking, &read.questionnaire, lines)?;
    let time_limit_ms = args.asking.time_limit_ms()?;
    let plan = AskPlan {
        questionnaire: read.questionnaire.into(),
        dialect,
        asker: session.asker(args.asking.from.as_deref()),
        audience: session.desk_access.audience_named(args.asking.audience)?,
        key: args.key,
        time_limit_ms: time_limit_ms.or(read.options.time_limit_ms),
        answer_place: (!args.no_wait && read.options.is_waiting).then_some(place),
        prints_bare_id: args.no_wait,
        prompt_mode: if args.asking.plain { PromptMode::Plain } else { PromptMode::Full },
        on_leave: OnLeave::KeepOpen { is_quiet: plain == Some(PlainAnswer::Quiet) },
    };
    match plain {
        Some(plain) => {
            flow::ask(session, &plan, OutcomeFormat { name: plain.name(), render: &|ask| plain.write(ask) })
        }
        None => flow::ask(session, &plan, delivery::COMMAND_FORMAT),
    }
}

/// Returns the place in which a person answers.
///
/// # Errors
/// Fails if the arguments demand this terminal and there is none, or a person is not at it.
pub(super) fn choose_place(
    session: &CliSession,
    args: &AskingArgs,
    questionnaire: &Questionnaire,
    lines: PipedLines,
) -> Result<AnswerPlace, Problem> {
    if args.here {
        surface::require_person(session)?;
    }
    Ok(surface::choose_place(session, questionnaire, lines, args.here, args.elsewhere))
}
