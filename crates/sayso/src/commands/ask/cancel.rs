//! `sayso cancel ID`: cancels an ask on behalf of its asker.

use crate::cli_session::CliSession;
use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, AskCommand, Message, Problem};
use sayso_desk::process;

pub(in crate::commands) fn run(session: &CliSession, given: &str) -> Result<CommandExit, Problem> {
    let desk = session.desk()?;
    let ask = desk.get(desk.find(given)?)?;
    let before = AskStatus::from_phase(&ask.state.phase);
    let is_awaited = ask.state.presence.is_waiting(process::is_alive);
    let ask = desk.act(&Actor::Asker(ask.request.asker.clone()), ask.id, None, AskCommand::CANCEL)?;
    let message = match before {
        AskStatus::Cancelled => Message::TakenBackBefore,
        _ if is_awaited => Message::CancelledNow,
        _ => Message::CancelledAlone,
    };
    console::print_message(&message.render_with(session.lang(), [own(ask.id.short_id())]));
    Ok(CommandExit::Done)
}
