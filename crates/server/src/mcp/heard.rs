//! What the reply of a host to a form means for the ask. A host that answers faster than a person can read cannot ask one:
//! whatever it says then is nobody's answer.

use super::asks::Asks;
use super::form;
use super::refusal::Refusal;
use rmcp::model::{ElicitResult, ElicitationAction};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{Ask, Code, Command, Lang, Person, Problem, Who};
use sayso_dialects::Dialect;
use serde_json::Value;
use std::time::Duration;

/// Nobody reads a form and answers it in less.
const A_PERSONS_TIME: Duration = Duration::from_secs(1);

/// What came of a form.
#[derive(Debug)]
pub(super) enum Heard {
    /// The ask has its outcome.
    Settled(Box<Ask>),
    /// What was filled in will not do, for these reasons.
    Again(Vec<String>),
    /// A person put the form away. The question stays open.
    Dismissed,
    /// The host cannot ask a person.
    CannotAsk,
}

impl Asks {
    /// Hears the reply of a host that took so long to give it.
    ///
    /// # Errors
    /// When the desk cannot be read or written.
    pub(super) fn hear(&self, ask: &Ask, reply: ElicitResult, took: Duration) -> Result<Heard, Refusal> {
        let is_quick = took < A_PERSONS_TIME;
        let shown = ask.request.digest;
        let command = match reply.action {
            ElicitationAction::Accept if is_quick && !self.setup.scripted => return Ok(Heard::CannotAsk),
            ElicitationAction::Accept => {
                let Some(Value::Object(content)) = reply.content else { return Ok(Heard::CannotAsk) };
                let questionnaire = &ask.request.questionnaire;
                let answers = form::answers(questionnaire, &content);
                let given = Dialect::Sayso.read_answers(questionnaire, &answers);
                match given.and_then(|given| given.said(questionnaire).map_err(|problem| problem.causes)) {
                    Ok((replies, _)) => Command::Submit { replies, as_sent: None, shown },
                    Err(problems) => return Ok(again(&problems)),
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
            Err(problem) if problem.code == Code::InvalidAnswers => Ok(again(&problem.causes)),
            Err(problem) => {
                let now = self.setup.desk.get(ask.id)?;
                if now.outcome().is_some() { Ok(Heard::Settled(Box::new(now))) } else { Err(problem.into()) }
            }
        }
    }
}

fn again(problems: &[Problem]) -> Heard {
    let line = |problem: &Problem| format!("- {}", problem.message.render(Lang::En));
    Heard::Again(problems.iter().map(line).collect())
}
