//! A host's request at the desk: opened, waited for, and answered to the host.

use crate::cli_session::{self, CliSession};
use crate::output::delivery::{self, OutcomeFormat};
use jiff::Timestamp;
use sayso_core::{Actor, Ask, AskCommand, CancelReason, NewAsk, Outcome, Problem, ProblemCode};
use sayso_desk::hook_asks::{cancel_abandoned_hook_asks, cancel_hook_ask, is_any_hook_ask};
use sayso_desk::{Interest, process};
use sayso_dialects::CliOutput;
use sayso_dialects::hook::{self, HookHost, HookRequest};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Interval at which the host is checked.
const HOST_CHECK: Duration = Duration::from_secs(1);
/// Name of the rendering at the desk.
const FORMAT_NAME: &str = "hook";

/// Asks at the desk, and prints the answer for the host.
///
/// # Errors
/// Fails if the desk fails.
pub(super) fn ask(session: &CliSession, host: HookHost, request: &HookRequest) -> Result<(), Problem> {
    let settings = &session.settings.hooks;
    if !settings.includes_tool(&request.tool) {
        return Ok(());
    }
    let gives_way = !host.shows_dialog_meanwhile(request);
    if gives_way && !session.desk_access.is_person_present(settings.present_time()) {
        return Ok(());
    }
    let mut deadline = None;
    if gives_way {
        deadline = cli_session::now().checked_add(settings.give_way_time()).ok();
    }
    let host_state = HostState::current();
    let desk = session.desk()?;
    let new = NewAsk { process: Some(process::current_process()), ..request.new_ask(host) };
    let asker = new.asker.clone();
    let opened = desk.open(None, new)?;
    let ask = opened.ask();
    cancel_abandoned_hook_asks(desk, &asker, ask.id)?;
    // The host's prompt tool asks about the same call.
    if is_any_hook_ask(desk, |other| hook::is_of_prompt_tool(other) && hook::is_same_call(other, ask))? {
        return cancel_hook_ask(desk, ask, CancelReason::GivenBack);
    }
    let ask = wait(session, ask, &host_state, deadline)?;
    let is_decided = matches!(ask.outcome(), Some(Outcome::Answered { .. } | Outcome::Declined { .. }));
    if is_decided && host_state.end().is_some() {
        // The host went on in the same moment: nobody reads the answer, so it counts as not taken.
        return Ok(());
    }
    let render = |ask: &Ask| CliOutput {
        stdout: ask.outcome().and_then(|outcome| host.write_answer(request, outcome)).unwrap_or_default(),
        ..CliOutput::default()
    };
    // The exit of the delivery is not the hook's: a closed standard output is the host's own end.
    let format = OutcomeFormat { name: FORMAT_NAME, render: &render };
    if host.confirms_answers() {
        delivery::print_offered(session, &asker, &ask, format)?;
    } else {
        delivery::deliver(session, &asker, &ask, format)?;
    }
    Ok(())
}

/// Waits until the ask is settled. It is cancelled if the host ends or takes it back, or the time is over. While the
/// server of the desk cannot be reached, it waits for that too; once the host needs no answer any more, the next event
/// of its session ends the ask.
///
/// # Errors
/// Fails if the desk fails.
fn wait(
    session: &CliSession,
    ask: &Ask,
    host: &HostState,
    deadline: Option<Timestamp>,
) -> Result<Ask, Problem> {
    loop {
        match wait_at_desk(session, ask, host, deadline) {
            // A host that shows nothing meanwhile gets its dialog at once.
            Err(problem)
                if problem.code == ProblemCode::DeskUnreachable
                    && deadline.is_none()
                    && host.end().is_none() =>
            {
                std::thread::park_timeout(HOST_CHECK);
            }
            result => return result,
        }
    }
}

/// Waits as long as the desk can be reached.
///
/// # Errors
/// Fails if the desk fails.
fn wait_at_desk(
    session: &CliSession,
    ask: &Ask,
    host: &HostState,
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
        let is_over = deadline.is_some_and(|deadline| deadline <= now);
        let reason = match host.end() {
            None if is_over => Some(CancelReason::GivenBack),
            end => end,
        };
        if let Some(reason) = reason {
            let who = Actor::Asker(ask.request.asker.clone());
            return match desk.act(&who, ask.id, None, AskCommand::Cancel { reason: Some(reason) }) {
                // A person was faster; if the host is there, it gets the answer.
                Err(_) if host.end().is_none() => desk.get(ask.id),
                result => result,
            };
        }
        let time_left = deadline.and_then(|deadline| Duration::try_from(deadline.duration_since(now)).ok());
        watch.wait(time_left.unwrap_or(HOST_CHECK).min(HOST_CHECK))?;
    }
}

/// State of the host that waits for the hook.
struct HostState {
    /// Process that started the hook: the host, or its shell.
    parent: u32,
    host: Option<sayso_core::model::actor::ProcessId>,
    /// Set once the host has told the hook to end: its own dialog was answered, or the hook's time is over.
    is_stopped: Arc<AtomicBool>,
    /// Set once the host's terminal is gone.
    is_hung_up: Arc<AtomicBool>,
}

impl HostState {
    fn current() -> Self {
        let is_stopped = Arc::<AtomicBool>::default();
        let is_hung_up = Arc::<AtomicBool>::default();
        for (signal, flag) in [(SIGTERM, &is_stopped), (SIGINT, &is_stopped), (SIGHUP, &is_hung_up)] {
            // Without a handler the signal ends the hook, and the next one cancels the ask.
            let _ = signal_hook::flag::register(signal, flag.clone());
        }
        Self { parent: parent_id(), host: process::parent_process(), is_stopped, is_hung_up }
    }

    /// Returns the reason for which the host needs no answer any more; `None` while it waits. An orphan gets another
    /// parent.
    fn end(&self) -> Option<CancelReason> {
        if self.is_hung_up.load(Ordering::Relaxed) {
            return Some(CancelReason::HostEnded);
        }
        if self.is_stopped.load(Ordering::Relaxed) {
            return Some(CancelReason::GivenBack);
        }
        let is_alive = parent_id() == self.parent && self.host.is_none_or(process::is_alive);
        if is_alive { None } else { Some(CancelReason::HostEnded) }
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
