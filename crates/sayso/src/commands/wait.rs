//! `sayso wait ID`: waits for the answer of an ask, or returns it again.

use crate::cli::Wait;
use crate::delivery;
use crate::exit::Exit;
use crate::session::{self, Session};
use crate::surface;
use crate::{ages, asking};
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Ask, Command, Problem, Who};
use sayso_desk::process;

pub(super) fn run(session: &Session, args: &Wait) -> Result<Exit, Problem> {
    let patience = args.timeout.as_deref().map(ages::parse_patience).transpose()?;
    let desk = session.desk()?;
    let ask = desk.get(desk.find(&args.id)?)?;
    let only_looks = patience == Some(0);
    if ask.outcome().is_none() && surface::is_watched() && !only_looks {
        asking::say_it_waits(session, &ask);
    }
    let until = patience.and_then(|ms| session::now().checked_add(SignedDuration::from_millis(ms)).ok());
    let settled =
        if only_looks { asking::wait(session, &ask, until) } else { settled(session, &ask, until) }?;
    let Some(ask) = settled else { return Ok(asking::given_up(session, &ask)) };
    let asker = ask.request.asker.clone();
    delivery::deliver(session, &asker, &ask, delivery::COMMAND)
}

/// Returns the ask once it is settled, and attaches this process to it until then. Returns `None` if the time to wait
/// is over before.
///
/// # Errors
/// Fails if the desk fails.
pub(super) fn settled(
    session: &Session,
    ask: &Ask,
    give_up: Option<Timestamp>,
) -> Result<Option<Ask>, Problem> {
    if ask.outcome().is_some() {
        return Ok(Some(ask.clone()));
    }
    // An asker that still waits stays attached, also after this process leaves.
    let is_ours = !ask.state.presence.waits(process::is_alive);
    if is_ours {
        let here = Command::Attach { process: Some(process::this()) };
        session.desk()?.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, here)?;
    }
    let settled = asking::wait(session, ask, give_up)?;
    if is_ours && settled.is_none() {
        asking::detach(session, ask)?;
    }
    Ok(settled)
}
