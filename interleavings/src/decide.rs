//! Effect of a transaction on the store: core decides, as at a real desk, unless a bug is planted.

use crate::plant::Plant;
use crate::store::{Content, Done, Record, Store, asker, moment};
use sayso_core::{Actor, AskId, LateSubmission, QuestionId, Reply};
use sayso_core::{
    AskCommand, AskTransition,
    lifecycle::{self, AskEvent},
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Puts a change of an ask into the content, with the draft that comes with it.
fn put(work: &mut Content, at: usize, change: AskTransition, now: i64) {
    if let Some(record) = work.records.get_mut(at).filter(|_| !change.events.is_empty()) {
        let record = Arc::make_mut(record);
        if let Some(submitted) = change.draft {
            record.rev += 1;
            for (question, reply) in submitted.replies.into_iter().filter(|(_, reply)| reply.has_input()) {
                record.draft.insert(question, (reply, record.rev));
            }
            record.log.push((moment(now), vec![AskEvent::Drafted { rev: record.rev }]));
        }
        record.ask = change.ask;
        record.log.push((moment(now), change.events));
        work.changes.push(at);
    }
}

pub(crate) fn open(
    store: &Store,
    work: &mut Content,
    key: Option<u8>,
    early: Option<&Content>,
    now: i64,
) -> Done {
    let looked_at = |plant| early.filter(|_| store.has(plant));
    let found = match key {
        Some(key) => looked_at(Plant::KeyBeforeLock).unwrap_or(work).keys.get(&key).copied(),
        None => {
            let content = looked_at(Plant::ContentBeforeLock).unwrap_or(work);
            let any = store.has(Plant::DeliveredIsFound);
            content.records.iter().rposition(|record| any || record.ask.is_live())
        }
    };
    let who = Actor::Asker(asker());
    if let Some(at) = found {
        let Some(record) = work.records.get(at) else { return Done::Saved };
        let is_due = record.ask.is_due(moment(now));
        let (who, command) = if is_due {
            (Actor::Desk, AskCommand::Tick)
        } else {
            (who, AskCommand::Attach { process: None })
        };
        return match lifecycle::apply_command(&record.ask, &who, command, moment(now)) {
            Ok(change) => {
                put(work, at, change, now);
                Done::Ask { at, is_new: false }
            }
            Err(problem) => Done::Refused(problem),
        };
    }
    let at = work.records.len();
    let id = AskId::new(uuid::Uuid::from_u128(at as u128 + 1));
    match lifecycle::open_ask_with_digest(id, store.new_ask(), store.digest, moment(now)) {
        Ok(AskTransition { ask, events, .. }) => {
            let log = vec![(moment(now), events)];
            let (draft, late) = (BTreeMap::new(), Vec::new());
            work.records.push(Arc::new(Record { ask, draft, rev: 0, late, rendering: None, log }));
            work.changes.push(at);
            if let Some(key) = key.filter(|_| !store.has(Plant::KeyApart)) {
                work.keys.insert(key, at);
            }
            Done::Ask { at, is_new: true }
        }
        Err(problem) => Done::Refused(problem),
    }
}

pub(crate) fn act(
    store: &Store,
    work: &mut Content,
    at: usize,
    who: &Actor,
    command: &AskCommand,
    early: Option<&(Content, i64)>,
    now: i64,
) -> Done {
    let Some(record) = work.records.get_mut(at).map(Arc::make_mut) else { return Done::Saved };
    let mut ask = record.ask.clone();
    let mut time = now;
    let mut command = command.clone();
    match (store.plant, &mut command) {
        (Some(Plant::LastWins), AskCommand::Submit { .. }) => {
            if let Some((_, events)) = record.log.first()
                && let Some(state) = lifecycle::replay([(moment(now), events.as_slice())])
            {
                ask.state.phase = state.phase;
            }
        }
        (Some(Plant::DeadlineIgnored), AskCommand::Submit { .. } | AskCommand::Decline { .. }) => {
            ask.state.deadline = None;
        }
        (Some(Plant::DueSeenBefore), AskCommand::Tick) => {
            if let Some(seen) = early.and_then(|(content, _)| content.records.get(at)) {
                ask = seen.ask.clone();
            }
        }
        (Some(Plant::TooEarly), AskCommand::Tick) => time += 15,
        (Some(Plant::AnyRound), AskCommand::Accept { round }) => {
            if let sayso_core::model::ask::AskPhase::Submitted { round: at, .. } = &ask.state.phase {
                *round = *at;
            }
        }
        _ => {}
    }
    match lifecycle::apply_command(&ask, who, command.clone(), moment(time)) {
        Ok(mut change) => {
            change.draft = change.draft.filter(|_| !store.has(Plant::SubmitNotDrafted));
            put(work, at, change, now);
            Done::Ask { at, is_new: false }
        }
        Err(problem) => {
            let is_late = record.ask.open_round(moment(now)).is_err();
            let late = LateSubmission::from_command(who, &command, moment(now))
                .filter(|_| is_late && !store.has(Plant::LateNotKept));
            record.late.extend(late);
            if store.has(Plant::DraftCleared) && matches!(command, AskCommand::Submit { .. }) {
                record.draft.clear();
            }
            Done::Refused(problem)
        }
    }
}

pub(crate) fn offer(store: &Store, work: &mut Content, at: usize, now: i64) -> Done {
    let Some(record) = work.records.get_mut(at).map(Arc::make_mut) else { return Done::Saved };
    // Each rendering would be another one, if it were made anew.
    let fresh = format!("{:?} at {now}", record.ask.outcome().map(sayso_core::Outcome::kind));
    if store.has(Plant::RenderedAnew) {
        record.rendering = None;
    }
    let rendering = record.rendering.get_or_insert(fresh).clone();
    match lifecycle::apply_command(&record.ask, &Actor::Asker(asker()), AskCommand::Offer, moment(now)) {
        Ok(change) => {
            put(work, at, change, now);
            Done::Rendered(rendering)
        }
        Err(problem) => Done::Refused(problem),
    }
}

pub(crate) fn save(
    store: &Store,
    work: &mut Content,
    at: usize,
    line: &(QuestionId, Reply),
    unless_since: Option<u64>,
    now: i64,
) -> Done {
    let Some(record) = work.records.get_mut(at).map(Arc::make_mut) else { return Done::Saved };
    let unless_since = unless_since.filter(|_| !store.has(Plant::RefusedOverTyped));
    if let (Some(base), Some((_, rev))) = (unless_since, record.draft.get(&line.0))
        && *rev > base
    {
        return Done::Changed;
    }
    record.rev += 1;
    if store.has(Plant::DraftReplaced) {
        record.draft.clear();
    }
    record.draft.insert(line.0.clone(), (line.1.clone(), record.rev));
    record.log.push((moment(now), vec![AskEvent::Drafted { rev: record.rev }]));
    work.changes.push(at);
    Done::Saved
}
