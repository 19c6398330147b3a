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
        return session.output.print_message(Message::NameAQuestion).map(|()| None);
    };
    let reply = session.sheet.reply_at(index).clone();
    let Some(words) = (session.clarify)(wish, &session.ask, index, reply.note.as_deref()) else {
        return session.output.print_message(Message::CannotExplain).map(|()| None);
    };
    if let Some(problem) = validator::note_problem(Some(&words)) {
        return session.output.print(&problem.message.render(session.lang)).map(|()| None);
    }
    if session.save_reply(&question.id, reply.with_note(Some(words)))? {
        let asked = wish.confirmation(&session.ask, session.lang);
        session.output.print(&asked)?;
    }
    Ok(Some(NextStep::Go(PromptPlace::Question(index))))
}
