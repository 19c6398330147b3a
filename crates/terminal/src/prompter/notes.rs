//! Notes to the asker, in addition to an answer.

use crate::describe;
use crate::prompter::line_input;
use crate::prompter::prompt_style::PartialAnswer;
use crate::prompter::session::{NextStep, PromptPlace, PromptSession, UserInput};
use sayso_core::rules::validator;
use sayso_core::{Message, Problem};

impl PromptSession<'_> {
    /// Sets the note of a question. Without text, prompts for it; an empty line removes the note.
    pub(crate) fn edit_note(
        &mut self,
        note: Option<String>,
        at: Option<usize>,
    ) -> Result<Option<NextStep>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.output.print_message(Message::NameAQuestion).map(|()| None);
        };
        let here = NextStep::Go(PromptPlace::Question(index));
        // The draft has the lines of a long text so far; the next line is not part of it.
        self.partial = PartialAnswer::Nothing;
        let note = match note {
            Some(note) => note,
            None => {
                self.output.print_prompt(Message::HintNote.plain(self.lang))?;
                match self.next_input()? {
                    UserInput::Line(line) if self.style.has_strict_commands() => line,
                    UserInput::Line(line) => line_input::unescape_slash(&line).to_owned(),
                    UserInput::Command(order) => {
                        return self.run_command(order, at).map(|step| step.or(Some(here)));
                    }
                    UserInput::Changed(place) => return Ok(Some(NextStep::Go(place))),
                    UserInput::End(ended) => return Ok(Some(NextStep::End(ended))),
                }
            }
        };
        if let Some(problem) = validator::note_problem(Some(&note)) {
            self.output.print(&problem.message.render(self.lang))?;
            return Ok(Some(here));
        }
        let reply = self.sheet.reply_at(index).clone().with_note(Some(note));
        let kept = reply.note.clone();
        if self.save_reply(&question.id, reply)? {
            match kept {
                Some(note) => {
                    self.output.print(&Message::NoteKept.render_with(self.lang, [describe::brief(&note)]))?;
                }
                None => self.output.print_message(Message::NoteGone)?,
            }
        }
        Ok(Some(here))
    }
}
