//! Validation of a questionnaire as a request.

use crate::i18n::spelling;
use crate::i18n::{Message, foreign};
use crate::limits;
use crate::model::document_path::DocumentPath;
use crate::model::id::{IdMap, IdSet, OptionId, QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::question::choice::ChoiceQuestion;
use crate::model::question::condition::{Condition, ConditionTest};
use crate::model::question::constraint::Requirement;
use crate::model::questionnaire::Questionnaire;
use crate::pattern::budget;
use crate::problem::{Problem, ProblemCode};
use crate::rules::question_places::QuestionPlaces;
use crate::rules::validator;
use std::hash::Hash;

impl Questionnaire {
    /// Returns its problems as a request, each with its path in the canonical form.
    pub fn problems(&self) -> Vec<Problem> {
        let questions = &self.questions;
        let mut validator = QuestionnaireValidator {
            questionnaire: self,
            places: QuestionPlaces::new(self),
            by_id: first_indices(questions, |question| &question.id),
            depths: Vec::with_capacity(questions.len()),
            options: IdMap::default(),
            seen_options: IdSet::default(),
            sections: first_indices(&self.sections, |section| &section.id),
            previous_section: None,
            pattern_count: 0,
            problems: Vec::new(),
        };
        if let Some(problem) = Problem::too_many(questions.len(), limits::QUESTIONS, Message::ManyQuestions) {
            validator.problems.push(problem.at(DocumentPath::root().join("questions")));
        }
        if let Some(problem) = Problem::too_many(self.sections.len(), limits::SECTIONS, Message::ManySections)
        {
            validator.problems.push(problem.at(DocumentPath::root().join("sections")));
            return validator.problems;
        }
        validator.check_sections();
        for (index, question) in questions.iter().enumerate().take(limits::QUESTIONS) {
            validator.check_question(index, question);
            // A request with that many problems is fixed in more than one round.
            if validator.problems.len() > limits::PROBLEMS {
                break;
            }
        }
        validator.problems
    }
}

struct QuestionnaireValidator<'q> {
    questionnaire: &'q Questionnaire,
    places: QuestionPlaces<'q>,
    /// Index of the first question with each id.
    by_id: IdMap<&'q QuestionId, usize>,
    /// Nesting depth of each question checked so far.
    depths: Vec<usize>,
    /// Option ids of the choices that conditions depend on.
    options: IdMap<usize, IdSet<&'q str>>,
    /// Option ids of the question at hand.
    seen_options: IdSet<&'q OptionId>,
    /// Index of the first section with each id.
    sections: IdMap<&'q SectionId, usize>,
    /// The index of the section of the previous question.
    previous_section: Option<usize>,
    /// Number of patterns so far.
    pattern_count: usize,
    problems: Vec<Problem>,
}

impl<'q> QuestionnaireValidator<'q> {
    fn check_sections(&mut self) {
        let sections = &self.questionnaire.sections;
        let has_conditions = sections.iter().any(|section| section.show_if.is_some());
        let firsts = if has_conditions { self.first_questions() } else { Vec::new() };
        for (index, section) in sections.iter().enumerate() {
            let place = |member: &str| DocumentPath::root().join("sections").join(index).join(member);
            let first_with_id = self.sections.get(&section.id).copied().unwrap_or(index);
            if first_with_id != index {
                self.problems.push(Problem::duplicate_id(&section.id).at(place("id")));
            }
            if let Some(problem) = Problem::invalid_id(section.id.as_str()) {
                self.problems.push(problem.at(place("id")));
            }
            if let Some(condition) = &section.show_if {
                let first_question = match firsts.get(first_with_id) {
                    Some(Some(first)) => *first,
                    // A condition of a section without questions decides nothing, but its references are checked.
                    _ => self.questionnaire.questions.len(),
                };
                self.check_condition(condition, first_question, Some(&place("show_if")));
            }
        }
    }

    /// Returns the first question in each section.
    fn first_questions(&self) -> Vec<Option<usize>> {
        let mut firsts = vec![None; self.questionnaire.sections.len()];
        for (index, question) in self.questionnaire.questions.iter().enumerate() {
            if let Some(id) = &question.section
                && let Some(at) = self.sections.get(id)
                && let Some(first) = firsts.get_mut(*at)
            {
                first.get_or_insert(index);
            }
        }
        firsts
    }

    fn check_question(&mut self, index: usize, question: &'q Question) {
        if self.by_id.get(&question.id) != Some(&index) {
            self.problems.push(Problem::duplicate_id(&question.id).at(self.places.at(index).join("id")));
        }
        if let Some(problem) = Problem::invalid_id(question.id.as_str()) {
            self.problems.push(problem.at(self.places.at(index).join("id")));
        }
        self.check_position(index, question);
        let problems = question.kind.behavior().problems(&mut self.seen_options);
        for problem in problems {
            let place = self.places.at(index).join_all(&problem.path);
            self.problems.push(problem.at(place));
        }
        let count = question.constraints.len();
        if let Some(problem) = Problem::too_many(count, limits::CONSTRAINTS, Message::ManyConstraints) {
            self.problems.push(problem.at(self.places.at(index).join("constraints")));
        }
        for (at, constraint) in question.constraints.iter().enumerate().take(limits::CONSTRAINTS) {
            for demand in constraint.requirements() {
                if matches!(demand, Requirement::Pattern(_)) && !self.may_compile_pattern(index) {
                    continue;
                }
                if let Some(problem) = demand.problem(&question.kind) {
                    let place = self.places.at(index).join("constraints").join(at).join(demand.name());
                    self.problems.push(problem.at(place));
                }
            }
        }
        if let Some(prefill) = &question.prefill {
            for problem in validator::kind_problems(question, &self.questionnaire.rules, prefill) {
                self.problems.push(problem.at(self.places.at(index).join("prefill")));
            }
        }
        if let Some(condition) = &question.show_if {
            self.check_condition(condition, index, None);
        }
    }

    /// Returns true if one more pattern may be compiled, since each costs time and memory. Reports once if there are
    /// too many, and stops after many rejected ones.
    fn may_compile_pattern(&mut self, index: usize) -> bool {
        self.pattern_count += 1;
        if self.pattern_count == budget::PATTERNS + 1
            && let Some(problem) =
                Problem::too_many(self.pattern_count, budget::PATTERNS, Message::ManyPatterns)
        {
            self.problems.push(problem.at(self.places.at(index).join("constraints")));
        }
        let bad_patterns = self.problems.iter().filter(|problem| problem.code == ProblemCode::BadPattern);
        self.pattern_count <= budget::PATTERNS
            && bad_patterns.take(budget::BAD_PATTERNS).count() < budget::BAD_PATTERNS
    }

    /// Checks the position of a question: in its section, and after its parent with only siblings in between.
    fn check_position(&mut self, index: usize, question: &Question) {
        let section = match &question.section {
            Some(id) => self.sections.get(id).copied(),
            None => None,
        };
        let previous_section = std::mem::replace(&mut self.previous_section, section);
        let has_sections = !self.questionnaire.sections.is_empty();
        let is_in_order = index == 0 || previous_section <= section;
        let is_sectioned_right = if has_sections { section.is_some() } else { question.section.is_none() };
        let depth = match &question.parent {
            _ if !is_in_order || !is_sectioned_right => None,
            None => Some(0),
            Some(parent) if index > 0 && previous_section == section => self.child_depth(index, parent),
            Some(_) => None,
        };
        let Some(depth) = depth else {
            self.depths.push(0);
            let problem = Problem::new(ProblemCode::InvalidValue, Message::OutOfPlace.with([&question.id]));
            return self.problems.push(problem.at(self.places.at(index)));
        };
        self.depths.push(depth);
        if depth > limits::NESTING {
            let problem = Problem::new(ProblemCode::TooDeep, Message::NestedTooDeep.with([limits::NESTING]));
            self.problems.push(problem.at(self.places.at(index)));
        }
    }

    /// Returns the nesting depth of a question below this parent; `None` if the parent does not enclose it.
    fn child_depth(&self, index: usize, parent: &QuestionId) -> Option<usize> {
        let parent_depth = self.depths.get(self.enclosing_parent(index, parent)?)?;
        Some(parent_depth + 1)
    }

    /// Returns the index of a question's parent: the previous question, or one that encloses that.
    fn enclosing_parent(&self, index: usize, parent: &QuestionId) -> Option<usize> {
        let mut at = index.checked_sub(1)?;
        loop {
            let question = self.questionnaire.questions.get(at)?;
            if question.id == *parent {
                return Some(at);
            }
            let above = *self.by_id.get(question.parent.as_ref()?)?;
            // A parent that comes later is reported at its child, and encloses nothing.
            if above >= at {
                return None;
            }
            at = above;
        }
    }

    /// Checks a condition of what begins at this question: it may refer to earlier questions only. `place` is its
    /// path, if it is not part of the question itself.
    fn check_condition(&mut self, condition: &'q Condition, index: usize, place: Option<&DocumentPath>) {
        // A questionnaire with that many problems is fixed in more than one round.
        if self.problems.len() > limits::PROBLEMS {
            return;
        }
        if let Some(problem) = size_problem(condition) {
            let place = self.condition_path(index, place);
            return self.problems.push(problem.at(place));
        }
        let mut problems = Vec::new();
        condition.visit_tests(&mut 0, &mut |number, test| {
            if let Some((member, problem)) = self.test_problem(test, index) {
                problems.push((number, member, problem));
            }
        });
        if problems.is_empty() {
            return;
        }
        let mut places = Vec::new();
        condition.collect_test_paths(&self.condition_path(index, place), &mut places);
        for (number, member, problem) in problems {
            if let Some(place) = places.get(number) {
                self.problems.push(problem.at(place.join(member)));
            }
        }
    }

    fn condition_path(&self, index: usize, place: Option<&DocumentPath>) -> DocumentPath {
        match place {
            Some(place) => place.clone(),
            None => self.places.at(index).join("show_if"),
        }
    }

    /// Returns the problem of a test, and the member that has it.
    fn test_problem(&mut self, test: &'q ConditionTest, index: usize) -> Option<(&'static str, Problem)> {
        let Some(at) = self.by_id.get(&test.question).copied() else {
            return Some(("question", self.unknown_question_problem(&test.question, index)));
        };
        if at >= index {
            let message = Message::ConditionLooksAhead.with([&test.question]);
            return Some(("question", Problem::new(ProblemCode::BadCondition, message)));
        }
        let question = self.questionnaire.questions.get(at)?;
        let problem = self.check_problem(test, at, question)?;
        Some((test.check.name(), problem))
    }

    fn check_problem(&mut self, test: &ConditionTest, at: usize, question: &'q Question) -> Option<Problem> {
        let rules = &self.questionnaire.rules;
        let Some(choice) = question.choice() else { return test.check.problem(question, rules, &|_| false) };
        let ids = self.options.entry(at).or_insert_with(|| option_ids(choice));
        test.check.problem(question, rules, &|id| ids.contains(id))
    }

    fn unknown_question_problem(&self, id: &QuestionId, index: usize) -> Problem {
        let problem = Problem::new(ProblemCode::NoSuchQuestion, Message::NoSuchQuestion.with([id]));
        let earlier_ids =
            self.questionnaire.questions.iter().take(index).map(|question| question.id.as_str());
        match spelling::nearest_word(id.as_str(), earlier_ids) {
            Some(nearest) => problem.with_hint(Message::DidYouMean.with([foreign(nearest)])),
            None => problem,
        }
    }
}

/// Returns the problem of a condition with more tests or values than allowed.
fn size_problem(condition: &Condition) -> Option<Problem> {
    let problem = Problem::too_many(condition.node_count(), limits::CONDITION_NODES, Message::ManyTests);
    if problem.is_some() {
        return problem;
    }
    Problem::too_many(condition.value_count(), limits::CONDITION_VALUES, Message::ManyValues)
}

/// Returns the index of the first item with each id.
fn first_indices<T, I: Eq + Hash>(items: &[T], id: fn(&T) -> &I) -> IdMap<&I, usize> {
    items.iter().enumerate().rev().map(|(at, item)| (id(item), at)).collect()
}

fn option_ids(choice: &ChoiceQuestion) -> IdSet<&str> {
    choice.options.iter().map(|option| option.id.as_str()).collect()
}
