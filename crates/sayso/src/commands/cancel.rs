//! `sayso cancel ID`: cancels an ask on behalf of its asker.

use crate::console;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::row::Standing;
use sayso_core::{Command, Message, Problem, Who};
use sayso_desk::process;

pub(super) fn run(session: &Session, given: &str) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let ask = desk.get(desk.find(given)?)?;
    let before = Standing::of(&ask.state.phase);
    let is_awaited = ask.state.presence.waits(process::is_alive);
    let ask = desk.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, Command::Cancel)?;
    let said = match before {
        Standing::Cancelled => Message::TakenBackBefore,
        _ if is_awaited => Message::CancelledNow,
        _ => Message::CancelledAlone,
    };
    console::say(&said.say(session.lang(), [ask.id.handle()]));
    Ok(Exit::Done)
}
