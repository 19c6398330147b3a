//! Submission of a sheet.

use super::{Sent, Sheet};
use crate::answer::{Answer, Pick, Replies, Reply, Said};
use crate::form::Answers as _;
use crate::message::Message;
use crate::problem::{Code, Problem};
use crate::rules::Rules;

impl Sheet {
    /// Returns the replies to submit, one for every question.
    ///
    /// # Errors
    /// Fails with one problem that sums up everything that blocks the submission.
    pub fn submission(&self) -> Result<Sent, Problem> {
        let left_out = self.sections_left_out();
        let (mut problems, mut replies) = (Vec::new(), Replies::new());
        for (at, question) in self.questions().iter().enumerate() {
            let pattern_not_checked =
                self.is_asked(at) && self.verdict_at(at, question, &left_out, &mut problems);
            let reply = Reply { pattern_not_checked, ..self.sent_at(at) };
            replies.insert(question.id.clone(), reply);
        }
        if problems.is_empty() {
            problems.extend(self.silence());
        }
        if !problems.is_empty() {
            let count = Message::AnswersNeedAttention.with([problems.len()]);
            return Err(Problem::new(Code::InvalidAnswers, count).because(problems));
        }
        let dropped = self.dormant().map(|(_, question)| question.id.clone()).collect();
        Ok(Sent { replies, dropped })
    }

    /// Returns the reply to submit for the question at this index.
    pub fn sent_at(&self, at: usize) -> Reply {
        if !self.is_asked(at) {
            let because = self.because(at).map(|question| question.id.clone());
            return Reply { said: Said::NotAsked { because }, ..Reply::default() };
        }
        let reply = self.reply_at(at);
        let said = match self.value(at) {
            Some(answer) => Said::Answer(cleaned(answer, self.rules())),
            None if reply.is_skipped() => Said::Skipped,
            // A no that does not suffice for a required yes is sent all the same.
            None => match reply.answer() {
                Some(Answer::Confirm(confirmed)) => Said::Answer(Answer::Confirm(*confirmed)),
                _ => Said::Nothing,
            },
        };
        // A note is typed text too.
        let note = reply.note.as_deref().map(|note| note.trim().to_owned());
        Reply { said, ..Reply::default() }.with_note(note)
    }
}

fn cleaned(answer: &Answer, rules: &Rules) -> Answer {
    match answer {
        Answer::Text(text) => Answer::Text(rules.clean(text).to_owned()),
        Answer::Picks(picks) => Answer::Picks(
            picks
                .iter()
                .map(|pick| match pick {
                    Pick::Option(id) => Pick::Option(id.clone()),
                    Pick::Other(text) => Pick::Other(rules.clean(text).to_owned()),
                })
                .collect(),
        ),
        other => other.clone(),
    }
}
