//! `auq ask`: asks and waits, and prints the outcome as text.

use super::{AuqError, print_error};
use crate::cli::request;
use crate::cli_session::CliSession;
use crate::commands::ask::flow::{self, AskPlan, OnLeave};
use crate::output::delivery::OutcomeFormat;
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, PipedLines, PromptMode};
use sayso_core::{Ask, Lang};
use sayso_dialects::{CliOutput, Dialect, auq};
use std::io::IsTerminal as _;

const MISSING_QUESTIONS: &str = r#"Error: Questions JSON required. Provide as argument or pipe to stdin.

Usage:
  auq ask '{"questions": [{"prompt": "...", "title": "...", "options": [...], "multiSelect": false}]}'

Or pipe JSON:
  echo '{...}' | auq ask"#;

pub(super) fn run(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    let mut args = args.into_iter();
    let given = args.next().filter(|json| !json.is_empty() && json != "-");
    if let Some(extra) = args.next() {
        return Err(AuqError::Usage(format!("Unexpected argument: {extra}")));
    }
    let text = match given {
        Some(text) => text,
        None if std::io::stdin().is_terminal() => String::new(),
        None => request::read_request_text(Some("-"))?.text.trim().to_owned(),
    };
    if text.is_empty() {
        return Ok(print_error(MISSING_QUESTIONS, CommandExit::Wrong));
    }
    let read = match auq::read_command(&text, &session.settings.auq.value) {
        Ok(read) => read,
        Err(problems) => {
            let reply = Dialect::Auq.refuse(&problems, Lang::En);
            return Ok(print_error(&reply.stderr, CommandExit::Prescribed(reply.exit)));
        }
    };
    let place = surface::choose_place(session, &read.questionnaire, PipedLines::NoAnswers, false, false);
    let plan = AskPlan {
        questionnaire: read.questionnaire.into(),
        dialect: Dialect::Auq.name(),
        asker: session.asker(None),
        audience: None,
        key: None,
        time_limit_ms: request::time_limit_from_env(session)?,
        answer_place: read.options.is_waiting.then_some(place),
        prints_bare_id: false,
        prompt_mode: PromptMode::Full,
        on_leave: OnLeave::KeepOpen { is_quiet: false },
    };
    Ok(flow::ask(session, &plan, OutcomeFormat { name: "auq ask", render: &render_outcome })?)
}

fn render_outcome(ask: &Ask) -> CliOutput {
    ask.outcome().map(|outcome| auq::write_command(&ask.request.questionnaire, outcome)).unwrap_or_default()
}
