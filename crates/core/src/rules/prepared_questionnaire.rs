//! A prepared questionnaire: an index of its questions by id, and the dependencies between them.
//!
//! **Invariant:** a question depends on earlier questions only, so one pass forward decides which are asked.

use crate::model::answer::Answer;
use crate::model::id::{IdMap, QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::question::choice::ChoiceOption;
use crate::model::question::condition::{AnswerCheck, Condition};
use crate::model::questionnaire::Questionnaire;
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
        let Some(parent) = self.parent else { return true };
        answers.is_asked(parent) && (self.own.is_some() || answers.value(parent).is_some())
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
    /// Prepares a questionnaire: indexes its questions by id, the first of those with the same id, and compiles its
    /// conditions.
    pub fn new(questionnaire: Arc<Questionnaire>) -> Self {
        let questions = questionnaire.questions.iter().enumerate();
        let by_id = questions.rev().map(|(at, question)| (question.id.clone(), at)).collect();
        let mut form = Self { questionnaire, by_id, dependencies: None };
        if form.questionnaire.is_conditional() {
            form.dependencies = Some(form.build_dependencies());
        }
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
        if let Some(question) = self.questions().get(guess)
            && question.id.as_str() == id
        {
            return Some(guess);
        }
        self.index_of(id)
    }

    /// Returns the questions that depend on a question, in order.
    pub(crate) fn dependents(&self, at: usize) -> &[usize] {
        let Some(graph) = &self.dependencies else { return &[] };
        graph.dependents.get(at).map_or(&[], Vec::as_slice)
    }

    /// Returns true if a question is asked, given the answers to earlier ones.
    pub(crate) fn asks_question(&self, at: usize, answers: &impl AnswerSource) -> bool {
        let Some(graph) = &self.dependencies else { return true };
        let Some(gate) = graph.gates.get(at) else { return true };
        gate.parent_allows(answers) && self.failed_condition(gate, answers).is_none()
    }

    /// Returns the index of the question that decided that one is not asked.
    pub(crate) fn deciding_question(&self, at: usize, answers: &impl AnswerSource) -> Option<usize> {
        let gate = self.dependencies.as_ref()?.gates.get(at)?;
        if !gate.parent_allows(answers) {
            return gate.parent;
        }
        let failed = self.failed_condition(gate, answers)?;
        self.failing_question(failed, answers)
    }

    /// Returns the first condition of a gate that does not hold.
    fn failed_condition<'g>(
        &self,
        gate: &'g QuestionGate,
        answers: &impl AnswerSource,
    ) -> Option<&'g CompiledCondition> {
        gate.conditions().find(|condition| !self.holds(condition, answers))
    }

    fn holds(&self, node: &CompiledCondition, answers: &impl AnswerSource) -> bool {
        match node {
            CompiledCondition::All(parts) => parts.iter().all(|part| self.holds(part, answers)),
            CompiledCondition::Any(parts) => parts.iter().any(|part| self.holds(part, answers)),
            CompiledCondition::Not(part) => !self.holds(part, answers),
            CompiledCondition::AlwaysFalse => false,
            CompiledCondition::Test { at, check, option } => {
                if let Some(option) = option
                    && let Some(picked) = answers.picked_option(*at)
                {
                    return picked == *option;
                }
                match self.questions().get(*at) {
                    Some(question) => {
                        check.holds(question, &self.questionnaire.rules, answers.compared_answer(*at))
                    }
                    None => false,
                }
            }
        }
    }

    /// Returns the question that makes a condition fail: of several parts that must all hold, in the first that does
    /// not.
    fn failing_question(&self, node: &CompiledCondition, answers: &impl AnswerSource) -> Option<usize> {
        match node {
            CompiledCondition::All(parts) => {
                let failed = parts.iter().find(|part| !self.holds(part, answers))?;
                self.failing_question(failed, answers)
            }
            node => node.first_question(),
        }
    }

    fn build_dependencies(&self) -> DependencyGraph {
        let questions = self.questions();
        let mut gates = Vec::with_capacity(questions.len());
        let mut dependents = vec![Vec::new(); questions.len()];
        let mut current_section: Option<&SectionId> = None;
        let mut section_condition: Option<Arc<CompiledCondition>> = None;
        let mut sources = Vec::new();
        for (at, question) in questions.iter().enumerate() {
            if question.section.as_ref() != current_section {
                current_section = question.section.as_ref();
                section_condition = self.compile_section_condition(current_section, at).map(Arc::new);
            }
            let gate = QuestionGate {
                parent: question.parent.as_ref().and_then(|parent| self.find_earlier(parent, at)),
                section: section_condition.clone(),
                own: question.show_if.as_ref().map(|condition| self.compile_condition(condition, at)),
            };
            sources.extend(gate.parent);
            for condition in gate.conditions() {
                condition.collect_questions(&mut sources);
            }
            sources.sort_unstable();
            sources.dedup();
            for source in sources.drain(..) {
                if let Some(dependents) = dependents.get_mut(source) {
                    dependents.push(at);
                }
            }
            gates.push(gate);
        }
        DependencyGraph { gates, dependents }
    }

    fn compile_section_condition(&self, id: Option<&SectionId>, at: usize) -> Option<CompiledCondition> {
        let condition = self.questionnaire.section(id?)?.show_if.as_ref()?;
        Some(self.compile_condition(condition, at))
    }

    /// Returns the index of the question with this id, if it comes before another one.
    fn find_earlier(&self, id: &QuestionId, end: usize) -> Option<usize> {
        let at = self.index_of(id.as_str())?;
        if at < end { Some(at) } else { None }
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

    /// Compiles a condition of the question with this index, which may refer to earlier ones only.
    fn compile_condition(&self, condition: &Condition, index: usize) -> CompiledCondition {
        match condition {
            Condition::All(parts) => CompiledCondition::All(self.compile_conditions(parts, index)),
            Condition::Any(parts) => CompiledCondition::Any(self.compile_conditions(parts, index)),
            Condition::Not(part) => CompiledCondition::Not(Box::new(self.compile_condition(part, index))),
            Condition::Test(test) => match self.find_earlier(&test.question, index) {
                Some(at) => CompiledCondition::Test {
                    at,
                    check: test.check.clone(),
                    option: self.compared_option(at, &test.check),
                },
                None => CompiledCondition::AlwaysFalse,
            },
        }
    }

    fn compile_conditions(&self, parts: &[Condition], index: usize) -> Vec<CompiledCondition> {
        parts.iter().map(|part| self.compile_condition(part, index)).collect()
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
                for part in parts {
                    part.collect_questions(places);
                }
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
