//! The log of turns: what happens in them is stored, and a server that starts makes the turns and their streams from it.
//! Of several nodes each applies what the others store, in its order.

use super::active_turn::ActiveTurn;
use super::registry::TurnRegistry;
use crate::http::threads::thread_state::ThreadState;
use sayso_core::Problem;
use sayso_desk::StoreDesk;
use sayso_desk::thread::{PendingTurn, TurnNews, TurnNewsKind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Interval at which a node looks for what others store, without a request.
const INTERVAL: Duration = Duration::from_millis(100);

impl TurnRegistry {
    /// Loads what was stored of the turns that have not ended.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) fn load_news(&self, desk: &StoreDesk, pending: &[PendingTurn]) -> Result<(), Problem> {
        self.is_shared.store(desk.has_other_nodes(), Ordering::Relaxed);
        // Nothing happened in a turn before its message was posted.
        let first_place = match pending.first() {
            Some(turn) => turn.number.saturating_sub(1),
            // After the last place there are no news, but the page names that place.
            None => desk.turn_news(i64::MAX)?.last,
        };
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = first_place;
        self.catch_up(desk)
    }

    /// Applies what others stored since the last call.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    fn catch_up(&self, desk: &StoreDesk) -> Result<(), Problem> {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let page = desk.turn_news(*place)?;
        let mut records = Vec::new();
        if page.news.iter().any(|news| matches!(news.kind, TurnNewsKind::Posted | TurnNewsKind::Claimed)) {
            records = desk.pending_turns()?;
        }
        for news in &page.news {
            self.apply(news, records.iter().find(|turn| turn.number == news.turn));
        }
        *place = page.last;
        Ok(())
    }

    /// Applies what another stored.
    fn apply(&self, news: &TurnNews, record: Option<&PendingTurn>) {
        let Some(live) = self.find(news.turn) else {
            // Its later events follow.
            if let (TurnNewsKind::Posted, Some(turn)) = (&news.kind, record) {
                self.add(PendingTurn { holder: None, asks: Vec::new(), attempts: 0, ..turn.clone() });
            }
            return;
        };
        let agent = self.set_agent(&live.thread, record.and_then(|turn| turn.agent.clone()));
        match news.kind {
            TurnNewsKind::Ended => {
                if let (Some(agent), Some(token)) = (agent, live.holder_token()) {
                    self.note_ended(&agent, &live.thread, &token);
                }
                self.remove(&live);
            }
            TurnNewsKind::Failed(_) | TurnNewsKind::Deleted => self.remove(&live),
            _ => {}
        }
        live.apply(news, record);
    }
}

impl ThreadState {
    /// Applies what other nodes stored up to now.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(crate) async fn catch_up(self: &Arc<Self>) -> Result<(), Problem> {
        if !self.registry.is_shared() {
            return Ok(());
        }
        let threads = self.clone();
        self.context.with_desk(move |desk| threads.registry.catch_up(desk)).await
    }

    /// Stores the events of a turn, and shows them.
    ///
    /// # Errors
    /// Fails if the turn has ended, or the desk cannot store it.
    pub(crate) async fn send_unsent(&self, live: Arc<ActiveTurn>) -> Result<(), Problem> {
        if !live.has_unsent() {
            return Ok(());
        }
        self.context.with_desk(move |desk| live.send_unsent(desk)).await
    }

    /// Tells other nodes which holders of turns are alive.
    async fn tell_renewals(&self) {
        let now = Instant::now();
        for live in self.registry.all() {
            if live.take_untold_renewal(now, self.context.delays.turn_silence) {
                let number = live.number;
                let desk_call =
                    self.context.with_desk(move |desk| desk.share_turn(number, vec![TurnNewsKind::Renewed]));
                // It is told again later; the call logs its error.
                let _ = desk_call.await;
            }
        }
    }
}

/// Exchanges turns with other nodes, until shutdown.
pub(in crate::http) async fn exchange_turns(threads: Arc<ThreadState>) {
    while threads.registry.is_shared() && !threads.context.closing.is_cancelled() {
        // The loop itself checks for shutdown.
        let _ = timeout(INTERVAL, threads.context.closing.cancelled()).await;
        threads.tell_renewals().await;
        // It is read again with the next round; the call logs its error.
        let _ = threads.catch_up().await;
    }
}
