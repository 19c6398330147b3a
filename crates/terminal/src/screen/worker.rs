//! Worker thread that makes the calls to the desk one after another, so that no key waits for a disk or a network.

use super::effect::{Call, Done, Listing};
use sayso_core::{AskId, Command, Person, Problem, Who};
use sayso_desk::Desk;
use sayso_desk::{Query, query::Place};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The screen's end: sends calls and receives their results. After it is dropped, the other end makes the remaining
/// calls and ends.
#[derive(Debug)]
pub(super) struct Worker {
    calls: Sender<Call>,
    done: Receiver<Done>,
}

/// The thread's end, which makes the calls.
#[derive(Debug)]
pub(super) struct Bench {
    calls: Receiver<Call>,
    done: Sender<Done>,
}

/// Creates both ends.
pub(super) fn worker() -> (Worker, Bench) {
    let (calls, calls_in) = channel();
    let (done, done_out) = channel();
    (Worker { calls, done: done_out }, Bench { calls: calls_in, done })
}

impl Worker {
    /// Queues a call. After the worker has ended, no one needs the result.
    pub(super) fn call(&self, call: Call) {
        let _ = self.calls.send(call);
    }

    /// Returns the results since the last call.
    pub(super) fn done(&self) -> impl Iterator<Item = Done> {
        self.done.try_iter()
    }
}

impl Bench {
    /// Makes calls until the channel closes, and rings after each.
    pub(super) fn work(self, desk: &dyn Desk, person: &Person, ring: &dyn Fn()) {
        let mut is_heard = true;
        while let Ok(call) = self.calls.recv() {
            // The screen is gone: only saves and acts still matter.
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

/// Reads pages of a list until `rows` rows or the end. While the search index is being built, its first page is enough.
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
