//! Asks of hosts' hooks.

use super::*;
use crate::hook_asks::cancel_hook_asks;
use crate::query::AskQuery;
use sayso_core::limits;
use sayso_core::model::ask::AskRequest;

pub(super) fn every_page_of_hook_asks_is_cancelled(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = |at: usize| {
        let new = NewAsk { dialect: AskRequest::HOOK_DIALECT.to_owned(), ..new_ask(&format!("call {at}")) };
        desk.open(None, new).unwrap().ask().id
    };
    let ids: Vec<_> = (0..=limits::LIST_ROWS).map(ask).collect();
    let other = open(&*desk, "no hook");
    let first = *ids.first().unwrap();
    cancel_hook_asks(&*desk, CancelReason::SessionEnded, |ask| ask.id != first).unwrap();
    let left: Vec<_> = desk.list(&AskQuery::default()).unwrap().rows.iter().map(|row| row.id).collect();
    assert_eq!(left, [first, other.id]);
}
