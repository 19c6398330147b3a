//! `AskUserQuestion '<json>'`: the command of the spec, by its own name or as `sayso AskUserQuestion`.

use crate::cli::request;
use crate::cli_session::CliSession;
use crate::commands::ask::flow::{self, AskPlan, OnLeave};
use crate::output::console::{self, print_output};
use crate::output::delivery;
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, PipedLines, PromptMode};
use sayso_core::{Message, Problem, ProblemCode};
use sayso_dialects::Dialect;
use sayso_dialects::ask_user_question::{USAGE, json_argument, manual};
use std::ffi::OsString;

pub(in crate::commands) fn run(session: &CliSession, args: Vec<OsString>) -> Result<CommandExit, Problem> {
    let Ok(mut args) = args.into_iter().map(OsString::into_string).collect::<Result<Vec<_>, _>>() else {
        // Text that isn't UTF-8 is refused: it would be asked with replacement characters.
        return Ok(print_refusal(session, &[Problem::new(ProblemCode::NotText, Message::RequestNotText)]));
    };
    match args.first().map(String::as_str) {
        Some("-h") => return Ok(print_output(USAGE)),
        Some("-V" | "--version") => return Ok(print_output(console::VERSION)),
        Some("--help") => {
            return Ok(print_output(&manual(&request::request_limits(session).ask_user_question)));
        }
        _ => {}
    }
    let strict = args.first().is_some_and(|arg| arg == "--strict");
    if strict {
        args.remove(0);
    }
    let joined = args.join(" ");
    let mut text = json_argument(&joined).unwrap_or_default().to_owned();
    let from_stdin = text == "-";
    if from_stdin {
        text = match request::read_request_text(Some("-")) {
            Ok(read) => read.text,
            Err(problem) => return Ok(print_refusal(session, &[problem])),
        };
    }
    let dialect = Dialect::AskUserQuestion;
    let read = match request::read_request(session, dialect, &text) {
        Ok(read) => read,
        Err(problems) => return Ok(print_refusal(session, &problems)),
    };
    for warning in &read.warnings {
        console::print_problem(warning, session.lang());
    }
    // Standard input has been read to its end.
    let lines = if from_stdin { PipedLines::NoAnswers } else { PipedLines::Answers };
    let place = surface::choose_place(session, &read.questionnaire, lines, false, false);
    flow::ask(
        session,
        &AskPlan {
            questionnaire: read.questionnaire.into(),
            dialect: dialect.name(),
            asker: session.asker(None),
            audience: None,
            key: None,
            time_limit_ms: request::time_limit_from_env(session)?,
            answer_place: Some(place),
            prints_bare_id: false,
            prompt_mode: PromptMode::Spec { strict },
            on_leave: OnLeave::KeepOpen { is_quiet: false },
        },
        delivery::COMMAND_FORMAT,
    )
}

fn print_refusal(session: &CliSession, problems: &[Problem]) -> CommandExit {
    let reply = Dialect::AskUserQuestion.refuse(problems, session.lang());
    console::print_untrusted(&reply.stderr);
    CommandExit::Prescribed(reply.exit)
}
