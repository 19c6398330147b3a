//! `auq answer`: answers a session by an argument, or rejects it.

use super::{AuqError, AuqFlags, find_session, print_done};
use crate::cli_session::CliSession;
use crate::commands::answer::scripted_identity;
use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::AskCommand;
use sayso_dialects::auq;

const NO_SESSION: &str =
    "Missing session ID. Usage: auq answer <sessionId> --answers '{...}' | --reject [--reason \"...\"]'";
const NO_ANSWERS: &str =
    "Either --answers or --reject is required. Usage: auq answer <sessionId> --answers '{...}'";

pub(super) fn run(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    // `--force` answers a session whose asker is gone; here every open session can be answered.
    let flags = AuqFlags::parse(args, &["json", "reject", "force"], &["answers", "reason"])?;
    let session_id = flags.positional_argument(0).ok_or_else(|| AuqError::Refused(NO_SESSION.to_owned()))?;
    let ask = find_session(session, session_id)?;
    let digest = ask.request.digest;
    let (command, status, sentence) = if flags.has("reject") {
        let reason = flags.value("reason").map(str::to_owned);
        (AskCommand::Decline { reason, shown: digest }, "rejected", "rejected.")
    } else {
        let text = flags.value("answers").ok_or_else(|| AuqError::Refused(NO_ANSWERS.to_owned()))?;
        let read = auq::read_command_answers(&ask.request.questionnaire, text).map_err(|refused| {
            if let Some(manual) = refused.manual
                && !flags.has("json")
            {
                console::print_message(manual);
            }
            AuqError::Refused(refused.error)
        });
        let (replies, as_sent) = read?.into_replies(&ask.request.questionnaire)?;
        (AskCommand::Submit { replies, as_sent, shown: digest.into() }, "completed", "answered successfully.")
    };
    let who = scripted_identity(session, &ask, flags.has("reject"))?;
    session.desk()?.act(&who, ask.id, None, command)?;
    Ok(print_done(&flags, &ask, Some(status), sentence))
}
