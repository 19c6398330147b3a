//! Request and response bodies, as JSON.

use super::http::garbled;
use super::told;
use crate::draft::{Draft, DraftRev, Saved};
use crate::process;
use crate::query::{Page, Place};
use crate::watch::{Changed, Cursor};
use sayso_core::ask::{Feedback, Presence};
use sayso_core::lifecycle::Event;
use sayso_core::row::Row;
use sayso_core::who::{Assurance, Process, Surface};
use sayso_core::wire::{self, json};
use sayso_core::{Ask, AskId, Command, Digest, Late, NewAsk, Person, Problem, QuestionId, Replies, Reply};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// Answering person, surface and assurance. Only callers that vouch for people send the name.
#[derive(Serialize)]
pub(super) struct By<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'p str>,
    surface: Surface,
    assurance: Assurance,
}

impl<'p> By<'p> {
    pub(super) fn of(person: &'p Person, is_named: bool) -> Self {
        let name = is_named.then_some(person.name.as_str());
        Self { name, surface: person.surface, assurance: person.assurance }
    }
}

#[derive(Serialize)]
struct From<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'a str>,
}

#[derive(Serialize)]
struct Open<'a> {
    dialect: &'a str,
    questionnaire: &'a RawValue,
    from: From<'a>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    judged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<i64>,
    /// Sent always: without it, the dialect's default would apply.
    waiting: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<Process>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    random_id: bool,
}

/// Writes the body of a new ask; callers that vouch for askers name the account.
pub(super) fn open(new: &NewAsk, names_account: bool) -> String {
    let questionnaire = new.questionnaire.canonical().json;
    let asker = &new.asker;
    json::write(&Open {
        dialect: &new.dialect,
        questionnaire: &questionnaire,
        from: From {
            name: &asker.name,
            folder: asker.folder.as_deref(),
            session: asker.session.as_deref(),
            account: asker.account.as_deref().filter(|_| names_account),
        },
        judged: new.judged,
        timeout_ms: new.time_limit_ms,
        waiting: new.waits || new.process.is_some(),
        process: new.process.map(process::abroad),
        random_id: new.random_id,
    })
}

#[derive(Serialize)]
#[serde(untagged)]
enum Act<'a> {
    Answer {
        shown: Digest,
        replies: &'a Replies,
        #[serde(skip_serializing_if = "Option::is_none")]
        as_sent: Option<&'a Value>,
    },
    Decline {
        shown: Digest,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    },
    Accept {
        round: u32,
        accept: bool,
    },
    Reprompt {
        round: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        summary: Option<&'a str>,
        errors: Vec<ErrorAt<'a>>,
    },
    Attach {
        #[serde(skip_serializing_if = "Option::is_none")]
        process: Option<Process>,
    },
    Nothing {},
}

#[derive(Serialize)]
struct ErrorAt<'a> {
    question: &'a QuestionId,
    message: &'a str,
}

/// Command, with the person if a person gives it.
#[derive(Serialize)]
struct Acted<'a> {
    #[serde(flatten)]
    act: Act<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<By<'a>>,
}

/// Returns the last path segment of a command, and its body. `None` for commands that no client sends: only the desk
/// itself runs what is due, and an offer carries its rendering.
pub(super) fn act(command: &Command, by: Option<By<'_>>) -> Option<(&'static str, String)> {
    let (name, act) = match command {
        Command::See => ("see", Act::Nothing {}),
        Command::Submit { replies, as_sent, shown } => {
            ("answer", Act::Answer { shown: *shown, replies, as_sent: as_sent.as_ref() })
        }
        Command::Decline { reason, shown } => {
            ("decline", Act::Decline { shown: *shown, reason: reason.as_deref() })
        }
        Command::Cancel => ("cancel", Act::Nothing {}),
        Command::Accept { round } => ("verdict", Act::Accept { round: *round, accept: true }),
        Command::Reprompt { round, feedback } => ("verdict", reprompt(*round, feedback)),
        Command::Attach { process } => ("attach", Act::Attach { process: process.map(process::abroad) }),
        Command::Detach => ("detach", Act::Nothing {}),
        Command::Ack => ("ack", Act::Nothing {}),
        Command::Offer | Command::Tick | Command::ClockSet { .. } => return None,
    };
    let is_by_a_person = matches!(command, Command::See | Command::Submit { .. } | Command::Decline { .. });
    Some((name, json::write(&Acted { act, by: by.filter(|_| is_by_a_person) })))
}

fn reprompt(round: u32, feedback: &Feedback) -> Act<'_> {
    let error = |(question, message)| ErrorAt { question, message };
    let errors = feedback.errors.iter().map(|(question, message)| (question, message.as_str())).map(error);
    Act::Reprompt { round, summary: feedback.summary.as_deref(), errors: errors.collect() }
}

#[derive(Serialize)]
struct Save<'a> {
    replies: BTreeMap<&'a QuestionId, &'a Reply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<u64>,
    by: By<'a>,
}

/// Writes the body of a draft save; without a base if a header has it.
pub(super) fn save(replies: &[(QuestionId, Reply)], base: Option<DraftRev>, by: By<'_>) -> String {
    let replies = replies.iter().map(|(question, reply)| (question, reply)).collect();
    json::write(&Save { replies, base: base.map(|rev| rev.0), by })
}

/// Reads an ask. Processes of this machine lose their machine id.
///
/// # Errors
/// If the text is not an ask.
pub(super) fn ask(text: &str, is_desk_here: bool) -> Result<Ask, Problem> {
    let mut ask = wire::ask::read(text).map_err(|problem| garbled(&problem))?;
    at_home(&mut ask.state.presence, is_desk_here);
    Ok(ask)
}

fn at_home(presence: &mut Presence, is_desk_here: bool) {
    if let Presence::Attached { process } = presence {
        *process = process.and_then(|process| process::at_home(process, is_desk_here));
    }
}

fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| garbled(&error))
}

#[derive(Deserialize)]
struct Asks {
    asks: Vec<Row>,
    next: Option<String>,
    #[serde(default)]
    unindexed: u64,
}

/// Reads a page of a list.
///
/// # Errors
/// If the text is not a page.
pub(super) fn page(text: &str, is_desk_here: bool) -> Result<Page, Problem> {
    let Asks { asks: mut rows, next, unindexed } = read(text)?;
    for row in &mut rows {
        row.process = row.process.and_then(|process| process::at_home(process, is_desk_here));
    }
    Ok(Page { rows, next: next.as_deref().and_then(Place::parse), unindexed })
}

#[derive(Deserialize)]
struct DraftDocument {
    rev: u64,
    #[serde(default)]
    replies: Replies,
    #[serde(default)]
    scripted: BTreeSet<QuestionId>,
}

/// Reads a draft.
///
/// # Errors
/// If the text is not a draft.
pub(super) fn draft(text: &str) -> Result<Draft, Problem> {
    let DraftDocument { rev, replies, scripted } = read(text)?;
    Ok(Draft { replies, scripted, rev: DraftRev(rev) })
}

#[derive(Deserialize)]
struct LateDocument {
    #[serde(default)]
    late: Vec<Late>,
}

/// Reads the late submissions of an ask.
///
/// # Errors
/// If the text does not have them.
pub(super) fn late(text: &str) -> Result<Vec<Late>, Problem> {
    read::<LateDocument>(text).map(|document| document.late)
}

#[derive(Deserialize)]
struct SavedDocument {
    rev: u64,
    #[serde(default)]
    problems: Vec<Value>,
    #[serde(default)]
    overwritten: Vec<QuestionId>,
}

/// Reads the result of a save.
///
/// # Errors
/// If the text does not have it.
pub(super) fn saved(text: &str) -> Result<Saved, Problem> {
    let SavedDocument { rev, problems, overwritten } = read(text)?;
    let problems = problems.iter().filter_map(told::problem).collect();
    Ok(Saved { rev: DraftRev(rev), problems, overwritten })
}

#[derive(Deserialize)]
struct Named {
    ask: AskId,
}

/// Reads the id of an ask.
///
/// # Errors
/// If there is none.
pub(super) fn named(text: &str) -> Result<AskId, Problem> {
    read::<Named>(text).map(|named| named.ask)
}

#[derive(Deserialize)]
struct ChangeDocument {
    ask: AskId,
    events: Vec<Event>,
}

/// Reads a change.
///
/// # Errors
/// If the text is not a change.
pub(super) fn change(cursor: Cursor, text: &str, is_desk_here: bool) -> Result<Changed, Problem> {
    let ChangeDocument { ask: id, mut events } = read(text)?;
    for event in &mut events {
        if let Event::Opened { presence, .. } | Event::Presence { presence } = event {
            at_home(presence, is_desk_here);
        }
    }
    Ok(Changed { cursor, id, account: None, events })
}

/// Account of a token, and the server's version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Me {
    /// Account name.
    pub account: String,
    /// Role of the token.
    pub role: String,
    /// Version of the server program.
    pub version: String,
}

/// Reads the account of a token.
///
/// # Errors
/// If the text does not have it.
pub(super) fn me(text: &str) -> Result<Me, Problem> {
    read(text)
}
