//! Submission of a sheet.

use super::problems::SubmitRules;
use super::{Sheet, SubmittedReplies};
use crate::i18n::Message;
use crate::model::answer::{Answer, Pick, Replies, Reply, ReplyContent};
use crate::model::id::QuestionId;
use crate::model::validation_rules::Rules;
use crate::problem::{Problem, ProblemCode};
use crate::rules::prepared_questionnaire::AnswerSource as _;

impl Sheet {
    /// Returns the replies to submit, one for every question.
    ///
    /// # Errors
    /// Fails with one problem that sums up everything that blocks the submission.
    pub fn submission(&self) -> Result<SubmittedReplies, Problem> {
        self.submission_by(SubmitRules::Checked)
    }

    /// Returns the replies to submit if a later judge, the desk or the asker, checks the rules that are checked only on
    /// submit.
    ///
    /// # Errors
    /// Fails with one problem that sums up everything else that blocks the submission.
    pub fn unchecked_submission(&self) -> Result<SubmittedReplies, Problem> {
        self.submission_by(SubmitRules::Silent)
    }

    fn submission_by(&self, submit_rules: SubmitRules) -> Result<SubmittedReplies, Problem> {
        let omitted_sections = self.omitted_sections();
        let mut problems = Vec::new();
        let mut replies = Replies::new();
        for (at, question) in self.questions().iter().enumerate() {
            let pattern_not_checked = self.is_asked(at)
                && self.validate_at(at, question, &omitted_sections, submit_rules, &mut problems);
            let reply = Reply { pattern_not_checked, ..self.submitted_reply_at(at) };
            replies.insert(question.id.clone(), reply);
        }
        if let Some(note) = self.note() {
            replies.insert(QuestionId::FORM, Reply::unanswered().with_note(Some(note.trim().to_owned())));
        }
        problems.extend(self.form_note_problem());
        if problems.is_empty() {
            problems.extend(self.no_input_problem());
        }
        if !problems.is_empty() {
            let count = Message::AnswersNeedAttention.with([problems.len()]);
            return Err(Problem::new(ProblemCode::InvalidAnswers, count).with_causes(problems));
        }
        let dropped = self.hidden_answered().map(|(_, question)| question.id.clone()).collect();
        Ok(SubmittedReplies { replies, dropped })
    }

    /// Returns the reply to submit for the question at this index.
    pub fn submitted_reply_at(&self, at: usize) -> Reply {
        if !self.is_asked(at) {
            let decided_by = self.deciding_question(at).map(|question| question.id.clone());
            return Reply { content: ReplyContent::NotAsked { decided_by }, ..Reply::default() };
        }
        let reply = self.reply_at(at);
        let content = match self.value(at) {
            Some(answer) => ReplyContent::Answered(trim_answer(answer, self.rules())),
            None if reply.is_skipped() => ReplyContent::Skipped,
            // A no that does not suffice for a required yes is sent all the same.
            None => match reply.answer() {
                Some(Answer::Confirm(confirmed)) => ReplyContent::Answered(Answer::Confirm(*confirmed)),
                _ => ReplyContent::Unanswered,
            },
        };
        // A note is typed text too.
        let note = reply.note.as_deref().map(|note| note.trim().to_owned());
        Reply { content, ..Reply::default() }.with_note(note)
    }
}

fn trim_answer(answer: &Answer, rules: &Rules) -> Answer {
    match answer {
        Answer::Text(text) => Answer::Text(rules.trimmed(text).to_owned()),
        Answer::Picks(picks) => Answer::Picks(picks.iter().map(|pick| trim_pick(pick, rules)).collect()),
        other => other.clone(),
    }
}

fn trim_pick(pick: &Pick, rules: &Rules) -> Pick {
    match pick {
        Pick::Option(id) => Pick::Option(id.clone()),
        Pick::Other(text) => Pick::Other(rules.trimmed(text).to_owned()),
    }
}
