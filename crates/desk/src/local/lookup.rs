//! Lookup of asks by short ids.

use super::LocalDesk;
use crate::desk::not_found;
use crate::store::{AskTombstone, IdScope};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, Message, Problem, ProblemCode};

impl LocalDesk {
    pub(super) fn find_in_scope(&self, given: &str, account: Option<&str>) -> Result<AskId, Problem> {
        let mut ids = self.store.find(given, IdScope { pending_only: true, account })?;
        if ids.is_empty() {
            ids = self.store.find(given, IdScope { pending_only: false, account })?;
        }
        match ids.as_slice() {
            [] => Err(self.purged_problem(given, account)?.unwrap_or_else(|| not_found(given))),
            [one] => Ok(*one),
            several => {
                let candidates: Vec<_> = several.iter().map(ToString::to_string).collect();
                let message = Message::AmbiguousId.with([given.to_owned(), candidates.join(", ")]);
                Err(Problem::new(ProblemCode::AmbiguousId, message))
            }
        }
    }

    /// Returns the problem of an ask that was purged because of its age. Only callers that see all accounts get it,
    /// because a tombstone does not name its account.
    fn purged_problem(&self, given: &str, account: Option<&str>) -> Result<Option<Problem>, Problem> {
        let Some(id) = AskId::parse(given).filter(|_| account.is_none()) else { return Ok(None) };
        Ok(self.store.find_tombstone(id)?.map(|AskTombstone { state, at }| {
            let message = match state {
                AskStatus::Answered => Message::AnsweredLongAgo,
                AskStatus::Declined => Message::DeclinedLongAgo,
                AskStatus::Cancelled => Message::CancelledLongAgo,
                AskStatus::Expired | AskStatus::Open | AskStatus::Submitted => Message::ExpiredLongAgo,
            };
            Problem::new(ProblemCode::AskNotFound, message.with([id.to_string(), at.to_string()]))
        }))
    }
}
