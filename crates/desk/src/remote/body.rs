//! Request and response bodies, as JSON.

use super::error;
use super::http::unreadable_response;
use crate::draft::{Draft, DraftRev, SaveReport};
use crate::process;
use crate::query::{AskPage, PageCursor};
use crate::watch::{AskChange, ChangeCursor};
use jiff::Timestamp;
use sayso_core::AskSummary;
use sayso_core::lifecycle::AskEvent;
use sayso_core::model::actor::{AssuranceLevel, ProcessId, Surface};
use sayso_core::model::ask::{AskerPresence, RoundFeedback};
use sayso_core::model::outcome::{SeenLines, ShownView};
use sayso_core::wire::{self, json};
use sayso_core::{
    Ask, AskCommand, AskId, CancelReason, Digest, LateSubmission, NewAsk, Person, Problem, QuestionId,
    Replies, Reply,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// Answering person, surface and assurance. Only callers that vouch for people send the name.
#[derive(Serialize)]
pub(super) struct PersonBody<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'p str>,
    surface: Surface,
    assurance: AssuranceLevel,
}

impl<'p> PersonBody<'p> {
    pub(super) fn from_person(person: &'p Person, is_named: bool) -> Self {
        let name = if is_named { Some(person.name.as_str()) } else { None };
        Self { name, surface: person.surface, assurance: person.assurance }
    }
}

#[derive(Serialize)]
struct AskerBody<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'a str>,
}

#[derive(Serialize)]
struct OpenBody<'a> {
    dialect: &'a str,
    questionnaire: &'a RawValue,
    from: AskerBody<'a>,
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    audience: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    judged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<i64>,
    /// Sent always: without it, the dialect's default would apply.
    waiting: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<ProcessId>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    random_id: bool,
}

/// Writes the body of a new ask; callers that vouch for askers name the account.
pub(super) fn write_open(new: &NewAsk, names_account: bool) -> String {
    let questionnaire = new.questionnaire.canonical().json;
    let asker = &new.asker;
    let account = if names_account { asker.account.as_deref() } else { None };
    json::write(&OpenBody {
        dialect: &new.dialect,
        questionnaire: &questionnaire,
        from: AskerBody {
            name: &asker.name,
            folder: asker.folder.as_deref(),
            session: asker.session.as_deref(),
            account,
        },
        audience: new.audience.as_ref().map(|audience| audience.names().collect()),
        judged: new.needs_verdict,
        timeout_ms: new.time_limit_ms,
        waiting: new.is_waiting || new.process.is_some(),
        process: new.process.map(process::with_machine_id),
        random_id: new.random_id,
    })
}

#[derive(Serialize)]
#[serde(untagged)]
enum ActionBody<'a> {
    Answer {
        shown: Digest,
        #[serde(skip_serializing_if = "Option::is_none")]
        draft_rev: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seen: Option<SeenLines>,
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
        errors: Vec<QuestionError<'a>>,
    },
    Attach {
        #[serde(skip_serializing_if = "Option::is_none")]
        process: Option<ProcessId>,
    },
    Cancel {
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<CancelReason>,
    },
    Nothing {},
}

#[derive(Serialize)]
struct QuestionError<'a> {
    question: &'a QuestionId,
    message: &'a str,
}

/// Command, with the person if a person gives it.
#[derive(Serialize)]
struct CommandBody<'a> {
    #[serde(flatten)]
    act: ActionBody<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<PersonBody<'a>>,
}

/// Returns the last path segment of a command, and its body. `None` for commands that no client sends: only the desk
/// itself runs what is due, and an offer carries its rendering.
pub(super) fn write_command(
    command: &AskCommand,
    by: Option<PersonBody<'_>>,
) -> Option<(&'static str, String)> {
    let (name, act) = match command {
        AskCommand::MarkSeen => ("see", ActionBody::Nothing {}),
        AskCommand::Submit { replies, as_sent, shown } => {
            let ShownView { digest, draft_rev, seen } = *shown;
            let as_sent = as_sent.as_ref();
            ("answer", ActionBody::Answer { shown: digest, draft_rev, seen, replies, as_sent })
        }
        AskCommand::Decline { reason, shown } => {
            ("decline", ActionBody::Decline { shown: *shown, reason: reason.as_deref() })
        }
        AskCommand::Cancel { reason } => ("cancel", ActionBody::Cancel { reason: *reason }),
        AskCommand::Accept { round } => ("verdict", ActionBody::Accept { round: *round, accept: true }),
        AskCommand::Reprompt { round, feedback } => ("verdict", reprompt(*round, feedback)),
        AskCommand::Attach { process } => {
            ("attach", ActionBody::Attach { process: process.map(process::with_machine_id) })
        }
        AskCommand::Detach => ("detach", ActionBody::Nothing {}),
        AskCommand::Ack => ("ack", ActionBody::Nothing {}),
        AskCommand::Offer | AskCommand::Tick | AskCommand::AdjustClock { .. } => return None,
    };
    let by = match command {
        AskCommand::MarkSeen | AskCommand::Submit { .. } | AskCommand::Decline { .. } => by,
        _ => None,
    };
    Some((name, json::write(&CommandBody { act, by })))
}

fn reprompt(round: u32, feedback: &RoundFeedback) -> ActionBody<'_> {
    let errors = feedback.errors.iter().map(|(question, message)| QuestionError { question, message });
    ActionBody::Reprompt { round, summary: feedback.summary.as_deref(), errors: errors.collect() }
}

#[derive(Serialize)]
struct SaveBody<'a> {
    replies: BTreeMap<&'a QuestionId, &'a Reply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<u64>,
    by: PersonBody<'a>,
}

/// Writes the body of a draft save; without a base if a header has it.
pub(super) fn write_save(
    replies: &[(QuestionId, Reply)],
    base: Option<DraftRev>,
    by: PersonBody<'_>,
) -> String {
    let replies = replies.iter().map(|(question, reply)| (question, reply)).collect();
    json::write(&SaveBody { replies, base: base.map(|rev| rev.0), by })
}

/// Reads an ask. Processes of this machine lose their machine id.
///
/// # Errors
/// If the text is not an ask.
pub(super) fn parse_ask(text: &str, is_desk_here: bool) -> Result<Ask, Problem> {
    let mut ask = wire::ask::read(text).map_err(unreadable_response)?;
    localize_presence(&mut ask.state.presence, is_desk_here);
    Ok(ask)
}

fn localize_presence(presence: &mut AskerPresence, is_desk_here: bool) {
    if let AskerPresence::Attached { process } = presence {
        *process = localize_process(*process, is_desk_here);
    }
}

fn localize_process(process: Option<ProcessId>, is_desk_here: bool) -> Option<ProcessId> {
    process::to_local_process(process?, is_desk_here)
}

fn parse<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(unreadable_response)
}

#[derive(Deserialize)]
struct AskListDocument {
    asks: Vec<AskSummary>,
    next: Option<String>,
}

/// Reads a page of a list.
///
/// # Errors
/// If the text is not a page.
pub(super) fn parse_page(text: &str, is_desk_here: bool) -> Result<AskPage, Problem> {
    let AskListDocument { asks: mut rows, next } = parse(text)?;
    for row in &mut rows {
        row.process = localize_process(row.process, is_desk_here);
    }
    Ok(AskPage { rows, next: next.as_deref().and_then(PageCursor::parse), for_others: 0 })
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
pub(super) fn parse_draft(text: &str) -> Result<Draft, Problem> {
    let DraftDocument { rev, replies, scripted } = parse(text)?;
    Ok(Draft { replies, scripted, rev: DraftRev(rev) })
}

#[derive(Deserialize)]
struct LateDocument {
    #[serde(default)]
    late: Vec<LateSubmission>,
}

/// Reads the late submissions of an ask.
///
/// # Errors
/// If the text does not have them.
pub(super) fn parse_late(text: &str) -> Result<Vec<LateSubmission>, Problem> {
    let LateDocument { late } = parse(text)?;
    Ok(late)
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
pub(super) fn parse_save_report(text: &str) -> Result<SaveReport, Problem> {
    let SavedDocument { rev, problems, overwritten } = parse(text)?;
    let problems = problems.iter().filter_map(error::parse_problem).collect();
    Ok(SaveReport { rev: DraftRev(rev), problems, overwritten })
}

#[derive(Deserialize)]
struct KeyedAskDocument {
    ask: AskId,
}

/// Reads the id of an ask.
///
/// # Errors
/// If there is none.
pub(super) fn parse_ask_id(text: &str) -> Result<AskId, Problem> {
    let KeyedAskDocument { ask } = parse(text)?;
    Ok(ask)
}

#[derive(Deserialize)]
struct ChangeDocument {
    ask: AskId,
    events: Vec<AskEvent>,
}

/// Reads a change.
///
/// # Errors
/// If the text is not a change.
pub(super) fn parse_change(
    cursor: ChangeCursor,
    text: &str,
    is_desk_here: bool,
) -> Result<AskChange, Problem> {
    let ChangeDocument { ask: id, mut events } = parse(text)?;
    for event in &mut events {
        if let AskEvent::Opened { presence, .. } | AskEvent::Presence { presence } = event {
            localize_presence(presence, is_desk_here);
        }
    }
    Ok(AskChange { cursor, id, account: None, audience: None, events })
}

/// Account of a token, and the server's version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AccountInfo {
    /// Account name.
    pub account: String,
    /// Role of the token.
    pub role: String,
    /// Version of the server program.
    pub version: String,
    /// Time at which a person last used the desk. An older server doesn't tell.
    pub person_seen_at: Option<Timestamp>,
    /// Address of a proxy that passed the request on and that the server's operator did not name.
    pub unnamed_proxy: Option<IpAddr>,
}

/// Reads the account of a token.
///
/// # Errors
/// If the text does not have it.
pub(super) fn parse_account_info(text: &str) -> Result<AccountInfo, Problem> {
    parse(text)
}
