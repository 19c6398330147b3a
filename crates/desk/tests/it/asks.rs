//! Asks and answers of the tests.

use sayso_core::lifecycle::AskEvent;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Asker, NewAsk, Outcome, Person, Problem, ProblemCode, QuestionId,
    Questionnaire, Reply,
};
use sayso_core::{Question, TextQuestion};
use sayso_desk::{Desk, StoreDesk};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn desk(path: &Path) -> StoreDesk {
    StoreDesk::open(path).unwrap()
}

pub(crate) fn asker() -> Asker {
    Asker { name: "painter".to_owned(), ..Asker::default() }
}

/// Returns an ask with one text question.
pub(crate) fn new_ask(title: &str) -> NewAsk {
    let question = Question::new("color", "Which color?", TextQuestion::default());
    let questionnaire = Questionnaire {
        title: Some(title.to_owned()),
        questions: vec![question],
        ..Questionnaire::default()
    };
    NewAsk::new(Arc::new(questionnaire), "sayso", asker())
}

pub(crate) fn open(desk: &dyn Desk, title: &str) -> Ask {
    desk.open(None, new_ask(title)).unwrap().ask().clone()
}

pub(crate) fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    }
}

pub(crate) fn as_person(name: &str) -> Actor {
    Actor::Person(person(name))
}

pub(crate) fn as_asker() -> Actor {
    Actor::Asker(asker())
}

pub(crate) fn reply(text: &str) -> (QuestionId, Reply) {
    (QuestionId::new("color"), Reply::from_text(text))
}

pub(crate) fn submit(ask: &Ask, text: &str) -> AskCommand {
    AskCommand::Submit { replies: [reply(text)].into(), as_sent: None, shown: ask.request.digest.into() }
}

/// Returns the person who answered, and their reply.
pub(crate) fn answer_of(ask: &Ask) -> Option<(&str, &Reply)> {
    match ask.outcome()? {
        Outcome::Answered { replies, receipt, .. } => {
            Some((receipt.by.as_str(), replies.get(&QuestionId::new("color"))?))
        }
        _ => None,
    }
}

/// Counts the final events in the log of an ask.
pub(crate) fn count_final_events(desk: &StoreDesk, id: AskId) -> usize {
    let log = desk.history(id).unwrap();
    log.iter()
        .flat_map(|(_, events)| events)
        .filter(|event| matches!(event, AskEvent::Settled { .. }))
        .count()
}

/// Retries while the desk is busy, as on a disk that stalls for seconds; a retry is safe.
pub(crate) fn retry_while_busy<T>(work: impl Fn() -> Result<T, Problem>) -> Result<T, Problem> {
    let busy =
        |result: &Result<T, Problem>| matches!(result, Err(problem) if problem.code == ProblemCode::DeskBusy);
    std::iter::repeat_with(&work).take(5).find(|result| !busy(result)).unwrap_or_else(&work)
}
