//! `sayso check`: checks a request, and shows the reply that its asker would get.

use super::show;
use crate::cli::Check;
use crate::console::print;
use crate::exit::Exit;
use crate::session::{self, Session};
use crate::{console, request};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{
    AskId, Code, Kind, Lang, Message, Outcome, Problem, Question, Questionnaire, Receipt, display, limits,
    words,
};
use sayso_dialects::{Dialect, Given, Limits, Written};
use serde::Serialize;
use std::sync::Arc;

/// Findings in the JSON of `--json`.
#[derive(Serialize)]
struct Findings {
    ok: bool,
    /// Dialect, or `None` if no request was read.
    dialect: Option<&'static str>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    /// Reply that the asker would get; `None` for a valid request, which waits for a person.
    reply: Option<Written>,
    /// Options shown to people whose value for the asker differs.
    #[serde(skip)]
    offers: Vec<String>,
}

pub(super) fn run(session: &Session, args: &Check) -> Result<Exit, Problem> {
    let checked = check(session, args);
    if args.json {
        return Ok(match checked {
            Ok((_, findings)) => as_json(&findings, if findings.ok { Exit::Done } else { Exit::Wrong }),
            Err(problem) => unchecked(&problem, session.lang()),
        });
    }
    let (dialect, findings) = checked?;
    findings.warnings.iter().for_each(|warning| console::warn(warning, session.lang()));
    if !findings.ok {
        return Err(refusal(session, args, dialect, findings.problems));
    }
    let said = if args.answers.is_some() { Message::CheckAnswersOk } else { Message::CheckOk };
    console::say(&said.say(session.lang(), [dialect.name()]));
    findings.offers.iter().for_each(|line| console::say(line));
    // The reply is data.
    Ok(findings.reply.map_or(Exit::Done, |reply| print(&reply.stdout)))
}

/// Prints, as JSON, that nothing was checked and why.
pub(super) fn unchecked(problem: &Problem, lang: Lang) -> Exit {
    let is_read = !problem.causes.is_empty();
    let reply = Written { stderr: problem.complaint(lang), exit: Written::REFUSED, ..Written::default() };
    let findings = Findings {
        ok: false,
        // A request that isn't detected as another dialect was checked in the `sayso` dialect.
        dialect: is_read.then(|| Dialect::Sayso.name()),
        problems: problem.single().to_vec(),
        warnings: Vec::new(),
        reply: is_read.then_some(reply),
        offers: Vec::new(),
    };
    as_json(&findings, Exit::of_problem(problem.code))
}

fn as_json(findings: &Findings, exit: Exit) -> Exit {
    print(&sayso_core::wire::json::write(findings)).then(exit)
}

fn check(session: &Session, args: &Check) -> Result<(Dialect, Findings), Problem> {
    let given = request::get(args.request.as_deref())?;
    let dialect = request::dialect(session, args.dialect.as_deref(), &given.text)?;
    let read = match &args.answers {
        None => request::read(session, dialect, &given.text),
        // Only the answers are checked: the request may exceed the limits of its dialect.
        Some(_) => dialect.read(&given.text, &Limits::NONE),
    };
    let findings = match (read, &args.answers) {
        (Err(problems), _) => {
            Findings { reply: Some(dialect.refuse(&problems, session.lang())), ..refused(dialect, problems) }
        }
        (Ok(read), None) => {
            let offers = differing_offers(&read.questionnaire, dialect, session.lang());
            Findings { ok: true, warnings: read.warnings, offers, ..refused(dialect, Vec::new()) }
        }
        (Ok(read), Some(answers)) => {
            let answers = request::answers(answers)?;
            judged(session, dialect, read.questionnaire, &answers.text)
        }
    };
    Ok((dialect, findings))
}

fn refused(dialect: Dialect, problems: Vec<Problem>) -> Findings {
    let (warnings, offers) = (Vec::new(), Vec::new());
    Findings { ok: false, dialect: Some(dialect.name()), problems, warnings, reply: None, offers }
}

/// Returns the questions with options whose text differs from their value, each with its possible answers.
fn differing_offers(questionnaire: &Questionnaire, dialect: Dialect, lang: Lang) -> Vec<String> {
    let differs = |question: &&Question| match &question.kind {
        Kind::Choice(choice) => choice.options.iter().any(|option| option.sent_beside().is_some()),
        Kind::Confirm(_) => {
            [true, false].into_iter().any(|yes| words::confirm_label(question, yes, lang).is_some())
        }
        _ => false,
    };
    let differing = questionnaire.questions.iter().filter(differs).take(limits::PROBLEMS);
    let lines = differing.filter_map(|question| {
        let name: String = question.name().chars().take(limits::ROW_TITLE_CHARS).collect();
        let offered = show::offered(question, dialect.name(), lang)?;
        Some(format!("- {}: {offered}", display::line(&name)))
    });
    lines.collect()
}

/// Validates answers to a questionnaire as a submission.
fn judged(session: &Session, dialect: Dialect, questionnaire: Questionnaire, text: &str) -> Findings {
    let questionnaire = Arc::new(questionnaire);
    let submit = |given: Given| Ok((given.judged(&questionnaire)?, given.as_sent));
    match dialect.read_answers(&questionnaire, text).and_then(submit) {
        Err(problems) => refused(dialect, problems),
        Ok((sent, as_sent)) => {
            let person = session.person(Surface::Command, Assurance::Scripted);
            let receipt = Receipt::of(&person, questionnaire.digest(), session::now());
            let receipt = Receipt { dropped: sent.dropped, ..receipt };
            let outcome = Outcome::Answered { replies: sent.replies, as_sent, receipt, verdict: None };
            let reply = Some(dialect.write(AskId::NIL, &questionnaire, &outcome));
            Findings { ok: true, reply, ..refused(dialect, Vec::new()) }
        }
    }
}

/// Returns the problem of an invalid request or of invalid answers.
fn refusal(session: &Session, args: &Check, dialect: Dialect, problems: Vec<Problem>) -> Problem {
    if args.answers.is_some() {
        let said = [problems.len().to_string(), dialect.name().to_owned()];
        return Problem::new(Code::InvalidAnswers, Message::AnswersReadAs.with(said)).because(problems);
    }
    let problem = dialect.request_problem(problems);
    match request::other_dialects(session, args.dialect.as_deref(), dialect) {
        Some(others) => problem.hint(others),
        None => problem,
    }
}
