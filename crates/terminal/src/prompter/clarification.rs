//! Clarification requests at the line prompter.

use crate::prompter::session::{NextStep, PromptPlace, PromptSession};
use crate::surface::Clarification;
use sayso_core::rules::validator;
use sayso_core::{Message, Problem};

/// Stores a clarification request as the question's note.
pub(crate) fn request_clarification(
    session: &mut PromptSession<'_>,
    wish: Clarification,
    at: Option<usize>,
) -> Result<Option<NextStep>, Problem> {
    let Some((index, question)) = session.question_at(at) else {
        return session.explain(Message::NameAQuestion);
    };
    let reply = session.sheet.reply_at(index).clone();
    let Some(words) = (session.clarify)(wish, &session.ask, index, reply.note.as_deref()) else {
        return session.explain(Message::CannotExplain);
    };
    if let Some(problem) = validator::note_problem(Some(&words)) {
        session.output.print(&problem.message.render(session.lang))?;
        return Ok(None);
    }
    if session.save_reply(&question.id, reply.with_note(Some(words)))? {
        let confirmation = wish.confirmation(&session.ask, session.lang);
        session.output.print(&confirmation)?;
    }
    Ok(Some(NextStep::Go(PromptPlace::Question(index))))
}
