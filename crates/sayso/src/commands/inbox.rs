//! `sayso`, `sayso inbox`: the waiting asks, live on a full screen if the terminal supports it, else as a list.

use super::lookup::list;
use crate::cli_session::CliSession;
use crate::output::console;
use crate::output::exit::CommandExit;
use crate::ui::screen;
use sayso_core::{Message, Problem};
use sayso_desk::AskQuery;
use sayso_terminal::PromptOutcome;

pub(super) fn run(session: &CliSession, plain: bool, all: bool) -> Result<CommandExit, Problem> {
    let scope = session.list_scope(all)?;
    if plain || session.agent.is_some() || !screen::can_show(session) || !console::is_terminal() {
        return list::print_overview(session, &scope);
    }
    session.desk_access.check_may_answer()?;
    let ended = screen::show(session, None, scope.clone())?;
    let waiting = list::page_up_to(session, &scope, AskQuery::default(), Some(1))?;
    if !waiting.rows.is_empty() {
        console::print_message(Message::StillWaiting.plain(session.lang()));
    }
    Ok(if ended == PromptOutcome::Interrupted { CommandExit::Interrupted } else { CommandExit::Done })
}
