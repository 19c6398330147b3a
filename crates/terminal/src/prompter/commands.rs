//! Slash commands, the same at every prompt.

use crate::prompter::session::{NextStep, PromptPlace, PromptSession, RunEnd};
use crate::prompter::{clarification, external_editor, line_input, notes};
use crate::surface::Clarification;
use sayso_core::{Message, Problem, Reply};

/// Command that a person types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SlashCommand {
    Help,
    Back,
    Next,
    Skip,
    Clear,
    /// Optional text of the note.
    Note(Option<String>),
    Edit,
    Clarify(Clarification),
    /// Optional number of the option.
    Preview(Option<usize>),
    Review,
    Submit,
    /// Optional reason.
    Decline(Option<String>),
    Quit,
}

impl SlashCommand {
    /// Parses a line that is exactly a command. Only `/decline` and `/note` take text, and `/preview` a number.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let line = line.trim_end();
        let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words = words.trim();
        let command = match name.to_ascii_lowercase().as_str() {
            "/decline" => return Some(Self::Decline(non_empty(words))),
            "/note" => return Some(Self::Note(non_empty(words))),
            "/preview" if words.is_empty() => Self::Preview(None),
            "/preview" => return Some(Self::Preview(Some(line_input::parse_number(words)?))),
            "/edit" => Self::Edit,
            "/explain" => Self::Clarify(Clarification::Explanation),
            "/rephrase" => Self::Clarify(Clarification::Rephrasing),
            "/help" => Self::Help,
            "/back" => Self::Back,
            "/next" => Self::Next,
            "/skip" => Self::Skip,
            "/clear" => Self::Clear,
            "/review" => Self::Review,
            "/submit" => Self::Submit,
            "/quit" => Self::Quit,
            _ => return None,
        };
        if words.is_empty() { Some(command) } else { None }
    }

    /// Returns true if the command ends the ask, so that it must not happen by accident.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Submit | Self::Decline(_))
    }
}

fn non_empty(words: &str) -> Option<String> {
    if words.is_empty() { None } else { Some(words.to_owned()) }
}

/// Runs a command at a question or, without an index, at the review. Returns `None` if it only printed something.
pub(crate) fn run_command(
    session: &mut PromptSession<'_>,
    command: SlashCommand,
    at: Option<usize>,
) -> Result<Option<NextStep>, Problem> {
    session.save_lines()?;
    match command {
        SlashCommand::Help => {
            print_help(session)?;
            Ok(None)
        }
        SlashCommand::Back => go_back(session, at),
        SlashCommand::Next => go_next(session, at),
        SlashCommand::Skip => skip_question(session, at),
        SlashCommand::Clear => clear_question(session, at),
        SlashCommand::Note(note) => notes::edit_note(session, note, at),
        SlashCommand::Edit => external_editor::edit_text(session, at),
        SlashCommand::Clarify(wish) => clarification::request_clarification(session, wish, at),
        SlashCommand::Preview(number) => show_preview(session, number, at),
        SlashCommand::Review => Ok(Some(NextStep::Go(PromptPlace::Review))),
        SlashCommand::Submit => session.submit().map(Some),
        SlashCommand::Decline(reason) => session.decline(reason, at),
        SlashCommand::Quit => Ok(Some(NextStep::End(RunEnd::Left))),
    }
}

pub(crate) fn print_help(session: &mut PromptSession<'_>) -> Result<(), Problem> {
    let lines = [
        Message::HelpBack,
        Message::HelpNext,
        Message::HelpSkip,
        Message::HelpClear,
        Message::HelpNote,
        Message::HelpExplain,
        Message::HelpRephrase,
        Message::HelpEdit,
        Message::HelpPreview,
        Message::HelpReview,
        Message::HelpSubmit,
        Message::HelpDecline,
        Message::HelpQuit,
    ];
    let can_clarify = (session.clarify)(Clarification::Explanation, &session.ask, 0, None).is_some();
    for line in lines {
        if can_clarify || !matches!(line, Message::HelpExplain | Message::HelpRephrase) {
            session.output.print_message(line)?;
        }
    }
    // A style with strict commands has neither long texts nor escaped slashes.
    if !session.style.has_strict_commands() {
        session.output.print_message(Message::HelpDone)?;
    }
    Ok(())
}

/// Returns the next active question after an index.
pub(crate) fn next_active(session: &PromptSession<'_>, after: usize) -> Option<usize> {
    let (next, _) = session.sheet.asked_questions().find(|(place, _)| *place > after)?;
    Some(next)
}

fn go_back(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    let index = at.unwrap_or(session.sheet.questions().len());
    let Some((previous, _)) = session.sheet.asked_questions().rfind(|(place, _)| *place < index) else {
        return session.explain(Message::FirstQuestion);
    };
    Ok(Some(NextStep::Go(PromptPlace::Question(previous))))
}

/// Moves on without changing the question. That accepts the asker's default.
fn go_next(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    if let Some((index, question)) = session.question_at(at)
        && session.sheet.is_prefilled(index)
    {
        let reply = session.sheet.reply_at(index).clone();
        session.save_reply(&question.id, reply)?;
    }
    let Some(index) = at else { return session.explain(Message::LastQuestion) };
    if session.from_review {
        session.activated.remove(&index);
        return Ok(Some(NextStep::Go(session.next_from_review())));
    }
    if let Some(next) = next_active(session, index) {
        return Ok(Some(NextStep::Go(PromptPlace::Question(next))));
    }
    if !session.style.has_review() {
        return session.explain(Message::LastQuestion);
    }
    if session.sheet.questions().len() > 1 || session.reviews_lone_question() {
        return Ok(Some(NextStep::Go(PromptPlace::Review)));
    }
    if session.sheet.needs_attention(index) {
        return session.explain(Message::LastQuestion);
    }
    // A single question has no review: its current answer is sent.
    session.submit().map(Some)
}

fn skip_question(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    let Some((index, question)) = session.question_at(at) else {
        return session.explain(Message::NameAQuestion);
    };
    if session.sheet.needs_input(index) {
        return session.explain(Message::CannotSkip);
    }
    if question.is_long_text() && session.sheet.reply_at(index).answer().is_some() {
        return session.explain(Message::SkipHasText);
    }
    let note = session.sheet.reply_at(index).note.clone();
    session.save_and_advance(index, &question, &Reply::skipped().with_note(note)).map(Some)
}

fn clear_question(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    let Some((index, question)) = session.question_at(at) else {
        return session.explain(Message::NameAQuestion);
    };
    let note = session.sheet.reply_at(index).note.clone();
    if session.save_reply(&question.id, Reply::unanswered().with_note(note))? {
        session.output.print_message(Message::ClearedNow)?;
        session.announce_effect()?;
    }
    Ok(Some(NextStep::Go(PromptPlace::Question(index))))
}

fn show_preview(
    session: &mut PromptSession<'_>,
    number: Option<usize>,
    at: Option<usize>,
) -> Result<Option<NextStep>, Problem> {
    let scene = session.prompt_context();
    let text = match at {
        Some(index) => session.style.preview(&scene, index, number).unwrap_or_default(),
        None => session.style.action(&scene),
    };
    if text.is_empty() {
        return session.explain(Message::NothingToPreview);
    }
    session.output.print(text.trim_end_matches('\n'))?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_exact_and_case_insensitive() {
        assert_eq!(SlashCommand::parse("/BACK "), Some(SlashCommand::Back));
        assert_eq!(SlashCommand::parse("/decline"), Some(SlashCommand::Decline(None)));
        assert_eq!(
            SlashCommand::parse("/note see above"),
            Some(SlashCommand::Note(Some("see above".into())))
        );
        assert_eq!(SlashCommand::parse("/rephrase"), Some(SlashCommand::Clarify(Clarification::Rephrasing)));
        assert_eq!(SlashCommand::parse("/preview 2"), Some(SlashCommand::Preview(Some(2))));
        assert_eq!(
            SlashCommand::parse("/Decline not now "),
            Some(SlashCommand::Decline(Some("not now".into())))
        );
        for line in [
            "back",
            " /back",
            "/back to the roots",
            "//back",
            "/backs",
            "/",
            "",
            "/done",
            "/preview x",
            "/edit it",
        ] {
            assert_eq!(SlashCommand::parse(line), None, "{line}");
        }
    }
}
