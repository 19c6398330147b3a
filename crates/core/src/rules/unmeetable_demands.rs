//! Demands that no answer can meet: the person would be stuck. Only certain cases are reported, by the rules for
//! answers. Patterns that match nothing and multiples between two bounds are not checked.

use super::question_places::QuestionPlaces;
use crate::i18n::Message;
use crate::limits;
use crate::model::question::Question;
use crate::model::question::constraint::Requirement;
use crate::model::questionnaire::Questionnaire;
use crate::model::validation_rules::Rules;
use crate::model::value::OrderedValue;
use crate::problem::{Problem, ProblemCode};
use std::cmp::Ordering;

/// Returns the problems of unmeetable demands of each question; of two in conflict, at the later one.
pub(crate) fn problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    // An asker that judges answers itself demands nothing here.
    if questionnaire.rules.unjudged {
        return Vec::new();
    }
    let places = QuestionPlaces::new(questionnaire);
    let mut problems = Vec::new();
    for (index, question) in questionnaire.questions.iter().enumerate() {
        let mut bounds = DemandBounds::new(question, &questionnaire.rules);
        for (at, constraint) in question.constraints.iter().enumerate().take(limits::CONSTRAINTS) {
            for demand in constraint.requirements() {
                if demand.applies_to(&question.kind)
                    && let Some(problem) = bounds.conflict(demand)
                {
                    let place = places.at(index).join("constraints").join(at).join(demand.name());
                    problems.push(problem.at(place));
                }
            }
        }
    }
    problems
}

/// Range of answers that the demands seen so far leave.
struct DemandBounds<'q> {
    question: &'q Question,
    rules: &'q Rules,
    /// Lower bounds that can be met; then the upper ones.
    least: Vec<&'q Requirement>,
    most: Vec<&'q Requirement>,
}

impl<'q> DemandBounds<'q> {
    const fn new(question: &'q Question, rules: &'q Rules) -> Self {
        Self { question, rules, least: Vec::new(), most: Vec::new() }
    }

    /// Returns the reason that a demand cannot be met, alone or with the earlier ones.
    fn conflict(&mut self, demand: &'q Requirement) -> Option<Problem> {
        let is_least = match demand {
            Requirement::MinPicks(_) | Requirement::MinLength(_) | Requirement::Min(_) => true,
            Requirement::MaxPicks(_) | Requirement::MaxLength(_) | Requirement::Max(_) => false,
            Requirement::Answered
            | Requirement::MatchesKind
            | Requirement::Pattern(_)
            | Requirement::MultipleOf(_) => return None,
        };
        if let Some(problem) = self.question.kind.behavior().unmeetable_problem(self.rules, demand) {
            return Some(problem);
        }
        let opposite_bounds = if is_least { &self.most } else { &self.least };
        for opposite in opposite_bounds {
            let (least, most) = if is_least { (demand, *opposite) } else { (*opposite, demand) };
            if exclude_each_other(self.question, self.rules, least, most) {
                let message = Message::NoneMeetsBoth.with([*opposite, demand]);
                return Some(Problem::new(ProblemCode::BadConstraint, message));
            }
        }
        let same_bounds = if is_least { &mut self.least } else { &mut self.most };
        same_bounds.push(demand);
        None
    }
}

/// Returns whether no value satisfies both a minimum and a maximum.
fn exclude_each_other(question: &Question, rules: &Rules, least: &Requirement, most: &Requirement) -> bool {
    let kind = &question.kind;
    match (least, most) {
        (Requirement::MinPicks(least), Requirement::MaxPicks(most))
        | (Requirement::MinLength(least), Requirement::MaxLength(most)) => least > most,
        // Texts that are no dates satisfy every bound.
        (Requirement::Min(_), Requirement::Max(_)) if kind.is_date_or_time() && rules.loose_dates => false,
        (Requirement::Min(least), Requirement::Max(most)) => {
            match (kind.ordered_value(least), kind.ordered_value(most)) {
                (Some(least), Some(most)) => is_never_between(least, most),
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_never_between(least: OrderedValue, most: OrderedValue) -> bool {
    if let (OrderedValue::Moment(least), OrderedValue::Moment(most)) = (least, most)
        && (least.offset.is_some() != most.offset.is_some() || least.datetime <= most.datetime)
    {
        // Answers with and without an offset compare differently: one of them may be between these.
        return false;
    }
    least.compare(most) == Some(Ordering::Greater)
}
