//! Drafts: replies that are not submitted, one row a question, merged by question, with a revision.

use sayso_core::sheet::answer_path;
use sayso_core::{
    ConsentQuestions, Message, Problem, ProblemCode, QuestionId, Questionnaire, Replies, Reply,
};
use std::collections::BTreeSet;

/// Number of saves of one ask's draft, from 1; 0 before the first save.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraftRev(pub u64);

/// Conflict policy of a save, if another person saved the same question since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// The last save wins.
    Overwrite,
    /// The save is refused and stores nothing.
    Refuse,
}

/// The draft of an ask.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// Replies so far, with the note on the form.
    pub replies: Replies,
    /// Questions that a program answered. A person who continues the draft is asked them again.
    pub scripted: BTreeSet<QuestionId>,
    /// Revision of the last save in it.
    pub rev: DraftRev,
}

impl Draft {
    /// Returns whether a person answered a question in it, including questions that are hidden at the moment.
    pub fn has_answers(&self) -> bool {
        self.replies.iter().any(|(id, reply)| reply.answer().is_some() && !self.scripted.contains(id))
    }

    /// Returns the replies that a person typed.
    pub fn into_typed_replies(self) -> impl Iterator<Item = (QuestionId, Reply)> {
        let Self { replies, scripted, .. } = self;
        replies.into_iter().filter(move |(id, _)| !scripted.contains(id))
    }

    /// Returns the typed replies that a surface takes over. Answers to a request for consent are not among them: a
    /// person gives those at the surface that sends them.
    pub fn into_shared_replies(self, asked: &Questionnaire) -> Replies {
        let consent = ConsentQuestions::for_questionnaire(asked);
        let questions = asked.questions.iter().filter(|question| consent.includes(question));
        let mut replies: Replies = self.into_typed_replies().collect();
        for question in questions {
            replies.remove(&question.id);
        }
        replies
    }
}

/// Result of a save.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveReport {
    /// Revision after the save.
    pub rev: DraftRev,
    /// Problems of the saved replies. The replies are kept despite them.
    pub problems: Vec<Problem>,
    /// Questions in this save that another person had saved since the base revision.
    pub overwritten: Vec<QuestionId>,
}

/// Refuses a submission if the draft has a newer revision than the one that was shown with it.
///
/// # Errors
/// `draft_changed`.
pub(crate) fn check_shown_rev(shown: DraftRev, stored: DraftRev) -> Result<(), Problem> {
    if stored <= shown {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::DraftChanged, Message::AnswersChanged)
        .with_hint(Message::AnswersChangedHint))
}

/// Returns the problem of a save that would overwrite newer replies to these questions.
pub(crate) fn draft_changed(questions: &[QuestionId]) -> Problem {
    let causes = questions.iter().map(|question| {
        let at = answer_path(question);
        Problem::new(ProblemCode::DraftChanged, Message::ReplySavedSince).at(at)
    });
    Problem::new(ProblemCode::DraftChanged, Message::DraftChanged.with([questions.len()]))
        .with_hint(Message::DraftChangedHint)
        .with_causes(causes.collect())
}
