//! Events that a turn shows and stores, and those that the desk has of it by others: other nodes, or this one before a
//! restart.

use super::{ActiveTurn, lock};
use crate::diagnostics::log_event;
use crate::http::threads::turn::turn_state::StreamEntry;
use sayso_core::wire::json;
use sayso_core::{LocalizedText, Problem};
use sayso_desk::StoreDesk;
use sayso_desk::thread::{PendingTurn, TurnNews, TurnNewsKind};
use std::mem::take;
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

impl ActiveTurn {
    /// Stores the events, and shows them to the readers.
    ///
    /// # Errors
    /// Fails if the turn has ended, or the desk cannot store it.
    pub(in crate::http::threads) fn send_unsent(&self, desk: &StoreDesk) -> Result<(), Problem> {
        let storing = lock(&self.store_lock);
        self.send_all(desk, &storing)
    }

    pub(super) fn send_all(&self, desk: &StoreDesk, _storing: &MutexGuard<'_, ()>) -> Result<(), Problem> {
        let mut unsent = take(&mut self.state().unsent);
        if unsent.is_empty() {
            return Ok(());
        }
        let to_news = |event| TurnNewsKind::Published(json::write(event).into_bytes());
        match desk.share_turn(self.number, unsent.iter().map(to_news).collect()) {
            Ok(last) => {
                let mut state = self.state();
                for (event, place) in unsent.iter().zip(places_up_to(last, unsent.len())) {
                    state.push_published(event, place);
                }
                self.notify_readers(state);
                Ok(())
            }
            Err(problem) => {
                let mut state = self.state();
                unsent.append(&mut state.unsent);
                state.unsent = unsent;
                Err(problem)
            }
        }
    }

    /// Returns whether events are not stored yet.
    pub(in crate::http::threads) fn has_unsent(&self) -> bool {
        !self.state().unsent.is_empty()
    }

    /// Applies what others stored of the turn. `turn` is its record.
    pub(in crate::http::threads) fn apply(&self, news: &TurnNews, turn: Option<&PendingTurn>) {
        let (mut state, place) = (self.state(), news.place);
        match &news.kind {
            TurnNewsKind::Posted => {}
            TurnNewsKind::Claimed => state.take_lease(turn),
            TurnNewsKind::Renewed => state.renew_lease(),
            TurnNewsKind::Published(event) => {
                match serde_json::from_slice(event) {
                    Ok(published_event) => {
                        state.bytes = state.bytes.saturating_add(event.len());
                        state.push_published(&published_event, place);
                    }
                    Err(_) => {
                        log_event!(WARN, Threads, "an event of a turn cannot be read", turn = self.number);
                    }
                }
                state.renew_lease();
            }
            TurnNewsKind::Damaged => {
                log_event!(WARN, Threads, "a row of a turn's log is damaged", turn = self.number);
            }
            TurnNewsKind::Asked(ask) => {
                // The text before it is stored.
                state.text.clear();
                state.entries_to_store.clear();
                state.push_interrupt(*ask, place);
                state.renew_lease();
            }
            TurnNewsKind::Failed(why) => {
                state.push_failure(LocalizedText::Verbatim(why.clone()), place);
            }
            TurnNewsKind::Ended | TurnNewsKind::Deleted => state.push_at(StreamEntry::End, place),
        }
        self.notify_readers(state);
    }

    /// Returns whether other nodes are to be told that the holder is alive, at most once in this interval.
    pub(in crate::http::threads) fn take_untold_renewal(&self, now: Instant, silence: Duration) -> bool {
        self.state().lease.as_mut().is_some_and(|with| with.take_untold(now, silence))
    }

    /// Returns the token by which an agent holds the turn.
    pub(in crate::http::threads) fn holder_token(&self) -> Option<String> {
        self.state().lease.as_ref().map(|with| format!("{}.{}", self.number, with.secret()))
    }
}

/// Returns so many places, one after another, of which this one is the last.
pub(super) fn places_up_to(last: i64, count: usize) -> impl Iterator<Item = i64> {
    let count = i64::try_from(count).unwrap_or_default();
    last.saturating_sub(count).saturating_add(1)..=last
}
