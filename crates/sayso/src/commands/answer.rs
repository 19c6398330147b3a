//! `sayso answer ID`: opens a waiting ask on this terminal, or takes its answer as an argument.

use super::lookup::list;
use crate::cli::AnswerArgs;
use crate::cli_session::CliSession;
use crate::config::DeskAddress;
use crate::output::console;
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, AnswerPlace, PipedLines, PromptMode};
use sayso_core::i18n::own;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{Actor, Ask, AskCommand, Message, Problem, ProblemCode};
use sayso_desk::{AskQuery, process, skip_damaged};
use sayso_dialects::Dialect;
use sayso_terminal::{PromptOutcome, WaiterPresence, wait_for_verdict};

pub(super) fn run(session: &CliSession, args: AnswerArgs) -> Result<CommandExit, Problem> {
    let desk = session.desk()?;
    let ask = match &args.id {
        Some(given) => desk.get(desk.find(given)?)?,
        None => first_of_inbox(session)?,
    };
    if args.answers.is_some() || args.decline {
        return answer_by_argument(session, &ask, args);
    }
    refuse_agent(session, &ask)?;
    session.desk_access.check_may_answer()?;
    let look = if args.plain { PromptMode::Plain } else { PromptMode::Full };
    let lang = session.lang();
    if let Some(outcome) = ask.outcome() {
        // Nothing was typed here, so no draft is mentioned.
        let problem = sayso_core::lifecycle::already_settled_problem(outcome);
        console::print_problem(&problem, lang);
        return Ok(match CommandExit::from_outcome(outcome) {
            CommandExit::Done => CommandExit::Wrong,
            exit => exit,
        });
    }
    Ok(match answer_here(session, &ask, look)? {
        // The answer is sent even if its asker has not accepted it yet.
        PromptOutcome::Settled { ask, .. } => {
            ask.outcome().map_or(CommandExit::Done, CommandExit::from_outcome)
        }
        PromptOutcome::SettledElsewhere(ask) => {
            ask.outcome().map_or(CommandExit::Left, CommandExit::from_outcome)
        }
        PromptOutcome::Left | PromptOutcome::InputEnded { .. } => {
            console::print_message(&Message::NothingSent.render_with(lang, [own(ask.id.short_id())]));
            CommandExit::Left
        }
        PromptOutcome::Interrupted => {
            console::print_message(&Message::NothingSent.render_with(lang, [own(ask.id.short_id())]));
            CommandExit::Interrupted
        }
    })
}

/// Takes answers from lines on standard input if they are allowed and any come, else from the terminal.
fn answer_here(session: &CliSession, ask: &Ask, look: PromptMode) -> Result<PromptOutcome, Problem> {
    if surface::accepts_piped_answers(session, &ask.request.questionnaire, PipedLines::ScriptedAnswers) {
        let ended = surface::prompt_person(session, ask, AnswerPlace::Pipe, look, &|| ())?;
        if ended != (PromptOutcome::InputEnded { any_line: false }) {
            return Ok(ended);
        }
    }
    surface::require_terminal(ask)?;
    surface::prompt_person(session, ask, AnswerPlace::Terminal, look, &|| ())
}

/// Returns the first ask of the inbox: the one whose asker has waited longest, or else the oldest.
fn first_of_inbox(session: &CliSession) -> Result<Ask, Problem> {
    let desk = session.desk()?;
    let page = list::page_up_to(session, &session.list_scope(false)?, AskQuery::default(), None)?;
    let (attached, others): (Vec<_>, Vec<_>) = page.rows.iter().partition(|row| row.attached);
    for row in attached.into_iter().chain(others) {
        if let Some(ask) = skip_damaged(desk.get(row.id))? {
            return Ok(ask);
        }
    }
    Err(Problem::new(ProblemCode::AskNotFound, Message::NothingWaits))
}

/// Refuses to answer interactively in an agent's shell.
fn refuse_agent(session: &CliSession, ask: &Ask) -> Result<(), Problem> {
    let Some(agent) = &session.agent else { return Ok(()) };
    let hint = Message::AgentShellHint.with([own(ask.id.short_id())]);
    Err(Problem::new(ProblemCode::NotAllowed, Message::AgentShell.with([own(agent)])).with_hint(hint))
}

/// Returns the identity for an answer by argument, if a person has allowed it.
///
/// # Errors
/// Fails if it isn't allowed.
pub(super) fn scripted_identity(session: &CliSession, ask: &Ask, declines: bool) -> Result<Actor, Problem> {
    let scripted = Actor::Person(session.person(Surface::Command, AssuranceLevel::Scripted));
    if !session.settings.scripted_answers.value {
        refuse_agent(session, ask)?;
        // A remote desk requires a person's token to answer, which is permission enough.
        if matches!(session.settings.desk.value, DeskAddress::Http(_)) {
            return Ok(scripted);
        }
        let off = if declines { Message::DeclineOff } else { Message::ScriptedOff };
        let file = session.settings.user_file.display().to_string();
        let hint = Message::ScriptedOffHint.with([own(file), own(ask.id.short_id())]);
        return Err(Problem::new(ProblemCode::NotAllowed, off).with_hint(hint));
    }
    Ok(scripted)
}

fn answer_by_argument(session: &CliSession, ask: &Ask, args: AnswerArgs) -> Result<CommandExit, Problem> {
    let who = scripted_identity(session, ask, args.decline)?;
    let digest = ask.request.digest;
    let declines = args.answers.is_none();
    let command = match args.answers {
        None => AskCommand::Decline { reason: args.reason, shown: digest },
        Some(text) => {
            let (mut replies, as_sent) = Dialect::parse_answers(ask, &text)?;
            if args.note.is_some() {
                if !Dialect::carries_notes(ask) {
                    console::print_message(Message::NotesNotCarried.plain(session.lang()));
                }
                let id = ask.request.questionnaire.note_place();
                let reply = replies.remove(&id).unwrap_or_default();
                replies.insert(id, reply.with_note(args.note));
            }
            AskCommand::Submit { replies, as_sent, shown: digest.into() }
        }
    };
    let awaited = WaiterPresence::from_ask(ask, process::is_alive);
    let desk = session.desk()?;
    let acted = match desk.act(&who, ask.id, None, command) {
        // Exit code 3 means that this call declined the ask: an earlier decline is an error here.
        Err(problem) if declines && problem.code == ProblemCode::AskDeclined => {
            console::print_problem(&problem, session.lang());
            return Ok(CommandExit::Wrong);
        }
        done => done?,
    };
    let ask = wait_for_verdict(desk, acted);
    console::print_message(&sayso_terminal::ask_receipt(
        &ask,
        false,
        WaiterPresence::was_awaited(Some(awaited), &ask),
        session.lang(),
    ));
    Ok(ask.outcome().map_or(CommandExit::Done, CommandExit::from_outcome))
}
