//! Events and effects of the screen. [`App::update`](super::App::update) maps one to the other.

use super::input::Input;
use crate::prompter::Ended;
use sayso_core::row::Row;
use sayso_core::{Ask, AskId, Command, Problem, QuestionId, Reply};
use sayso_desk::{Draft, DraftRev, Query, Saved};

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Input of the person.
    Input(Input),
    /// These asks changed; an empty list means any of them.
    Heard(Vec<AskId>),
    /// The desk became unreachable, or reachable again.
    Away(bool),
    /// The desk finished a call.
    Done(Box<Done>),
    /// The editor returned a text, or a problem.
    Edited(Result<String, Problem>),
    /// A timer fired.
    Tick,
    /// The program has to exit: the terminal is gone or a signal arrived.
    Hangup,
}

/// A call to the desk. Calls run one after another, in order.
#[derive(Debug, Clone)]
pub enum Call {
    /// Lists asks.
    List {
        /// The query.
        query: Query,
        /// Maximum number of rows.
        rows: usize,
    },
    /// Lists pending asks while the list shows others.
    ListWaiting {
        /// Maximum number of rows.
        rows: usize,
    },
    /// Reads the selected ask of the list.
    Peek(AskId),
    /// Opens an ask for answering and marks it as seen.
    Open(AskId),
    /// Reads the open ask and its draft again.
    Read(AskId),
    /// Saves replies to the draft.
    Save {
        /// The ask.
        id: AskId,
        /// Revision that the replies are based on.
        base: DraftRev,
        /// The replies.
        replies: Vec<(QuestionId, Reply)>,
    },
    /// Submits or declines, with an idempotency key.
    Act {
        /// The ask.
        id: AskId,
        /// Idempotency key: the same for the same content.
        key: String,
        /// The command.
        command: Command,
    },
    /// Expires an ask that is past its deadline.
    Tick(AskId),
}

/// First rows of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The rows.
    pub rows: Vec<Row>,
    /// More rows exist.
    pub more: bool,
    /// Number of asks that the search index still lacks.
    pub unindexed: u64,
}

/// Result of a [`Call`].
#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// First rows of a list.
    Listed(Result<Listing, Problem>),
    /// Rows of the pending asks, while the list shows others.
    ListedWaiting(Result<Vec<Row>, Problem>),
    /// The selected ask.
    Peeked(Result<Ask, Problem>),
    /// The opened ask, with its draft.
    Opened(AskId, Result<(Ask, Draft), Problem>),
    /// The open ask that was read again, with its draft.
    Read(AskId, Result<(Ask, Draft), Problem>),
    /// Result of a save, with the revision that it was based on.
    Saved(AskId, DraftRev, Result<Saved, Problem>),
    /// The ask after it was submitted or declined.
    Acted(AskId, Result<Ask, Problem>),
    /// The ask after its deadline, as the desk has it.
    Ticked(AskId, Result<Ask, Problem>),
}

/// A side effect to carry out.
#[derive(Debug, Clone)]
pub enum Effect {
    /// A call to the desk.
    Call(Call),
    /// Opens a text in the person's editor.
    Edit(String),
    /// Copies a text to the clipboard.
    Copy(String),
    /// Notifies the person of new asks.
    Notify {
        /// Number of new asks.
        new: usize,
    },
    /// Suspends the program (SIGTSTP).
    Suspend,
    /// Redraws the whole screen.
    Redraw,
    /// Leaves the screen.
    End(Ended),
    /// Leaves the screen with this problem.
    Fail(Problem),
}
