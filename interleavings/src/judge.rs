//! Holds each history against what must never be: a second outcome, a lost line, an answer out of time, a delivery that
//! nobody got.

use crate::store::{Content, Job, Record, moment};
use sayso_core::model::ask::AskPhase;
use sayso_core::{
    AskCommand,
    lifecycle::{self, AskEvent},
};
use sayso_core::{Outcome, QuestionId, Replies, Reply};
use std::collections::BTreeMap;

/// Time at which a transaction had the lock, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    pub(crate) since: i64,
    pub(crate) until: i64,
}

/// Acknowledged results, and the faults that were found.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    pub(crate) wrong: Option<String>,
    opened: Vec<usize>,
    keys: BTreeMap<u8, usize>,
    acted: Vec<u8>,
    lines: Vec<(usize, QuestionId, Reply)>,
    answered: Vec<(usize, Replies)>,
    ended: Vec<usize>,
    late: Vec<(usize, Replies)>,
    printed: BTreeMap<usize, String>,
    delivered: Vec<usize>,
}

impl Judge {
    /// Something is wrong.
    pub(crate) fn blame(&mut self, what: impl FnOnce() -> String) {
        if self.wrong.is_none() {
            self.wrong = Some(what());
        }
    }

    fn must(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.blame(what);
        }
    }

    /// Somebody was told the ask that a key, or none, means.
    pub(crate) fn opened(&mut self, at: usize, key: Option<u8>) {
        self.opened.push(at);
        if let Some(key) = key {
            let first = *self.keys.entry(key).or_insert(at);
            self.must(first == at, || format!("a key means the asks {first} and {at}"));
        }
    }

    pub(crate) fn saved(&mut self, at: usize, question: QuestionId, reply: Reply) {
        self.lines.push((at, question, reply));
    }

    pub(crate) fn answered(&mut self, at: usize, replies: Replies) {
        self.answered.push((at, replies));
    }

    /// Somebody was told that what they did with a key is done.
    pub(crate) fn acted(&mut self, key: u8) {
        self.acted.push(key);
    }

    pub(crate) fn ended(&mut self, at: usize) {
        self.ended.push(at);
    }

    pub(crate) fn came_late(&mut self, at: usize, replies: Replies) {
        self.late.push((at, replies));
    }

    /// An asker has the outcome of an ask in its hands.
    pub(crate) fn printed(&mut self, at: usize, bytes: &str) {
        let first = self.printed.entry(at).or_insert_with(|| bytes.to_owned()).clone();
        self.must(first == bytes, || format!("{at} was given as {first} and as {bytes}"));
    }

    pub(crate) fn delivered(&mut self, at: usize) {
        self.delivered.push(at);
    }

    /// A transaction becomes visible, which had the lock for this time.
    pub(crate) fn on_commit(&mut self, before: &Content, after: &Content, job: &Job, held: Held) {
        self.must(after.changes.len() >= before.changes.len(), || "changes are gone".to_owned());
        for (at, old) in before.records.iter().enumerate() {
            match after.records.get(at) {
                Some(new) if std::sync::Arc::ptr_eq(old, new) => {}
                Some(new) => self.on_change(at, old, new, job, held),
                None => self.blame(|| format!("the ask {at} is gone")),
            }
        }
        if let (Job::Open { key: None }, Some(_)) = (job, after.records.get(before.records.len())) {
            let is_there = before.records.iter().any(|record| record.ask.is_live());
            self.must(!is_there, || "what was there was asked anew".to_owned());
        }
        if let Job::Act { key: Some(key), command, .. } = job {
            let is_repeated = before.acted.contains_key(key);
            self.must(!is_repeated || after.changes.len() == before.changes.len(), || {
                format!("what was repeated with its key was done again: {command:?}")
            });
        }
        self.holds(after);
    }

    fn on_change(&mut self, at: usize, old: &Record, new: &Record, job: &Job, held: Held) {
        if let Some(outcome) = old.ask.outcome() {
            self.must(new.ask.outcome() == Some(outcome), || format!("a second outcome of {at}"));
        } else if let Some(outcome) = new.ask.outcome() {
            self.on_outcome(at, old, outcome, job, held);
        }
        let is_submitted = matches!(new.ask.state.phase, AskPhase::Submitted { .. })
            && matches!(old.ask.state.phase, AskPhase::Open { .. });
        if is_submitted {
            let in_time = old.ask.state.deadline.is_none_or(|deadline| moment(held.since) < deadline);
            self.must(in_time, || format!("{at} was submitted after its deadline"));
            if let Job::Act { command: AskCommand::Submit { replies, .. }, .. } = job {
                let is_drafted = |(question, reply): (&QuestionId, &Reply)| {
                    new.draft.get(question).is_some_and(|(kept, _)| kept == reply)
                };
                self.must(replies.iter().all(is_drafted), || {
                    format!("{at}: the draft is not what was submitted")
                });
            }
        }
        let is_typed = |question: &QuestionId| match job {
            Job::Save { at: saved, line, unless_since: None } => *saved == at && line.0 == *question,
            Job::Act { at: acted, command: AskCommand::Submit { replies, .. }, .. } => {
                *acted == at && is_submitted && replies.contains_key(question)
            }
            _ => false,
        };
        for (question, (reply, _)) in &old.draft {
            let is_same = new.draft.get(question).is_some_and(|(kept, _)| kept == reply);
            self.must(is_same || is_typed(question), || {
                format!("the line at {question:?} of {at} is lost to {job:?}")
            });
        }
        if new.ask.is_delivered() && !old.ask.is_delivered() {
            let is_printed = self.printed.contains_key(&at);
            self.must(is_printed, || format!("{at} counts as delivered, and nobody has it"));
        }
        self.examine_log(at, new);
    }

    /// Checks that the log tells how the ask came to its state, with one outcome at most.
    pub(crate) fn examine_log(&mut self, at: usize, record: &Record) {
        let log = record.log.iter().map(|(time, events)| (*time, events.as_slice()));
        self.must(lifecycle::replay(log).as_ref() == Some(&record.ask.state), || {
            format!("the log of {at} is another")
        });
        let ends = record.log.iter().flat_map(|(_, events)| events);
        let ends = ends.filter(|event| matches!(event, AskEvent::Settled { .. })).count();
        self.must(ends <= 1, || format!("{ends} outcomes in the log of {at}"));
    }

    fn on_outcome(&mut self, at: usize, old: &Record, outcome: &Outcome, job: &Job, held: Held) {
        let deadline = old.ask.state.deadline;
        match (outcome, &old.ask.state.phase) {
            (Outcome::Expired { .. }, AskPhase::Open { .. }) => {
                self.must(deadline.is_some_and(|deadline| moment(held.until) >= deadline), || {
                    format!("{at} expired too early")
                });
            }
            (Outcome::Expired { .. }, _) => self.blame(|| format!("{at} expired with an answer")),
            (Outcome::Answered { .. } | Outcome::Declined { .. }, AskPhase::Open { .. }) => {
                self.must(deadline.is_none_or(|deadline| moment(held.since) < deadline), || {
                    format!("{at}: answered too late")
                });
            }
            (Outcome::Answered { .. }, AskPhase::Submitted { round, .. }) => {
                if let Job::Act { command: AskCommand::Accept { round: judged }, .. } = job {
                    self.must(judged == round, || {
                        format!("{at}: a verdict on {judged} was taken for {round}")
                    });
                }
            }
            _ => {}
        }
    }

    /// Checks that everything acknowledged exists.
    pub(crate) fn holds(&mut self, content: &Content) {
        let record = |at: &usize| content.records.get(*at);
        let outcome = |at: &usize| record(at).and_then(|record| record.ask.outcome());
        let is_said = |(at, replies): &(usize, Replies)| match record(at).map(|record| &record.ask) {
            // A judged answer may be asked for again, and answered otherwise.
            Some(ask) if ask.request.needs_verdict => true,
            Some(ask) => {
                matches!(ask.outcome(), Some(Outcome::Answered { replies: kept, .. }) if includes(kept, replies))
            }
            None => false,
        };
        let wrong = if !self.opened.iter().all(|at| record(at).is_some()) {
            Some("an ask that was acknowledged is gone")
        } else if !self.ended.iter().all(|at| outcome(at).is_some()) {
            Some("an end that was acknowledged is gone")
        } else if !self.answered.iter().all(is_said) {
            Some("an answer that was acknowledged is gone")
        } else if !self
            .lines
            .iter()
            .all(|(at, question, _)| record(at).is_some_and(|record| record.draft.contains_key(question)))
        {
            Some("a line that was acknowledged is gone")
        } else if !self.late.iter().all(|(at, replies)| {
            record(at).is_some_and(|record| record.late.iter().any(|late| late.replies == *replies))
        }) {
            Some("what came too late is gone")
        } else if !self.delivered.iter().all(|at| record(at).is_some_and(|record| record.ask.is_delivered()))
        {
            Some("a delivery that was acknowledged is gone")
        } else if !self.keys.iter().all(|(key, at)| content.keys.get(key) == Some(at)) {
            Some("a key that was acknowledged is gone")
        } else if !self.acted.iter().all(|key| content.acted.contains_key(key)) {
            Some("the key of what was acknowledged is gone")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            self.blame(|| wrong.to_owned());
        }
    }

    /// State after the power cut.
    pub(crate) fn after_power_cut(&mut self, content: &Content) {
        self.holds(content);
        // An outcome offered from records that the cut undid may be offered again from the same replies.
        self.printed
            .retain(|at, _| content.records.get(*at).is_some_and(|record| record.rendering.is_some()));
    }

    /// All is over: nobody who waits sleeps on.
    pub(crate) fn at_end(&mut self, content: &Content, asleep: &[usize]) {
        self.holds(content);
        for at in asleep {
            let is_over = content.records.get(*at).is_some_and(|record| record.ask.outcome().is_some());
            self.must(!is_over, || format!("who waits for {at} was not woken"));
        }
    }
}

fn includes(kept: &Replies, text: &Replies) -> bool {
    text.iter().all(|(question, reply)| kept.get(question) == Some(reply))
}
