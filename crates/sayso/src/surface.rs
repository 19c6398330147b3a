//! Places where a person can answer from here, and the prompt there.

use crate::session::{self, Session};
use crate::spec_manner::SpecManner;
use crate::{console, screen, tty, wishing};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{Ask, Code, Message, Outcome, Problem, Questionnaire};
use sayso_desk::{Desk, process};
use sayso_terminal::{Editor, Ended, Interrupts, Lines, Plain, Prompter};
use std::fs::File;
use std::io::{IsTerminal as _, Write};

/// Place where a person can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The terminal of this process.
    Terminal,
    /// Lines on standard input.
    Pipe,
    /// The desk, on another surface.
    Desk,
}

/// Meaning of lines on standard input, if that is no terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PipedLines {
    /// Not answers: the request, or input for another program.
    NoAnswers,
    /// Answers, as the `AskUserQuestion` spec allows.
    Answers,
    /// Answers if `scripted_answers` is set; never for questions that ask for consent.
    ScriptedAnswers,
}

/// Mode of the prompt: how it shows questions and reads lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Sayso's full screen, if the terminal supports it.
    Full,
    /// Sayso's prompt, line by line.
    Plain,
    /// Prompt of the `AskUserQuestion` spec; `strict` asks again if the spec takes the first option.
    Spec { strict: bool },
}

/// Returns where to ask. In an agent's shell no one is asked, even on a pseudo-terminal. If piped lines are no
/// answers, a person can still answer on the terminal.
pub(crate) fn place(
    session: &Session,
    questionnaire: &Questionnaire,
    lines: PipedLines,
    here: bool,
    elsewhere: bool,
) -> Place {
    if elsewhere || session.agent.is_some() || session.may_answer().is_err() {
        return Place::Desk;
    }
    if !here && lines_answer(session, questionnaire, lines) {
        return Place::Pipe;
    }
    let can_ask = if here || std::io::stdin().is_terminal() {
        tty::is_there()
    } else {
        is_watched() && tty::is_in_foreground()
    };
    if can_ask { Place::Terminal } else { Place::Desk }
}

/// Returns whether lines on standard input are answers.
pub(crate) fn lines_answer(session: &Session, questionnaire: &Questionnaire, lines: PipedLines) -> bool {
    !std::io::stdin().is_terminal()
        && match lines {
            PipedLines::NoAnswers => false,
            PipedLines::Answers => true,
            PipedLines::ScriptedAnswers => {
                session.settings.scripted_answers.value && !questionnaire.asks_consent()
            }
        }
}

/// Checks that a person can be asked here.
///
/// # Errors
/// Fails without a terminal. In an agent's shell the check passes, since the ask is answered elsewhere anyway.
pub(crate) fn must_be_here(session: &Session) -> Result<(), Problem> {
    if session.agent.is_none() {
        session.may_answer()?;
    }
    if session.agent.is_some() || tty::is_there() {
        return Ok(());
    }
    Err(Problem::new(Code::NoTerminal, Message::NoTerminal))
}

/// Returns whether standard error is a terminal.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Checks that there is a terminal for an interactive answer.
///
/// # Errors
/// Fails without one.
pub(crate) fn must_have_terminal(ask: &Ask) -> Result<(), Problem> {
    if tty::is_there() {
        return Ok(());
    }
    let hint = Message::NoTerminalHint.with([ask.id.handle()]);
    Err(Problem::new(Code::NoTerminal, Message::NoTerminal).hint(hint))
}

/// Asks a person here until the ask is settled or they leave.
///
/// # Errors
/// Fails if the desk fails.
pub(crate) fn converse(session: &Session, ask: &Ask, place: Place, look: Look) -> Result<Ended, Problem> {
    let lang = session.lang();
    let is_terminal = place == Place::Terminal;
    if is_terminal && look == Look::Full && screen::can_show(session) {
        let ended = screen::show(session, Some(ask.id))?;
        say_how_it_ended(session, &ended);
        return Ok(ended);
    }
    let stdin_is_terminal = std::io::stdin().is_terminal();
    let input = if is_terminal && !stdin_is_terminal { tty::open() } else { stdin_as_file() };
    let input = input.map_err(|error| tty::unopened(&error))?;
    // Standard output belongs to the asker: the prompt goes to standard error if that is the terminal.
    let mut out: Box<dyn Write> = if is_terminal && !is_watched() {
        Box::new(tty::open().map_err(|error| tty::unopened(&error))?)
    } else {
        Box::new(std::io::stderr())
    };
    let (surface, assurance) = if is_terminal {
        (Surface::Prompter, Assurance::Terminal)
    } else {
        (Surface::Pipe, Assurance::Scripted)
    };
    let plain = Plain { lang, now: Some(session::local_now) };
    let spec = SpecManner { strict: look == Look::Spec { strict: true } };
    let interrupts = if is_terminal { Some(Interrupts::new()?) } else { None };
    let editor = if is_terminal { crate::editor::of(&session.environment) } else { None };
    Prompter {
        desk: session.desk()?,
        person: session.person(surface, assurance),
        manner: if matches!(look, Look::Spec { .. }) { &spec } else { &plain },
        lang,
        clock: &session::now,
        out: &mut *out,
        input: &mut Lines::new(input, interrupts),
        guards: is_terminal && !matches!(look, Look::Spec { .. }),
        editor: editor.as_ref().map(|editor| editor as &Editor),
        wishing: wishing::words,
        runs: process::is_alive,
        quiet: !is_terminal,
        logs_questions: matches!(look, Look::Spec { .. }),
    }
    .run(ask.id)
}

/// Prints the result after the full screen is closed, which restores the earlier contents.
fn say_how_it_ended(session: &Session, ended: &Ended) {
    let (ask, elsewhere, is_awaited) = match ended {
        Ended::Settled { ask, is_awaited } => (ask, false, *is_awaited),
        Ended::SettledElsewhere(ask) => (ask, true, true),
        Ended::Left | Ended::Interrupted | Ended::InputEnded { .. } => return,
    };
    let lang = session.lang();
    let judged = session.desk().ok().map(|desk| sayso_terminal::with_verdict(desk, ask.clone()));
    let ask = judged.as_ref().unwrap_or(ask);
    console::say(&sayso_terminal::receipt(ask, elsewhere, is_awaited, lang));
    // No draft is left of replies that were sent.
    let is_answered = matches!(ask.outcome(), Some(Outcome::Answered { .. }));
    let is_kept = |desk: &dyn Desk| -> Result<bool, Problem> {
        Ok(!desk.late(ask.id)?.is_empty() || !is_answered && desk.draft(ask.id)?.typed().next().is_some())
    };
    if elsewhere && session.desk().and_then(is_kept).unwrap_or_default() {
        console::say(&Message::TextKeptAt.say(lang, [ask.id.handle()]));
    }
}

/// Returns standard input without Rust's buffer, so that it can't hold back input typed ahead.
fn stdin_as_file() -> std::io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        std::io::stdin().as_fd().try_clone_to_owned().map(File::from)
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle as _;
        std::io::stdin().as_handle().try_clone_to_owned().map(File::from)
    }
}
