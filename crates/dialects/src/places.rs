//! Where the questions of a questionnaire stand, found once for all that is said about them.

use crate::Lost;
use crate::translate::cut;
use sayso_core::message::{Message, Text};
use sayso_core::problem::Step;
use sayso_core::rules::LengthUnit;
use sayso_core::{Path, Question, QuestionId, Questionnaire};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The places of questions in the canonical form.
pub(crate) struct Places<'q>(HashMap<&'q QuestionId, Path>);

impl<'q> Places<'q> {
    pub(crate) fn of(questionnaire: &'q Questionnaire) -> Self {
        let mut places = HashMap::with_capacity(questionnaire.questions.len());
        for (question, place) in questionnaire.questions.iter().zip(questionnaire.places()) {
            places.entry(&question.id).or_insert(place);
        }
        Self(places)
    }

    /// Where a question stands.
    pub(crate) fn of_question(&self, question: &Question) -> Path {
        self.0.get(&question.id).cloned().unwrap_or_default()
    }

    /// A name for a question that has none, where a request must have one: its prompt, cut to so much.
    pub(crate) fn made_up_name<'p>(
        &self,
        question: &'p Question,
        longest: usize,
        unit: LengthUnit,
        lost: &mut Vec<Lost>,
    ) -> Cow<'p, str> {
        let path = self.of_question(question).then("label");
        let instead = Some(Message::PromptStands.into());
        lost.push(Lost { path, what: Message::LostNoName.into(), instead });
        // That it is cut is told by that.
        cut(&question.prompt, longest, unit, &Path::root, &mut Vec::new())
    }

    /// Leaves out the questions beyond the first so many.
    pub(crate) fn leave_out_beyond(
        &self,
        most: usize,
        questions: &mut Vec<&'q Question>,
        lost: &mut Vec<Lost>,
    ) {
        let gone = questions.drain(most.min(questions.len())..);
        lost.extend(gone.map(|question| Lost {
            path: self.of_question(question),
            what: Message::LostBeyond.with([most]),
            instead: Some(Message::LeftOut.into()),
        }));
    }

    /// Leaves out the questions for which there is a reason, with those that follow them up. What else was lost of them
    /// is not told.
    pub(crate) fn leave_out(
        &self,
        questions: &mut Vec<&'q Question>,
        lost: &mut Vec<Lost>,
        why: impl Fn(&Question) -> Option<Text>,
    ) {
        let mut left_out: HashSet<&QuestionId> = HashSet::new();
        let mut gone = Vec::new();
        questions.retain(|question| {
            let follows = question.parent.as_ref().is_some_and(|parent| left_out.contains(parent));
            let why = if follows { Some(Message::LostWithParent.into()) } else { why(question) };
            let Some(what) = why else { return true };
            left_out.insert(&question.id);
            gone.push(Lost {
                path: self.of_question(question),
                what,
                instead: Some(Message::LeftOut.into()),
            });
            false
        });
        if gone.is_empty() {
            return;
        }
        let places: HashSet<String> = gone.iter().map(|lost| lost.path.pointer()).collect();
        lost.retain(|lost| {
            of_its_question(&lost.path).is_none_or(|place| !places.contains(&place.pointer()))
        });
        lost.append(&mut gone);
    }
}

/// The place of the question in which a place is.
fn of_its_question(place: &Path) -> Option<Path> {
    let is_list = |step: &Step| matches!(step, Step::Key(name) if name == "questions" || name == "children");
    let mut end = 0;
    for (at, pair) in place.0.windows(2).enumerate() {
        match pair {
            [list, Step::Index(_)] if is_list(list) => end = at + 2,
            _ => {}
        }
    }
    place.0.get(..end).filter(|steps| !steps.is_empty()).map(|steps| Path(steps.to_vec()))
}
