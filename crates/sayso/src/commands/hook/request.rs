//! A host's request at the desk: opened, waited for, and answered to the host.

use crate::cli_session::{self, CliSession};
use crate::output::delivery::{self, ReplyForm};
use jiff::Timestamp;
use sayso_core::{Actor, Ask, AskCommand, CancelReason, NewAsk, Problem};
use sayso_desk::hook_asks::cancel_abandoned_hook_asks;
use sayso_desk::{Interest, process};
use sayso_dialects::CliOutput;
use sayso_dialects::hook::{HookHost, HookRequest};
use std::time::Duration;

/// Interval at which the host is checked.
const HOST_CHECK: Duration = Duration::from_secs(1);
/// Name of the rendering at the desk.
const FORM: &str = "hook";

/// Asks at the desk, and prints the answer for the host.
///
/// # Errors
/// Fails if the desk fails.
pub(super) fn ask(session: &CliSession, host: HookHost, request: &HookRequest) -> Result<(), Problem> {
    let settings = &session.settings.hooks;
    if !settings.includes_tool(&request.tool) {
        return Ok(());
    }
    let gives_way = !host.shows_dialog_meanwhile();
    if gives_way && !session.desk_access.is_person_present(settings.present_time()) {
        return Ok(());
    }
    let deadline = gives_way.then(|| cli_session::now().checked_add(settings.give_way_time()).ok()).flatten();
    let parent = ParentProcess::current();
    let desk = session.desk()?;
    let new = NewAsk { process: Some(process::current_process()), ..request.new_ask(host) };
    let asker = new.asker.clone();
    let opened = desk.open(None, new)?;
    let ask = opened.ask();
    cancel_abandoned_hook_asks(desk, &asker, ask.id)?;
    let settled = wait(session, ask, &parent, deadline)?;
    let render = |ask: &Ask| CliOutput {
        stdout: ask.outcome().and_then(|outcome| host.write_answer(request, outcome)).unwrap_or_default(),
        ..CliOutput::default()
    };
    // The exit of the delivery is not the hook's: a closed standard output is the host's own end.
    delivery::deliver(session, &asker, &settled, ReplyForm { name: FORM, render: &render }).map(|_| ())
}

/// Waits until the ask is settled. It is cancelled if the host ends or the time is over.
///
/// # Errors
/// Fails if the desk fails.
fn wait(
    session: &CliSession,
    ask: &Ask,
    parent: &ParentProcess,
    deadline: Option<Timestamp>,
) -> Result<Ask, Problem> {
    let desk = session.desk()?;
    // Watch first, then read, so that no change in between is missed.
    let mut watch = desk.watch(Interest::Ask(ask.id), None)?;
    loop {
        let ask = desk.get(ask.id)?;
        if ask.outcome().is_some() {
            return Ok(ask);
        }
        let now = cli_session::now();
        if !parent.is_alive() || deadline.is_some_and(|deadline| deadline <= now) {
            let reason = if parent.is_alive() { CancelReason::GivenBack } else { CancelReason::HostEnded };
            let who = Actor::Asker(ask.request.asker.clone());
            return match desk.act(&who, ask.id, None, AskCommand::Cancel { reason: Some(reason) }) {
                // A person was faster; if the host is there, it gets the answer.
                Err(_) if parent.is_alive() => desk.get(ask.id),
                cancelled => cancelled,
            };
        }
        let left = deadline.and_then(|deadline| Duration::try_from(deadline.duration_since(now)).ok());
        watch.wait(left.unwrap_or(HOST_CHECK).min(HOST_CHECK))?;
    }
}

/// Process that started the hook: the host, or its shell.
struct ParentProcess {
    id: u32,
    host: Option<sayso_core::model::actor::ProcessId>,
}

impl ParentProcess {
    fn current() -> Self {
        Self { id: parent_id(), host: process::parent_process() }
    }

    /// Returns true while the host runs. An orphan gets another parent.
    fn is_alive(&self) -> bool {
        parent_id() == self.id && self.host.is_none_or(process::is_alive)
    }
}

#[cfg(unix)]
fn parent_id() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
const fn parent_id() -> u32 {
    0
}
