//! Clarification requests at the line prompter.

use crate::prompter::session::{NextStep, PromptPlace, PromptSession};
use crate::surface::Clarification;
use sayso_core::rules::validator;
use sayso_core::{Message, Problem};

impl PromptSession<'_> {
    /// Stores a clarification request as the question's note.
    pub(crate) fn request_clarification(
        &mut self,
        wish: Clarification,
        at: Option<usize>,
    ) -> Result<Option<NextStep>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.output.print_message(Message::NameAQuestion).map(|()| None);
        };
        let reply = self.sheet.reply_at(index).clone();
        let Some(words) = (self.clarify)(wish, &self.ask, index, reply.note.as_deref()) else {
            return self.output.print_message(Message::CannotExplain).map(|()| None);
        };
        if let Some(problem) = validator::note_problem(Some(&words)) {
            return self.output.print(&problem.message.render(self.lang)).map(|()| None);
        }
        if self.save_reply(&question.id, reply.with_note(Some(words)))? {
            let asked = wish.confirmation(&self.ask, self.lang);
            self.output.print(&asked)?;
        }
        Ok(Some(NextStep::Go(PromptPlace::Question(index))))
    }
}
