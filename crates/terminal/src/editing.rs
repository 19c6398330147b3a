//! Text editing in the person's own editor.

use crate::manner::Partial;
use crate::session::{Place, Session, Step};
use sayso_core::{Answer, Kind, Message, Problem, Reply};

impl Session<'_> {
    /// Opens the current text of a question in the editor, and records the result.
    pub(crate) fn edit(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        if !matches!(question.kind, Kind::Text(_)) {
            return self.voice.say_message(Message::EditsTextOnly).map(|()| None);
        }
        let Some(editor) = self.editor else {
            return self.voice.say_message(Message::NoEditor).map(|()| None);
        };
        let here = Step::Go(Place::Question(index));
        let reply = self.sheet.reply_at(index).clone();
        let before = match reply.answer() {
            Some(Answer::Text(text)) => text.clone(),
            _ => String::new(),
        };
        self.voice.end_line()?;
        let edited = editor(&before);
        // Discard what was typed while the editor was open, ^C included.
        self.input.discard();
        let edited = match edited {
            Ok(edited) => edited,
            Err(problem) => {
                self.voice.say(&problem.lines(self.lang).join("\n"))?;
                return Ok(Some(here));
            }
        };
        // Editors add a final line break that no one typed.
        let text = edited.strip_suffix('\n').unwrap_or(&edited);
        self.partial = Partial::Nothing;
        if text.trim().is_empty() {
            self.voice.say_message(Message::TextEmptied)?;
            return Ok(Some(here));
        }
        let reply = Reply::text(text).with_note(reply.note);
        Ok(Some(self.record(index, &question, reply)?.unwrap_or(here)))
    }
}
