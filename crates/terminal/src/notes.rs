//! Notes to the asker, in addition to an answer.

use crate::manner::Partial;
use crate::recap;
use crate::session::{Place, Session, Step, Word};
use crate::typed;
use sayso_core::sheet::judge;
use sayso_core::{Message, Problem};

impl Session<'_> {
    /// Sets the note of a question. Without text, prompts for it; an empty line removes the note.
    pub(crate) fn note(&mut self, note: Option<String>, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        let here = Step::Go(Place::Question(index));
        // The draft has the lines of a long text so far; the next line is not part of it.
        self.partial = Partial::Nothing;
        let note = match note {
            Some(note) => note,
            None => {
                self.voice.prompt(Message::HintNote.plain(self.lang))?;
                match self.listen()? {
                    Word::Line(line) if self.manner.strict_commands() => line,
                    Word::Line(line) => typed::unslashed(&line).to_owned(),
                    Word::Order(order) => {
                        return self.obey(order, at).map(|step| step.or(Some(here)));
                    }
                    Word::Anew(place) => return Ok(Some(Step::Go(place))),
                    Word::End(ended) => return Ok(Some(Step::End(ended))),
                }
            }
        };
        if let Some(problem) = judge::note_problem(Some(&note)) {
            self.voice.say(&problem.message.render(self.lang))?;
            return Ok(Some(here));
        }
        let reply = self.sheet.reply_at(index).clone().with_note(Some(note));
        let kept = reply.note.clone();
        if self.keep(&question.id, reply)? {
            match kept {
                Some(note) => self.voice.say(&Message::NoteKept.say(self.lang, [recap::brief(&note)]))?,
                None => self.voice.say_message(Message::NoteGone)?,
            }
        }
        Ok(Some(here))
    }
}
