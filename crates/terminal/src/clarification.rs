//! Clarification requests: asking the asker to explain or rephrase a question.

use crate::describe_ask;
use crate::session::{NextStep, PromptPlace, PromptSession};
use sayso_core::sheet::validator;
use sayso_core::{Ask, Message, Problem};

/// Clarification of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clarification {
    /// Explanation of the question.
    Explanation,
    /// The question in other words.
    Rephrasing,
}

impl Clarification {
    /// Returns the confirmation for the person.
    pub(crate) fn confirmation(self, ask: &Ask, lang: sayso_core::Lang) -> String {
        let message = match self {
            Self::Explanation => Message::ExplainAsked,
            Self::Rephrasing => Message::RephraseAsked,
        };
        message.render_with(lang, [describe_ask::asker_name(&ask.request.shown_asker(), str::to_owned, lang)])
    }
}

/// Returns the clarification request in the words of the asker's format, for the question at an index and with the
/// person's note. `None` if the format has no words for it.
pub type ClarifyFn = fn(Clarification, &Ask, usize, Option<&str>) -> Option<String>;

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
