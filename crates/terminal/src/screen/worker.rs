//! Calls to the desk, made one after another on a thread of their own, so that no key waits for a disk or a network.

use super::effect::{Call, Done, Listing};
use sayso_core::{AskId, Command, Person, Problem, Who};
use sayso_desk::Desk;
use sayso_desk::{Query, query::Place};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The end that the screen holds: calls go in, and what became of them comes out. Once it is dropped the other end makes
/// the calls that it has, and ends.
#[derive(Debug)]
pub(super) struct Worker {
    calls: Sender<Call>,
    done: Receiver<Done>,
}

/// The end that makes the calls.
#[derive(Debug)]
pub(super) struct Bench {
    calls: Receiver<Call>,
    done: Sender<Done>,
}

/// Both ends.
pub(super) fn worker() -> (Worker, Bench) {
    let (calls, calls_in) = channel();
    let (done, done_out) = channel();
    (Worker { calls, done: done_out }, Bench { calls: calls_in, done })
}

impl Worker {
    /// Has a call made. After the worker has ended there is nobody left who would want it.
    pub(super) fn call(&self, call: Call) {
        let _ = self.calls.send(call);
    }

    /// What has been done since the last time.
    pub(super) fn done(&self) -> impl Iterator<Item = Done> {
        self.done.try_iter()
    }
}

impl Bench {
    /// Makes calls until there are no more, and rings after each.
    pub(super) fn work(self, desk: &dyn Desk, person: &Person, ring: &dyn Fn()) {
        let mut is_heard = true;
        while let Ok(call) = self.calls.recv() {
            // Nobody reads any more: only what was typed and said still matters.
            if is_heard || matches!(call, Call::Save { .. } | Call::Act { .. }) {
                is_heard &= self.done.send(make(call, desk, person)).is_ok();
                ring();
            }
        }
    }
}

/// Makes one call.
pub(super) fn make(call: Call, desk: &dyn Desk, person: &Person) -> Done {
    let me = || Who::Person(person.clone());
    let opened = |id: AskId, seen: bool| {
        let ask = if seen { desk.act(&me(), id, None, Command::See) } else { desk.get(id) }?;
        Ok((ask, desk.draft(id)?))
    };
    match call {
        Call::List { query, rows } => Done::Listed(listed(desk, &query, rows)),
        Call::ListWaiting { rows } => {
            Done::ListedWaiting(listed(desk, &Query::default(), rows).map(|listing| listing.rows))
        }
        Call::Peek(id) => Done::Peeked(desk.get(id)),
        Call::Open(id) => Done::Opened(id, opened(id, true)),
        Call::Read(id) => Done::Read(id, opened(id, false)),
        Call::Save { id, base, replies } => Done::Saved(id, base, desk.save(person, id, base, replies)),
        Call::Act { id, key, command } => Done::Acted(id, desk.act(&me(), id, Some(&key), command)),
        Call::Tick(id) => Done::Ticked(id, desk.act(&Who::Desk, id, None, Command::Tick)),
    }
}

/// Reads pages of a list, until there are so many rows or no more. While a search indexes, its first page is enough.
fn listed(desk: &dyn Desk, query: &Query, rows: usize) -> Result<Listing, Problem> {
    let (mut all, mut after): (Vec<_>, Option<Place>) = (Vec::new(), None);
    loop {
        let page = desk.list(&Query { after, ..query.clone() })?;
        all.extend(page.rows);
        let unindexed = page.unindexed;
        match page.next {
            Some(next) if all.len() < rows && unindexed == 0 => after = Some(next),
            next => return Ok(Listing { rows: all, more: next.is_some(), unindexed }),
        }
    }
}
