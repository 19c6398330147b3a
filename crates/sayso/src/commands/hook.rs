//! `sayso hook HOST`: brings a question or a permission prompt of an agent's host to the desk, and gives the host the
//! answer.
//!
//! **Invariant:** whatever fails, the host goes on as it would without us: exit 0 with nothing printed. Silence never
//! denies anything.

mod call_end;
mod request;

use crate::cli::HookArgs;
use crate::cli_session::CliSession;
use crate::config::GlobalFlags;
use crate::config::environment::ProcessEnv;
use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::{Ask, CancelReason, Lang, Problem, limits};
use sayso_desk::local_files;
use sayso_dialects::hook::{self, HookContext, HookEvent, HookHost};
use std::io::Read as _;

/// Variable that lets the hook print its own faults.
const LOG_VARIABLE: &str = "SAYSO_LOG";

pub(super) fn run(args: &HookArgs, flags: &GlobalFlags) -> CommandExit {
    if let Err(problem) = handle_event(args, flags)
        && std::env::var_os(LOG_VARIABLE).is_some()
    {
        console::print_problem(&problem, Lang::En);
    }
    CommandExit::Done
}

/// Reads the event and handles it.
///
/// # Errors
/// Fails if the input is no event, or the desk fails.
fn handle_event(args: &HookArgs, flags: &GlobalFlags) -> Result<(), Problem> {
    let Some(text) = read_input() else { return Ok(()) };
    let host = args.host;
    let name = args.event.as_deref();
    let event = host.read_event(&text, name, HookContext::WITHOUT_FILES)?;
    // Most calls end here, before any file is read.
    if !concerns_desk(&event) {
        return allow_own_call(host, &event);
    }
    let session = CliSession::new_despite_faults(ProcessEnv::read(), flags)?;
    if !may_have_asked(&event, &session) {
        return Ok(());
    }
    match event {
        HookEvent::Request(_) => {
            // Read again, with the files that it is about.
            let context = HookContext { file_state: &local_files::file_state };
            if let HookEvent::Request(request) = host.read_event(&text, name, context)? {
                request::ask(&session, host, &request)?;
            }
        }
        HookEvent::CallEnd(of, call, answer) => {
            let call = call.fingerprint();
            let is_over = |ask: &Ask| hook::is_about_call(ask, &call);
            call_end::cancel_asks(&session, host, &of, CancelReason::AnsweredInHost, is_over)?;
            call_end::cancel_asks(&session, host, &of, CancelReason::SessionEnded, call_end::has_no_hook)?;
            if let Some(answer) = answer {
                call_end::keep_host_answer(&session, host, &of, &call, &answer)?;
            }
        }
        HookEvent::TurnEnd(of) => {
            let is_over = |ask: &Ask| hook::is_by_agent(ask, of.agent.as_deref());
            call_end::cancel_asks(&session, host, &of, CancelReason::SessionEnded, is_over)?;
        }
        HookEvent::SessionEnd(of) => {
            call_end::cancel_asks(&session, host, &of, CancelReason::SessionEnded, |_| true)?;
        }
        HookEvent::Other => {}
    }
    session.finish();
    Ok(())
}

/// Allows a call of our own tools, in hosts that have no list of tools which need no permission.
fn allow_own_call(host: HookHost, event: &HookEvent) -> Result<(), Problem> {
    if let HookEvent::Request(request) = event
        && let Some(answer) = host.own_call_answer(request)
    {
        // A host that has gone reads no answer.
        let _ = console::print_data(&answer);
    }
    Ok(())
}

/// Returns true unless it is clear from the event alone that no ask is opened or ended.
fn concerns_desk(event: &HookEvent) -> bool {
    match event {
        HookEvent::Request(request) => !hook::is_own_call(&request.call),
        HookEvent::CallEnd(_, call, _) => !hook::is_own_call(call),
        HookEvent::TurnEnd(_) | HookEvent::SessionEnd(_) => true,
        HookEvent::Other => false,
    }
}

/// Returns false for the end of a call of which nothing came to the desk, such as every Read.
fn may_have_asked(event: &HookEvent, session: &CliSession) -> bool {
    match event {
        HookEvent::CallEnd(_, call, _) => session.settings.hooks.includes_tool(call.tool()),
        _ => true,
    }
}

/// Reads the input; `None` if it is too long or no text.
fn read_input() -> Option<String> {
    let mut bytes = Vec::new();
    let most = limits::LINE_BYTES as u64 + 1;
    // Input that cannot be read is no event.
    std::io::stdin().lock().take(most).read_to_end(&mut bytes).ok()?;
    if bytes.len() > limits::LINE_BYTES {
        return None;
    }
    String::from_utf8(bytes).ok()
}
