//! `sayso wait ID`: waits for the answer of an ask, or gets it again.

use crate::asking;
use crate::delivery;
use crate::exit::Exit;
use crate::session::Session;
use crate::surface;
use sayso_core::{Ask, Command, Problem, Who};
use sayso_desk::process;

pub(super) fn run(session: &Session, given: &str) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let ask = desk.get(desk.find(given)?)?;
    if ask.outcome().is_none() && surface::is_watched() {
        asking::say_it_waits(session, &ask);
    }
    let ask = settled(session, ask)?;
    let asker = ask.request.asker.clone();
    delivery::deliver(session, &asker, &ask, delivery::COMMAND)
}

/// The ask once it is settled; until then its asker waits here.
///
/// # Errors
/// When the desk fails.
pub(super) fn settled(session: &Session, ask: Ask) -> Result<Ask, Problem> {
    if ask.outcome().is_some() {
        return Ok(ask);
    }
    let here = Command::Attach { process: Some(process::this()) };
    let asker = Who::Asker(ask.request.asker.clone());
    let ask = session.desk()?.act(&asker, ask.id, None, here)?;
    Ok(asking::wait(session, &ask, None)?.unwrap_or(ask))
}
