//! Bugs that are planted into the play, to see that its judge finds them. Nothing of the product knows them.

/// A bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    /// Writers do not wait for each other.
    NoLock,
    /// The decision is based on a read before the lock was taken.
    ReadBeforeLock,
    /// The time was read before the lock was taken.
    TimeBeforeLock,
    /// The last writer determines the outcome.
    LastWins,
    /// A deadline is not looked at when somebody answers.
    DeadlineIgnored,
    /// Due asks are settled as they were before the transaction.
    DueSeenBefore,
    /// A deadline passes a little too early.
    TooEarly,
    /// It is acknowledged before it is synced.
    AckBeforeSync,
    /// It is acknowledged before it is committed.
    AckBeforeCommit,
    /// An answer is a note that need not last.
    FleetingAnswer,
    /// After a note that need not last nothing is synced.
    SyncsForgotten,
    /// The bell rings before the commit can be seen.
    RingBeforeCommit,
    /// A cancellation wakes no one.
    SilentCancel,
    /// The bell wakes one waiter only.
    WakesOne,
    /// A waiter reads, then begins to watch.
    ReadThenWatch,
    /// A waiter forgets what has rung after it has read.
    DrainAfterRead,
    /// A waiter skips to the last change, whatever it has read.
    CursorSkips,
    /// A saved line replaces the whole draft.
    DraftReplaced,
    /// A submitted answer does not become the draft.
    SubmitNotDrafted,
    /// A refused answer clears the draft.
    DraftCleared,
    /// A refused answer is saved over what was typed meanwhile.
    RefusedOverTyped,
    /// A late submission is reported as kept, and is not.
    LateNotKept,
    /// A key is looked up before the lock is taken.
    KeyBeforeLock,
    /// A key is stored in a transaction of its own.
    KeyApart,
    /// A repetition with the same key takes effect again.
    ActedAgain,
    /// The same question is looked up before the lock is taken.
    ContentBeforeLock,
    /// The same question finds an answer that was delivered.
    DeliveredIsFound,
    /// An outcome is rendered anew for each offer.
    RenderedAnew,
    /// The delivery is noted before the outcome is out.
    AckBeforePrint,
    /// A verdict is taken for whatever round there is.
    AnyRound,
}

impl Plant {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::NoLock,
        Self::ReadBeforeLock,
        Self::TimeBeforeLock,
        Self::LastWins,
        Self::DeadlineIgnored,
        Self::DueSeenBefore,
        Self::TooEarly,
        Self::AckBeforeSync,
        Self::AckBeforeCommit,
        Self::FleetingAnswer,
        Self::SyncsForgotten,
        Self::RingBeforeCommit,
        Self::SilentCancel,
        Self::WakesOne,
        Self::ReadThenWatch,
        Self::DrainAfterRead,
        Self::CursorSkips,
        Self::DraftReplaced,
        Self::SubmitNotDrafted,
        Self::DraftCleared,
        Self::RefusedOverTyped,
        Self::LateNotKept,
        Self::KeyBeforeLock,
        Self::KeyApart,
        Self::ActedAgain,
        Self::ContentBeforeLock,
        Self::DeliveredIsFound,
        Self::RenderedAnew,
        Self::AckBeforePrint,
        Self::AnyRound,
    ];
}
