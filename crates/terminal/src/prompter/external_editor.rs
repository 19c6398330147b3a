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
        return session.explain(Message::NameAQuestion);
    };
    if !question.is_text() {
        return session.explain(Message::EditsTextOnly);
    }
    let Some(editor) = session.editor else {
        return session.explain(Message::NoEditor);
    };
    let this_question = NextStep::Go(PromptPlace::Question(index));
    let reply = session.sheet.reply_at(index).clone();
    let earlier_text = match reply.answer() {
        Some(Answer::Text(text)) => text.clone(),
        _ => String::new(),
    };
    session.output.end_line()?;
    let result = editor(&earlier_text);
    // Discard what was typed while the editor was open, ^C included.
    session.input.discard_pending();
    let edited_text = match result {
        Ok(text) => text,
        Err(problem) => {
            session.output.print(&problem.render_lines(session.lang).join("\n"))?;
            return Ok(Some(this_question));
        }
    };
    // Editors add a final line break that no one typed.
    let text = edited_text.strip_suffix('\n').unwrap_or(&edited_text);
    session.partial = PartialAnswer::Nothing;
    if text.trim().is_empty() {
        session.output.print_message(Message::TextEmptied)?;
        return Ok(Some(this_question));
    }
    let reply = Reply::from_text(text).with_note(reply.note);
    Ok(Some(session.validate_and_save(index, &question, reply)?.unwrap_or(this_question)))
}
