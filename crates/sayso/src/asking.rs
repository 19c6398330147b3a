//! Asks, and waits where that is wanted: on this terminal, for lines on a pipe, or at the desk.

use crate::console;
use crate::delivery::{self, Form};
use crate::exit::Exit;
use crate::session::{self, Session};
use crate::surface::{self, Look, Place};
use jiff::{SignedDuration, Timestamp};
use sayso_core::ask::Presence;
use sayso_core::{Ask, Asker, Command, Message, NewAsk, Problem, Questionnaire, Who};
use sayso_desk::{Interest, Opened, process};
use sayso_dialects::Dialect;
use sayso_terminal::{Ended, short};
use std::sync::Arc;
use std::time::Duration;

/// What to ask, and how to wait for it.
pub(crate) struct Asking {
    pub(crate) questionnaire: Arc<Questionnaire>,
    pub(crate) dialect: Dialect,
    pub(crate) asker: Asker,
    pub(crate) key: Option<String>,
    pub(crate) time_limit_ms: Option<i64>,
    /// Where a person may answer from here; `None` to leave it at the desk without waiting.
    pub(crate) place: Option<Place>,
    /// Whether an asker that does not wait gets the bare id, whatever its dialect has for that.
    pub(crate) only_id: bool,
    pub(crate) look: Look,
    /// How the asker gets the outcome.
    pub(crate) form: Form<'static>,
}

/// Asks, waits and prints the outcome.
///
/// # Errors
/// When the request has problems or the desk fails.
pub(crate) fn ask(session: &Session, asking: &Asking) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let new = NewAsk {
        time_limit_ms: asking.time_limit_ms,
        process: asking.place.is_some().then(process::this),
        program: (asking.asker.name == Asker::UNNAMED).then(process::program_above).flatten(),
        random_id: asking.dialect.names_asks_by_their_beginning(),
        ..NewAsk::new(asking.questionnaire.clone(), asking.dialect.name(), asking.asker.clone())
    };
    let opened = desk.open(asking.key.as_deref(), new)?;
    let ask = opened.ask();
    let own_limit = own_limit(asking, &opened);
    if let Opened::Same(ask) = &opened {
        tell_limit_that_stands(session, asking, ask, own_limit);
    }
    let Some(place) = asking.place else {
        let id = ask.id.to_string();
        let said = || asking.dialect.pending(ask.id, &ask.request.questionnaire).stdout;
        let data = if asking.only_id { id } else { said() };
        return Ok(console::data(&data).err().unwrap_or(Exit::Done));
    };
    if ask.outcome().is_some() {
        return delivery::deliver(session, &asking.asker, ask, asking.form);
    }
    converse(session, asking, ask, place, own_limit)
}

/// Tells of the limit that was set when the same was asked before, where it is not the one that is asked for now.
fn tell_limit_that_stands(session: &Session, asking: &Asking, ask: &Ask, own_limit: Option<SignedDuration>) {
    let lang = session.lang();
    if own_limit.is_some() {
        let stands = ask.request.time_limit_ms.map_or(Message::NoLimitStands, |_| Message::LimitStands);
        console::say(stands.plain(lang));
    }
    let due = ask.due_at().filter(|_| asking.time_limit_ms.is_none() && ask.outcome().is_none());
    if let Some(due) = due {
        let left = short::left(due.duration_since(session::now()));
        console::say(&Message::LimitOfBefore.say(lang, [left]));
    }
}

/// The time after which this program gives up, where the question was asked before with another limit.
fn own_limit(asking: &Asking, opened: &Opened) -> Option<SignedDuration> {
    let stands = opened.ask().request.time_limit_ms;
    let differs = matches!(opened, Opened::Same(_)) && stands != asking.time_limit_ms;
    asking.time_limit_ms.filter(|_| differs).map(SignedDuration::from_millis)
}

/// Lets a person answer where they are, and waits at the desk when there is nobody here.
fn converse(
    session: &Session,
    asking: &Asking,
    ask: &Ask,
    place: Place,
    own_limit: Option<SignedDuration>,
) -> Result<Exit, Problem> {
    let (lang, asker, look) = (session.lang(), &asking.asker, asking.look);
    // Lines that the spec lets answer may never come.
    let is_told = place == Place::Pipe && matches!(look, Look::Spec { .. });
    if is_told {
        say_it_waits(session, ask);
    }
    let ended = match place {
        Place::Desk => Ended::InputEnded { any_line: false },
        Place::Terminal | Place::Pipe => surface::converse(session, ask, place, look)?,
    };
    let leave = |exit: Exit, said: &str| {
        detach(session, ask)?;
        if !said.is_empty() {
            console::say(said);
        }
        Ok(exit)
    };
    // What was piped in is a draft that no person is shown.
    let nothing = match place {
        Place::Pipe if ask.request.questionnaire.is_one_answer() => Message::LinesEnded,
        Place::Pipe => Message::LinesEndedUnsent,
        Place::Desk | Place::Terminal => Message::NothingSent,
    };
    let kept = nothing.say(lang, [ask.id.handle()]);
    match (ended, look) {
        (Ended::Settled { ask, .. } | Ended::SettledElsewhere(ask), _) => {
            delivery::deliver(session, asker, &ask, asking.form)
        }
        (Ended::InputEnded { any_line: false }, _) => {
            if !is_told {
                say_it_waits(session, ask);
            }
            if let Some(limit) = own_limit {
                console::say(&Message::GivesUpAlone.say(lang, [short::span(limit)]));
            }
            let until = own_limit.and_then(|limit| session::now().checked_add(limit).ok());
            match wait(session, ask, until)? {
                Some(settled) => delivery::deliver(session, asker, &settled, asking.form),
                None => leave(given_up(session, ask), ""),
            }
        }
        (Ended::InputEnded { any_line: true } | Ended::Interrupted, Look::Spec { .. }) => {
            leave(Exit::Interrupted, sayso_dialects::ask_user_question::INTERRUPTED)
        }
        (Ended::Interrupted, Look::Full | Look::Plain) => leave(Exit::Interrupted, &kept),
        (Ended::InputEnded { any_line: true } | Ended::Left, _) => leave(Exit::Left, &kept),
    }
}

/// This process, which was the one that waits, does so no more. Who waits elsewhere still does.
///
/// # Errors
/// When the desk cannot be read or written.
pub(crate) fn detach(session: &Session, ask: &Ask) -> Result<(), Problem> {
    let desk = session.desk()?;
    let presence = desk.get(ask.id)?.state.presence;
    let waiter = if let Presence::Attached { process } = presence { process } else { None };
    if waiter.is_none_or(|waiter| waiter == process::this()) {
        desk.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, Command::Detach)?;
    }
    Ok(())
}

/// Says at which desk the question waits, and that leaving takes nothing back.
pub(crate) fn say_it_waits(session: &Session, ask: &Ask) {
    let is_consent = ask.request.questionnaire.asks_consent();
    let leaving = if is_consent { Message::StopWaitingConsent } else { Message::StopWaiting };
    for message in [Message::WaitingAtDesk, leaving] {
        console::say(&message.say(session.lang(), [ask.id.handle(), session.desk_name()]));
    }
}

/// Says that the time to wait is over and the question waits on.
pub(crate) fn given_up(session: &Session, ask: &Ask) -> Exit {
    console::say(&Message::GaveUp.say(session.lang(), [ask.id.handle(), session.desk_name()]));
    Exit::Left
}

/// Waits until an ask is settled, and gives it; nothing where the time to wait is over before.
///
/// # Errors
/// When the desk cannot be read.
pub(crate) fn wait(session: &Session, ask: &Ask, give_up: Option<Timestamp>) -> Result<Option<Ask>, Problem> {
    let desk = session.desk()?;
    // Watch first, then read: what settles in between is not missed.
    let mut watch = desk.watch(Interest::Ask(ask.id), None)?;
    loop {
        let ask = desk.get(ask.id)?;
        if ask.outcome().is_some() {
            return Ok(Some(ask));
        }
        if give_up.is_some_and(|until| until <= session::now()) {
            return Ok(None);
        }
        if ask.is_due(session::now()) {
            // Past the deadline the desk's own clock has the last word; ask it at its pace.
            watch.wait(watch.pace())?;
            continue;
        }
        let until =
            |due: Timestamp| Duration::try_from(due.duration_since(session::now())).unwrap_or_default();
        loop {
            let left = ask.due_at().into_iter().chain(give_up).min().map_or(Duration::MAX, until);
            if left.is_zero() || !watch.wait(left)?.is_empty() {
                break;
            }
        }
    }
}
