//! A person at the full screen, and what they do there again and again.

use crate::emulated::Emulated;
use crate::output::LIMIT;
use crate::world::{Call, World};
use sayso_core::{Asker, NewAsk, wire};
use sayso_desk::Desk as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vt100::Screen;

/// Esc as terminals send it that tell keys apart: with a letter behind it, a bare one would be Alt.
pub(crate) const ESC: &str = "\x1b[27u";
/// `^S`.
const SEND: &str = "\x13";

/// How long a screen is given to show that it took a key, before it is pressed again.
const A_MOMENT: Duration = Duration::from_millis(60);
/// The same for a key that sends: sooner would be a key that is held down.
const SOME_QUIET: Duration = Duration::from_millis(450);

/// A person opens the inbox.
pub(crate) fn inbox(world: &World) -> Emulated {
    started(&world.sayso([""; 0]))
}

/// A person opens the inbox by this call.
pub(crate) fn started(call: &Call) -> Emulated {
    let emulated = Emulated::start(call, 24, 80);
    emulated
        .wait_for(|screen| screen.contents().contains(" waiting") && !screen.contents().contains("Reading"));
    emulated
}

/// A person opens the only ask that there is, from the inbox.
pub(crate) fn opened(world: &World) -> Emulated {
    let mut emulated = inbox(world);
    emulated.expect("1 waiting");
    emulated.wait_for(|screen| focused(screen).is_some());
    emulated.type_("\r");
    emulated.wait_for(is_open);
    emulated
}

/// Whether a questionnaire is open.
pub(crate) fn is_open(screen: &Screen) -> bool {
    !screen.contents().contains(" sort: ")
}

/// The row that the keys are at in a list.
pub(crate) fn focused(screen: &Screen) -> Option<String> {
    rows(screen).into_iter().find(|row| row.trim_start_matches([' ', '│']).starts_with('▸'))
}

/// The rows of a screen, as text.
pub(crate) fn rows(screen: &Screen) -> Vec<String> {
    let columns = screen.size().1;
    screen.rows(0, columns.get()).collect()
}

/// Sends the answers at the review, as soon as the screen takes it: it wants some quiet before.
#[track_caller]
pub(crate) fn send(emulated: &mut Emulated) {
    send_until(emulated, |screen| screen.contents().contains("Sent."));
}

/// The same until the screen is such.
#[track_caller]
pub(crate) fn send_until(emulated: &mut Emulated, fits: impl Fn(&Screen) -> bool) {
    press_every(SOME_QUIET, emulated, SEND, fits);
}

/// Presses keys until the screen is such. They may be pressed more than once.
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

/// Leaves an ask at a desk, without a process.
pub(crate) fn asks(world: &World, request: &str, by: &str) -> sayso_core::AskId {
    let questionnaire = wire::questionnaire::read(request).unwrap().questionnaire;
    let new = NewAsk::new(
        Arc::new(questionnaire),
        "sayso",
        Asker { name: by.to_owned(), folder: None, session: None, account: None },
    );
    world.desk().open(None, new).unwrap().ask().id
}
