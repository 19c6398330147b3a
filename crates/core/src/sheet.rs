//! A questionnaire with the replies so far: the one engine behind every surface. It says what is wrong, in whose
//! words, and how far along it is; surfaces show it and never decide.

use crate::answer::{Answer, Pick, Replies, Reply};
use crate::id::QuestionId;
use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use crate::question::{Choice, Kind, Question};
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use std::collections::HashSet;
use std::sync::Arc;

/// How far along a sheet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Questions with an answer.
    pub answered: usize,
    /// Questions in all.
    pub total: usize,
}

/// A questionnaire with the replies so far.
#[derive(Debug, Clone)]
pub struct Sheet {
    questionnaire: Arc<Questionnaire>,
    replies: Replies,
}

impl Sheet {
    /// A sheet with these replies. Replies to questions that are not in the questionnaire are left out.
    pub fn new(questionnaire: Arc<Questionnaire>, mut replies: Replies) -> Self {
        replies.retain(|id, _| questionnaire.question(id).is_some());
        Self { questionnaire, replies }
    }

    /// What is asked.
    pub fn questionnaire(&self) -> &Questionnaire {
        &self.questionnaire
    }

    /// The questions to answer, in order.
    pub fn questions(&self) -> &[Question] {
        &self.questionnaire.questions
    }

    /// The replies so far.
    pub fn replies(&self) -> &Replies {
        &self.replies
    }

    /// What stands at a question.
    pub fn reply(&self, id: &QuestionId) -> &Reply {
        self.replies.get(id).unwrap_or(&Reply::Unanswered)
    }

    /// Puts a reply at a question, whatever is wrong with it, and says what is.
    pub fn set(&mut self, id: &QuestionId, reply: Reply) -> Vec<Problem> {
        let Some(question) = self.questionnaire.question(id) else {
            return vec![no_such_question(id)];
        };
        let problems = reply_problems(question, &self.questionnaire.rules, &reply);
        self.replies.insert(id.clone(), reply);
        problems
    }

    /// The first question without an answer or a skip, or with a wrong one.
    pub fn next_open(&self) -> Option<usize> {
        self.questions().iter().position(|question| self.is_open(question))
    }

    /// Whether a question has neither an answer nor a skip, or a wrong answer.
    pub fn is_open(&self, question: &Question) -> bool {
        let reply = self.reply(&question.id);
        *reply == Reply::Unanswered || !reply_problems(question, &self.questionnaire.rules, reply).is_empty()
    }

    /// How far along it is.
    pub fn progress(&self) -> Progress {
        let answered =
            self.questions().iter().filter(|question| self.reply(&question.id).answer().is_some()).count();
        Progress { answered, total: self.questions().len() }
    }

    /// What keeps it from being submitted, in the order of the questions.
    pub fn problems(&self) -> Vec<Problem> {
        let rules = &self.questionnaire.rules;
        let of = |question: &Question| {
            let reply = self.reply(&question.id);
            let mut problems = reply_problems(question, rules, reply);
            if question.required && reply.answer().is_none() {
                problems.push(Problem::new(Code::NeedsAnswer, Message::NeedsAnswer));
            }
            let place = Path::root().then("answers").then(question.id.as_str());
            problems.into_iter().map(move |problem| problem.at(place.clone()))
        };
        self.questions().iter().flat_map(of).collect()
    }

    /// The replies as they are sent: every question has one, typed text is cleaned as the rules say.
    ///
    /// # Errors
    /// One problem that sums up all that keeps it from being submitted.
    pub fn submission(&self) -> Result<Replies, Problem> {
        let problems = self.problems();
        if !problems.is_empty() {
            let count = Message::AnswersNeedAttention.with([problems.len()]);
            return Err(Problem::new(Code::InvalidAnswers, count).because(problems));
        }
        let rules = &self.questionnaire.rules;
        let send = |question: &Question| (question.id.clone(), cleaned(self.reply(&question.id), rules));
        Ok(self.questions().iter().map(send).collect())
    }
}

/// The problem of an answer to a question that is not asked.
pub fn no_such_question(id: &QuestionId) -> Problem {
    let path = Path::root().then("answers").then(id.as_str());
    Problem::new(Code::NoSuchQuestion, Message::NoSuchQuestion.with([id])).at(path)
}

/// What is wrong with a reply in itself, whether or not the question needs one.
pub fn reply_problems(question: &Question, rules: &Rules, reply: &Reply) -> Vec<Problem> {
    let problem = match (&question.kind, reply.answer()) {
        (_, None) => None,
        (Kind::Choice(choice), Some(Answer::Picks(picks))) => return pick_problems(choice, rules, picks),
        (Kind::Text(_), Some(Answer::Text(text))) => text_problem(rules.clean(text)),
        (Kind::Choice(_), Some(Answer::Text(_))) => {
            Some(Problem::new(Code::InvalidType, Message::WantsPicks))
        }
        (Kind::Text(_), Some(Answer::Picks(_))) => Some(Problem::new(Code::InvalidType, Message::WantsText)),
    };
    problem.into_iter().collect()
}

fn text_problem(text: &str) -> Option<Problem> {
    if text.is_empty() {
        return Some(Problem::new(Code::NeedsAnswer, Message::NeedsAnswer));
    }
    (text.len() > limits::TEXT_ANSWER_BYTES).then(|| {
        Problem::new(Code::TooLarge, Message::TextTooLong.with([text.len(), limits::TEXT_ANSWER_BYTES]))
    })
}

fn pick_problems(choice: &Choice, rules: &Rules, picks: &[Pick]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if picks.is_empty() {
        problems.push(Problem::new(Code::NeedsAnswer, Message::NeedsAnswer));
    }
    if picks.len() > 1 && !choice.multi {
        problems.push(Problem::new(Code::TooBig, Message::OnlyOnePick));
    }
    // More than that is no choice any more, whatever the picks are.
    if picks.len() > choice.options.len().max(limits::OPTIONS) + 1 {
        return vec![Problem::new(Code::TooBig, Message::TooManyPicks.with([picks.len()]))];
    }
    let (mut seen, mut others) = (HashSet::new(), 0);
    for pick in picks {
        match pick {
            Pick::Option(id) if choice.option(id).is_none() => {
                problems.push(Problem::new(Code::NoSuchOption, Message::NoSuchOption.with([id])));
            }
            Pick::Option(id) => {
                if !seen.insert(id) && !rules.repeated_picks {
                    problems.push(Problem::new(Code::InvalidValue, Message::PickedTwice));
                }
            }
            Pick::Other(_) if others > 0 => {
                problems.push(Problem::new(Code::InvalidValue, Message::OneOther));
            }
            Pick::Other(_) if !choice.other => {
                problems.push(Problem::new(Code::InvalidValue, Message::NoOther));
            }
            Pick::Other(_) if picks.len() > 1 && rules.other_alone => {
                problems.push(Problem::new(Code::InvalidValue, Message::OtherAlone));
            }
            Pick::Other(text) if rules.clean(text).is_empty() && rules.empty_other => {}
            Pick::Other(text) => problems.extend(text_problem(rules.clean(text))),
        }
        others += usize::from(matches!(pick, Pick::Other(_)));
    }
    problems
}

fn cleaned(reply: &Reply, rules: &Rules) -> Reply {
    match reply.answer() {
        Some(Answer::Text(text)) => Reply::text(rules.clean(text)),
        Some(Answer::Picks(picks)) => Reply::picks(picks.iter().map(|pick| match pick {
            Pick::Option(id) => Pick::Option(id.clone()),
            Pick::Other(text) => Pick::Other(rules.clean(text).to_owned()),
        })),
        None => reply.clone(),
    }
}

#[cfg(test)]
mod tests;
