//! Draft autosave. Typed text reaches the desk within 300 ms of the first key; pending and failed saves lose nothing.

use super::UpdateContext;
use crate::draft_sync::DraftSync;
use jiff::Timestamp;
use sayso_core::{Problem, QuestionId, Replies, Reply};
use sayso_desk::{DraftRev, SaveReport};
use std::time::Duration;

/// Debounce of typing: the longest time before typed text is put on the sheet and saved.
const TYPING_DEBOUNCE: Duration = Duration::from_millis(200);

/// Duration after which a save counts as slow and the person is notified.
const SLOW_SAVE: Duration = Duration::from_secs(1);

/// Delay before a failed save is retried.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// State of the autosave: saved, pending and in-flight replies.
#[derive(Debug, Clone)]
pub(crate) struct DraftAutosave {
    rev: DraftRev,
    sync: DraftSync,
    /// Time of the first key that is not yet on the sheet.
    typed_since: Option<Timestamp>,
    unsaved: Replies,
    in_flight: Option<Replies>,
    /// Time at which the in-flight save was sent.
    sent_at: Option<Timestamp>,
    /// Time of the last successful save.
    pub(crate) saved_at: Option<Timestamp>,
    /// Cause of the last save's failure.
    pub(crate) problem: Option<Problem>,
    retry_at: Option<Timestamp>,
}

/// Result of a save.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FinishedSave {
    /// The replies are stored.
    Stored {
        /// Questions whose reply from elsewhere they replaced.
        replaced: Vec<QuestionId>,
        /// No other surface saved in between.
        is_alone: bool,
    },
    /// The save failed and will be retried.
    Failed,
}

impl DraftAutosave {
    /// Starts from a draft that was read at this revision.
    pub(super) fn new(rev: DraftRev, replies: Replies) -> Self {
        Self {
            rev,
            sync: DraftSync::new(replies),
            typed_since: None,
            unsaved: Replies::new(),
            in_flight: None,
            sent_at: None,
            saved_at: None,
            problem: None,
            retry_at: None,
        }
    }

    /// Queues a reply for the next save.
    pub(super) fn queue(&mut self, id: QuestionId, reply: Reply) {
        self.unsaved.insert(id, reply);
    }

    /// Records that a key was typed into a text.
    pub(super) fn record_key(&mut self, now: Timestamp) {
        self.typed_since.get_or_insert(now);
    }

    /// Records that the typed text is on the sheet.
    pub(super) const fn end_typing(&mut self) {
        self.typed_since = None;
    }

    pub(super) fn is_debounced(&self, now: Timestamp) -> bool {
        match self.typed_since {
            Some(since) => now.duration_since(since).unsigned_abs() >= TYPING_DEBOUNCE,
            None => false,
        }
    }

    /// Takes the replies to save now, with the revision that they are based on.
    pub(super) fn take_save(&mut self, now: Timestamp) -> Option<(DraftRev, Vec<(QuestionId, Reply)>)> {
        if self.unsaved.is_empty() || self.in_flight.is_some() {
            return None;
        }
        if let Some(retry_at) = self.retry_at
            && now < retry_at
        {
            return None;
        }
        let replies = std::mem::take(&mut self.unsaved);
        self.in_flight = Some(replies.clone());
        self.sent_at = Some(now);
        Some((self.rev, replies.into_iter().collect()))
    }

    /// Takes all unsaved replies when the ask closes; the desk makes the in-flight save before this one.
    pub(super) fn take_rest(&mut self) -> Option<(DraftRev, Vec<(QuestionId, Reply)>)> {
        if self.unsaved.is_empty() {
            return None;
        }
        let replies = std::mem::take(&mut self.unsaved);
        Some((self.rev, replies.into_iter().collect()))
    }

    /// Returns whether the in-flight save takes longer than [`SLOW_SAVE`].
    pub(crate) fn is_slow(&self, now: Timestamp) -> bool {
        self.slow_at().is_some_and(|at| at <= now)
    }

    fn slow_at(&self) -> Option<Timestamp> {
        self.in_flight.as_ref()?;
        self.sent_at?.checked_add(SLOW_SAVE).ok()
    }

    /// Skips the retry delay, so that the next save is tried immediately.
    pub(crate) fn retry_now(&mut self) {
        self.retry_at = None;
    }

    pub(super) fn next_wakeup(&self, now: Timestamp) -> Option<Timestamp> {
        let mut times = Vec::new();
        if let Some(since) = self.typed_since {
            times.extend(since.checked_add(TYPING_DEBOUNCE));
        }
        // An in-flight save is retried only after it has returned.
        if self.in_flight.is_none() && !self.unsaved.is_empty() {
            times.extend(self.retry_at);
        }
        // Once the save is slow, the person has been told.
        times.extend(self.slow_at().filter(|at| *at > now));
        times.into_iter().min()
    }

    /// Returns the revision of the draft that is shown, unless a reply is still to be saved: then there is none yet.
    pub(super) fn shown_rev(&self) -> Option<DraftRev> {
        if self.is_stored() { Some(self.rev) } else { None }
    }

    pub(super) fn is_stored(&self) -> bool {
        self.typed_since.is_none() && self.unsaved.is_empty() && self.in_flight.is_none()
    }

    /// Takes the result of the save in flight. Returns the questions whose reply from elsewhere it replaced.
    pub(super) fn finish_save(
        &mut self,
        base: DraftRev,
        result: Result<SaveReport, Problem>,
        cx: &UpdateContext,
    ) -> FinishedSave {
        let replies = self.in_flight.take().unwrap_or_default();
        match result {
            Ok(report) => {
                self.saved_at = Some(cx.now.timestamp());
                self.problem = None;
                self.retry_at = None;
                let replaced = self.sync.record_save(&replies, report.overwritten);
                let is_alone = report.rev.0 == base.0 + 1;
                if is_alone {
                    self.rev = self.rev.max(report.rev);
                }
                FinishedSave::Stored { replaced, is_alone }
            }
            Err(problem) => {
                // A reply that was changed since is newer.
                for (id, reply) in replies {
                    self.unsaved.entry(id).or_insert(reply);
                }
                self.problem = Some(problem);
                self.retry_at = cx.instant().checked_add(RETRY_DELAY).ok();
                FinishedSave::Failed
            }
        }
    }

    /// Takes the revision of a draft that was read. Returns whether it is newer than the known one.
    pub(super) fn advance_rev(&mut self, rev: DraftRev) -> bool {
        let is_newer = rev > self.rev;
        self.rev = self.rev.max(rev);
        is_newer
    }

    /// Records a reply of the desk's draft. Returns whether it applies here: a pending save or text that is being typed
    /// is newer.
    pub(super) fn record_remote(&mut self, id: &QuestionId, reply: &Reply, is_current: bool) -> bool {
        let is_older = self.has_pending(id) || is_current && self.typed_since.is_some();
        if is_older {
            self.sync.record_skipped(id, reply);
        } else {
            self.sync.record_read(id, reply);
        }
        !is_older
    }

    /// Takes a reply from elsewhere that was skipped while this question was typed at, if nothing was typed after all.
    pub(super) fn take_skipped(&mut self, id: &QuestionId) -> Option<Reply> {
        if self.has_pending(id) { None } else { self.sync.take_skipped(id) }
    }

    /// Returns the replies that are not confirmed as saved.
    pub(super) fn unconfirmed(&self) -> Replies {
        let mut replies = self.in_flight.clone().unwrap_or_default();
        replies.extend(self.unsaved.clone());
        replies
    }

    /// Returns whether a save of this question is pending or in flight, so that what the desk has is older.
    fn has_pending(&self, id: &QuestionId) -> bool {
        let is_in_flight = self.in_flight.as_ref().is_some_and(|replies| replies.contains_key(id));
        is_in_flight || self.unsaved.contains_key(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_retry_sets_no_past_timer() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut drafting = DraftAutosave::new(DraftRev(0), Replies::new());
        drafting.queue(QuestionId::new("q"), Reply::default());
        assert!(drafting.take_save(at(10)).is_some());
        // The save failed and is retried.
        drafting.unsaved = drafting.in_flight.take().unwrap();
        drafting.retry_at = Some(at(12));
        assert_eq!(drafting.next_wakeup(at(11)), Some(at(12)));
        assert!(drafting.take_save(at(12)).is_some());
        assert!(drafting.next_wakeup(at(13)).is_none_or(|then| then > at(13)));
        assert_eq!(drafting.next_wakeup(at(100)), None, "it has been told that it is slow");
    }
}
