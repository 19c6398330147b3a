//! Streams of turns that have just ended: a reader that reconnects gets the rest.

use super::active_turn::ActiveTurn;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time for which the stream of an ended turn can be read to its end. A browser reconnects after three seconds.
const KEPT_TIME: Duration = Duration::from_secs(60);
/// Most bytes of the streams of ended turns.
const KEPT_BYTES: usize = 64 << 20;

/// Turns that have ended, with the time of their end.
type EndedTurns = VecDeque<(Instant, Arc<ActiveTurn>)>;

/// Streams of turns that have just ended, oldest first.
#[derive(Default)]
pub(super) struct RecentStreams(Mutex<EndedTurns>);

impl RecentStreams {
    fn lock(&self) -> MutexGuard<'_, EndedTurns> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the stream of an ended turn for a while.
    pub(super) fn keep(&self, ended_turn: Option<Arc<ActiveTurn>>) {
        let mut turns = self.lock();
        if let Some(turn) = ended_turn {
            turns.push_back((Instant::now(), turn));
        }
        let mut bytes: usize = turns.iter().map(|(_, turn)| turn.stream_bytes()).sum();
        while let Some((ended_at, turn)) = turns.front()
            && (ended_at.elapsed() > KEPT_TIME || bytes > KEPT_BYTES)
        {
            bytes = bytes.saturating_sub(turn.stream_bytes());
            turns.pop_front();
        }
    }

    /// Returns the ended turns of a thread.
    pub(super) fn of_thread(&self, thread: &str) -> Vec<Arc<ActiveTurn>> {
        let mut turns = Vec::new();
        for (ended_at, turn) in &*self.lock() {
            if turn.thread == thread && ended_at.elapsed() <= KEPT_TIME {
                turns.push(turn.clone());
            }
        }
        turns
    }

    /// Drops those of a deleted thread.
    pub(super) fn forget(&self, thread: &str) {
        self.lock().retain(|(_, turn)| turn.thread != thread);
    }
}
