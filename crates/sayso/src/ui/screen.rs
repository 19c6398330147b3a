//! Full screen, configured for the terminal it is shown on.

use crate::cli_session::{self, CliSession};
use crate::config::SubmitPlace;
use crate::ui::clarification;
use crate::ui::tty;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{AskId, Problem};
use sayso_desk::{ListScope, process};
use sayso_dialects::Dialect;
use sayso_terminal::tty::{TerminalEmulator, open_keyboard};
use sayso_terminal::tui::{ScreenContext, ScreenSetup, run};
use sayso_terminal::{EditorFn, PromptOutcome};
use std::process::{Command, Stdio};

/// Returns whether this terminal can show a full screen, and the person wants one.
pub(crate) fn can_show(session: &CliSession) -> bool {
    let term = session.environment.get("TERM");
    let can = term.is_some_and(|term| term != "dumb");
    can && !session.settings.ui.plain.value && tty::open().is_ok()
}

/// Shows the inbox, or one ask alone, until the person leaves it.
///
/// # Errors
/// Fails if the terminal or the desk fails.
pub(crate) fn show(
    session: &CliSession,
    only: Option<AskId>,
    scope: ListScope,
) -> Result<PromptOutcome, Problem> {
    let environment = &session.environment;
    let look = &session.settings.ui;
    let (theme, follows_background) = look.resolve_theme(environment, session.lang())?;
    let output = tty::open().map_err(|error| tty::open_problem(&error))?;
    let input = open_keyboard(&output).map_err(|error| tty::open_problem(&error))?;
    let emulator = TerminalEmulator::from_env(
        environment.get("TERM"),
        environment.get("TERM_PROGRAM"),
        environment.get("TMUX"),
    );
    let mut modes = emulator.modes();
    // GNU screen holds back Esc while a program uses the mouse.
    modes.mouse = look.mouse.value && environment.get("STY").is_none();
    modes.queries &= follows_background;
    let editor = crate::ui::editor::from_environment(environment);
    let command = look.notify.value.clone();
    let notify = command.as_deref().map(|command| move |new: usize| run_notify_command(command, new));
    let _present = session.desk_access.mark_person();
    run(&ScreenContext {
        desk: session.desk()?,
        person: session.person(Surface::Inbox, AssuranceLevel::Terminal),
        setup: ScreenSetup {
            lang: session.lang(),
            theme,
            follows_background,
            home: environment.get("HOME").unwrap_or_default().to_owned(),
            clarification: clarification::clarification_text,
            carries_notes: Dialect::carries_notes,
            only_ask: only,
            scope,
            always_reviews: look.submit.value == SubmitPlace::Review,
            is_running: process::is_alive,
        },
        input: &input,
        output: &output,
        modes,
        emulator,
        clock: &cli_session::local_now,
        editor: editor.as_ref().map(|editor| editor as &EditorFn),
        page_address: &|| session.desk_access.page_address(&session.settings),
        notifier: notify.as_ref().map(|notify| notify as &dyn Fn(usize)),
    })
}

/// Runs the person's own notification command. The number of new asks is its only added argument.
fn run_notify_command(command: &str, new_asks: usize) {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return };
    let mut command = Command::new(program);
    command.args(words).arg(new_asks.to_string());
    // It can't draw on the screen. A thread waits for its end, so that no zombie is left.
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut child) = started {
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}
