//! Consent to run a command: its questionnaire, and what its caller is told.

use crate::format::cli_output::CliOutput;
use sayso_core::{
    ActionKind, Ask, ConfirmQuestion, Lang, Message, Outcome, ProposedAction, Question, QuestionId,
    Questionnaire, Replies,
};

/// Id of the question.
const RUN: &str = "run";
/// Name of the tool that runs the command.
const TOOL: &str = "sayso";

/// Returns the questionnaire that shows exactly this program, its arguments and its folder.
pub fn questionnaire(argv: &[String], folder: &str, lang: Lang) -> Questionnaire {
    let act = ActionKind::Run { argv: argv.to_vec(), folder: Some(folder.to_owned()) };
    let prompt = Message::RunThisCommand.plain(lang);
    Questionnaire {
        action: Some(ProposedAction { tool: TOOL.to_owned(), act }),
        questions: vec![Question::new(RUN, prompt, ConfirmQuestion::default())],
        ..Questionnaire::default()
    }
}

/// Returns true if a person said yes.
pub fn is_approved(ask: &Ask) -> bool {
    matches!(ask.outcome(), Some(Outcome::Answered { replies, .. })
        if ask.request.questionnaire.approval(replies) == Some(true))
}

/// Returns the output for a settled ask: nothing on standard output, which is the command's.
pub fn write(ask: &Ask) -> CliOutput {
    match ask.outcome() {
        Some(Outcome::Answered { replies, .. }) if !is_approved(ask) => CliOutput::declined(note(replies)),
        Some(outcome) => CliOutput::from_outcome(outcome),
        None => CliOutput { exit: CliOutput::REFUSED, ..CliOutput::default() },
    }
}

fn note(replies: &Replies) -> Option<&str> {
    replies.get(&QuestionId::from(RUN))?.note.as_deref()
}
