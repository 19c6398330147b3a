//! Roles of those who act.

/// Role of an actor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Role {
    /// Asks, waits, gets the outcome.
    Asker {
        key: Option<u8>,
    },
    /// Types a line and answers; or answers at once with what is refused.
    Person {
        number: u8,
        is_hasty: bool,
    },
    Judge,
    Canceller,
    /// Lets happen what is due.
    Ticker,
}
