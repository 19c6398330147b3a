//! `auq answer`: answers a session by an argument, or rejects it.

use super::{Flags, Stop, find, print_done};
use crate::commands::answer::by_argument;
use crate::console;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::Command;
use sayso_dialects::auq;

const NO_SESSION: &str =
    "Missing session ID. Usage: auq answer <sessionId> --answers '{...}' | --reject [--reason \"...\"]'";
const NO_ANSWERS: &str =
    "Either --answers or --reject is required. Usage: auq answer <sessionId> --answers '{...}'";

pub(super) fn run(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    // `--force` answers a session whose asker is gone; here every open session can be answered.
    let flags = Flags::read(args, &["json", "reject", "force"], &["answers", "reason"])?;
    let given = flags.argument(0).ok_or_else(|| Stop::Refused(NO_SESSION.to_owned()))?;
    let ask = find(session, given)?;
    let shown = ask.request.digest;
    let (command, status, sentence) = if flags.has("reject") {
        let reason = flags.value("reason").map(str::to_owned);
        (Command::Decline { reason, shown }, "rejected", "rejected.")
    } else {
        let text = flags.value("answers").ok_or_else(|| Stop::Refused(NO_ANSWERS.to_owned()))?;
        let read = auq::read_command_answers(&ask.request.questionnaire, text).map_err(|refused| {
            if let Some(manual) = refused.manual.filter(|_| !flags.has("json")) {
                console::say(manual);
            }
            Stop::Refused(refused.error)
        });
        let (replies, as_sent) = read?.said(&ask.request.questionnaire)?;
        (Command::Submit { replies, as_sent, shown }, "completed", "answered successfully.")
    };
    let who = by_argument(session, &ask, flags.has("reject"))?;
    session.desk()?.act(&who, ask.id, None, command)?;
    Ok(print_done(&flags, &ask, Some(status), sentence))
}
