//! A prepared questionnaire: an index of its questions by id, and the dependencies between them.
//!
//! **Invariant:** a question depends on earlier questions only, so one pass forward decides which are asked.

use crate::kinds::Answer;
use crate::kinds::choice::ChoiceOption;
use crate::model::condition::{AnswerCheck, Condition};
use crate::model::id::{IdMap, QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use crate::model::validation_rules::Rules;
use crate::model::value::ComparisonValue;
use crate::rules::condition::ComparedAnswer;
use std::sync::Arc;

/// A prepared questionnaire. Build it once for many sheets.
#[derive(Debug)]
pub struct PreparedQuestionnaire {
    questionnaire: Arc<Questionnaire>,
    /// Index of the first question with each id.
    by_id: IdMap<QuestionId, usize>,
    /// `None` if every question is asked unconditionally.
    dependencies: Option<DependencyGraph>,
}

#[derive(Debug)]
struct DependencyGraph {
    gates: Vec<QuestionGate>,
    /// For each question, the questions that depend on it, in order.
    dependents: Vec<Vec<usize>>,
}

/// Conditions under which one question is asked.
#[derive(Debug, Default)]
struct QuestionGate {
    parent: Option<usize>,
    section: Option<Arc<CompiledCondition>>,
    own: Option<CompiledCondition>,
}

impl QuestionGate {
    /// Returns true if its parent, if it has one, lets it be asked. Without a condition of its own, the parent must
    /// have an answer.
    fn parent_allows(&self, answers: &impl AnswerSource) -> bool {
        let allows =
            |parent| answers.is_asked(parent) && (self.own.is_some() || answers.value(parent).is_some());
        self.parent.is_none_or(allows)
    }

    fn conditions(&self) -> impl Iterator<Item = &CompiledCondition> {
        self.section.iter().map(AsRef::as_ref).chain(&self.own)
    }
}

/// A condition with the indices of its questions.
#[derive(Debug)]
enum CompiledCondition {
    All(Vec<CompiledCondition>),
    Any(Vec<CompiledCondition>),
    Not(Box<CompiledCondition>),
    Test {
        at: usize,
        check: AnswerCheck,
        /// The index of the option, if being the only pick fulfils the test: most conditions are of this kind.
        option: Option<usize>,
    },
    /// It names no earlier question, which makes the questionnaire invalid.
    AlwaysFalse,
}

/// The answers so far that count.
pub(crate) trait AnswerSource {
    /// Returns true if the question is asked.
    fn is_asked(&self, at: usize) -> bool;

    /// Returns the index of the option that is its answer, if that is exactly one option.
    fn picked_option(&self, at: usize) -> Option<usize>;

    /// Returns its answer, if it is asked and has one that is not blank.
    fn value(&self, at: usize) -> Option<&Answer>;

    /// Returns the same answer, as conditions compare it.
    fn compared_answer(&self, at: usize) -> Option<ComparedAnswer<'_>>;
}

impl PreparedQuestionnaire {
    /// Prepares a questionnaire.
    pub fn new(questionnaire: Arc<Questionnaire>) -> Self {
        let questions = questionnaire.questions.iter().enumerate();
        let by_id = questions.rev().map(|(at, question)| (question.id.clone(), at)).collect();
        let mut form = Self { questionnaire, by_id, dependencies: None };
        form.dependencies = form.questionnaire.is_conditional().then(|| form.build_dependencies());
        form
    }

    /// Returns the questionnaire.
    pub fn questionnaire(&self) -> &Arc<Questionnaire> {
        &self.questionnaire
    }

    /// Returns the questions, in order.
    pub fn questions(&self) -> &[Question] {
        &self.questionnaire.questions
    }

    /// Returns the index of the question with this id.
    pub fn index_of(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Returns the index of the question with this id; checks `guess` first.
    pub(crate) fn index_near(&self, guess: usize, id: &str) -> Option<usize> {
        let is_there = self.questions().get(guess).is_some_and(|question| question.id.as_str() == id);
        if is_there { Some(guess) } else { self.index_of(id) }
    }

    /// Returns the questions that depend on a question, in order.
    pub(crate) fn dependents(&self, at: usize) -> &[usize] {
        self.dependencies.as_ref().and_then(|graph| graph.dependents.get(at)).map_or(&[], Vec::as_slice)
    }

    /// Returns true if a question is asked, given the answers to earlier ones.
    pub(crate) fn asks_question(&self, at: usize, answers: &impl AnswerSource) -> bool {
        let Some(gate) = self.dependencies.as_ref().and_then(|gates| gates.gates.get(at)) else {
            return true;
        };
        let rules = &self.questionnaire.rules;
        gate.parent_allows(answers)
            && gate.conditions().all(|condition| self.holds(condition, rules, answers))
    }

    /// Returns the index of the question that decided that one is not asked.
    pub(crate) fn deciding_question(&self, at: usize, answers: &impl AnswerSource) -> Option<usize> {
        let gate = self.dependencies.as_ref()?.gates.get(at)?;
        if !gate.parent_allows(answers) {
            return gate.parent;
        }
        let rules = &self.questionnaire.rules;
        let failing = gate.conditions().find(|condition| !self.holds(condition, rules, answers))?;
        self.failing_question(failing, rules, answers)
    }

    fn holds(&self, node: &CompiledCondition, rules: &Rules, answers: &impl AnswerSource) -> bool {
        match node {
            CompiledCondition::All(parts) => parts.iter().all(|part| self.holds(part, rules, answers)),
            CompiledCondition::Any(parts) => parts.iter().any(|part| self.holds(part, rules, answers)),
            CompiledCondition::Not(part) => !self.holds(part, rules, answers),
            CompiledCondition::AlwaysFalse => false,
            CompiledCondition::Test { at, check, option } => match (option, answers.picked_option(*at)) {
                (Some(option), Some(picked)) => picked == *option,
                _ => {
                    let question = self.questions().get(*at);
                    question
                        .is_some_and(|question| check.holds(question, rules, answers.compared_answer(*at)))
                }
            },
        }
    }

    /// Returns the question that makes a condition fail: of several parts that must all hold, in the first that does
    /// not.
    fn failing_question(
        &self,
        node: &CompiledCondition,
        rules: &Rules,
        answers: &impl AnswerSource,
    ) -> Option<usize> {
        match node {
            CompiledCondition::All(parts) => {
                let failing = parts.iter().find(|part| !self.holds(part, rules, answers))?;
                self.failing_question(failing, rules, answers)
            }
            node => node.first_question(),
        }
    }

    fn build_dependencies(&self) -> DependencyGraph {
        let questions = self.questions();
        let mut gates = Vec::with_capacity(questions.len());
        let mut dependents = vec![Vec::new(); questions.len()];
        let mut section: (Option<&SectionId>, Option<Arc<CompiledCondition>>) = (None, None);
        let mut needed = Vec::new();
        for (at, question) in questions.iter().enumerate() {
            if question.section.as_ref() != section.0 {
                let named = question.section.as_ref().and_then(|id| self.questionnaire.section(id));
                let condition = named.and_then(|section| section.show_if.as_ref());
                let node = condition.map(|condition| Arc::new(self.compile_condition(condition, at)));
                section = (question.section.as_ref(), node);
            }
            let parent = question.parent.as_ref().and_then(|parent| self.find_earlier(parent, at));
            let own = question.show_if.as_ref().map(|condition| self.compile_condition(condition, at));
            needed.extend(parent);
            own.iter().chain(section.1.as_deref()).for_each(|node| node.collect_questions(&mut needed));
            needed.sort_unstable();
            needed.dedup();
            for earlier in needed.drain(..) {
                dependents.get_mut(earlier).into_iter().for_each(|later| later.push(at));
            }
            gates.push(QuestionGate { parent, section: section.1.clone(), own });
        }
        DependencyGraph { gates, dependents }
    }

    fn find_earlier(&self, id: &QuestionId, before: usize) -> Option<usize> {
        self.index_of(id.as_str()).filter(|at| *at < before)
    }

    /// Returns the option that a check compares with, if it checks nothing else.
    fn compared_option(&self, at: usize, check: &AnswerCheck) -> Option<usize> {
        match check {
            AnswerCheck::Is(ComparisonValue::Text(id)) => {
                option_index(self.questions().get(at)?, |option| option.id.as_str() == &**id)
            }
            _ => None,
        }
    }

    fn compile_condition(&self, condition: &Condition, before: usize) -> CompiledCondition {
        let nodes =
            |parts: &[Condition]| parts.iter().map(|part| self.compile_condition(part, before)).collect();
        match condition {
            Condition::All(parts) => CompiledCondition::All(nodes(parts)),
            Condition::Any(parts) => CompiledCondition::Any(nodes(parts)),
            Condition::Not(part) => CompiledCondition::Not(Box::new(self.compile_condition(part, before))),
            Condition::Test(test) => match self.find_earlier(&test.question, before) {
                Some(at) => CompiledCondition::Test {
                    at,
                    check: test.check.clone(),
                    option: self.compared_option(at, &test.check),
                },
                None => CompiledCondition::AlwaysFalse,
            },
        }
    }
}

/// Returns the index of the first option of a question that satisfies `is_it`.
pub(crate) fn option_index(question: &Question, is_it: impl Fn(&ChoiceOption) -> bool) -> Option<usize> {
    question.choice()?.options.iter().position(is_it)
}

impl CompiledCondition {
    fn collect_questions(&self, places: &mut Vec<usize>) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.collect_questions(places));
            }
            Self::Not(part) => part.collect_questions(places),
            Self::Test { at, .. } => places.push(*at),
            Self::AlwaysFalse => {}
        }
    }

    /// Returns the first question that it depends on.
    fn first_question(&self) -> Option<usize> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().find_map(Self::first_question),
            Self::Not(part) => part.first_question(),
            Self::Test { at, .. } => Some(*at),
            Self::AlwaysFalse => None,
        }
    }
}
