//! Lookup of asks by short ids.

use super::StoreDesk;
use crate::desk::not_found;
use crate::store::{AskTombstone, IdScope};
use sayso_core::i18n::{foreign, own};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, AskReader, Message, Problem, ProblemCode};

impl StoreDesk {
    pub(super) fn find_in_scope(&self, given: &str, reader: &AskReader) -> Result<AskId, Problem> {
        let mut ids = self.store.find(given, IdScope { pending_only: true, reader })?;
        // A whole id is found whether the ask is pending or not.
        if ids.is_empty() && AskId::parse(given).is_none() {
            ids = self.store.find(given, IdScope { pending_only: false, reader })?;
        }
        match ids.as_slice() {
            [] => Err(self.purged_problem(given, reader)?.unwrap_or_else(|| not_found(given))),
            [one] => Ok(*one),
            several => {
                let candidates: Vec<_> = several.iter().map(ToString::to_string).collect();
                let message = Message::AmbiguousId.with([foreign(given), own(candidates.join(", "))]);
                Err(Problem::new(ProblemCode::AmbiguousId, message))
            }
        }
    }

    /// Returns the problem of an ask that was purged because of its age, to a reader who might see it.
    fn purged_problem(&self, given: &str, reader: &AskReader) -> Result<Option<Problem>, Problem> {
        let Some(id) = AskId::parse(given) else { return Ok(None) };
        let found = self.store.find_tombstone(id)?;
        // A tombstone does not name the account that asked.
        let visible = found.filter(|found| reader.may_see(None, found.audience.as_ref()));
        Ok(visible.map(|AskTombstone { state, at, .. }| {
            let message = match state {
                AskStatus::Answered => Message::AnsweredLongAgo,
                AskStatus::Declined => Message::DeclinedLongAgo,
                AskStatus::Cancelled => Message::CancelledLongAgo,
                AskStatus::Expired | AskStatus::Open | AskStatus::Submitted => Message::ExpiredLongAgo,
            };
            Problem::new(ProblemCode::AskNotFound, message.with([own(id), own(at)]))
        }))
    }
}
