//! Worker thread that makes the calls to the desk one after another, so that no key waits for a disk or a network.

use super::effect::{AskListing, CallResult, DeskCall};
use sayso_core::{Actor, Ask, AskCommand, Person, Problem};
use sayso_desk::{AskQuery, Desk, Draft, ListScope};
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
    let (call_sender, call_receiver) = channel();
    let (result_sender, result_receiver) = channel();
    let worker = DeskWorker { calls: call_sender, results: result_receiver };
    let runner = CallRunner { calls: call_receiver, results: result_sender };
    (worker, runner)
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
        let mut has_screen = true;
        while let Ok(call) = self.calls.recv() {
            // After the screen is gone, only saves and acts still matter.
            if has_screen || matches!(call, DeskCall::Save { .. } | DeskCall::Act { .. }) {
                has_screen &= self.results.send(make_call(call, desk, person, scope)).is_ok();
                ring();
            }
        }
    }
}

/// Makes one call; the result has its failure.
pub(super) fn make_call(call: DeskCall, desk: &dyn Desk, person: &Person, scope: &ListScope) -> CallResult {
    let actor = Actor::Person(person.clone());
    match call {
        DeskCall::List { query, rows } => CallResult::Listed(read_list(desk, scope, &query, rows)),
        DeskCall::ListPending { rows } => {
            let result = read_list(desk, scope, &AskQuery::default(), rows);
            CallResult::ListedPending(result.map(|listing| listing.rows))
        }
        DeskCall::Peek(id) => CallResult::Peeked(desk.get(id)),
        DeskCall::MarkSeen(id) => CallResult::Peeked(desk.act(&actor, id, None, AskCommand::MarkSeen)),
        DeskCall::Open(id) => {
            let result = desk.act(&actor, id, None, AskCommand::MarkSeen);
            CallResult::Opened(id, result.and_then(|ask| add_draft(desk, ask)))
        }
        DeskCall::Read(id) => CallResult::Read(id, desk.get(id).and_then(|ask| add_draft(desk, ask))),
        DeskCall::Save { id, base, replies } => {
            CallResult::Saved(id, base, desk.save(person, id, base, replies))
        }
        DeskCall::Act { id, key, command } => {
            CallResult::Acted(id, desk.act(&actor, id, Some(&key), command))
        }
        DeskCall::Tick(id) => CallResult::Ticked(id, desk.act(&Actor::Desk, id, None, AskCommand::Tick)),
    }
}

fn add_draft(desk: &dyn Desk, ask: Ask) -> Result<(Ask, Draft), Problem> {
    let draft = desk.draft(ask.id)?;
    Ok((ask, draft))
}

/// Reads pages of a list until `rows` rows or the end.
pub(crate) fn read_list(
    desk: &dyn Desk,
    scope: &ListScope,
    query: &AskQuery,
    rows: usize,
) -> Result<AskListing, Problem> {
    let mut listing = AskListing { rows: Vec::new(), has_more: false, for_others: 0 };
    let mut query = AskQuery { after: None, all: scope.all, ..query.clone() };
    loop {
        let page = scope.filter(desk.list(&query)?);
        listing.rows.extend(page.rows);
        listing.for_others += page.for_others;
        listing.has_more = page.next.is_some();
        if !listing.has_more || listing.rows.len() >= rows {
            return Ok(listing);
        }
        query.after = page.next;
    }
}
