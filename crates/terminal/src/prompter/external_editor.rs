//! Text editing in the person's own editor.

use crate::prompter::prompt_style::PartialAnswer;
use crate::prompter::session::{NextStep, PromptPlace, PromptSession};
use sayso_core::{Answer, Message, Problem, Reply};

/// Opens the current text of a question in the editor, and records the result.
pub(crate) fn edit_text(
    session: &mut PromptSession<'_>,
    at: Option<usize>,
) -> Result<Option<NextStep>, Problem> {
    let Some((index, question)) = session.question_at(at) else {
        return session.output.print_message(Message::NameAQuestion).map(|()| None);
    };
    if !question.is_text() {
        return session.output.print_message(Message::EditsTextOnly).map(|()| None);
    }
    let Some(editor) = session.editor else {
        return session.output.print_message(Message::NoEditor).map(|()| None);
    };
    let here = NextStep::Go(PromptPlace::Question(index));
    let reply = session.sheet.reply_at(index).clone();
    let before = match reply.answer() {
        Some(Answer::Text(text)) => text.clone(),
        _ => String::new(),
    };
    session.output.end_line()?;
    let edited = editor(&before);
    // Discard what was typed while the editor was open, ^C included.
    session.input.discard_pending();
    let edited = match edited {
        Ok(edited) => edited,
        Err(problem) => {
            session.output.print(&problem.render_lines(session.lang).join("\n"))?;
            return Ok(Some(here));
        }
    };
    // Editors add a final line break that no one typed.
    let text = edited.strip_suffix('\n').unwrap_or(&edited);
    session.partial = PartialAnswer::Nothing;
    if text.trim().is_empty() {
        session.output.print_message(Message::TextEmptied)?;
        return Ok(Some(here));
    }
    let reply = Reply::from_text(text).with_note(reply.note);
    Ok(Some(session.validate_and_save(index, &question, reply)?.unwrap_or(here)))
}
