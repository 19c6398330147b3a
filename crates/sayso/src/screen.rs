//! Full screen, configured for the terminal it is shown on.

use crate::session::{self, Session};
use crate::{tty, wishing};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{AskId, Problem};
use sayso_desk::process;
use sayso_terminal::screen::tty::{Emulator, keyboard};
use sayso_terminal::screen::{Screen, Setup, run};
use sayso_terminal::{Editor, Ended};
use std::process::{Command, Stdio};

/// Returns whether this terminal can show a full screen, and the person wants one.
pub(crate) fn can_show(session: &Session) -> bool {
    let term = session.environment.get("TERM");
    let can = term.is_some_and(|term| term != "dumb");
    can && !session.settings.look.plain.value && tty::open().is_ok()
}

/// Shows the inbox, or one ask alone, until the person leaves it.
///
/// # Errors
/// Fails if the terminal or the desk fails.
pub(crate) fn show(session: &Session, only: Option<AskId>) -> Result<Ended, Problem> {
    let environment = &session.environment;
    let look = &session.settings.look;
    let (theme, follows_background) = look.theme(environment, session.lang())?;
    let output = tty::open().map_err(|error| tty::unopened(&error))?;
    let input = keyboard(&output).map_err(|error| tty::unopened(&error))?;
    let emulator =
        Emulator::of(environment.get("TERM"), environment.get("TERM_PROGRAM"), environment.get("TMUX"));
    let mut modes = emulator.modes();
    modes.mouse = look.mouse.value;
    modes.asks &= follows_background;
    let editor = crate::editor::of(environment);
    let command = look.notify.value.clone();
    let notify = command.as_deref().map(|command| move |new: usize| tell(command, new));
    run(&Screen {
        desk: session.desk()?,
        person: session.person(Surface::Inbox, Assurance::Terminal),
        setup: Setup {
            lang: session.lang(),
            theme,
            follows_background,
            home: environment.get("HOME").unwrap_or_default().to_owned(),
            wishing: wishing::words,
            only,
            runs: process::is_alive,
        },
        input: &input,
        output: &output,
        modes,
        emulator,
        clock: &session::local_now,
        editor: editor.as_ref().map(|editor| editor as &Editor),
        notify: notify.as_ref().map(|notify| notify as &dyn Fn(usize)),
    })
}

/// Runs the person's own notification command. The number of new asks is its only added argument.
fn tell(command: &str, new: usize) {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return };
    let mut command = Command::new(program);
    command.args(words).arg(new.to_string());
    // It can't draw on the screen. A thread waits for its end, so that no zombie is left.
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut child) = started {
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}
