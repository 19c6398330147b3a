//! `sayso`, `sayso inbox`: the waiting asks, live on a full screen if the terminal supports it, else as a list.

use super::list;
use crate::console;
use crate::exit::Exit;
use crate::screen;
use crate::session::Session;
use sayso_core::{Message, Problem};
use sayso_terminal::Ended;

pub(super) fn run(session: &Session, plain: bool) -> Result<Exit, Problem> {
    if plain || session.agent.is_some() || !screen::can_show(session) || !console::is_terminal() {
        return list::overview(session);
    }
    session.may_answer()?;
    let ended = screen::show(session, None)?;
    let waiting = session.desk()?.list(&sayso_desk::Query { rows: Some(1), ..Default::default() })?;
    if !waiting.rows.is_empty() {
        console::say(Message::StillWaiting.plain(session.lang()));
    }
    Ok(if ended == Ended::Interrupted { Exit::Interrupted } else { Exit::Done })
}
