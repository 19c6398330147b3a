//! Validation of a questionnaire as a request.

use super::Questionnaire;
use super::first::First;
use crate::condition::{Condition, Test};
use crate::constraint::Demand;
use crate::form::option_place;
use crate::id::{QuestionId, SectionId};
use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use crate::question::{Choice, Kind, Question, Rating};
use crate::section::Section;
use crate::sheet::judge;
use crate::spelling;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// Returns all problems, each with its path in the canonical form.
pub(super) fn problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let questions = &questionnaire.questions;
    let mut check = Check {
        questionnaire,
        places: OnceLock::new(),
        by_id: First::of(questions, |question| &question.id),
        depths: Vec::with_capacity(questions.len()),
        parents: Vec::with_capacity(questions.len()),
        options: HashMap::new(),
        sections: First::of(&questionnaire.sections, |section| &section.id),
        section_before: None,
        patterns: 0,
        problems: Vec::new(),
    };
    let count = too_many(questions.len(), limits::QUESTIONS, Message::ManyQuestions);
    check.problems.extend(count.map(|problem| problem.at(Path::root().then("questions"))));
    let count = too_many(questionnaire.sections.len(), limits::SECTIONS, Message::ManySections);
    if let Some(problem) = count {
        check.problems.push(problem.at(Path::root().then("sections")));
        return check.problems;
    }
    check.sections();
    for (index, question) in questions.iter().enumerate().take(limits::QUESTIONS) {
        check.question(index, question);
        // A request with that many problems is fixed in more than one round.
        if check.problems.len() > limits::PROBLEMS {
            break;
        }
    }
    check.problems
}

struct Check<'q> {
    questionnaire: &'q Questionnaire,
    /// Computed only if a problem needs a path.
    places: OnceLock<Vec<Path>>,
    by_id: First<'q, Question, QuestionId>,
    /// Nesting depth of each question checked so far.
    depths: Vec<usize>,
    /// Index of the parent of each question checked so far.
    parents: Vec<Option<usize>>,
    /// Option ids of questions that have many options and that conditions depend on.
    options: HashMap<usize, HashSet<&'q str>>,
    sections: First<'q, Section, SectionId>,
    /// The index of the section of the previous question.
    section_before: Option<usize>,
    /// Number of patterns so far.
    patterns: usize,
    problems: Vec<Problem>,
}

impl<'q> Check<'q> {
    fn place(&self, index: usize) -> Path {
        let places = self.places.get_or_init(|| self.questionnaire.places());
        places.get(index).cloned().unwrap_or_default()
    }

    fn sections(&mut self) {
        let sections = &self.questionnaire.sections;
        let has_conditions = sections.iter().any(|section| section.show_if.is_some());
        let firsts = if has_conditions { self.first_questions() } else { Vec::new() };
        for (index, section) in sections.iter().enumerate() {
            let place = |member: &str| Path::root().then("sections").then(index).then(member);
            let first_like_it = self.sections.get(&section.id);
            if first_like_it != Some(index) {
                self.problems.push(duplicate(&section.id).at(place("id")));
            }
            self.problems.extend(id_problem(section.id.as_str()).map(|problem| problem.at(place("id"))));
            if let Some(condition) = &section.show_if {
                // A condition of a section without questions decides nothing, but its references are checked.
                let first = first_like_it.and_then(|at| firsts.get(at).copied().flatten());
                let first = first.unwrap_or(self.questionnaire.questions.len());
                self.condition(condition, first, Some(&place("show_if")));
            }
        }
    }

    /// Returns the first question in each section.
    fn first_questions(&self) -> Vec<Option<usize>> {
        let mut firsts = vec![None; self.questionnaire.sections.len()];
        for (index, question) in self.questionnaire.questions.iter().enumerate() {
            let at = question.section.as_ref().and_then(|id| self.sections.get(id));
            if let Some(first) = at.and_then(|at| firsts.get_mut(at)) {
                first.get_or_insert(index);
            }
        }
        firsts
    }

    fn question(&mut self, index: usize, question: &'q Question) {
        if !self.by_id.is_first(index) {
            self.problems.push(duplicate(&question.id).at(self.place(index).then("id")));
        }
        if let Some(problem) = id_problem(question.id.as_str()) {
            self.problems.push(problem.at(self.place(index).then("id")));
        }
        self.standing(index, question);
        match &question.kind {
            Kind::Choice(choice) => self.options(index, choice),
            Kind::Rating(rating) => self.rating(index, rating),
            Kind::Number(entry) if entry.step.is_some_and(|step| !step.is_positive()) => {
                let problem = Problem::new(Code::InvalidValue, Message::StepNotPositive.with(entry.step));
                self.problems.push(problem.at(self.place(index).then("step")));
            }
            Kind::Text(_) | Kind::Confirm(_) | Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime => {
            }
        }
        let count = too_many(question.constraints.len(), limits::CONSTRAINTS, Message::ManyConstraints);
        self.problems.extend(count.map(|problem| problem.at(self.place(index).then("constraints"))));
        for (at, constraint) in question.constraints.iter().enumerate().take(limits::CONSTRAINTS) {
            for demand in constraint.demands() {
                if matches!(demand, Demand::Pattern(_)) && !self.may_compile(index) {
                    continue;
                }
                if let Some(problem) = demand.problem(&question.kind) {
                    let place = self.place(index).then("constraints").then(at).then(demand.name());
                    self.problems.push(problem.at(place));
                }
            }
        }
        if let Some(prefill) = &question.prefill {
            let wrong = judge::kind_problems(question, &self.questionnaire.rules, prefill);
            let placed = |problem: Problem| problem.at(self.place(index).then("prefill"));
            let wrong: Vec<_> = wrong.into_iter().map(placed).collect();
            self.problems.extend(wrong);
        }
        if let Some(condition) = &question.show_if {
            self.condition(condition, index, None);
        }
    }

    /// Returns true if one more pattern may be compiled, since each costs time and memory. Reports once if there are
    /// too many, and stops after many rejected ones.
    fn may_compile(&mut self, index: usize) -> bool {
        const BAD: usize = 10;
        self.patterns += 1;
        if self.patterns == limits::PATTERNS + 1
            && let Some(problem) = too_many(self.patterns, limits::PATTERNS, Message::ManyPatterns)
        {
            self.problems.push(problem.at(self.place(index).then("constraints")));
        }
        let bad = self.problems.iter().filter(|problem| problem.code == Code::BadPattern).take(BAD).count();
        self.patterns <= limits::PATTERNS && bad < BAD
    }

    /// Checks the position of a question: in its section, and after its parent with only siblings in between.
    fn standing(&mut self, index: usize, question: &Question) {
        let before = index.checked_sub(1).and_then(|before| self.questionnaire.questions.get(before));
        let has_sections = !self.questionnaire.sections.is_empty();
        let at_before = self.section_before;
        let at = match before {
            Some(before) if before.section == question.section => at_before,
            _ => question.section.as_ref().and_then(|id| self.sections.get(id)),
        };
        self.section_before = at;
        let in_order = before.is_none() || at_before <= at;
        let parent = question.parent.as_ref().and_then(|parent| self.enclosing(index, parent));
        self.parents.push(parent);
        let depth = match parent {
            None => question.parent.is_none().then_some(0),
            Some(parent) => {
                let above = self.depths.get(parent).filter(|_| before.is_some() && at_before == at);
                above.map(|above| above + 1)
            }
        };
        let is_placed =
            in_order && at.is_some() == has_sections && (has_sections || question.section.is_none());
        let Some(depth) = depth.filter(|_| is_placed) else {
            self.depths.push(0);
            let problem = Problem::new(Code::InvalidValue, Message::OutOfPlace.with([&question.id]));
            return self.problems.push(problem.at(self.place(index)));
        };
        self.depths.push(depth);
        if depth > limits::NESTING {
            let problem = Problem::new(Code::TooDeep, Message::NestedTooDeep.with([limits::NESTING]));
            self.problems.push(problem.at(self.place(index)));
        }
    }

    /// Returns the index of a question's parent: the previous question, or one that encloses that.
    fn enclosing(&self, index: usize, parent: &QuestionId) -> Option<usize> {
        let mut at = index.checked_sub(1)?;
        loop {
            let question = self.questionnaire.questions.get(at)?;
            if question.id == *parent {
                return Some(at);
            }
            let likely = self.parents.get(at).copied().flatten();
            at = self.by_id.near(likely, question.parent.as_ref()?).filter(|above| *above < at)?;
        }
    }

    fn options(&mut self, index: usize, choice: &Choice) {
        let place = || self.place(index).then("options");
        let mut problems = Vec::new();
        let count = choice.options.len();
        if count == 0 && !choice.other {
            problems.push(Problem::new(Code::TooSmall, Message::FewOptions).at(place()));
        }
        problems.extend(too_many(count, limits::OPTIONS, Message::ManyOptions).map(|p| p.at(place())));
        let by_id = First::of(&choice.options, |option| &option.id);
        for (at, option) in choice.options.iter().enumerate() {
            let place = |member: &str| place().then(at).then(member);
            if !by_id.is_first(at) {
                problems.push(duplicate(&option.id).at(place("id")));
            }
            problems.extend(id_problem(option.id.as_str()).map(|problem| problem.at(place("id"))));
        }
        let says_of_other =
            [("other_label", choice.other_label.is_some()), ("other_at", choice.other_at.is_some())];
        for (member, _) in says_of_other.into_iter().filter(|(_, says)| *says && !choice.other) {
            let problem = Problem::new(Code::InvalidValue, Message::NoOther);
            problems.push(problem.at(self.place(index).then(member)));
        }
        if let Some(at) = choice.other_at.filter(|at| *at > count) {
            let problem = Problem::new(Code::TooBig, Message::OtherPlace.with([at, count]));
            problems.push(problem.at(self.place(index).then("other_at")));
        }
        self.problems.append(&mut problems);
    }

    fn rating(&mut self, index: usize, rating: &Rating) {
        let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
        if !(2..=limits::RATING_STEPS).contains(&steps) {
            let message = match rating.max > rating.min {
                true => Message::RatingBounds.with([limits::RATING_STEPS]),
                false => Message::RatingOrder.with([rating.max, rating.min]),
            };
            self.problems.push(Problem::new(Code::InvalidValue, message).at(self.place(index).then("max")));
        }
    }

    /// Checks a condition of what begins at this question: it may refer to earlier questions only. `place` is its
    /// path, if it is not part of the question itself.
    fn condition(&mut self, condition: &'q Condition, index: usize, place: Option<&Path>) {
        // A questionnaire with that many problems is fixed in more than one round.
        if self.problems.len() > limits::PROBLEMS {
            return;
        }
        let place = |check: &Self| place.cloned().unwrap_or_else(|| check.place(index).then("show_if"));
        let counted = [
            (condition.nodes(), limits::CONDITION_NODES, Message::ManyTests),
            (condition.values(), limits::CONDITION_VALUES, Message::ManyValues),
        ];
        if let Some(problem) = counted.into_iter().find_map(|(count, most, text)| too_many(count, most, text))
        {
            let place = place(self);
            return self.problems.push(problem.at(place));
        }
        let mut problems = Vec::new();
        condition.each_test(&mut 0, &mut |number, test| {
            problems.extend(self.test_problem(test, index).map(|problem| (number, problem)));
        });
        if problems.is_empty() {
            return;
        }
        let mut places = Vec::new();
        condition.places_of_tests(&place(self), &mut places);
        self.problems.extend(
            problems
                .into_iter()
                .filter_map(|(number, (member, problem))| Some(problem.at(places.get(number)?.then(member)))),
        );
    }

    /// Returns the problem of a test, and the member that has it.
    fn test_problem(&mut self, test: &'q Test, index: usize) -> Option<(&'static str, Problem)> {
        // A follow-up question usually refers to its parent.
        let likely = self.parents.get(index).copied().flatten();
        let named = self.by_id.near(likely, &test.question);
        match named.and_then(|at| Some((at, self.questionnaire.questions.get(at)?))) {
            None => Some(("question", self.no_question(&test.question, index))),
            Some((at, _)) if at >= index => {
                let message = Message::ConditionLooksAhead.with([&test.question]);
                Some(("question", Problem::new(Code::BadCondition, message)))
            }
            Some((at, question)) => {
                let problem = self.check_problem(test, at, question)?;
                Some((test.check.name(), problem))
            }
        }
    }

    fn check_problem(&mut self, test: &Test, at: usize, question: &'q Question) -> Option<Problem> {
        const FEW: usize = 16;
        let rules = &self.questionnaire.rules;
        match &question.kind {
            Kind::Choice(choice) if choice.options.len() > FEW => {
                let ids = self.options.entry(at).or_insert_with(|| option_ids(choice));
                test.check.problem(question, rules, &|id| ids.contains(id))
            }
            _ => test.check.problem(question, rules, &|id| {
                option_place(question, |option| option.id.as_str() == id).is_some()
            }),
        }
    }

    fn no_question(&self, named: &QuestionId, index: usize) -> Problem {
        let problem = Problem::new(Code::NoSuchQuestion, Message::NoSuchQuestion.with([named]));
        let earlier = self.questionnaire.questions.iter().take(index).map(|question| question.id.as_str());
        match spelling::nearest(named.as_str(), earlier) {
            Some(nearest) => problem.hint(Message::DidYouMean.with([nearest])),
            None => problem,
        }
    }
}

fn option_ids(choice: &Choice) -> HashSet<&str> {
    choice.options.iter().map(|option| option.id.as_str()).collect()
}

fn duplicate(id: &impl ToString) -> Problem {
    Problem::new(Code::DuplicateId, Message::DuplicateId.with([id.to_string()]))
}

fn id_problem(id: &str) -> Option<Problem> {
    let is_short = !id.is_empty() && id.len() <= limits::ID_CHARS;
    let count = if is_short { 1 } else { id.chars().count() };
    (count == 0 || count > limits::ID_CHARS).then(|| {
        let code = if count == 0 { Code::TooSmall } else { Code::TooBig };
        Problem::new(code, Message::IdLength.with([limits::ID_CHARS]))
    })
}

fn too_many(count: usize, most: usize, message: Message) -> Option<Problem> {
    (count > most).then(|| Problem::new(Code::TooBig, message.with([most, count])))
}
