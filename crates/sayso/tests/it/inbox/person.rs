//! Person at the full screen, with their recurring actions.

use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::program::program_output::LIMIT;
use crate::support::test_world::{ProgramCall, TestWorld};
use sayso_core::{Asker, NewAsk, wire};
use sayso_desk::Desk as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vt100::Screen;

/// Esc as sent by terminals that tell keys apart: a bare one followed by a letter would be Alt.
pub(crate) const ESC: &str = "\x1b[27u";
/// `^S`.
const SEND: &str = "\x13";

/// Time for a screen to show that it took a key, before a retry.
const A_MOMENT: Duration = Duration::from_millis(60);
/// The same for a key that sends: an earlier retry would look like a held key.
const SOME_QUIET: Duration = Duration::from_millis(450);

/// Opens the inbox.
pub(crate) fn open_inbox(world: &TestWorld) -> EmulatedTerminal {
    open_inbox_by(&world.sayso([""; 0]))
}

/// Opens the inbox by this call.
pub(crate) fn open_inbox_by(call: &ProgramCall) -> EmulatedTerminal {
    let emulated = EmulatedTerminal::start(call, 24, 80);
    emulated
        .wait_for(|screen| screen.contents().contains(" waiting") && !screen.contents().contains("Reading"));
    emulated
}

/// Opens the only ask of the inbox.
pub(crate) fn open_only_ask(world: &TestWorld) -> EmulatedTerminal {
    let mut emulated = open_inbox(world);
    emulated.expect_text("1 waiting");
    emulated.wait_for(|screen| selected_row(screen).is_some());
    emulated.type_bytes("\r");
    emulated.wait_for(is_open);
    emulated
}

/// Returns true if a questionnaire is open.
pub(crate) fn is_open(screen: &Screen) -> bool {
    !screen.contents().contains(" sort: ")
}

/// Returns the selected row of a list.
pub(crate) fn selected_row(screen: &Screen) -> Option<String> {
    rows(screen).into_iter().find(|row| row.trim_start_matches([' ', '│']).starts_with('▸'))
}

/// Returns the rows of a screen, as text.
pub(crate) fn rows(screen: &Screen) -> Vec<String> {
    let columns = screen.size().1;
    screen.rows(0, columns.get()).collect()
}

/// Sends the answers at the review, once the screen accepts it: it requires a pause first.
#[track_caller]
pub(crate) fn send_answers(emulated: &mut EmulatedTerminal) {
    send_until(emulated, |screen| screen.contents().contains("Sent."));
}

/// Sends the answers, and waits until the screen matches.
#[track_caller]
pub(crate) fn send_until(emulated: &mut EmulatedTerminal, fits: impl Fn(&Screen) -> bool) {
    press_repeatedly(SOME_QUIET, emulated, SEND, fits);
}

/// Presses keys after a pause until the screen matches, several times if necessary.
#[track_caller]
pub(crate) fn press_after_pause(emulated: &mut EmulatedTerminal, keys: &str, fits: impl Fn(&Screen) -> bool) {
    press_repeatedly(SOME_QUIET, emulated, keys, fits);
}

/// Presses the button of the decline dialog, once it is live.
#[track_caller]
pub(crate) fn confirm_decline(emulated: &mut EmulatedTerminal) {
    press_repeatedly(SOME_QUIET, emulated, "\r", |screen| screen.contents().contains("Declined."));
}

/// Presses keys until the screen matches, several times if necessary.
#[track_caller]
pub(crate) fn press_until(emulated: &mut EmulatedTerminal, keys: &str, fits: impl Fn(&Screen) -> bool) {
    press_repeatedly(A_MOMENT, emulated, keys, fits);
}

#[track_caller]
fn press_repeatedly(
    mut pause: Duration,
    emulated: &mut EmulatedTerminal,
    keys: &str,
    fits: impl Fn(&Screen) -> bool,
) {
    let until = Instant::now() + LIMIT;
    loop {
        emulated.type_bytes(keys);
        if emulated.shows_within(pause, &fits) {
            return;
        }
        assert!(Instant::now() < until, "that does not come:\n{}", emulated.contents());
        if pause >= SOME_QUIET {
            // On a slow disk a further press would meet the screen after the send.
            pause *= 2;
        }
    }
}

/// Creates an ask at a desk, without a process.
pub(crate) fn leave_ask(world: &TestWorld, request: &str, by: &str) -> sayso_core::AskId {
    let questionnaire = wire::questionnaire::read(request).unwrap().questionnaire;
    let new = NewAsk::new(
        Arc::new(questionnaire),
        "sayso",
        Asker { name: by.to_owned(), folder: None, session: None, account: None },
    );
    world.desk().open(None, new).unwrap().ask().id
}
