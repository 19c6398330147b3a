//! Places where a person can answer from here, and the prompt there.

use crate::cli_session::{self, CliSession};
use crate::config::SubmitPlace;
use crate::output::console;
use crate::ui::clarification;
use crate::ui::screen;
use crate::ui::spec_prompt::SpecPromptStyle;
use crate::ui::tty;
use sayso_core::i18n::own;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{Ask, Message, Outcome, Problem, ProblemCode, Questionnaire};
use sayso_desk::{Desk, ListScope, process};
use sayso_dialects::Dialect;
use sayso_terminal::{
    EditorFn, InputLines, InterruptListener, LineInbox, LinePrompter, PlainStyle, PromptOutcome,
};
use std::fs::File;
use std::io::{IsTerminal as _, Write};

/// Place where a person can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerPlace {
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
pub(crate) enum PromptMode {
    /// Sayso's full screen, if the terminal supports it.
    Full,
    /// Sayso's prompt, line by line.
    Plain,
    /// Prompt of the `AskUserQuestion` spec; `strict` asks again if the spec takes the first option.
    Spec { strict: bool },
}

/// Returns the place in which the person answers: this terminal, piped lines or the desk. In an agent's shell it is
/// always the desk, even on a pseudo-terminal. If piped lines are no answers, a person can still answer on the
/// terminal.
pub(crate) fn choose_place(
    session: &CliSession,
    questionnaire: &Questionnaire,
    lines: PipedLines,
    here: bool,
    elsewhere: bool,
) -> AnswerPlace {
    if elsewhere || session.agent.is_some() || session.desk_access.check_may_answer().is_err() {
        return AnswerPlace::Desk;
    }
    if !here && accepts_piped_answers(session, questionnaire, lines) {
        return AnswerPlace::Pipe;
    }
    let can_ask = if here || std::io::stdin().is_terminal() {
        tty::is_available()
    } else {
        is_stderr_terminal() && tty::is_in_foreground()
    };
    if can_ask { AnswerPlace::Terminal } else { AnswerPlace::Desk }
}

/// Returns whether lines on standard input are answers.
pub(crate) fn accepts_piped_answers(
    session: &CliSession,
    questionnaire: &Questionnaire,
    lines: PipedLines,
) -> bool {
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
pub(crate) fn require_person(session: &CliSession) -> Result<(), Problem> {
    if session.agent.is_none() {
        session.desk_access.check_may_answer()?;
    }
    if session.agent.is_some() || tty::is_available() {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::NoTerminal, Message::NoTerminal))
}

/// Returns whether standard error is a terminal.
pub(crate) fn is_stderr_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Checks that there is a terminal for an interactive answer.
///
/// # Errors
/// Fails without one.
pub(crate) fn require_terminal(ask: &Ask) -> Result<(), Problem> {
    if tty::is_available() {
        return Ok(());
    }
    let hint = Message::NoTerminalHint.with([own(ask.id.short_id())]);
    Err(Problem::new(ProblemCode::NoTerminal, Message::NoTerminal).with_hint(hint))
}

/// Asks a person here until the ask is settled or they leave. At the line prompter `on_ready` runs once an interrupt would
/// be noticed.
///
/// # Errors
/// Fails if the desk fails.
pub(crate) fn prompt_person(
    session: &CliSession,
    ask: &Ask,
    place: AnswerPlace,
    look: PromptMode,
    on_ready: &dyn Fn(),
) -> Result<PromptOutcome, Problem> {
    let lang = session.lang();
    let is_terminal = place == AnswerPlace::Terminal;
    if is_terminal && look == PromptMode::Full && screen::can_show(session) {
        let outcome = screen::show(session, Some(ask.id), ListScope::default())?;
        print_ending(session, &outcome);
        return Ok(outcome);
    }
    let _presence = if is_terminal { Some(session.desk_access.mark_person()) } else { None };
    let (input, mut out) = open_lines(is_terminal)?;
    let (surface, assurance) = if is_terminal {
        (Surface::Prompter, AssuranceLevel::Terminal)
    } else {
        (Surface::Pipe, AssuranceLevel::Scripted)
    };
    let plain = PlainStyle { lang, now: Some(cli_session::local_now) };
    let spec = SpecPromptStyle { strict: look == PromptMode::Spec { strict: true } };
    // The spec's command says that it was interrupted, also while it waits for piped lines.
    let is_spec = matches!(look, PromptMode::Spec { .. });
    let interrupts = if is_terminal || is_spec { Some(InterruptListener::new()?) } else { None };
    on_ready();
    let editor = if is_terminal { crate::ui::editor::from_environment(&session.environment) } else { None };
    LinePrompter {
        desk: session.desk()?,
        person: session.person(surface, assurance),
        style: if is_spec { &spec } else { &plain },
        lang,
        clock: &cli_session::now,
        out: &mut *out,
        input: &mut InputLines::new(input, interrupts),
        guards: is_terminal,
        editor: editor.as_ref().map(|editor| editor as &EditorFn),
        clarify: clarification::clarification_text,
        carries_notes: Dialect::carries_notes,
        is_running: process::is_alive,
        quiet: !is_terminal,
        always_reviews: is_terminal && session.settings.ui.submit.value == SubmitPlace::Review,
        logs_questions: is_spec,
    }
    .run(ask.id)
}

/// Reads the waiting asks to a person line by line until they leave. The lines go to `out`, or else to the terminal.
///
/// # Errors
/// Fails if the terminal or the desk fails.
pub(crate) fn read_inbox(
    session: &CliSession,
    scope: ListScope,
    out: Option<&mut dyn Write>,
) -> Result<PromptOutcome, Problem> {
    let _present = session.desk_access.mark_person();
    let (input, mut terminal) = open_lines(true)?;
    let editor = crate::ui::editor::from_environment(&session.environment);
    let inbox = LineInbox {
        desk: session.desk()?,
        person: session.person(Surface::Prompter, AssuranceLevel::Terminal),
        scope,
        style: PlainStyle { lang: session.lang(), now: Some(cli_session::local_now) },
        home: session.environment.get("HOME").unwrap_or_default().to_owned(),
        clock: &cli_session::now,
        editor: editor.as_ref().map(|editor| editor as &EditorFn),
        clarify: clarification::clarification_text,
        carries_notes: Dialect::carries_notes,
        is_running: process::is_alive,
        always_reviews: session.settings.ui.submit.value == SubmitPlace::Review,
    };
    let mut input = InputLines::new(input, Some(InterruptListener::new()?));
    inbox.run(out.unwrap_or(&mut *terminal), &mut input)
}

/// Opens what a prompt reads and writes: the terminal, or standard input with lines for it.
fn open_lines(is_terminal: bool) -> Result<(File, Box<dyn Write>), Problem> {
    let stdin_is_terminal = std::io::stdin().is_terminal();
    let input = if is_terminal && !stdin_is_terminal { tty::open() } else { stdin_as_file() };
    let input = input.map_err(|error| tty::open_problem(&error))?;
    // Standard output belongs to the asker: the prompt goes to standard error if that is the terminal.
    if is_terminal && !is_stderr_terminal() {
        return Ok((input, Box::new(tty::open().map_err(|error| tty::open_problem(&error))?)));
    }
    Ok((input, Box::new(std::io::stderr())))
}

/// Prints the result after the full screen is closed, which restores the earlier contents.
fn print_ending(session: &CliSession, ended: &PromptOutcome) {
    let (ask, elsewhere, is_awaited) = match ended {
        PromptOutcome::Settled { ask, is_awaited } => (ask, false, *is_awaited),
        PromptOutcome::SettledElsewhere(ask) => (ask, true, true),
        PromptOutcome::Left | PromptOutcome::Interrupted | PromptOutcome::InputEnded { .. } => return,
    };
    let lang = session.lang();
    let judged = session.desk().ok().map(|desk| sayso_terminal::wait_for_verdict(desk, ask.clone()));
    let ask = judged.as_ref().unwrap_or(ask);
    console::print_message(&sayso_terminal::ask_receipt(ask, elsewhere, is_awaited, lang));
    // No draft is left of replies that were sent.
    let is_answered = matches!(ask.outcome(), Some(Outcome::Answered { .. }));
    let has_unsent_text = |desk: &dyn Desk| -> Result<bool, Problem> {
        Ok(!desk.late_submissions(ask.id)?.is_empty()
            || !is_answered && desk.draft(ask.id)?.into_typed_replies().next().is_some())
    };
    if elsewhere && session.desk().and_then(has_unsent_text).unwrap_or_default() {
        console::print_message(&Message::TextKeptAt.render_with(lang, [own(ask.id.short_id())]));
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
