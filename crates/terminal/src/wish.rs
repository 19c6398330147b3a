//! What a person may want of the asker beside giving an answer.

use crate::recap;
use crate::session::{Place, Session, Step};
use sayso_core::sheet::judge;
use sayso_core::{Ask, Message, Problem};

/// A wish about one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To have it explained.
    Explanation,
    /// To have it put in another way.
    OtherWords,
}

impl Wish {
    /// What the person is told once the wish stands.
    pub(crate) fn asked(self, ask: &Ask, lang: sayso_core::Lang) -> String {
        let message = match self {
            Self::Explanation => Message::ExplainAsked,
            Self::OtherWords => Message::RephraseAsked,
        };
        message.say(lang, [recap::asker(&ask.request.shown_asker(), str::to_owned, lang)])
    }
}

/// The words in which the asker's format says a wish about the question at a place, with what the person notes there;
/// nothing where it has no words for that.
pub type Wishing = fn(Wish, &Ask, usize, Option<&str>) -> Option<String>;

impl Session<'_> {
    /// Puts a wish on a question, in the place of a note.
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
