//! Draft handling: every answer is saved before it is announced, and saves of other surfaces are merged.

use crate::describe;
use crate::prompter::prompt_style::{PartialAnswer, PromptStyle};
use crate::prompter::session::PromptSession;
use sayso_core::i18n::own;
use sayso_core::sheet::VisibilityChange;
use sayso_core::{Message, Problem, QuestionId, Questionnaire, Replies, Reply};
use sayso_desk::Draft;

impl PromptSession<'_> {
    /// Puts a reply on the sheet and into the draft. Prints the problem and returns false if the desk could not store
    /// it; in quiet mode that is an error. [`announce_effect`](Self::announce_effect) announces the changes.
    pub(crate) fn save_reply(&mut self, id: &QuestionId, reply: Reply) -> Result<bool, Problem> {
        // The sheet keeps the reply's problems, which the review shows.
        let effect = self.sheet.set_reply(id, reply.clone());
        self.add_effect(effect);
        if self.unsaved.as_ref() == Some(id) {
            self.unsaved = None;
        }
        self.unstored.insert(id.clone(), reply);
        let base = self.rev;
        let replies = self.unstored.clone().into_iter().collect();
        let report = match self.desk.save(&self.person, self.ask.id, base, replies) {
            Ok(report) => report,
            Err(problem) if self.quiet => return Err(problem),
            Err(problem) => {
                self.output.print(&problem.render_lines(self.lang).join("\n"))?;
                return Ok(false);
            }
        };
        let replies = std::mem::take(&mut self.unstored);
        // Another surface saved in between: merge its replies to other questions, and keep ours here.
        if report.rev.0 != base.0 + 1 {
            self.merge_draft()?;
        }
        self.rev = self.rev.max(report.rev);
        for id in self.draft_sync.record_save(&replies, report.overwritten) {
            if id == QuestionId::FORM {
                self.output.print_message(Message::FormNoteReplaced)?;
            } else if let Some(index) = self.sheet.index_of(&id) {
                let number = self.sheet.number_of(index);
                self.output.print(&Message::ReplacedElsewhere.render_with(self.lang, [number]))?;
            }
        }
        Ok(true)
    }

    /// Retries saves that failed before. If they fail again, prints the replies that are lost.
    pub(crate) fn save_remaining(&mut self) -> Result<(), Problem> {
        let replies: Vec<_> = self.unstored.clone().into_iter().collect();
        if replies.is_empty() {
            return Ok(());
        }
        let Err(problem) = self.desk.save(&self.person, self.ask.id, self.rev, replies) else {
            return Ok(());
        };
        self.output.print_message(Message::NotStored)?;
        let questionnaire = self.sheet.questionnaire();
        for (id, reply) in std::mem::take(&mut self.unstored) {
            if let Some(answer) = describe::full_reply(questionnaire, &id, &reply, self.lang) {
                self.output.print_unwrapped(&format!("- {answer}"))?;
            }
        }
        Err(problem)
    }

    /// Saves the lines of an unfinished long text.
    pub(crate) fn save_lines(&mut self) -> Result<(), Problem> {
        let Some(id) = self.unsaved.take() else { return Ok(()) };
        let PartialAnswer::Lines(lines) = &self.partial else { return Ok(()) };
        let text = lines.join("\n");
        if !text.trim().is_empty() {
            let note = self.sheet.reply(&id).note.clone();
            self.save_reply(&id, Reply::from_text(text).with_note(note))?;
        } else if let Some(remote_reply) = self.draft_sync.take_skipped(&id) {
            self.merge_reply(&id, remote_reply)?;
        }
        Ok(())
    }

    /// Adds changes to the pending announcement. A question that appeared and vanished again is left out.
    fn add_effect(&mut self, new: VisibilityChange) {
        let VisibilityChange { appeared, vanished } = &mut self.effect;
        for place in new.appeared {
            if !remove_place(vanished, place) {
                appeared.push(place);
            }
        }
        for place in new.vanished {
            if !remove_place(appeared, place) {
                vanished.push(place);
            }
        }
    }

    /// Announces which questions appeared and vanished since the last announcement, and returns them.
    pub(crate) fn announce_effect(&mut self) -> Result<VisibilityChange, Problem> {
        let effect = std::mem::take(&mut self.effect);
        if self.style.announces_replies() {
            for notice in describe::question_changes(&self.sheet, &effect, self.lang) {
                self.output.print_notice(&notice)?;
            }
        }
        Ok(effect)
    }

    /// Merges saves of other surfaces, and announces them.
    pub(crate) fn merge_draft(&mut self) -> Result<(), Problem> {
        let draft = self.desk.draft(self.ask.id)?;
        if draft.rev <= self.rev {
            return Ok(());
        }
        self.rev = draft.rev;
        if self.quiet {
            return Ok(());
        }
        for (id, reply) in shared_replies(draft, self.sheet.questionnaire(), self.style) {
            if self.unsaved.as_ref() == Some(&id) || self.unstored.contains_key(&id) {
                self.draft_sync.record_skipped(&id, &reply);
                continue;
            }
            self.draft_sync.record_read(&id, &reply);
            self.merge_reply(&id, reply)?;
        }
        Ok(())
    }

    /// Puts another surface's reply on the sheet, and announces it.
    fn merge_reply(&mut self, id: &QuestionId, reply: Reply) -> Result<(), Problem> {
        if *self.sheet.reply(id) == reply {
            return Ok(());
        }
        if *id == QuestionId::FORM {
            let note = reply.note.as_deref();
            self.output.print(&describe::changed_form_note(self.sheet.questionnaire(), note, self.lang))?;
            self.sheet.set_reply(id, reply);
            return Ok(());
        }
        let Some((index, question)) = self.question_at(self.sheet.index_of(id)) else { return Ok(()) };
        let words =
            describe::noted_reply_in_sentence(self.sheet.questionnaire(), &question, &reply, self.lang);
        let number = self.sheet.number_of(index).to_string();
        self.output.print(&Message::ChangedElsewhere.render_with(self.lang, [own(number), words]))?;
        self.current_changed_elsewhere |= self.current == Some(index);
        // The review shows its problems.
        let effect = self.sheet.set_reply(id, reply);
        self.add_effect(effect);
        self.announce_effect()?;
        Ok(())
    }
}

/// Returns the replies of a draft that a person goes on with.
pub(crate) fn shared_replies(draft: Draft, asked: &Questionnaire, style: &dyn PromptStyle) -> Replies {
    let mut replies = draft.into_shared_replies(asked);
    if !style.has_review() {
        // Only a review shows the note on the whole form before it is sent.
        replies.remove(&QuestionId::FORM);
    }
    replies
}

/// Removes a place from a list, and returns true if the list had it.
fn remove_place(places: &mut Vec<usize>, place: usize) -> bool {
    let count = places.len();
    places.retain(|other| *other != place);
    places.len() < count
}
