//! After a storm: everything that was acknowledged is at the desk, and each ask has one outcome at most.

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use sayso_core::lifecycle::{self, AskEvent};
use sayso_core::model::ask::AskPhase;
use sayso_core::{Answer, Ask, AskId, Outcome, QuestionId, Replies};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use sayso_desk::{AskQuery, Desk as _, StoreDesk};

use super::commands::questions;
use super::ledger::{AskRecord, Door, ReportedEnd, TypedLine};
use super::stage::Stage;

/// Number of asks that are asked again, and of outcomes that are fetched again.
const ASKED_AGAIN: usize = 8;

/// Compares the desk with the ledger.
pub(super) fn examine(stage: &Stage, records: &[AskRecord]) -> anyhow::Result<()> {
    let desk = stage.desk()?;
    let rows = rows_by_title(&desk)?;
    for record in records {
        let rows = rows.get(&record.key).map(Vec::as_slice).unwrap_or_default();
        check_ask(&desk, record, rows).with_context(|| format!("{record:?}"))?;
    }
    drop(desk);
    ask_again(stage, records)
}

fn rows_by_title(desk: &StoreDesk) -> anyhow::Result<BTreeMap<String, Vec<AskSummary>>> {
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

/// Compares one ask with its record.
fn check_ask(desk: &StoreDesk, record: &AskRecord, rows: &[AskSummary]) -> anyhow::Result<()> {
    ensure!(rows.len() <= 1, "{} asks with one key", rows.len());
    let Some(row) = rows.first() else {
        ensure!(record.id.is_none() && record.ends.is_empty(), "the ask is gone");
        return Ok(());
    };
    if let Some(id) = &record.id {
        ensure!(row.id.to_string() == *id, "the ask that was acknowledged is not the one that is there");
    }
    let ask = desk.get(row.id)?;
    check_history(desk, &ask)?;
    let draft = desk.draft(ask.id)?;
    check_lines(&record.typed, &draft.replies)?;
    for end in &record.ends {
        check_end(&ask, record, end)?;
    }
    let late = desk.late_submissions(ask.id)?;
    for text in &record.late {
        let is_kept = late.iter().any(|late| {
            late.reason.as_ref() == Some(text) || text_of(&late.replies, "say") == Some(text.as_str())
        });
        ensure!(is_kept, "a late submission that was reported as kept is gone: {text}");
    }
    ensure!(record.given.is_empty() || ask.outcome().is_some(), "an outcome was given that is not there");
    for given in record.given.values() {
        ensure!(given.contains(outcome_text(&ask)), "another outcome was given: {given}");
    }
    ensure!(!record.is_delivered || ask.is_delivered(), "the delivery is forgotten");
    Ok(())
}

/// Checks that the state is what the log says, and that the log has one end at most, before the deadline.
fn check_history(desk: &StoreDesk, ask: &Ask) -> anyhow::Result<()> {
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

/// Checks that each question has the last line that was acknowledged, or one that was typed since.
fn check_lines(typed: &[TypedLine], replies: &Replies) -> anyhow::Result<()> {
    for question in ["say", "more"] {
        let lines: Vec<_> = typed.iter().filter(|line| line.question == question).collect();
        let Some(last) = lines.iter().rposition(|line| line.acknowledged) else { continue };
        let kept = text_of(replies, question);
        let fits = lines.iter().skip(last).any(|line| {
            // One that was killed in the midst of a word has saved the beginning.
            kept.is_some_and(|kept| kept == line.text || (!line.acknowledged && line.text.starts_with(kept)))
        });
        ensure!(fits, "the line at `{question}` is lost: its reply is {kept:?}");
    }
    Ok(())
}

fn check_end(ask: &Ask, record: &AskRecord, end: &ReportedEnd) -> anyhow::Result<()> {
    match (end, &ask.state.phase) {
        (ReportedEnd::Answered(text), AskPhase::Settled(Outcome::Answered { replies, .. }))
            if text_of(replies, "say") == Some(text) => {}
        (ReportedEnd::Sent(lines), AskPhase::Settled(Outcome::Answered { replies, .. })) => {
            check_lines(record.typed.get(..*lines).unwrap_or_default(), replies)?;
        }
        (ReportedEnd::Declined(text), AskPhase::Settled(Outcome::Declined { reason, .. }))
            if reason.as_ref() == Some(text) => {}
        (ReportedEnd::Cancelled, AskPhase::Settled(Outcome::Cancelled { .. })) => {}
        (end, phase) => bail!("a program reported {end:?}, and the desk has {phase:?}"),
    }
    Ok(())
}

/// Returns a text that every form of the outcome contains.
fn outcome_text(ask: &Ask) -> &str {
    match ask.outcome() {
        Some(Outcome::Answered { replies, .. }) => text_of(replies, "say").unwrap_or_default(),
        Some(Outcome::Declined { reason, .. }) => reason.as_deref().unwrap_or_default(),
        Some(outcome @ (Outcome::Cancelled { .. } | Outcome::Expired { .. })) => outcome.kind(),
        None => "",
    }
}

/// Checks that the same key finds the same ask, and that the same outcome comes again.
fn ask_again(stage: &Stage, records: &[AskRecord]) -> anyhow::Result<()> {
    let of_commands = records.iter().rev().filter(|record| record.door == Door::Command);
    for record in of_commands.filter(|record| record.id.is_some()).take(ASKED_AGAIN) {
        let request = questions(&record.key).to_string();
        let mut words = vec!["ask", "--no-wait", "--format", "sayso", "--key", &record.key, &request];
        words.extend(record.limit.iter().flat_map(|limit| ["--timeout", limit]));
        let output = stage.sayso(&words).output()?;
        let printed = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        ensure!(Some(&printed) == record.id.as_ref(), "{record:?} asked again is {printed}: {output:?}");
    }
    let desk = stage.desk()?;
    let given =
        records.iter().rev().filter_map(|record| Some((record.id.as_ref()?, record.given.get("command")?)));
    for (id, outcome) in given.take(ASKED_AGAIN) {
        let output = stage.sayso(&["wait", id]).output()?;
        ensure!(output.stdout.trim_ascii_end() == outcome.as_bytes(), "{id} came otherwise: {output:?}");
        let id = AskId::parse(id).context("no id")?;
        ensure!(desk.get(id)?.is_delivered(), "{id} was given and not delivered");
    }
    Ok(())
}
