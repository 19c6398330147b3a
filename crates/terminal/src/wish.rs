//! Clarification requests: asking the asker to explain or rephrase a question.

use crate::recap;
use crate::session::{Place, Session, Step};
use sayso_core::sheet::judge;
use sayso_core::{Ask, Message, Problem};

/// Clarification of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Explanation of the question.
    Explanation,
    /// The question in other words.
    OtherWords,
}

impl Wish {
    /// Returns the confirmation for the person.
    pub(crate) fn asked(self, ask: &Ask, lang: sayso_core::Lang) -> String {
        let message = match self {
            Self::Explanation => Message::ExplainAsked,
            Self::OtherWords => Message::RephraseAsked,
        };
        message.say(lang, [recap::asker(&ask.request.shown_asker(), str::to_owned, lang)])
    }
}

/// Returns the clarification request in the words of the asker's format, for the question at an index and with the
/// person's note. `None` if the format has no words for it.
pub type Wishing = fn(Wish, &Ask, usize, Option<&str>) -> Option<String>;

impl Session<'_> {
    /// Stores a clarification request as the question's note.
    pub(crate) fn wish(&mut self, wish: Wish, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        let reply = self.sheet.reply_at(index).clone();
        let Some(words) = (self.wishing)(wish, &self.ask, index, reply.note.as_deref()) else {
            return self.voice.say_message(Message::CannotExplain).map(|()| None);
        };
        if let Some(problem) = judge::note_problem(Some(&words)) {
            return self.voice.say(&problem.message.render(self.lang)).map(|()| None);
        }
        if self.keep(&question.id, reply.with_note(Some(words)))? {
            let asked = wish.asked(&self.ask, self.lang);
            self.voice.say(&asked)?;
        }
        Ok(Some(Step::Go(Place::Question(index))))
    }
}
