//! After a storm: everything that was acknowledged is at the desk, and each ask has one outcome at most.

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use sayso_core::lifecycle::{self, AskEvent};
use sayso_core::model::ask::AskPhase;
use sayso_core::{Answer, Ask, AskId, Outcome, QuestionId, Replies};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use sayso_desk::{AskQuery, Desk as _, LocalDesk};

use super::commands::questions;
use super::ledger::{Door, End, Note, Typed};
use super::stage::Stage;

/// So many asks are asked again, and so many outcomes fetched again, by the program itself.
const ASKED_AGAIN: usize = 8;

/// Holds the desk against the ledger.
pub(super) fn examine(stage: &Stage, notes: &[Note]) -> anyhow::Result<()> {
    let desk = stage.desk()?;
    let rows = rows_by_title(&desk)?;
    for note in notes {
        let rows = rows.get(&note.key).map(Vec::as_slice).unwrap_or_default();
        one(&desk, note, rows).with_context(|| format!("{note:?}"))?;
    }
    drop(desk);
    again(stage, notes)
}

fn rows_by_title(desk: &LocalDesk) -> anyhow::Result<BTreeMap<String, Vec<AskSummary>>> {
    let mut rows: BTreeMap<String, Vec<AskSummary>> = BTreeMap::new();
    let mut query = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
    loop {
        let page = desk.list(&query)?;
        for row in page.rows {
            rows.entry(row.title.clone()).or_default().push(row);
        }
        query.after = page.next;
        if query.after.is_none() {
            return Ok(rows);
        }
    }
}

/// Holds one ask against its note.
fn one(desk: &LocalDesk, note: &Note, rows: &[AskSummary]) -> anyhow::Result<()> {
    ensure!(rows.len() <= 1, "{} asks with one key", rows.len());
    let Some(row) = rows.first() else {
        ensure!(note.id.is_none() && note.ends.is_empty(), "the ask is gone");
        return Ok(());
    };
    if let Some(id) = &note.id {
        ensure!(row.id.to_string() == *id, "the ask that was acknowledged is not the one that is there");
    }
    let ask = desk.get(row.id)?;
    has_one_history(desk, &ask)?;
    let draft = desk.draft(ask.id)?;
    lines_are_kept(&note.typed, &draft.replies)?;
    for end in &note.ends {
        ended_so(&ask, note, end)?;
    }
    let late = desk.late_submissions(ask.id)?;
    for text in &note.late {
        let is_there = late.iter().any(|late| {
            late.reason.as_ref() == Some(text) || text_of(&late.replies, "say") == Some(text.as_str())
        });
        ensure!(is_there, "what came too late and was said to be kept is gone: {text}");
    }
    ensure!(note.given.is_empty() || ask.outcome().is_some(), "an outcome was given that is not there");
    for given in note.given.values() {
        ensure!(given.contains(outcome_text(&ask)), "another outcome was given: {given}");
    }
    ensure!(!note.is_delivered || ask.is_delivered(), "the delivery is forgotten");
    Ok(())
}

/// The state is what its log says, and the log has one end at most, in time.
fn has_one_history(desk: &LocalDesk, ask: &Ask) -> anyhow::Result<()> {
    let log = desk.history(ask.id)?;
    let replayed = lifecycle::replay(log.iter().map(|(at, events)| (*at, events.as_slice())));
    ensure!(replayed.as_ref() == Some(&ask.state), "the log says {replayed:?}, the state {:?}", ask.state);
    let events = log.iter().flat_map(|(_, events)| events);
    let ends = events.filter(|event| matches!(event, AskEvent::Settled { .. })).count();
    ensure!(ends == usize::from(ask.outcome().is_some()), "{ends} outcomes");
    if let (Some(deadline), Some(receipt)) = (ask.state.deadline, ask.outcome().and_then(Outcome::receipt)) {
        ensure!(receipt.at < deadline, "answered at {} after the deadline {deadline}", receipt.at);
    }
    Ok(())
}

/// Returns the reply of a person to a question.
fn text_of<'r>(replies: &'r Replies, question: &str) -> Option<&'r str> {
    match replies.get(&QuestionId::new(question)).and_then(|reply| reply.answer()) {
        Some(Answer::Text(text)) => Some(text),
        _ => None,
    }
}

/// At each question stands the last line that was acknowledged, or one that was typed since.
fn lines_are_kept(typed: &[Typed], replies: &Replies) -> anyhow::Result<()> {
    for question in ["say", "more"] {
        let lines: Vec<_> = typed.iter().filter(|line| line.question == question).collect();
        let Some(last) = lines.iter().rposition(|line| line.acknowledged) else { continue };
        let kept = text_of(replies, question);
        let fits = lines.iter().skip(last).any(|line| {
            // One that was killed in the midst of a word has saved the beginning.
            kept.is_some_and(|kept| kept == line.text || (!line.acknowledged && line.text.starts_with(kept)))
        });
        ensure!(fits, "the line at `{question}` is lost: there stands {kept:?}");
    }
    Ok(())
}

fn ended_so(ask: &Ask, note: &Note, end: &End) -> anyhow::Result<()> {
    match (end, &ask.state.phase) {
        (End::Answered(text), AskPhase::Settled(Outcome::Answered { replies, .. }))
            if text_of(replies, "say") == Some(text) => {}
        (End::Sent(lines), AskPhase::Settled(Outcome::Answered { replies, .. })) => {
            lines_are_kept(note.typed.get(..*lines).unwrap_or_default(), replies)?;
        }
        (End::Declined(text), AskPhase::Settled(Outcome::Declined { reason, .. }))
            if reason.as_ref() == Some(text) => {}
        (End::Cancelled, AskPhase::Settled(Outcome::Cancelled { .. })) => {}
        (end, phase) => bail!("somebody was told {end:?}, and at the desk stands {phase:?}"),
    }
    Ok(())
}

/// Words that every form of an outcome contains.
fn outcome_text(ask: &Ask) -> &str {
    match ask.outcome() {
        Some(Outcome::Answered { replies, .. }) => text_of(replies, "say").unwrap_or_default(),
        Some(Outcome::Declined { reason, .. }) => reason.as_deref().unwrap_or_default(),
        Some(outcome @ (Outcome::Cancelled { .. } | Outcome::Expired { .. })) => outcome.kind(),
        None => "",
    }
}

/// Life goes on: the same key finds the same ask, and an outcome comes again, the same.
fn again(stage: &Stage, notes: &[Note]) -> anyhow::Result<()> {
    let of_commands = notes.iter().rev().filter(|note| note.door == Door::Command);
    for note in of_commands.filter(|note| note.id.is_some()).take(ASKED_AGAIN) {
        let request = questions(&note.key).to_string();
        let mut words = vec!["ask", "--no-wait", "--dialect", "sayso", "--key", &note.key, &request];
        words.extend(note.limit.iter().flat_map(|limit| ["--timeout", limit]));
        let output = stage.sayso(&words).output()?;
        let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        ensure!(Some(&said) == note.id.as_ref(), "{note:?} asked again is {said}: {output:?}");
    }
    let desk = stage.desk()?;
    let given = notes.iter().rev().filter_map(|note| Some((note.id.as_ref()?, note.given.get("command")?)));
    for (id, said) in given.take(ASKED_AGAIN) {
        let output = stage.sayso(&["wait", id]).output()?;
        ensure!(output.stdout.trim_ascii_end() == said.as_bytes(), "{id} came otherwise: {output:?}");
        let id = AskId::parse(id).context("no id")?;
        ensure!(desk.get(id)?.is_delivered(), "{id} was given and not delivered");
    }
    Ok(())
}
