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
        let order = match name.to_ascii_lowercase().as_str() {
            "/decline" => return Some(Self::Decline(non_empty(words))),
            "/note" => return Some(Self::Note(non_empty(words))),
            "/preview" if !words.is_empty() => {
                return line_input::parse_number(words).map(|n| Self::Preview(Some(n)));
            }
            "/preview" => Self::Preview(None),
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
        words.is_empty().then_some(order)
    }

    /// Returns true if the command ends the ask, so that it must not happen by accident.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Submit | Self::Decline(_))
    }
}

fn non_empty(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_owned())
}

/// Runs a command at a question or, without an index, at the review. Returns `None` if it only printed something.
pub(crate) fn run_command(
    session: &mut PromptSession<'_>,
    order: SlashCommand,
    at: Option<usize>,
) -> Result<Option<NextStep>, Problem> {
    session.save_lines()?;
    match order {
        SlashCommand::Help => print_help(session).map(|()| None),
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
    let can_wish = (session.clarify)(Clarification::Explanation, &session.ask, 0, None).is_some();
    let is_of_use =
        |line: &Message| can_wish || !matches!(line, Message::HelpExplain | Message::HelpRephrase);
    // A style with strict commands has neither long texts nor escaped slashes.
    let done = (!session.style.has_strict_commands()).then_some(Message::HelpDone);
    lines.into_iter().filter(is_of_use).chain(done).try_for_each(|line| session.output.print_message(line))
}

/// Returns the next active question after an index.
pub(crate) fn next_active(session: &PromptSession<'_>, after: usize) -> Option<usize> {
    session.sheet.asked_questions().map(|(place, _)| place).find(|place| *place > after)
}

fn go_back(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    let at = at.unwrap_or(session.sheet.questions().len());
    let before = session.sheet.asked_questions().map(|(place, _)| place).rfind(|place| *place < at);
    match before {
        Some(before) => Ok(Some(NextStep::Go(PromptPlace::Question(before)))),
        None => session.output.print_message(Message::FirstQuestion).map(|()| None),
    }
}

/// Moves on without changing the question. That accepts the asker's default.
fn go_next(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    if let Some((index, question)) = session.question_at(at)
        && session.sheet.is_prefilled(index)
    {
        let reply = session.sheet.reply_at(index).clone();
        session.save_reply(&question.id, reply)?;
    }
    if let Some(index) = at.filter(|_| session.from_review) {
        session.activated.remove(&index);
        let next = session.activated.iter().copied().find(|place| session.sheet.needs_attention(*place));
        return Ok(Some(NextStep::Go(next.map_or(PromptPlace::Review, PromptPlace::Question))));
    }
    let next = at.and_then(|at| next_active(session, at));
    match (at, next) {
        (_, Some(next)) => Ok(Some(NextStep::Go(PromptPlace::Question(next)))),
        (Some(_), None)
            if session.style.has_review()
                && (session.sheet.questions().len() > 1 || session.always_reviews) =>
        {
            Ok(Some(NextStep::Go(PromptPlace::Review)))
        }
        // A single question has no review: its current answer is sent.
        (Some(index), None) if session.style.has_review() && !session.sheet.needs_attention(index) => {
            session.submit().map(Some)
        }
        _ => session.output.print_message(Message::LastQuestion).map(|()| None),
    }
}

fn skip_question(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    let Some((index, question)) = session.question_at(at) else {
        return session.output.print_message(Message::NameAQuestion).map(|()| None);
    };
    if session.sheet.needs_input(index) {
        return session.output.print_message(Message::CannotSkip).map(|()| None);
    }
    if question.is_long_text() && session.sheet.reply_at(index).answer().is_some() {
        return session.output.print_message(Message::SkipHasText).map(|()| None);
    }
    let note = session.sheet.reply_at(index).note.clone();
    session.save_and_advance(index, &question, &Reply::skipped().with_note(note)).map(Some)
}

fn clear_question(session: &mut PromptSession<'_>, at: Option<usize>) -> Result<Option<NextStep>, Problem> {
    let Some((index, question)) = session.question_at(at) else {
        return session.output.print_message(Message::NameAQuestion).map(|()| None);
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
    let shown = match at {
        Some(index) => session.style.preview(&scene, index, number),
        None => Some(session.style.action(&scene)).filter(|action| !action.is_empty()),
    };
    match shown {
        Some(shown) => session.output.print(shown.trim_end_matches('\n')),
        None => session.output.print_message(Message::NothingToPreview),
    }
    .map(|()| None)
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
