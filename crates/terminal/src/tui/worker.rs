//! Worker thread that makes the calls to the desk one after another, so that no key waits for a disk or a network.

use super::effect::{AskListing, CallResult, DeskCall};
use sayso_core::{Actor, AskCommand, AskId, Person, Problem};
use sayso_desk::Desk;
use sayso_desk::{AskQuery, ListScope, query::PageCursor};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The screen's end: sends calls and receives their results. After it is dropped, the other end makes the remaining
/// calls and ends.
#[derive(Debug)]
pub(super) struct DeskWorker {
    calls: Sender<DeskCall>,
    results: Receiver<CallResult>,
}

/// The thread's end, which makes the calls.
#[derive(Debug)]
pub(super) struct CallRunner {
    calls: Receiver<DeskCall>,
    results: Sender<CallResult>,
}

/// Creates both ends.
pub(super) fn spawn_channels() -> (DeskWorker, CallRunner) {
    let (calls, calls_in) = channel();
    let (done, done_out) = channel();
    (DeskWorker { calls, results: done_out }, CallRunner { calls: calls_in, results: done })
}

impl DeskWorker {
    /// Queues a call.
    pub(super) fn send(&self, call: DeskCall) {
        // The other end lives as long as this one; if it panicked, the scope that joins it reports that.
        let _ = self.calls.send(call);
    }

    /// Returns the results since the last call.
    pub(super) fn take_results(&self) -> impl Iterator<Item = CallResult> {
        self.results.try_iter()
    }
}

impl CallRunner {
    /// Makes calls until the channel closes, and rings after each.
    pub(super) fn run(self, desk: &dyn Desk, person: &Person, scope: &ListScope, ring: &dyn Fn()) {
        let mut is_heard = true;
        while let Ok(call) = self.calls.recv() {
            // The screen is gone: only saves and acts still matter.
            if is_heard || matches!(call, DeskCall::Save { .. } | DeskCall::Act { .. }) {
                is_heard &= self.results.send(make_call(call, desk, person, scope)).is_ok();
                ring();
            }
        }
    }
}

/// Makes one call.
pub(super) fn make_call(call: DeskCall, desk: &dyn Desk, person: &Person, scope: &ListScope) -> CallResult {
    let me = || Actor::Person(person.clone());
    let opened = |id: AskId, seen: bool| {
        let ask = if seen { desk.act(&me(), id, None, AskCommand::MarkSeen) } else { desk.get(id) }?;
        Ok((ask, desk.draft(id)?))
    };
    match call {
        DeskCall::List { query, rows } => CallResult::Listed(read_list(desk, scope, &query, rows)),
        DeskCall::ListPending { rows } => {
            let listed = read_list(desk, scope, &AskQuery::default(), rows);
            CallResult::ListedPending(listed.map(|listing| listing.rows))
        }
        DeskCall::Peek(id) => CallResult::Peeked(desk.get(id)),
        DeskCall::MarkSeen(id) => CallResult::Peeked(desk.act(&me(), id, None, AskCommand::MarkSeen)),
        DeskCall::Open(id) => CallResult::Opened(id, opened(id, true)),
        DeskCall::Read(id) => CallResult::Read(id, opened(id, false)),
        DeskCall::Save { id, base, replies } => {
            CallResult::Saved(id, base, desk.save(person, id, base, replies))
        }
        DeskCall::Act { id, key, command } => CallResult::Acted(id, desk.act(&me(), id, Some(&key), command)),
        DeskCall::Tick(id) => CallResult::Ticked(id, desk.act(&Actor::Desk, id, None, AskCommand::Tick)),
    }
}

/// Reads pages of a list until `rows` rows or the end.
pub(crate) fn read_list(
    desk: &dyn Desk,
    scope: &ListScope,
    query: &AskQuery,
    rows: usize,
) -> Result<AskListing, Problem> {
    let (mut all, mut for_others, mut after): (Vec<_>, usize, Option<PageCursor>) = (Vec::new(), 0, None);
    loop {
        let page = scope.filter(desk.list(&AskQuery { after, all: scope.all, ..query.clone() })?);
        all.extend(page.rows);
        for_others += page.for_others;
        match page.next {
            Some(next) if all.len() < rows => after = Some(next),
            next => return Ok(AskListing { rows: all, has_more: next.is_some(), for_others }),
        }
    }
}
