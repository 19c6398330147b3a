//! `sayso cancel ID`: the asker takes a question back.

use crate::console;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::{Command, Message, Problem, Who};

pub(super) fn run(session: &Session, given: &str) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let ask = desk.get(desk.find(given)?)?;
    let ask = desk.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, Command::Cancel)?;
    console::say(&Message::CancelledNow.say(session.lang(), [ask.id.handle()]));
    Ok(Exit::Done)
}
