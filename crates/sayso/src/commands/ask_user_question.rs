//! `AskUserQuestion '<json>'`: the command of the spec, by its own name or as `sayso AskUserQuestion`.

use crate::asking::{self, Asking};
use crate::console::print;
use crate::exit::Exit;
use crate::session::Session;
use crate::surface::{self, Look, PipedLines};
use crate::{console, delivery, request};
use sayso_core::{Code, Message, Problem};
use sayso_dialects::Dialect;
use sayso_dialects::ask_user_question::{USAGE, json_argument, manual};
use std::ffi::OsString;

pub(super) fn run(session: &Session, args: Vec<OsString>) -> Result<Exit, Problem> {
    let Ok(mut args) = args.into_iter().map(OsString::into_string).collect::<Result<Vec<_>, _>>() else {
        // Text that isn't UTF-8 is refused: it would be asked with replacement characters.
        return Ok(refuse(session, &[Problem::new(Code::NotText, Message::RequestNotText)]));
    };
    match args.first().map(String::as_str) {
        Some("-h") => return Ok(print(USAGE)),
        Some("-V" | "--version") => return Ok(print(console::VERSION)),
        Some("--help") => return Ok(print(&manual(&request::limits(session).ask_user_question))),
        _ => {}
    }
    let strict = args.first().is_some_and(|arg| arg == "--strict");
    if strict {
        args.remove(0);
    }
    let joined = args.join(" ");
    let text = json_argument(&joined).unwrap_or_default();
    let dialect = Dialect::AskUserQuestion;
    let read = match request::read(session, dialect, text) {
        Ok(read) => read,
        Err(problems) => return Ok(refuse(session, &problems)),
    };
    for warning in &read.warnings {
        console::complain(warning, session.lang());
    }
    let place = surface::place(session, &read.questionnaire, PipedLines::Answers, false, false);
    asking::ask(
        session,
        &Asking {
            questionnaire: read.questionnaire.into(),
            dialect,
            asker: session.asker(None),
            key: None,
            time_limit_ms: request::time_limit(session),
            place: Some(place),
            only_id: false,
            look: Look::Spec { strict },
            form: delivery::COMMAND,
        },
    )
}

fn refuse(session: &Session, problems: &[Problem]) -> Exit {
    let written = Dialect::AskUserQuestion.refuse(problems, session.lang());
    console::say_safely(&written.stderr);
    Exit::Prescribed(written.exit)
}
