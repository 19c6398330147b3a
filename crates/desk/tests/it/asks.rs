//! Asks and answers of the tests.

use sayso_core::lifecycle::Event;
use sayso_core::question::{Kind, Question, TextEntry};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{
    Ask, AskId, Asker, Code, Command, NewAsk, Outcome, Person, Problem, QuestionId, Questionnaire, Reply, Who,
};
use sayso_desk::{Desk, LocalDesk};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn desk(path: &Path) -> LocalDesk {
    LocalDesk::open(path).unwrap()
}

pub(crate) fn asker() -> Asker {
    Asker { name: "painter".to_owned(), ..Asker::default() }
}

/// Returns an ask with one text question.
pub(crate) fn new_ask(title: &str) -> NewAsk {
    let question = Question::new("color", "Which color?", Kind::Text(TextEntry::default()));
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
    Person { name: name.to_owned(), surface: Surface::Prompter, assurance: Assurance::Terminal }
}

pub(crate) fn as_person(name: &str) -> Who {
    Who::Person(person(name))
}

pub(crate) fn as_asker() -> Who {
    Who::Asker(asker())
}

pub(crate) fn reply(text: &str) -> (QuestionId, Reply) {
    (QuestionId::new("color"), Reply::text(text))
}

pub(crate) fn submit(ask: &Ask, text: &str) -> Command {
    Command::Submit { replies: [reply(text)].into(), as_sent: None, shown: ask.request.digest }
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
pub(crate) fn settlements(desk: &LocalDesk, id: AskId) -> usize {
    let log = desk.log(id).unwrap();
    log.iter().flat_map(|(_, events)| events).filter(|event| matches!(event, Event::Settled { .. })).count()
}

/// Retries while the desk is busy, as on a disk that stalls for seconds; a retry is safe.
pub(crate) fn patiently<T>(work: impl Fn() -> Result<T, Problem>) -> Result<T, Problem> {
    let busy = |result: &Result<T, Problem>| matches!(result, Err(problem) if problem.code == Code::DeskBusy);
    std::iter::repeat_with(&work).take(5).find(|result| !busy(result)).unwrap_or_else(&work)
}
