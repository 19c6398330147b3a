//! Events and effects of the screen. [`App::update`](super::App::update) maps one to the other.

use crate::surface::PromptOutcome;
use crate::tty::InputEvent;
use sayso_core::AskSummary;
use sayso_core::{Ask, AskCommand, AskId, Lang, Problem, QuestionId, Reply};
use sayso_desk::{AskQuery, Draft, DraftRev, SaveReport};

/// Cause of a reaction of the screen: input, a change at the desk, the end of a call, or a timer.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Input of the person.
    Input(InputEvent),
    /// These asks changed; an empty list means any of them.
    DeskChanged(Vec<AskId>),
    /// The desk became unreachable, or reachable again.
    Unreachable(bool),
    /// The desk finished a call.
    CallFinished(Box<CallResult>),
    /// The editor returned a text, or a problem.
    Edited(Result<String, Problem>),
    /// The link of an ask, or why it has none.
    LinkFound(Result<String, Problem>),
    /// A timer fired.
    Tick,
    /// The program has to exit: the terminal is gone or a signal arrived.
    Hangup,
}

/// A call to the desk. Calls run one after another, in order.
#[derive(Debug, Clone)]
pub enum DeskCall {
    /// Lists asks.
    List {
        /// The query.
        query: AskQuery,
        /// Maximum number of rows.
        rows: usize,
    },
    /// Lists pending asks while the list shows others.
    ListPending {
        /// Maximum number of rows.
        rows: usize,
    },
    /// Reads the selected ask of the list.
    Peek(AskId),
    /// Marks the selected ask of the list as seen.
    MarkSeen(AskId),
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
        command: AskCommand,
    },
    /// Expires an ask that is past its deadline.
    Tick(AskId),
}

/// First rows of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct AskListing {
    /// The rows.
    pub rows: Vec<AskSummary>,
    /// More rows exist.
    pub has_more: bool,
    /// Number of asks that are left out, since they are for others.
    pub for_others: usize,
}

/// Result of a [`DeskCall`].
#[derive(Debug, Clone, PartialEq)]
pub enum CallResult {
    /// First rows of a list.
    Listed(Result<AskListing, Problem>),
    /// Rows of the pending asks, while the list shows others.
    ListedPending(Result<Vec<AskSummary>, Problem>),
    /// The selected ask.
    Peeked(Result<Ask, Problem>),
    /// The opened ask, with its draft.
    Opened(AskId, Result<(Ask, Draft), Problem>),
    /// The open ask that was read again, with its draft.
    Read(AskId, Result<(Ask, Draft), Problem>),
    /// Result of a save, with the revision that it was based on.
    Saved(AskId, DraftRev, Result<SaveReport, Problem>),
    /// The ask after it was submitted or declined.
    Acted(AskId, Result<Ask, Problem>),
    /// The ask after its deadline, as the desk has it.
    Ticked(AskId, Result<Ask, Problem>),
}

impl CallResult {
    /// Returns the result with its ask as the reader sees it.
    pub(super) fn localized(self, lang: Lang) -> Self {
        match self {
            Self::Peeked(Ok(ask)) => Self::Peeked(Ok(ask.localized(lang))),
            Self::Opened(id, Ok((ask, draft))) => Self::Opened(id, Ok((ask.localized(lang), draft))),
            Self::Read(id, Ok((ask, draft))) => Self::Read(id, Ok((ask.localized(lang), draft))),
            Self::Acted(id, Ok(ask)) => Self::Acted(id, Ok(ask.localized(lang))),
            Self::Ticked(id, Ok(ask)) => Self::Ticked(id, Ok(ask.localized(lang))),
            other => other,
        }
    }
}

/// A side effect to carry out.
#[derive(Debug, Clone)]
pub enum Effect {
    /// A call to the desk.
    Call(DeskCall),
    /// Opens a text in the person's editor.
    Edit(String),
    /// Finds the link of an ask for a browser.
    FindLink(AskId),
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
    End(PromptOutcome),
    /// Leaves the screen with this problem.
    Fail(Problem),
}
