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
        let store_guard = lock(&self.store_lock);
        self.send_all(desk, &store_guard)
    }

    pub(super) fn send_all(
        &self,
        desk: &StoreDesk,
        _store_guard: &MutexGuard<'_, ()>,
    ) -> Result<(), Problem> {
        let mut events = take(&mut self.state().unsent);
        if events.is_empty() {
            return Ok(());
        }
        let news = events.iter().map(|event| TurnNewsKind::Published(json::write(event).into_bytes()));
        match desk.share_turn(self.number, news.collect()) {
            Ok(last_place) => {
                let mut state = self.state();
                for (event, place) in events.iter().zip(places_up_to(last_place, events.len())) {
                    state.push_published(event, place);
                }
                self.notify_readers(state);
                Ok(())
            }
            Err(problem) => {
                // They come before what was published meanwhile.
                let mut state = self.state();
                events.append(&mut state.unsent);
                state.unsent = events;
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
        let mut state = self.state();
        let place = news.place;
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
            TurnNewsKind::Failed(reason) => {
                state.push_failure(LocalizedText::Verbatim(reason.clone()), place);
            }
            TurnNewsKind::Ended | TurnNewsKind::Deleted => state.push_at(StreamEntry::End, place),
        }
        self.notify_readers(state);
    }

    /// Returns whether other nodes are to be told that the holder is alive, at most once in this interval.
    pub(in crate::http::threads) fn take_untold_renewal(&self, now: Instant, silence: Duration) -> bool {
        match &mut self.state().lease {
            Some(lease) => lease.take_untold(now, silence),
            None => false,
        }
    }

    /// Returns the token by which an agent holds the turn.
    pub(in crate::http::threads) fn holder_token(&self) -> Option<String> {
        let secret = self.state().lease.as_ref()?.secret();
        Some(format!("{}.{secret}", self.number))
    }
}

/// Returns so many places, one after another, of which this one is the last.
pub(super) fn places_up_to(last: i64, count: usize) -> impl Iterator<Item = i64> {
    let count = i64::try_from(count).unwrap_or_default();
    last.saturating_sub(count).saturating_add(1)..=last
}
