//! Demands that no answer can meet: the person would be stuck. Only certain cases are reported, by the rules for
//! answers. Patterns that match nothing and multiples between two bounds are not checked.

use crate::constraint::Demand;
use crate::limits;
use crate::message::{Message, Text};
use crate::number::Number;
use crate::problem::{Code, Path, Problem};
use crate::question::{Choice, Kind, Question, Rating};
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use crate::value::{Point, Value};
use std::cell::OnceCell;
use std::cmp::Ordering;

/// Returns the problems of unmeetable demands of each question; of two in conflict, at the later one.
pub(super) fn problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    // An asker that judges answers itself demands nothing here.
    if questionnaire.rules.unjudged {
        return Vec::new();
    }
    let places = OnceCell::new();
    let place = |index: usize| -> Path {
        let places = places.get_or_init(|| questionnaire.places());
        places.get(index).cloned().unwrap_or_default()
    };
    let mut problems = Vec::new();
    for (index, question) in questionnaire.questions.iter().enumerate() {
        let mut bounds = Bounds::of(question, &questionnaire.rules);
        for (at, constraint) in question.constraints.iter().enumerate().take(limits::CONSTRAINTS) {
            for demand in constraint.demands().filter(|demand| demand.suits(&question.kind)) {
                let problem = bounds.unmeetable(demand);
                let place = || place(index).then("constraints").then(at).then(demand.name());
                problems.extend(problem.map(|problem| problem.at(place())));
            }
        }
    }
    problems
}

/// Range of answers that the demands seen so far leave.
struct Bounds<'q> {
    question: &'q Question,
    rules: &'q Rules,
    /// Lower bounds that can be met; then the upper ones.
    least: Vec<&'q Demand>,
    most: Vec<&'q Demand>,
}

impl<'q> Bounds<'q> {
    const fn of(question: &'q Question, rules: &'q Rules) -> Self {
        Self { question, rules, least: Vec::new(), most: Vec::new() }
    }

    /// Returns the reason that a demand cannot be met, alone or with the earlier ones.
    fn unmeetable(&mut self, demand: &'q Demand) -> Option<Problem> {
        let is_least = match demand {
            Demand::MinPicks(_) | Demand::MinLength(_) | Demand::Min(_) => true,
            Demand::MaxPicks(_) | Demand::MaxLength(_) | Demand::Max(_) => false,
            Demand::Answered | Demand::Fits | Demand::Pattern(_) | Demand::MultipleOf(_) => return None,
        };
        if let Some(problem) = self.alone(demand) {
            return Some(problem);
        }
        let others = if is_least { &self.most } else { &self.least };
        let contrary = others.iter().find(|other| {
            let (least, most) = if is_least { (demand, **other) } else { (**other, demand) };
            exclude_each_other(self.question, self.rules, least, most)
        });
        if let Some(contrary) = contrary {
            let said = Message::NoneMeetsBoth.with([written(contrary), written(demand)]);
            return Some(Problem::new(Code::BadConstraint, said));
        }
        let kept = if is_least { &mut self.least } else { &mut self.most };
        kept.push(demand);
        None
    }

    /// Returns the reason that a demand alone cannot be met.
    fn alone(&self, demand: &Demand) -> Option<Problem> {
        let problem = |said: Text| Some(Problem::new(Code::BadConstraint, said));
        match (&self.question.kind, demand) {
            (Kind::Choice(choice), Demand::MinPicks(least)) => picks_beyond(choice, self.rules, *least),
            (Kind::Choice(_), Demand::MaxPicks(0)) if !self.rules.empty_picks => {
                problem(Message::LeavesNoAnswer.with([written(demand)]))
            }
            (Kind::Text(_), Demand::MaxLength(0)) if !self.rules.blank_text => {
                problem(Message::LeavesNoAnswer.with([written(demand)]))
            }
            (Kind::Text(_), Demand::MinLength(least)) if *least as usize > limits::TEXT_ANSWER_BYTES => {
                problem(Message::LengthBeyond.with([least]))
            }
            (Kind::Rating(rating), Demand::Min(Value::Number(least))) if *least > step(rating.max) => {
                problem(beyond_scale(demand, rating))
            }
            (Kind::Rating(rating), Demand::Max(Value::Number(most))) if *most < step(rating.min) => {
                problem(beyond_scale(demand, rating))
            }
            _ => None,
        }
    }
}

fn step(step: i32) -> Number {
    i64::from(step).into()
}

fn beyond_scale(demand: &Demand, rating: &Rating) -> Text {
    Message::BeyondScale.with([written(demand), rating.min.to_string(), rating.max.to_string()])
}

/// Returns the problem of a minimum above the possible number of picks.
fn picks_beyond(choice: &Choice, rules: &Rules, least: u32) -> Option<Problem> {
    let options = choice.options.len();
    let several = choice.multi || rules.loose_single;
    let most = match (several, rules.repeated_picks) {
        (false, _) => 1,
        (true, true) if options > 0 => options.max(limits::OPTIONS) + 1,
        // The own answer is one more pick, or replaces all others.
        (true, _) if rules.other_alone => options.max(usize::from(choice.other)),
        (true, _) => choice.offered(),
    };
    // A choice without options is a problem of its own.
    if least as usize <= most || choice.offered() == 0 {
        return None;
    }
    let said = |message: Message, most: usize| {
        Some(Problem::new(Code::BadConstraint, message.with([least as usize, most])))
    };
    if !several {
        return said(Message::PicksOfOne, most).map(|problem| problem.hint(Message::SeveralPicksHow));
    }
    said(if most == options { Message::PicksOfOptions } else { Message::PicksBeyond }, most)
}

/// Returns whether no value satisfies both a minimum and a maximum.
fn exclude_each_other(question: &Question, rules: &Rules, least: &Demand, most: &Demand) -> bool {
    let kind = &question.kind;
    match (least, most) {
        (Demand::MinPicks(least), Demand::MaxPicks(most))
        | (Demand::MinLength(least), Demand::MaxLength(most)) => least > most,
        // Texts that are no dates satisfy every bound.
        (Demand::Min(_), Demand::Max(_)) if kind.is_date_or_time() && rules.loose_dates => false,
        (Demand::Min(least), Demand::Max(most)) => {
            let points = Point::read(kind, least).zip(Point::read(kind, most));
            points.is_some_and(|(least, most)| is_never_between(least, most))
        }
        _ => false,
    }
}

fn is_never_between(least: Point, most: Point) -> bool {
    if let (Point::Moment(least), Point::Moment(most)) = (least, most)
        && (least.offset.is_some() != most.offset.is_some() || least.at <= most.at)
    {
        // Answers with and without an offset compare differently: one of them may be between these.
        return false;
    }
    least.compare(most) == Some(Ordering::Greater)
}

/// Formats a demand as it is written.
fn written(demand: &Demand) -> String {
    let value = match demand {
        Demand::MinPicks(count) | Demand::MaxPicks(count) => count.to_string(),
        Demand::MinLength(length) | Demand::MaxLength(length) => length.to_string(),
        Demand::Min(value) | Demand::Max(value) => value.to_string(),
        Demand::Answered | Demand::Fits | Demand::Pattern(_) | Demand::MultipleOf(_) => String::new(),
    };
    format!("{} {value}", demand.name())
}
