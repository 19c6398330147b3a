//! A prepared questionnaire: an index of its questions by id, and the dependencies between them.
//!
//! **Invariant:** a question depends on earlier questions only, so one pass forward decides which are asked.

use crate::answer::Answer;
use crate::condition::{Check, Condition, Given};
use crate::id::{QuestionId, SectionId};
use crate::question::{Kind, Opt, Question};
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use crate::value::Value;
use std::sync::{Arc, OnceLock};

/// Up to this many questions, a linear search is faster than the index.
const FEW: usize = 8;

/// A prepared questionnaire. Build it once for many sheets.
#[derive(Debug)]
pub struct Form {
    questionnaire: Arc<Questionnaire>,
    /// Indices of the questions, sorted by their ids; built on first use.
    by_id: OnceLock<Vec<usize>>,
    /// `None` if every question is asked unconditionally.
    gates: Option<Gates>,
}

#[derive(Debug)]
struct Gates {
    gates: Vec<Gate>,
    /// The dependent questions, grouped by the question that they depend on.
    dependents: Vec<usize>,
    /// End of the group of each question in `dependents`.
    ends: Vec<usize>,
}

impl Gates {
    /// Builds the graph from the gates and the dependencies: pairs of a question and one that depends on it, in the
    /// order of the dependents.
    fn of(gates: Vec<Gate>, looks: &[(usize, usize)]) -> Self {
        let mut ends = vec![0; gates.len()];
        for (seen, _) in looks {
            ends.get_mut(*seen).into_iter().for_each(|count| *count += 1);
        }
        let mut end = 0;
        for count in &mut ends {
            (*count, end) = (end, end + *count);
        }
        // The start of each group becomes its end.
        let mut dependents = vec![0; looks.len()];
        for (seen, at) in looks {
            let Some(next) = ends.get_mut(*seen) else { continue };
            dependents.get_mut(*next).into_iter().for_each(|dependent| *dependent = *at);
            *next += 1;
        }
        Self { gates, dependents, ends }
    }

    fn dependents(&self, at: usize) -> &[usize] {
        let end_of = |at: usize| self.ends.get(at).copied();
        let range = at.checked_sub(1).map_or(Some(0), end_of).zip(end_of(at));
        range.and_then(|(start, end)| self.dependents.get(start..end)).unwrap_or_default()
    }
}

/// Conditions under which one question is asked.
#[derive(Debug, Default)]
struct Gate {
    parent: Option<usize>,
    section: Option<Arc<Node>>,
    own: Option<Node>,
}

impl Gate {
    /// Returns true if its parent, if it has one, lets it be asked. Without a condition of its own, the parent must
    /// have an answer.
    fn parent_allows(&self, answers: &impl Answers) -> bool {
        let allows =
            |parent| answers.is_asked(parent) && (self.own.is_some() || answers.value(parent).is_some());
        self.parent.is_none_or(allows)
    }

    fn conditions(&self) -> impl Iterator<Item = &Node> {
        self.section.iter().map(AsRef::as_ref).chain(&self.own)
    }
}

/// A condition with the indices of its questions.
#[derive(Debug)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Test {
        at: usize,
        check: Check,
        /// The index of the option, if being the only pick fulfils the test: most conditions are of this kind.
        option: Option<usize>,
    },
    /// It names no earlier question, which makes the questionnaire invalid.
    Never,
}

/// The answers so far that count.
pub(crate) trait Answers {
    /// Returns true if the question is asked.
    fn is_asked(&self, at: usize) -> bool;

    /// Returns the index of the option that is its answer, if that is exactly one option.
    fn picked(&self, at: usize) -> Option<usize>;

    /// Returns its answer, if it is asked and has one that is not blank.
    fn value(&self, at: usize) -> Option<&Answer>;

    /// Returns the same answer, as conditions compare it.
    fn given(&self, at: usize) -> Option<Given<'_>>;
}

impl Form {
    /// Prepares a questionnaire.
    pub fn new(questionnaire: Arc<Questionnaire>) -> Self {
        let mut form = Self { questionnaire, by_id: OnceLock::new(), gates: None };
        form.gates = form.questionnaire.is_conditional().then(|| form.gates());
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
    pub fn index(&self, id: &str) -> Option<usize> {
        let questions = self.questions();
        if questions.len() <= FEW {
            return questions.iter().position(|question| question.id.as_str() == id);
        }
        let id_at = |at: &usize| questions.get(*at).map(|question| question.id.as_str());
        let sorted = self.by_id.get_or_init(|| {
            let mut places: Vec<usize> = (0..questions.len()).collect();
            places.sort_by_key(id_at);
            places
        });
        let found = sorted.binary_search_by(|at| id_at(at).cmp(&Some(id))).ok()?;
        sorted.get(found).copied()
    }

    /// Returns the index of the question with this id; checks `guess` first.
    pub(crate) fn index_near(&self, guess: usize, id: &str) -> Option<usize> {
        let is_there = self.questions().get(guess).is_some_and(|question| question.id.as_str() == id);
        if is_there { Some(guess) } else { self.index(id) }
    }

    /// Returns the questions that depend on a question, in order.
    pub(crate) fn dependents(&self, at: usize) -> &[usize] {
        self.gates.as_ref().map_or(&[], |gates| gates.dependents(at))
    }

    /// Returns true if a question is asked, given the answers to earlier ones.
    pub(crate) fn asks(&self, at: usize, answers: &impl Answers) -> bool {
        let Some(gate) = self.gates.as_ref().and_then(|gates| gates.gates.get(at)) else { return true };
        let rules = &self.questionnaire.rules;
        gate.parent_allows(answers)
            && gate.conditions().all(|condition| self.holds(condition, rules, answers))
    }

    /// Returns the index of the question that decided that one is not asked.
    pub(crate) fn decided_by(&self, at: usize, answers: &impl Answers) -> Option<usize> {
        let gate = self.gates.as_ref()?.gates.get(at)?;
        if !gate.parent_allows(answers) {
            return gate.parent;
        }
        let rules = &self.questionnaire.rules;
        let failing = gate.conditions().find(|condition| !self.holds(condition, rules, answers))?;
        self.blame(failing, rules, answers)
    }

    fn holds(&self, node: &Node, rules: &Rules, answers: &impl Answers) -> bool {
        match node {
            Node::All(parts) => parts.iter().all(|part| self.holds(part, rules, answers)),
            Node::Any(parts) => parts.iter().any(|part| self.holds(part, rules, answers)),
            Node::Not(part) => !self.holds(part, rules, answers),
            Node::Never => false,
            Node::Test { at, check, option } => match (option, answers.picked(*at)) {
                (Some(option), Some(picked)) => picked == *option,
                _ => {
                    let question = self.questions().get(*at);
                    question.is_some_and(|question| check.holds(question, rules, answers.given(*at)))
                }
            },
        }
    }

    /// Returns the question that makes a condition fail: of several parts that must all hold, in the first that does
    /// not.
    fn blame(&self, node: &Node, rules: &Rules, answers: &impl Answers) -> Option<usize> {
        match node {
            Node::All(parts) => {
                let failing = parts.iter().find(|part| !self.holds(part, rules, answers))?;
                self.blame(failing, rules, answers)
            }
            node => node.first(),
        }
    }

    fn gates(&self) -> Gates {
        let questions = self.questions();
        let mut gates = Vec::with_capacity(questions.len());
        let mut looks = Vec::with_capacity(questions.len());
        let mut section: (Option<&SectionId>, Option<Arc<Node>>) = (None, None);
        let mut looks_at = Vec::new();
        // A follow-up question usually comes soon after its parent, next to others of the same parent.
        let mut near = 0;
        for (at, question) in questions.iter().enumerate() {
            if question.section.as_ref() != section.0 {
                let named = question.section.as_ref().and_then(|id| self.questionnaire.section(id));
                let condition = named.and_then(|section| section.show_if.as_ref());
                let node = condition.map(|condition| Arc::new(self.node(condition, at, &mut near)));
                section = (question.section.as_ref(), node);
            }
            let parent = question.parent.as_ref().and_then(|parent| self.earlier(parent, at, &mut near));
            let own = question.show_if.as_ref().map(|condition| self.node(condition, at, &mut near));
            looks_at.clear();
            looks_at.extend(parent);
            own.iter().chain(section.1.as_deref()).for_each(|node| node.collect(&mut looks_at));
            looks_at.sort_unstable();
            looks_at.dedup();
            looks.extend(looks_at.iter().map(|seen| (*seen, at)));
            gates.push(Gate { parent, section: section.1.clone(), own });
        }
        Gates::of(gates, &looks)
    }

    fn earlier(&self, id: &QuestionId, before: usize, near: &mut usize) -> Option<usize> {
        let just_before = before.checked_sub(1).and_then(|at| self.questions().get(at));
        let at = if just_before.is_some_and(|question| question.id == *id) {
            before.checked_sub(1)?
        } else {
            self.index_near(*near, id.as_str())?
        };
        *near = at;
        (at < before).then_some(at)
    }

    /// Returns the option that a check compares with, if it checks nothing else.
    fn option(&self, at: usize, check: &Check) -> Option<usize> {
        match check {
            Check::Is(Value::Text(id)) => {
                option_place(self.questions().get(at)?, |option| option.id.as_str() == &**id)
            }
            _ => None,
        }
    }

    fn node(&self, condition: &Condition, before: usize, near: &mut usize) -> Node {
        let mut nodes =
            |parts: &[Condition]| parts.iter().map(|part| self.node(part, before, near)).collect();
        match condition {
            Condition::All(parts) => Node::All(nodes(parts)),
            Condition::Any(parts) => Node::Any(nodes(parts)),
            Condition::Not(part) => Node::Not(Box::new(self.node(part, before, near))),
            Condition::Test(test) => match self.earlier(&test.question, before, near) {
                Some(at) => {
                    Node::Test { at, check: test.check.clone(), option: self.option(at, &test.check) }
                }
                None => Node::Never,
            },
        }
    }
}

/// Returns the index of the first option of a question that satisfies `is_it`.
pub(crate) fn option_place(question: &Question, is_it: impl Fn(&Opt) -> bool) -> Option<usize> {
    match &question.kind {
        Kind::Choice(choice) => choice.options.iter().position(is_it),
        _ => None,
    }
}

impl Node {
    fn collect(&self, places: &mut Vec<usize>) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.collect(places)),
            Self::Not(part) => part.collect(places),
            Self::Test { at, .. } => places.push(*at),
            Self::Never => {}
        }
    }

    /// Returns the first question that it depends on.
    fn first(&self) -> Option<usize> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().find_map(Self::first),
            Self::Not(part) => part.first(),
            Self::Test { at, .. } => Some(*at),
            Self::Never => None,
        }
    }
}
