//! Demands that no answer can meet: the person would be stuck. Only certain cases are reported, by the rules for
//! answers. Patterns that match nothing and multiples between two bounds are not checked.

use crate::i18n::{Lang, LocalizedText, Message, MessageArg, own};
use crate::kinds::QuestionKind;
use crate::kinds::choice::ChoiceQuestion;
use crate::kinds::rating::RatingQuestion;
use crate::limits;
use crate::model::problem::{DocumentPath, Problem, ProblemCode};
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use crate::model::value::number::Number;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::rules::Rules;
use crate::rules::constraint::Requirement;
use std::cell::OnceCell;
use std::cmp::Ordering;

/// Returns the problems of unmeetable demands of each question; of two in conflict, at the later one.
pub(super) fn problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    // An asker that judges answers itself demands nothing here.
    if questionnaire.rules.unjudged {
        return Vec::new();
    }
    let places = OnceCell::new();
    let place = |index: usize| -> DocumentPath {
        let places = places.get_or_init(|| questionnaire.question_paths());
        places.get(index).cloned().unwrap_or_default()
    };
    let mut problems = Vec::new();
    for (index, question) in questionnaire.questions.iter().enumerate() {
        let mut bounds = DemandBounds::new(question, &questionnaire.rules);
        for (at, constraint) in question.constraints.iter().enumerate().take(limits::CONSTRAINTS) {
            for demand in constraint.requirements().filter(|demand| demand.applies_to(&question.kind)) {
                let problem = bounds.conflict(demand);
                let place = || place(index).join("constraints").join(at).join(demand.name());
                problems.extend(problem.map(|problem| problem.at(place())));
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
        if let Some(problem) = self.conflict_alone(demand) {
            return Some(problem);
        }
        let others = if is_least { &self.most } else { &self.least };
        let contrary = others.iter().find(|other| {
            let (least, most) = if is_least { (demand, **other) } else { (**other, demand) };
            exclude_each_other(self.question, self.rules, least, most)
        });
        if let Some(contrary) = contrary {
            let message = Message::NoneMeetsBoth.with([demand_arg(contrary), demand_arg(demand)]);
            return Some(Problem::new(ProblemCode::BadConstraint, message));
        }
        let kept = if is_least { &mut self.least } else { &mut self.most };
        kept.push(demand);
        None
    }

    /// Returns the reason that a demand alone cannot be met.
    fn conflict_alone(&self, demand: &Requirement) -> Option<Problem> {
        let problem = |message: LocalizedText| Some(Problem::new(ProblemCode::BadConstraint, message));
        match (&self.question.kind, demand) {
            (QuestionKind::Choice(choice), Requirement::MinPicks(least)) => {
                too_many_picks(choice, self.rules, *least)
            }
            (QuestionKind::Choice(_), Requirement::MaxPicks(0)) if !self.rules.empty_picks => {
                problem(Message::LeavesNoAnswer.with([demand_arg(demand)]))
            }
            (QuestionKind::Text(_), Requirement::MaxLength(0)) if !self.rules.blank_text => {
                problem(Message::LeavesNoAnswer.with([demand_arg(demand)]))
            }
            (QuestionKind::Text(_), Requirement::MinLength(least))
                if *least as usize > limits::TEXT_ANSWER_BYTES =>
            {
                problem(Message::LengthBeyond.with([*least]))
            }
            (QuestionKind::Rating(rating), Requirement::Min(ComparisonValue::Number(least)))
                if *least > step(rating.max) =>
            {
                problem(beyond_scale(demand, rating))
            }
            (QuestionKind::Rating(rating), Requirement::Max(ComparisonValue::Number(most)))
                if *most < step(rating.min) =>
            {
                problem(beyond_scale(demand, rating))
            }
            _ => None,
        }
    }
}

fn step(step: i32) -> Number {
    i64::from(step).into()
}

fn beyond_scale(demand: &Requirement, rating: &RatingQuestion) -> LocalizedText {
    Message::BeyondScale.with([demand_arg(demand), rating.min.into(), rating.max.into()])
}

/// Returns the problem of a minimum above the possible number of picks.
fn too_many_picks(choice: &ChoiceQuestion, rules: &Rules, least: u32) -> Option<Problem> {
    let options = choice.options.len();
    let several = choice.multi || rules.loose_single;
    let most = match (several, rules.repeated_picks) {
        (false, _) => 1,
        (true, true) if options > 0 => options.max(limits::OPTIONS) + 1,
        // The own answer is one more pick, or replaces all others.
        (true, _) if rules.other_alone => options.max(usize::from(choice.other)),
        (true, _) => choice.item_count(),
    };
    // A choice without options is a problem of its own.
    if least as usize <= most || choice.item_count() == 0 {
        return None;
    }
    let new_problem = |message: Message, most: usize| {
        Some(Problem::new(ProblemCode::BadConstraint, message.with([least as usize, most])))
    };
    if !several {
        return new_problem(Message::PicksOfOne, most)
            .map(|problem| problem.with_hint(Message::SeveralPicksHow));
    }
    new_problem(if most == options { Message::PicksOfOptions } else { Message::PicksBeyond }, most)
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
            let points = OrderedValue::from_value(kind, least).zip(OrderedValue::from_value(kind, most));
            points.is_some_and(|(least, most)| is_never_between(least, most))
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

/// Formats a demand as it is written.
fn demand_arg(demand: &Requirement) -> MessageArg {
    let value: MessageArg = match demand {
        Requirement::MinPicks(count) | Requirement::MaxPicks(count) => (*count).into(),
        Requirement::MinLength(length) | Requirement::MaxLength(length) => (*length).into(),
        Requirement::Min(value) | Requirement::Max(value) => value.into(),
        Requirement::Answered
        | Requirement::MatchesKind
        | Requirement::Pattern(_)
        | Requirement::MultipleOf(_) => "".into(),
    };
    own(format!("{} {}", demand.name(), value.render(Lang::En)))
}
