//! `sayso wait ID`: waits for the answer of an ask, or gets it again.

use crate::asking;
use crate::delivery;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::{Command, Problem, Who};
use sayso_desk::{Desk as _, process};

pub(super) fn run(session: &Session, given: &str) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let mut ask = desk.get(desk.find(given)?)?;
    let asker = ask.request.asker.clone();
    if ask.outcome().is_none() {
        let here = Command::Attach { process: Some(process::this()) };
        ask = desk.act(&Who::Asker(asker.clone()), ask.id, None, here)?;
        ask = asking::wait(session, &ask)?;
    }
    delivery::deliver(session, &asker, &ask)
}
