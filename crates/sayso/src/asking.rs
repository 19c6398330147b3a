//! Asking and waiting: on this terminal, for lines on a pipe, or at the desk.

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

/// Ask to open, and how to wait for it.
pub(crate) struct Asking {
    pub(crate) questionnaire: Arc<Questionnaire>,
    pub(crate) dialect: Dialect,
    pub(crate) asker: Asker,
    pub(crate) key: Option<String>,
    pub(crate) time_limit_ms: Option<i64>,
    /// Place to answer from here; `None` leaves the ask at the desk without waiting.
    pub(crate) place: Option<Place>,
    /// An asker that doesn't wait gets the bare id, even if its dialect has another form for that.
    pub(crate) only_id: bool,
    pub(crate) look: Look,
    /// Form of the outcome for the asker.
    pub(crate) form: Form<'static>,
}

/// Opens the ask, waits and prints the outcome.
///
/// # Errors
/// Fails if the request has problems or the desk fails.
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

/// Prints the time limit of an earlier identical ask, if it differs from the one requested now.
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

/// Returns the time after which this program stops waiting, if an earlier identical ask has another limit.
fn own_limit(asking: &Asking, opened: &Opened) -> Option<SignedDuration> {
    let stands = opened.ask().request.time_limit_ms;
    let differs = matches!(opened, Opened::Same(_)) && stands != asking.time_limit_ms;
    asking.time_limit_ms.filter(|_| differs).map(SignedDuration::from_millis)
}

/// Lets a person answer here, or waits at the desk if no one is here.
fn converse(
    session: &Session,
    asking: &Asking,
    ask: &Ask,
    place: Place,
    own_limit: Option<SignedDuration>,
) -> Result<Exit, Problem> {
    let (lang, asker, look) = (session.lang(), &asking.asker, asking.look);
    // Lines that the spec allows as answers may never come.
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
    // Piped input is a draft that no person sees.
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

/// Detaches this process from the ask, if it is the one that waits. Another process keeps waiting.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub(crate) fn detach(session: &Session, ask: &Ask) -> Result<(), Problem> {
    let desk = session.desk()?;
    let presence = desk.get(ask.id)?.state.presence;
    let waiter = if let Presence::Attached { process } = presence { process } else { None };
    if waiter.is_none_or(|waiter| waiter == process::this()) {
        desk.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, Command::Detach)?;
    }
    Ok(())
}

/// Prints the desk at which the question waits, and that leaving cancels nothing.
pub(crate) fn say_it_waits(session: &Session, ask: &Ask) {
    let is_consent = ask.request.questionnaire.asks_consent();
    let leaving = if is_consent { Message::StopWaitingConsent } else { Message::StopWaiting };
    for message in [Message::WaitingAtDesk, leaving] {
        console::say(&message.say(session.lang(), [ask.id.handle(), session.desk_name()]));
    }
}

/// Prints that the time to wait is over and the question stays open.
pub(crate) fn given_up(session: &Session, ask: &Ask) -> Exit {
    console::say(&Message::GaveUp.say(session.lang(), [ask.id.handle(), session.desk_name()]));
    Exit::Left
}

/// Waits until an ask is settled, and returns it; `None` if the time to wait is over before.
///
/// # Errors
/// Fails if the desk can't be read.
pub(crate) fn wait(session: &Session, ask: &Ask, give_up: Option<Timestamp>) -> Result<Option<Ask>, Problem> {
    let desk = session.desk()?;
    // Watch first, then read, so that no change in between is missed.
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
            // The desk's own clock decides whether the deadline has passed; poll it at its pace.
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
