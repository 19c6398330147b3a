//! Person at the full screen, with their recurring actions.

use crate::emulated::Emulated;
use crate::output::LIMIT;
use crate::world::{Call, World};
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
pub(crate) fn inbox(world: &World) -> Emulated {
    started(&world.sayso([""; 0]))
}

/// Opens the inbox by this call.
pub(crate) fn started(call: &Call) -> Emulated {
    let emulated = Emulated::start(call, 24, 80);
    emulated
        .wait_for(|screen| screen.contents().contains(" waiting") && !screen.contents().contains("Reading"));
    emulated
}

/// Opens the only ask of the inbox.
pub(crate) fn opened(world: &World) -> Emulated {
    let mut emulated = inbox(world);
    emulated.expect("1 waiting");
    emulated.wait_for(|screen| focused(screen).is_some());
    emulated.type_("\r");
    emulated.wait_for(is_open);
    emulated
}

/// Returns true if a questionnaire is open.
pub(crate) fn is_open(screen: &Screen) -> bool {
    !screen.contents().contains(" sort: ")
}

/// Returns the selected row of a list.
pub(crate) fn focused(screen: &Screen) -> Option<String> {
    rows(screen).into_iter().find(|row| row.trim_start_matches([' ', '│']).starts_with('▸'))
}

/// Returns the rows of a screen, as text.
pub(crate) fn rows(screen: &Screen) -> Vec<String> {
    let columns = screen.size().1;
    screen.rows(0, columns.get()).collect()
}

/// Sends the answers at the review, once the screen accepts it: it requires a pause first.
#[track_caller]
pub(crate) fn send(emulated: &mut Emulated) {
    send_until(emulated, |screen| screen.contents().contains("Sent."));
}

/// Sends the answers, and waits until the screen matches.
#[track_caller]
pub(crate) fn send_until(emulated: &mut Emulated, fits: impl Fn(&Screen) -> bool) {
    press_every(SOME_QUIET, emulated, SEND, fits);
}

/// Presses keys until the screen matches, several times if necessary.
#[track_caller]
pub(crate) fn press_until(emulated: &mut Emulated, keys: &str, fits: impl Fn(&Screen) -> bool) {
    press_every(A_MOMENT, emulated, keys, fits);
}

#[track_caller]
fn press_every(pause: Duration, emulated: &mut Emulated, keys: &str, fits: impl Fn(&Screen) -> bool) {
    let until = Instant::now() + LIMIT;
    loop {
        emulated.type_(keys);
        if emulated.shows_within(pause, &fits) {
            return;
        }
        assert!(Instant::now() < until, "that does not come:\n{}", emulated.contents());
    }
}

/// Creates an ask at a desk, without a process.
pub(crate) fn asks(world: &World, request: &str, by: &str) -> sayso_core::AskId {
    let questionnaire = wire::questionnaire::read(request).unwrap().questionnaire;
    let new = NewAsk::new(
        Arc::new(questionnaire),
        "sayso",
        Asker { name: by.to_owned(), folder: None, session: None, account: None },
    );
    world.desk().open(None, new).unwrap().ask().id
}
