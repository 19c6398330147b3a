//! `sayso check`: is it valid, and what would the asker be told?

use crate::cli::Check;
use crate::console::print;
use crate::exit::Exit;
use crate::session::{self, Session};
use crate::{console, request};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{AskId, Lang, Message, Outcome, Problem, Questionnaire, Receipt};
use sayso_dialects::{Dialect, Given, Limits, Written};
use serde::Serialize;
use std::sync::Arc;

/// The findings, as `--json` prints them.
#[derive(Serialize)]
struct Findings {
    ok: bool,
    dialect: &'static str,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    /// What the asker would get, as it would get it; nothing for a valid request, which waits for a person.
    reply: Option<Written>,
}

pub(super) fn run(session: &Session, args: &Check) -> Result<Exit, Problem> {
    let given = request::get(args.request.as_deref())?;
    let dialect = request::dialect(session, args.dialect.as_deref(), &given.text)?;
    let read = match &args.answers {
        None => request::read(session, dialect, &given.text),
        // Only the answers are judged: the request may be larger than its dialect allows.
        Some(_) => dialect.read(&given.text, &Limits::NONE),
    };
    let findings = match read {
        Err(problems) => refused(dialect, problems, Vec::new(), session.lang()),
        Ok(read) => match &args.answers {
            None => Findings {
                ok: true,
                dialect: dialect.name(),
                problems: Vec::new(),
                warnings: read.warnings,
                reply: None,
            },
            Some(answers) => {
                let answers = request::answers(answers)?;
                judged(session, dialect, read.questionnaire, &answers.text)
            }
        },
    };
    let exit = if findings.ok { Exit::Done } else { Exit::Wrong };
    if args.json {
        return Ok(print(&sayso_core::wire::json::write(&findings)).then(exit));
    }
    say(&findings, args.answers.is_some(), session.lang());
    let taken = request::taken_for(session, args.dialect.as_deref(), dialect);
    if let Some(taken) = taken.filter(|_| !findings.ok && args.answers.is_none()) {
        console::complain(&taken, session.lang());
    }
    // What the asker would get is data; a refusal has been said in words.
    let reply = findings.reply.as_ref().filter(|_| findings.ok);
    Ok(reply.map_or(Exit::Done, |reply| print(&reply.stdout)).then(exit))
}

fn refused(dialect: Dialect, problems: Vec<Problem>, warnings: Vec<Problem>, lang: Lang) -> Findings {
    let reply = Some(dialect.refuse(&problems, lang));
    Findings { ok: false, dialect: dialect.name(), problems, warnings, reply }
}

/// Judges answers to a questionnaire as a submission would be.
fn judged(session: &Session, dialect: Dialect, questionnaire: Questionnaire, text: &str) -> Findings {
    let questionnaire = Arc::new(questionnaire);
    let submit = |given: Given| Ok((given.judged(&questionnaire)?, given.as_sent));
    match dialect.read_answers(&questionnaire, text).and_then(submit) {
        Err(problems) => {
            Findings { ok: false, dialect: dialect.name(), problems, warnings: Vec::new(), reply: None }
        }
        Ok((sent, as_sent)) => {
            let person = session.person(Surface::Command, Assurance::Scripted);
            let receipt = Receipt::of(&person, questionnaire.digest(), session::now());
            let receipt = Receipt { dropped: sent.dropped, ..receipt };
            let outcome = Outcome::Answered { replies: sent.replies, as_sent, receipt, verdict: None };
            let reply = Some(dialect.write(AskId::NIL, &questionnaire, &outcome));
            Findings { ok: true, dialect: dialect.name(), problems: Vec::new(), warnings: Vec::new(), reply }
        }
    }
}

fn say(findings: &Findings, of_answers: bool, lang: Lang) {
    for warning in &findings.warnings {
        console::warn(warning, lang);
    }
    if findings.ok {
        let said = if of_answers { Message::CheckAnswersOk } else { Message::CheckOk };
        console::say(&said.say(lang, [findings.dialect]));
        return;
    }
    let said = if of_answers { Message::CheckAnswersProblems } else { Message::CheckProblems };
    console::say(&said.say(lang, [findings.dialect.to_owned(), findings.problems.len().to_string()]));
    for problem in &findings.problems {
        let place = problem.path.bracketed();
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        let line = format!("- {place}{} ({})", problem.message.render(lang), problem.code);
        console::say(&sayso_core::display::line(&line));
        if let Some(hint) = &problem.hint {
            console::say(&format!("  {}", sayso_core::display::line(&hint.render(lang))));
        }
    }
}
