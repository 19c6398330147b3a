//! What the screen is told, and what it wants done. Between the two is a pure function.

use super::input::Input;
use crate::prompter::Ended;
use sayso_core::row::Row;
use sayso_core::{Ask, AskId, Command, Problem, QuestionId, Reply};
use sayso_desk::{Draft, DraftRev, Query, Saved};

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A person did something.
    Input(Input),
    /// Something happened to these asks; to any, where none is named.
    Heard(Vec<AskId>),
    /// The desk went out of reach, or came back.
    Away(bool),
    /// The desk did what was wanted of it.
    Done(Box<Done>),
    /// What became of a text that was given to the person's editor.
    Edited(Result<String, Problem>),
    /// Time has passed.
    Tick,
    /// The program is to end: the terminal is gone, or somebody said so.
    Hangup,
}

/// What the desk is wanted to do. Calls are made one after another, in their order.
#[derive(Debug, Clone)]
pub enum Call {
    /// List so many rows.
    List {
        /// Which.
        query: Query,
        /// How many at most.
        rows: usize,
    },
    /// List what waits, so many rows at most, while others are shown.
    ListWaiting {
        /// How many at most.
        rows: usize,
    },
    /// Read an ask that is looked at in the list.
    Peek(AskId),
    /// Open an ask for answering: the person has seen it.
    Open(AskId),
    /// Read an open ask and its draft again.
    Read(AskId),
    /// Save replies.
    Save {
        /// The ask.
        id: AskId,
        /// What they are based on.
        base: DraftRev,
        /// The replies.
        replies: Vec<(QuestionId, Reply)>,
    },
    /// Answer or decline, with a key that is the same whenever the same is said.
    Act {
        /// The ask.
        id: AskId,
        /// The key.
        key: String,
        /// What to do.
        command: Command,
    },
    /// Let time pass at an ask that is past its deadline.
    Tick(AskId),
}

/// The first rows of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The rows.
    pub rows: Vec<Row>,
    /// There are more.
    pub more: bool,
    /// Asks that the search has yet to index.
    pub unindexed: u64,
}

/// What became of a [`Call`].
#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// The first rows of a list.
    Listed(Result<Listing, Problem>),
    /// The rows of what waits, while others are shown.
    ListedWaiting(Result<Vec<Row>, Problem>),
    /// The ask that was looked at.
    Peeked(Result<Ask, Problem>),
    /// The ask that was opened, with its draft.
    Opened(AskId, Result<(Ask, Draft), Problem>),
    /// The open ask that was read again, with its draft.
    Read(AskId, Result<(Ask, Draft), Problem>),
    /// What a save did to these replies, based on that.
    Saved(AskId, DraftRev, Result<Saved, Problem>),
    /// The ask after it was answered or declined.
    Acted(AskId, Result<Ask, Problem>),
    /// The ask after its deadline, as the desk sees it.
    Ticked(AskId, Result<Ask, Problem>),
}

/// What is to be done.
#[derive(Debug, Clone)]
pub enum Effect {
    /// At the desk.
    Call(Call),
    /// A text is to be typed in the person's editor.
    Edit(String),
    /// A text is to go to the clipboard.
    Copy(String),
    /// The person is to be told that there are new asks, and how many wait now.
    Notify {
        /// How many are new.
        new: usize,
    },
    /// The program is to stop until it is called back.
    Suspend,
    /// The whole screen is to be drawn anew.
    Redraw,
    /// The screen is to be left.
    End(Ended),
    /// The screen ends with this problem.
    Fail(Problem),
}
