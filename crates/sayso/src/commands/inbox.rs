//! `sayso`, `sayso inbox`: the waiting asks, live on a full screen if the terminal supports it, else as a list.

use super::lookup::list;
use crate::cli_session::CliSession;
use crate::output::console;
use crate::output::exit::CommandExit;
use crate::ui::screen;
use sayso_core::{Message, Problem};
use sayso_terminal::PromptOutcome;

pub(super) fn run(session: &CliSession, plain: bool) -> Result<CommandExit, Problem> {
    if plain || session.agent.is_some() || !screen::can_show(session) || !console::is_terminal() {
        return list::print_overview(session);
    }
    session.desk_access.check_may_answer()?;
    let ended = screen::show(session, None)?;
    let waiting = session.desk()?.list(&sayso_desk::AskQuery { rows: Some(1), ..Default::default() })?;
    if !waiting.rows.is_empty() {
        console::print_message(Message::StillWaiting.plain(session.lang()));
    }
    Ok(if ended == PromptOutcome::Interrupted { CommandExit::Interrupted } else { CommandExit::Done })
}
