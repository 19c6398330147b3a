//! Validation of a questionnaire as a request.

use crate::i18n::spelling;
use crate::i18n::{Message, foreign};
use crate::kinds::choice::ChoiceQuestion;
use crate::limits;
use crate::model::condition::{Condition, ConditionTest};
use crate::model::constraint::Requirement;
use crate::model::document_path::DocumentPath;
use crate::model::id::{IdMap, IdSet, OptionId, QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use crate::pattern::budget;
use crate::problem::{Problem, ProblemCode};
use crate::rules::validator;
use std::hash::Hash;
use std::sync::OnceLock;

impl Questionnaire {
    /// Returns its problems as a request, each with its path in the canonical form.
    pub fn problems(&self) -> Vec<Problem> {
        let questions = &self.questions;
        let mut check = QuestionnaireValidator {
            questionnaire: self,
            question_paths: OnceLock::new(),
            by_id: first_indices(questions, |question| &question.id),
            depths: Vec::with_capacity(questions.len()),
            options: IdMap::default(),
            seen_options: IdSet::default(),
            sections: first_indices(&self.sections, |section| &section.id),
            previous_section: None,
            pattern_count: 0,
            problems: Vec::new(),
        };
        let count = too_many_problem(questions.len(), limits::QUESTIONS, Message::ManyQuestions);
        check.problems.extend(count.map(|problem| problem.at(DocumentPath::root().join("questions"))));
        let count = too_many_problem(self.sections.len(), limits::SECTIONS, Message::ManySections);
        if let Some(problem) = count {
            check.problems.push(problem.at(DocumentPath::root().join("sections")));
            return check.problems;
        }
        check.check_sections();
        for (index, question) in questions.iter().enumerate().take(limits::QUESTIONS) {
            check.check_question(index, question);
            // A request with that many problems is fixed in more than one round.
            if check.problems.len() > limits::PROBLEMS {
                break;
            }
        }
        check.problems
    }
}

struct QuestionnaireValidator<'q> {
    questionnaire: &'q Questionnaire,
    /// Computed only if a problem needs a path.
    question_paths: OnceLock<Vec<DocumentPath>>,
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
    fn question_path(&self, index: usize) -> DocumentPath {
        let places = self.question_paths.get_or_init(|| self.questionnaire.question_paths());
        places.get(index).cloned().unwrap_or_default()
    }

    fn check_sections(&mut self) {
        let sections = &self.questionnaire.sections;
        let has_conditions = sections.iter().any(|section| section.show_if.is_some());
        let firsts = if has_conditions { self.first_questions() } else { Vec::new() };
        for (index, section) in sections.iter().enumerate() {
            let place = |member: &str| DocumentPath::root().join("sections").join(index).join(member);
            let first_like_it = self.sections.get(&section.id).copied();
            if first_like_it != Some(index) {
                self.problems.push(duplicate_id_problem(&section.id).at(place("id")));
            }
            self.problems.extend(id_problem(section.id.as_str()).map(|problem| problem.at(place("id"))));
            if let Some(condition) = &section.show_if {
                // A condition of a section without questions decides nothing, but its references are checked.
                let first = first_like_it.and_then(|at| firsts.get(at).copied().flatten());
                let first = first.unwrap_or(self.questionnaire.questions.len());
                self.check_condition(condition, first, Some(&place("show_if")));
            }
        }
    }

    /// Returns the first question in each section.
    fn first_questions(&self) -> Vec<Option<usize>> {
        let mut firsts = vec![None; self.questionnaire.sections.len()];
        for (index, question) in self.questionnaire.questions.iter().enumerate() {
            let at = question.section.as_ref().and_then(|id| self.sections.get(id));
            if let Some(first) = at.and_then(|at| firsts.get_mut(*at)) {
                first.get_or_insert(index);
            }
        }
        firsts
    }

    fn check_question(&mut self, index: usize, question: &'q Question) {
        if self.by_id.get(&question.id) != Some(&index) {
            self.problems.push(duplicate_id_problem(&question.id).at(self.question_path(index).join("id")));
        }
        if let Some(problem) = id_problem(question.id.as_str()) {
            self.problems.push(problem.at(self.question_path(index).join("id")));
        }
        self.check_position(index, question);
        let problems = question.kind.behavior().problems(&mut self.seen_options);
        for problem in problems {
            let place = self.question_path(index).join_all(&problem.path);
            self.problems.push(problem.at(place));
        }
        let count =
            too_many_problem(question.constraints.len(), limits::CONSTRAINTS, Message::ManyConstraints);
        self.problems.extend(count.map(|problem| problem.at(self.question_path(index).join("constraints"))));
        for (at, constraint) in question.constraints.iter().enumerate().take(limits::CONSTRAINTS) {
            for demand in constraint.requirements() {
                if matches!(demand, Requirement::Pattern(_)) && !self.may_compile_pattern(index) {
                    continue;
                }
                if let Some(problem) = demand.problem(&question.kind) {
                    let place = self.question_path(index).join("constraints").join(at).join(demand.name());
                    self.problems.push(problem.at(place));
                }
            }
        }
        if let Some(prefill) = &question.prefill {
            let wrong = validator::kind_problems(question, &self.questionnaire.rules, prefill);
            let placed = |problem: Problem| problem.at(self.question_path(index).join("prefill"));
            let wrong: Vec<_> = wrong.into_iter().map(placed).collect();
            self.problems.extend(wrong);
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
                too_many_problem(self.pattern_count, budget::PATTERNS, Message::ManyPatterns)
        {
            self.problems.push(problem.at(self.question_path(index).join("constraints")));
        }
        let bad_patterns = self.problems.iter().filter(|problem| problem.code == ProblemCode::BadPattern);
        self.pattern_count <= budget::PATTERNS
            && bad_patterns.take(budget::BAD_PATTERNS).count() < budget::BAD_PATTERNS
    }

    /// Checks the position of a question: in its section, and after its parent with only siblings in between.
    fn check_position(&mut self, index: usize, question: &Question) {
        let before = index.checked_sub(1).and_then(|before| self.questionnaire.questions.get(before));
        let has_sections = !self.questionnaire.sections.is_empty();
        let at = question.section.as_ref().and_then(|id| self.sections.get(id)).copied();
        let at_before = std::mem::replace(&mut self.previous_section, at);
        let in_order = before.is_none() || at_before <= at;
        let parent = question.parent.as_ref().and_then(|parent| self.enclosing_parent(index, parent));
        let depth = match parent {
            None => question.parent.is_none().then_some(0),
            Some(parent) => {
                if before.is_some() && at_before == at {
                    self.depths.get(parent).map(|above| above + 1)
                } else {
                    None
                }
            }
        };
        let is_placed =
            in_order && at.is_some() == has_sections && (has_sections || question.section.is_none());
        let depth = if is_placed { depth } else { None };
        let Some(depth) = depth else {
            self.depths.push(0);
            let problem = Problem::new(ProblemCode::InvalidValue, Message::OutOfPlace.with([&question.id]));
            return self.problems.push(problem.at(self.question_path(index)));
        };
        self.depths.push(depth);
        if depth > limits::NESTING {
            let problem = Problem::new(ProblemCode::TooDeep, Message::NestedTooDeep.with([limits::NESTING]));
            self.problems.push(problem.at(self.question_path(index)));
        }
    }

    /// Returns the index of a question's parent: the previous question, or one that encloses that.
    fn enclosing_parent(&self, index: usize, parent: &QuestionId) -> Option<usize> {
        let mut at = index.checked_sub(1)?;
        loop {
            let question = self.questionnaire.questions.get(at)?;
            if question.id == *parent {
                return Some(at);
            }
            at = self.by_id.get(question.parent.as_ref()?).copied().filter(|above| *above < at)?;
        }
    }

    /// Checks a condition of what begins at this question: it may refer to earlier questions only. `place` is its
    /// path, if it is not part of the question itself.
    fn check_condition(&mut self, condition: &'q Condition, index: usize, place: Option<&DocumentPath>) {
        // A questionnaire with that many problems is fixed in more than one round.
        if self.problems.len() > limits::PROBLEMS {
            return;
        }
        let place =
            |check: &Self| place.cloned().unwrap_or_else(|| check.question_path(index).join("show_if"));
        let counted = [
            (condition.node_count(), limits::CONDITION_NODES, Message::ManyTests),
            (condition.value_count(), limits::CONDITION_VALUES, Message::ManyValues),
        ];
        if let Some(problem) =
            counted.into_iter().find_map(|(count, most, text)| too_many_problem(count, most, text))
        {
            let place = place(self);
            return self.problems.push(problem.at(place));
        }
        let mut problems = Vec::new();
        condition.visit_tests(&mut 0, &mut |number, test| {
            problems.extend(self.test_problem(test, index).map(|problem| (number, problem)));
        });
        if problems.is_empty() {
            return;
        }
        let mut places = Vec::new();
        condition.collect_test_paths(&place(self), &mut places);
        self.problems.extend(
            problems
                .into_iter()
                .filter_map(|(number, (member, problem))| Some(problem.at(places.get(number)?.join(member)))),
        );
    }

    /// Returns the problem of a test, and the member that has it.
    fn test_problem(&mut self, test: &'q ConditionTest, index: usize) -> Option<(&'static str, Problem)> {
        let named = self.by_id.get(&test.question).copied();
        match named.and_then(|at| Some((at, self.questionnaire.questions.get(at)?))) {
            None => Some(("question", self.unknown_question_problem(&test.question, index))),
            Some((at, _)) if at >= index => {
                let message = Message::ConditionLooksAhead.with([&test.question]);
                Some(("question", Problem::new(ProblemCode::BadCondition, message)))
            }
            Some((at, question)) => {
                let problem = self.check_problem(test, at, question)?;
                Some((test.check.name(), problem))
            }
        }
    }

    fn check_problem(&mut self, test: &ConditionTest, at: usize, question: &'q Question) -> Option<Problem> {
        let rules = &self.questionnaire.rules;
        let Some(choice) = question.choice() else { return test.check.problem(question, rules, &|_| false) };
        let ids = self.options.entry(at).or_insert_with(|| option_ids(choice));
        test.check.problem(question, rules, &|id| ids.contains(id))
    }

    fn unknown_question_problem(&self, named: &QuestionId, index: usize) -> Problem {
        let problem = Problem::new(ProblemCode::NoSuchQuestion, Message::NoSuchQuestion.with([named]));
        let earlier = self.questionnaire.questions.iter().take(index).map(|question| question.id.as_str());
        match spelling::nearest_word(named.as_str(), earlier) {
            Some(nearest) => problem.with_hint(Message::DidYouMean.with([foreign(nearest)])),
            None => problem,
        }
    }
}

/// Returns the index of the first item with each id.
fn first_indices<T, I: Eq + Hash>(items: &[T], id: fn(&T) -> &I) -> IdMap<&I, usize> {
    items.iter().enumerate().rev().map(|(at, item)| (id(item), at)).collect()
}

fn option_ids(choice: &ChoiceQuestion) -> IdSet<&str> {
    choice.options.iter().map(|option| option.id.as_str()).collect()
}

pub(crate) fn duplicate_id_problem(id: &impl ToString) -> Problem {
    Problem::new(ProblemCode::DuplicateId, Message::DuplicateId.with([foreign(id.to_string())]))
}

pub(crate) fn id_problem(id: &str) -> Option<Problem> {
    let is_short = !id.is_empty() && id.len() <= limits::ID_CHARS;
    let count = if is_short { 1 } else { id.chars().count() };
    (count == 0 || count > limits::ID_CHARS).then(|| {
        let code = if count == 0 { ProblemCode::TooSmall } else { ProblemCode::TooBig };
        Problem::new(code, Message::IdLength.with([limits::ID_CHARS]))
    })
}

pub(crate) fn too_many_problem(count: usize, most: usize, message: Message) -> Option<Problem> {
    (count > most).then(|| Problem::new(ProblemCode::TooBig, message.with([most, count])))
}
