//! `auq ask`: asks and waits, and prints the outcome as text.

use super::{Stop, complain};
use crate::asking::{self, Asking};
use crate::delivery::Form;
use crate::exit::Exit;
use crate::request;
use crate::session::Session;
use crate::surface::{self, Look, PipedLines};
use sayso_core::Ask;
use sayso_dialects::{Dialect, Written, auq};
use std::io::IsTerminal as _;

const MISSING: &str = r#"Error: Questions JSON required. Provide as argument or pipe to stdin.

Usage:
  auq ask '{"questions": [{"prompt": "...", "title": "...", "options": [...], "multiSelect": false}]}'

Or pipe JSON:
  echo '{...}' | auq ask"#;

pub(super) fn run(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    let mut args = args.into_iter();
    let given = args.next().filter(|json| !json.is_empty() && json != "-");
    if let Some(extra) = args.next() {
        return Err(Stop::Usage(format!("Unexpected argument: {extra}")));
    }
    let text = match given {
        Some(text) => text,
        None if std::io::stdin().is_terminal() => String::new(),
        None => request::get(Some("-"))?.text.trim().to_owned(),
    };
    if text.is_empty() {
        return Ok(complain(MISSING, Exit::Wrong));
    }
    let read = match auq::read_command(&text, &session.settings.auq.value) {
        Ok(read) => read,
        Err(problems) => {
            let written = auq::refuse(&problems);
            return Ok(complain(&written.stderr, Exit::Prescribed(written.exit)));
        }
    };
    let place = surface::place(session, &read.questionnaire, PipedLines::NoAnswers, false, false);
    let asking = Asking {
        questionnaire: read.questionnaire.into(),
        dialect: Dialect::Auq,
        asker: session.asker(None),
        key: None,
        time_limit_ms: request::time_limit(session),
        place: read.asking.waits.then_some(place),
        only_id: false,
        look: Look::Full,
        form: Form { name: "auq ask", write: &written },
    };
    Ok(asking::ask(session, &asking)?)
}

fn written(ask: &Ask) -> Written {
    ask.outcome().map(|outcome| auq::write_command(&ask.request.questionnaire, outcome)).unwrap_or_default()
}
