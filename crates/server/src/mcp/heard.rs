//! Effect of a host's reply to a form. A host that answers faster than a person can read can't ask one: its reply is
//! ignored.

use super::asks::Asks;
use super::form;
use super::handler::Object;
use super::refusal::Refusal;
use rmcp::model::{ElicitResult, ElicitationAction};
use sayso_core::problem::Step;
use sayso_core::sheet::answer_place;
use sayso_core::who::{Assurance, Surface};
use sayso_core::{
    Ask, Code, Command, Lang, Message, Path, Person, Problem, Question, Questionnaire, Who, display,
};
use sayso_dialects::{Dialect, Given};
use serde_json::{Value, json};
use std::time::Duration;

/// Least time that a person needs to read a form and answer it.
const A_PERSONS_TIME: Duration = Duration::from_secs(1);

/// Effect of a reply to a form.
#[derive(Debug)]
pub(super) enum Heard {
    /// The ask has its outcome.
    Settled(Box<Ask>),
    /// The input is invalid, for these reasons.
    Again(Vec<String>),
    /// A person dismissed the form. The question stays open.
    Dismissed,
    /// The host cannot ask a person.
    CannotAsk,
}

impl Asks {
    /// Applies the reply of a host, which took this long.
    ///
    /// # Errors
    /// Fails if the desk can't be read or written.
    pub(super) fn hear(&self, ask: &Ask, reply: ElicitResult, took: Duration) -> Result<Heard, Refusal> {
        let is_quick = took < A_PERSONS_TIME;
        let shown = ask.request.digest;
        let command = match reply.action {
            ElicitationAction::Accept if is_quick && !self.setup.scripted => return Ok(Heard::CannotAsk),
            ElicitationAction::Accept => {
                let Some(Value::Object(content)) = reply.content else { return Ok(Heard::CannotAsk) };
                let questionnaire = &ask.request.questionnaire;
                match filled_in(questionnaire, &content).said(questionnaire).map_err(|problem| problem.causes)
                {
                    Ok((replies, _)) => Command::Submit { replies, as_sent: None, shown },
                    Err(problems) => return Ok(again(questionnaire, &problems)),
                }
            }
            _ if is_quick => return Ok(Heard::CannotAsk),
            ElicitationAction::Decline => Command::Decline { reason: None, shown },
            _ => return Ok(Heard::Dismissed),
        };
        let assurance = if is_quick { Assurance::Scripted } else { Assurance::Relayed };
        let who = Person { name: self.setup.person.clone(), surface: Surface::Dialog, assurance };
        match self.setup.desk.act(&Who::Person(who), ask.id, None, command) {
            Ok(ask) => Ok(Heard::Settled(Box::new(ask))),
            Err(problem) if problem.code == Code::InvalidAnswers => {
                Ok(again(&ask.request.questionnaire, &problem.causes))
            }
            Err(problem) => {
                let now = self.setup.desk.get(ask.id)?;
                if now.outcome().is_some() { Ok(Heard::Settled(Box::new(now))) } else { Err(problem.into()) }
            }
        }
    }
}

/// Reads the input. Each answer is read by itself, so that one that can't be read doesn't hide the problems of the
/// others.
fn filled_in(questionnaire: &Questionnaire, content: &Object) -> Given {
    let mut filled = Given::default();
    for (id, answer) in form::answers(questionnaire, content) {
        let text = json!({ "answers": { id.as_str(): answer } }).to_string();
        match Dialect::Sayso.read_answers(questionnaire, &text) {
            Ok(given) => filled.replies.extend(given.replies),
            Err(problems) => {
                filled.problems.extend(problems.into_iter().map(|problem| problem.at(answer_place(&id))));
            }
        }
    }
    filled
}

/// Returns the problems with the question of each: a form has several, and its host knows only the fields.
fn again(questionnaire: &Questionnaire, problems: &[Problem]) -> Heard {
    let line = |problem: &Problem| {
        let said = problem.message.render(Lang::En);
        let said = match asked(questionnaire, &problem.path) {
            Some((at, question)) => {
                let words = [(at + 1).to_string(), form::title(question), said];
                Message::WrongAtQuestion.with(words).render(Lang::En)
            }
            None => said,
        };
        // The asker's own message may be among them.
        format!("- {}", display::line(&said))
    };
    Heard::Again(problems.iter().map(line).collect())
}

/// Returns the question that a path refers to, with its index.
fn asked<'q>(questionnaire: &'q Questionnaire, path: &Path) -> Option<(usize, &'q Question)> {
    let [_, Step::Key(id), ..] = path.0.as_slice() else { return None };
    questionnaire.questions.iter().enumerate().find(|(_, question)| question.id.as_str() == id)
}
