//! Lookup of asks by short ids.

use super::StoreDesk;
use crate::desk::not_found;
use crate::store::api::{AskTombstone, IdScope};
use sayso_core::i18n::{foreign, own};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, AskReader, Message, Problem, ProblemCode};

impl StoreDesk {
    pub(super) fn find_in_scope(&self, text: &str, reader: &AskReader) -> Result<AskId, Problem> {
        let mut ids = self.store.find(text, IdScope { pending_only: true, reader })?;
        // A whole id is found whether the ask is pending or not.
        if ids.is_empty() && AskId::parse(text).is_none() {
            ids = self.store.find(text, IdScope { pending_only: false, reader })?;
        }
        match ids.as_slice() {
            [] => Err(match self.purged_problem(text, reader)? {
                Some(problem) => problem,
                None => not_found(text),
            }),
            [one] => Ok(*one),
            several => {
                let candidates: Vec<_> = several.iter().map(ToString::to_string).collect();
                let message = Message::AmbiguousId.with([foreign(text), own(candidates.join(", "))]);
                Err(Problem::new(ProblemCode::AmbiguousId, message))
            }
        }
    }

    /// Returns the problem of an ask that was purged because of its age, to a reader who might see it.
    fn purged_problem(&self, text: &str, reader: &AskReader) -> Result<Option<Problem>, Problem> {
        let Some(id) = AskId::parse(text) else { return Ok(None) };
        let Some(AskTombstone { state, at, audience }) = self.store.find_tombstone(id)? else {
            return Ok(None);
        };
        // A tombstone does not name the account that asked.
        if !reader.may_see(None, audience.as_ref()) {
            return Ok(None);
        }
        let message = match state {
            AskStatus::Answered => Message::AnsweredLongAgo,
            AskStatus::Declined => Message::DeclinedLongAgo,
            AskStatus::Cancelled => Message::CancelledLongAgo,
            AskStatus::Expired | AskStatus::Open | AskStatus::Submitted => Message::ExpiredLongAgo,
        };
        Ok(Some(Problem::new(ProblemCode::AskNotFound, message.with([own(id), own(at)]))))
    }
}
