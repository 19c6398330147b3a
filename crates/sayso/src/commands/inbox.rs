//! `sayso`, `sayso inbox`: the waiting asks, live on a full screen or line by line, or a list if no one reads along.

use super::lookup::list;
use crate::cli_session::CliSession;
use crate::output::console;
use crate::output::exit::CommandExit;
use crate::ui::{screen, surface};
use sayso_core::{Message, Problem};
use sayso_desk::AskQuery;
use sayso_terminal::PromptOutcome;
use std::io::{IsTerminal as _, Write};

/// Shows the inbox. `plain` is the person's own option for lines, which then go to standard output even if that is no
/// terminal: a speech program may read them there.
pub(super) fn run(session: &CliSession, plain: bool, all: bool) -> Result<CommandExit, Problem> {
    let scope = session.list_scope(all)?;
    let has_terminal = console::is_terminal();
    let shows_screen = has_terminal && !plain && screen::can_show(session);
    let reads_lines = std::io::stdin().is_terminal() && (has_terminal || plain);
    if session.agent.is_some() || !(shows_screen || reads_lines) {
        return list::print_overview(session, &scope);
    }
    session.desk_access.check_may_answer()?;
    let ended = if shows_screen {
        screen::show(session, None, scope.clone())?
    } else {
        let mut stdout = std::io::stdout();
        let out: Option<&mut dyn Write> = if has_terminal { None } else { Some(&mut stdout) };
        surface::read_inbox(session, scope.clone(), out)?
    };
    let waiting = list::page_up_to(session, &scope, AskQuery::default(), Some(1))?;
    if !waiting.rows.is_empty() {
        console::print_message(Message::StillWaiting.plain(session.lang()));
    }
    Ok(if ended == PromptOutcome::Interrupted { CommandExit::Interrupted } else { CommandExit::Done })
}
