//! `sayso wait ID`: waits for the answer of an ask, or returns it again.

use crate::cli::WaitArgs;
use crate::cli::durations;
use crate::cli_session::{self, CliSession};
use crate::commands::ask::flow;
use crate::output::delivery::{self, OutcomeFormat};
use crate::output::exit::CommandExit;
use crate::ui::surface;
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Actor, Ask, AskCommand, Problem};
use sayso_desk::process;

pub(in crate::commands) fn run(session: &CliSession, args: &WaitArgs) -> Result<CommandExit, Problem> {
    let patience = args.timeout.as_deref().map(durations::parse_wait).transpose()?;
    let desk = session.desk()?;
    let ask = desk.get(desk.find(&args.id)?)?;
    let plain = args.output.plain_answer();
    if let Some(plain) = plain {
        plain.check(&ask.request.questionnaire)?;
    }
    let only_looks = patience == Some(0);
    if ask.outcome().is_none() && surface::is_stderr_terminal() && !only_looks && !args.output.quiet {
        flow::print_waiting(session, &ask);
    }
    let until = patience.and_then(|ms| cli_session::now().checked_add(SignedDuration::from_millis(ms)).ok());
    let settled = if only_looks {
        flow::wait_until_settled(session, &ask, until, None)
    } else {
        wait_attached(session, &ask, until)
    }?;
    let Some(ask) = settled else { return Ok(flow::print_gave_up(session, &ask)) };
    let asker = ask.request.asker.clone();
    match plain {
        Some(plain) => delivery::deliver(
            session,
            &asker,
            &ask,
            OutcomeFormat { name: plain.name(), render: &|ask| plain.write(ask) },
        ),
        None => delivery::deliver(session, &asker, &ask, delivery::COMMAND_FORMAT),
    }
}

/// Returns the ask once it is settled, and attaches this process to it until then. Returns `None` if the time to wait
/// is over before.
///
/// # Errors
/// Fails if the desk fails.
pub(in crate::commands) fn wait_attached(
    session: &CliSession,
    ask: &Ask,
    give_up: Option<Timestamp>,
) -> Result<Option<Ask>, Problem> {
    if ask.outcome().is_some() {
        return Ok(Some(ask.clone()));
    }
    // An asker that still waits stays attached, also after this process leaves.
    let is_ours = !ask.state.presence.is_waiting(process::is_alive);
    if is_ours {
        let here = AskCommand::Attach { process: Some(process::current_process()) };
        session.desk()?.act(&Actor::Asker(ask.request.asker.clone()), ask.id, None, here)?;
    }
    let settled = flow::wait_until_settled(session, ask, give_up, None)?;
    if is_ours && settled.is_none() {
        flow::detach(session, ask)?;
    }
    Ok(settled)
}
