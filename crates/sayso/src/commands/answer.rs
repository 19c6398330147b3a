//! `sayso answer ID`: opens a waiting ask on this terminal, or takes its answer as an argument.

use crate::cli::Answer;
use crate::console;
use crate::exit::Exit;
use crate::session::Session;
use crate::settings::Address;
use crate::surface::{self, Look, PipedLines, Place};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{Ask, Code, Command, Message, Problem, Who};
use sayso_desk::{Query, process, unless_damaged};
use sayso_dialects::Dialect;
use sayso_terminal::{Awaited, Ended, with_verdict};

pub(super) fn run(session: &Session, args: Answer) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let ask = match &args.id {
        Some(given) => desk.get(desk.find(given)?)?,
        None => longest_waiting(session)?,
    };
    if args.answers.is_some() || args.decline {
        return without_terminal(session, &ask, args);
    }
    a_person_is_here(session, &ask)?;
    session.may_answer()?;
    let look = if args.plain { Look::Plain } else { Look::Full };
    let lang = session.lang();
    if let Some(outcome) = ask.outcome() {
        // Nothing was typed here, so no draft is mentioned.
        let problem = sayso_core::ask::settled_problem(outcome);
        console::complain(&problem, lang);
        return Ok(match Exit::of(outcome) {
            Exit::Done => Exit::Wrong,
            exit => exit,
        });
    }
    Ok(match converse(session, &ask, look)? {
        // The answer is sent even if its asker has not accepted it yet.
        Ended::Settled { ask, .. } => ask.outcome().map_or(Exit::Done, Exit::of),
        Ended::SettledElsewhere(ask) => ask.outcome().map_or(Exit::Left, Exit::of),
        Ended::Left | Ended::InputEnded { .. } => {
            console::say(&Message::NothingSent.say(lang, [ask.id.handle()]));
            Exit::Left
        }
        Ended::Interrupted => {
            console::say(&Message::NothingSent.say(lang, [ask.id.handle()]));
            Exit::Interrupted
        }
    })
}

/// Takes answers from lines on standard input if they are allowed and any come, else from the terminal.
fn converse(session: &Session, ask: &Ask, look: Look) -> Result<Ended, Problem> {
    if surface::lines_answer(session, &ask.request.questionnaire, PipedLines::ScriptedAnswers) {
        let ended = surface::converse(session, ask, Place::Pipe, look)?;
        if ended != (Ended::InputEnded { any_line: false }) {
            return Ok(ended);
        }
    }
    surface::must_have_terminal(ask)?;
    surface::converse(session, ask, Place::Terminal, look)
}

/// Returns the first ask of the inbox: the one whose asker has waited longest, or else the oldest.
fn longest_waiting(session: &Session) -> Result<Ask, Problem> {
    let desk = session.desk()?;
    let page = desk.list(&Query::default())?;
    let (attached, others): (Vec<_>, Vec<_>) = page.rows.iter().partition(|row| row.attached);
    for row in attached.into_iter().chain(others) {
        if let Some(ask) = unless_damaged(desk.get(row.id))? {
            return Ok(ask);
        }
    }
    Err(Problem::new(Code::AskNotFound, Message::NothingWaits))
}

/// Refuses to answer interactively in an agent's shell.
fn a_person_is_here(session: &Session, ask: &Ask) -> Result<(), Problem> {
    let Some(agent) = &session.agent else { return Ok(()) };
    let hint = Message::AgentShellHint.with([ask.id.handle()]);
    Err(Problem::new(Code::NotAllowed, Message::AgentShell.with([agent])).hint(hint))
}

/// Returns the identity for an answer by argument, if a person has allowed it.
///
/// # Errors
/// Fails if it isn't allowed.
pub(super) fn by_argument(session: &Session, ask: &Ask, declines: bool) -> Result<Who, Problem> {
    let scripted = Who::Person(session.person(Surface::Command, Assurance::Scripted));
    if !session.settings.scripted_answers.value {
        a_person_is_here(session, ask)?;
        // A remote desk requires a person's token to answer, which is permission enough.
        if matches!(session.settings.desk.value, Address::Http(_)) {
            return Ok(scripted);
        }
        let off = if declines { Message::DeclineOff } else { Message::ScriptedOff };
        let file = session.settings.user_file.display().to_string();
        let hint = Message::ScriptedOffHint.with([file, ask.id.handle()]);
        return Err(Problem::new(Code::NotAllowed, off).hint(hint));
    }
    Ok(scripted)
}

fn without_terminal(session: &Session, ask: &Ask, args: Answer) -> Result<Exit, Problem> {
    let who = by_argument(session, ask, args.decline)?;
    let shown = ask.request.digest;
    let declines = args.answers.is_none();
    let command = match args.answers {
        None => Command::Decline { reason: args.reason, shown },
        Some(text) => {
            let (replies, as_sent) = Dialect::answers(ask, &text)?;
            Command::Submit { replies, as_sent, shown }
        }
    };
    let awaited = Awaited::of(ask, process::is_alive);
    let desk = session.desk()?;
    let acted = match desk.act(&who, ask.id, None, command) {
        // Exit code 3 means that this call declined the ask: an earlier decline is an error here.
        Err(problem) if declines && problem.code == Code::AskDeclined => {
            console::complain(&problem, session.lang());
            return Ok(Exit::Wrong);
        }
        done => done?,
    };
    let ask = with_verdict(desk, acted);
    console::say(&sayso_terminal::receipt(
        &ask,
        false,
        Awaited::by_somebody(Some(awaited), &ask),
        session.lang(),
    ));
    Ok(ask.outcome().map_or(Exit::Done, Exit::of))
}
