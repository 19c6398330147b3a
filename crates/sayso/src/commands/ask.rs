//! `sayso ask`: asks and waits, and prints the answer in the asker's own format.

use crate::asking::{self, Asking};
use crate::cli::Ask;
use crate::console::print;
use crate::exit::Exit;
use crate::session::Session;
use crate::surface::{self, Look, PipedLines};
use crate::{ages, console, delivery, request};
use sayso_core::Problem;

pub(super) fn run(session: &Session, args: Ask) -> Result<Exit, Problem> {
    let given = request::get(args.request.as_deref())?;
    let dialect = request::dialect(session, args.dialect.as_deref(), &given.text)?;
    let read = match request::read(session, dialect, &given.text) {
        Ok(read) => read,
        Err(problems) => {
            let written = dialect.refuse(&problems, session.lang());
            console::say_safely(&written.stderr);
            if let Some(others) = request::other_dialects(session, args.dialect.as_deref(), dialect) {
                console::say(&format!("  {}", others.render(session.lang())));
            }
            return Ok(print(&written.stdout).then(Exit::Prescribed(written.exit)));
        }
    };
    for warning in &read.warnings {
        console::warn(warning, session.lang());
    }
    let time_limit_ms = args.timeout.as_deref().map(ages::parse_limit).transpose()?;
    if args.here {
        surface::must_be_here(session)?;
    }
    let lines = if given.from_stdin { PipedLines::NoAnswers } else { PipedLines::ScriptedAnswers };
    let place = surface::place(session, &read.questionnaire, lines, args.here, args.elsewhere);
    asking::ask(
        session,
        &Asking {
            questionnaire: read.questionnaire.into(),
            dialect,
            asker: session.asker(args.from.as_deref()),
            key: args.key,
            time_limit_ms: time_limit_ms.or(read.asking.time_limit_ms),
            place: (!args.no_wait && read.asking.waits).then_some(place),
            only_id: args.no_wait,
            look: if args.plain { Look::Plain } else { Look::Full },
            form: delivery::COMMAND,
        },
    )
}
