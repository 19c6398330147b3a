//! `sayso ask`: asks and waits, and prints the answer in the asker's own format.

pub(super) mod ask_user_question;
pub(super) mod cancel;
pub(super) mod flow;
pub(super) mod wait;

use crate::cli::AskArgs;
use crate::cli::durations;
use crate::cli::request;
use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::delivery;
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, PipedLines, PromptMode};
use flow::AskPlan;
use sayso_core::Problem;

pub(super) fn run(session: &CliSession, args: AskArgs) -> Result<CommandExit, Problem> {
    let input = request::read_request_text(args.request.as_deref())?;
    let dialect = request::choose_dialect(session, args.dialect.as_deref(), &input.text)?;
    let read = match request::read_request(session, dialect, &input.text) {
        Ok(read) => read,
        Err(problems) => {
            let reply = dialect.refuse(&problems, session.lang());
            console::print_untrusted(&reply.stderr);
            if let Some(others) = request::other_dialects(session, args.dialect.as_deref(), dialect) {
                console::print_message(&format!("  {}", others.render(session.lang())));
            }
            return Ok(print_output(&reply.stdout).then(CommandExit::Prescribed(reply.exit)));
        }
    };
    for warning in &read.warnings {
        console::print_warning(warning, session.lang());
    }
    let time_limit_ms = args.timeout.as_deref().map(durations::parse_limit).transpose()?;
    if args.here {
        surface::require_person(session)?;
    }
    let lines = if input.from_stdin { PipedLines::NoAnswers } else { PipedLines::ScriptedAnswers };
    let place = surface::choose_place(session, &read.questionnaire, lines, args.here, args.elsewhere);
    flow::ask(
        session,
        &AskPlan {
            questionnaire: read.questionnaire.into(),
            dialect,
            asker: session.asker(args.from.as_deref()),
            audience: session.desk_access.audience_named(args.audience)?,
            key: args.key,
            time_limit_ms: time_limit_ms.or(read.options.time_limit_ms),
            answer_place: (!args.no_wait && read.options.is_waiting).then_some(place),
            prints_bare_id: args.no_wait,
            prompt_mode: if args.plain { PromptMode::Plain } else { PromptMode::Full },
            outcome_format: delivery::COMMAND_FORMAT,
        },
    )
}
