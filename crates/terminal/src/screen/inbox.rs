//! The inbox: a live list of pending or ended asks.

use super::effect::{Call, Effect, Listing};
use super::input::{Key, KeyCode};
use super::text::{Heard, Lines, TextBox};
use super::waiting::Waiting;
use sayso_core::row::{Row, Standing};
use sayso_core::{Ask, AskId, Problem};
use sayso_desk::Query;

/// Maximum number of rows in memory; the search finds more.
const ROWS: usize = 2_000;

/// Filter by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Pending asks.
    Waiting,
    /// Ended asks.
    Ended,
}

/// Sort order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Blocked askers first, then the longest waiting.
    Blocking,
    /// The longest waiting first.
    Oldest,
    /// The newest first.
    Newest,
    /// The nearest deadline first.
    Deadline,
}

impl Sort {
    const fn next(self) -> Self {
        match self {
            Self::Blocking => Self::Oldest,
            Self::Oldest => Self::Newest,
            Self::Newest => Self::Deadline,
            Self::Deadline => Self::Blocking,
        }
    }
}

/// Result of a key at the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wants {
    /// Nothing further.
    Nothing,
    /// Open this ask.
    Open(AskId),
    /// Decline this ask, after a confirmation.
    Decline(AskId),
    /// Exit the program.
    Quit,
}

/// State of the inbox.
#[derive(Debug)]
pub(super) struct Inbox {
    pub(super) shown: Shown,
    pub(super) sort: Sort,
    rows: Vec<Row>,
    /// Indices of the rows that pass the filter, in sort order.
    order: Vec<usize>,
    /// More rows exist than are in memory.
    pub(super) more: bool,
    at: Option<AskId>,
    /// Index of the selected row, used if its ask disappears.
    at_row: usize,
    pub(super) filter: TextBox,
    pub(super) is_filtering: bool,
    /// First visible row of the list.
    pub(super) top: usize,
    pub(super) peeked: Option<Ask>,
    pub(super) waiting: Waiting,
    /// A list call is in flight; `is_stale` asks for another one after it.
    is_listing: bool,
    is_stale: bool,
    /// The list call in flight is for the other state filter.
    is_of_other: bool,
    /// It lists all pending asks.
    is_of_all: bool,
    /// It is a search.
    is_search: bool,
    /// The rows have been read at least once.
    pub(super) is_read: bool,
    /// Number of asks that the search index still lacks.
    pub(super) unindexed: u64,
    /// Cause of the last failed read.
    pub(super) problem: Option<Problem>,
}

impl Inbox {
    pub(super) fn new() -> Self {
        Self {
            shown: Shown::Waiting,
            sort: Sort::Blocking,
            rows: Vec::new(),
            order: Vec::new(),
            more: false,
            at: None,
            at_row: 0,
            filter: TextBox::new("", Lines::One),
            is_filtering: false,
            top: 0,
            peeked: None,
            waiting: Waiting::default(),
            is_listing: false,
            is_stale: false,
            is_of_other: false,
            is_of_all: false,
            is_search: false,
            is_read: false,
            unindexed: 0,
            problem: None,
        }
    }

    /// Returns the visible rows in sort order.
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.order.iter().filter_map(|place| self.rows.get(*place))
    }

    /// Returns the number of pending asks, and of those with a draft.
    pub(super) fn counts(&self) -> (usize, usize) {
        let waiting = self.rows.iter().filter(|row| row.state.is_pending());
        (waiting.clone().count(), waiting.filter(|row| row.answered > 0).count())
    }

    /// Returns the index of the selected row.
    pub(super) fn cursor(&self) -> usize {
        let place = self.at.and_then(|id| self.rows().position(|row| row.id == id));
        place.unwrap_or(self.at_row).min(self.order.len().saturating_sub(1))
    }

    /// Returns the selected ask.
    pub(super) fn selected(&self) -> Option<&Row> {
        self.rows().nth(self.cursor())
    }

    /// Lists the asks now, or after the call in flight has returned.
    pub(super) fn list(&mut self) -> Vec<Effect> {
        if std::mem::replace(&mut self.is_listing, true) {
            self.is_stale = true;
            return Vec::new();
        }
        let states = match self.shown {
            Shown::Waiting => Vec::new(),
            Shown::Ended => Standing::ended().collect(),
        };
        let words = self.filter.text().trim();
        // Rows in memory are filtered here at each key; beyond those the desk searches, in the questions too.
        let searches = !words.is_empty() && (self.more || self.shown == Shown::Ended);
        let search = searches.then(|| words.to_owned());
        self.is_search = searches;
        self.is_of_all = search.is_none() && self.shown == Shown::Waiting;
        let list = Call::List { query: Query { states, search, ..Query::default() }, rows: ROWS };
        // New asks are announced in every view.
        let beside = (!self.is_of_all).then_some(Call::ListWaiting { rows: ROWS });
        beside.into_iter().chain([list]).map(Effect::Call).collect()
    }

    /// Takes the result of a list call. Announces new asks; they never move the selection.
    pub(super) fn listed(&mut self, listed: Result<Listing, Problem>) -> Vec<Effect> {
        self.is_listing = false;
        let mut effects = Vec::new();
        if std::mem::take(&mut self.is_of_other) {
            self.is_stale = false;
            return self.list();
        }
        match listed {
            Ok(Listing { rows, more, unindexed }) => {
                self.problem = None;
                self.unindexed = unindexed;
                self.is_stale |= unindexed > 0;
                self.at_row = self.cursor();
                self.at = self.at.or_else(|| self.selected().map(|row| row.id));
                if self.is_of_all {
                    effects.extend(self.tell_new(&rows));
                }
                self.rows = rows;
                // The result of a search does not tell how many rows exist.
                self.more = if self.is_search { self.more } else { more };
                self.is_read = true;
                self.arrange();
                self.settle_cursor();
                effects.extend(self.peek());
            }
            Err(problem) => self.problem = Some(problem),
        }
        if std::mem::take(&mut self.is_stale) {
            effects.extend(self.list());
        }
        effects
    }

    /// Takes the pending asks while the list shows others. After a failure the next change reads them again.
    pub(super) fn listed_waiting(&mut self, waiting: Result<Vec<Row>, Problem>) -> Vec<Effect> {
        waiting.map(|rows| self.tell_new(&rows).into_iter().collect()).unwrap_or_default()
    }

    fn tell_new(&mut self, waiting: &[Row]) -> Option<Effect> {
        let new = self.waiting.take(waiting);
        (new > 0).then_some(Effect::Notify { new })
    }

    /// Keeps the selection at its ask, or at the row that took its place.
    fn settle_cursor(&mut self) {
        let cursor = self.cursor();
        self.at_row = cursor;
        let at = self.rows().nth(cursor).map(|row| row.id);
        self.at = at;
    }

    /// Sorts and filters the rows.
    fn arrange(&mut self) {
        let words = self.filter.text().to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let searched = self.more || self.shown == Shown::Ended;
        let fits = |row: &Row| {
            let more =
                [&row.folder, &row.account, &row.program].map(|text| text.as_deref().unwrap_or_default());
            let all = format!("{} {} {}", row.title, row.asker, more.join(" ")).to_lowercase();
            searched || words.iter().all(|word| all.contains(word) || row.id.is_meant_by(word))
        };
        let mut order: Vec<usize> = Vec::with_capacity(self.rows.len());
        order.extend(
            self.rows.iter().enumerate().filter(|(_, row)| words.is_empty() || fits(row)).map(|(at, _)| at),
        );
        if self.shown == Shown::Waiting {
            let row = |place: &usize| self.rows.get(*place);
            match self.sort {
                Sort::Blocking => order.sort_by_key(|at| row(at).map(|row| (!row.attached, row.created_at))),
                Sort::Oldest => order.sort_by_key(|at| row(at).map(|row| row.created_at)),
                Sort::Newest => order.sort_by_key(|at| std::cmp::Reverse(row(at).map(|row| row.created_at))),
                Sort::Deadline => {
                    order.sort_by_key(|at| row(at).map(|row| (row.deadline.is_none(), row.deadline)));
                }
            }
        }
        self.order = order;
    }

    /// Reads the selected ask for the preview below the list.
    fn peek(&mut self) -> Vec<Effect> {
        let Some(row) = self.selected() else {
            self.peeked = None;
            return Vec::new();
        };
        let (id, changed_at) = (row.id, row.changed_at);
        let is_there =
            self.peeked.as_ref().is_some_and(|ask| ask.id == id && ask.state.changed_at == changed_at);
        if is_there { Vec::new() } else { vec![Effect::Call(Call::Peek(id))] }
    }

    pub(super) fn peeked(&mut self, peeked: Result<Ask, Problem>) {
        if let Ok(ask) = peeked {
            self.peeked = Some(ask);
        }
    }

    /// Moves the selection to a row.
    pub(super) fn go_to(&mut self, to: impl Fn(usize, usize) -> usize) -> Vec<Effect> {
        let last = self.order.len().saturating_sub(1);
        self.at_row = to(self.cursor(), last).min(last);
        let at = self.rows().nth(self.at_row).map(|row| row.id);
        self.at = at;
        self.peek()
    }

    fn filtered(&mut self) -> Vec<Effect> {
        self.arrange();
        self.at = None;
        self.at_row = 0;
        self.settle_cursor();
        let mut effects = self.peek();
        if self.more || self.shown == Shown::Ended {
            effects.extend(self.list());
        }
        effects
    }

    pub(super) fn key(&mut self, key: Key) -> (Wants, Vec<Effect>) {
        if self.is_filtering {
            match self.filter.key(key) {
                Heard::Changed => return (Wants::Nothing, self.filtered()),
                Heard::Moved | Heard::Full => return (Wants::Nothing, Vec::new()),
                Heard::Ignored => {}
            }
            match key.code {
                KeyCode::Esc | KeyCode::Tab => {
                    self.is_filtering = false;
                    return (Wants::Nothing, Vec::new());
                }
                KeyCode::Enter => self.is_filtering = false,
                _ => {}
            }
        }
        if !(key.is_bare() || key.ctrl && matches!(key.code, KeyCode::Char('n' | 'p'))) {
            return (Wants::Nothing, Vec::new());
        }
        let moved = match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.go_to(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.go_to(|at, _| at + 1),
            KeyCode::Char('p') if key.ctrl => self.go_to(|at, _| at.saturating_sub(1)),
            KeyCode::Char('n') if key.ctrl => self.go_to(|at, _| at + 1),
            KeyCode::PageUp => self.go_to(|at, _| at.saturating_sub(8)),
            KeyCode::PageDown => self.go_to(|at, _| at + 8),
            KeyCode::Home | KeyCode::Char('g') => self.go_to(|_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.go_to(|_, last| last),
            KeyCode::Enter => {
                let open = self.selected().map(|row| row.id);
                return (open.map_or(Wants::Nothing, Wants::Open), Vec::new());
            }
            KeyCode::Char('/') => {
                self.is_filtering = true;
                Vec::new()
            }
            KeyCode::Char('s') => {
                self.sort = self.sort.next();
                self.arrange();
                self.settle_cursor();
                self.peek()
            }
            KeyCode::Char('h') | KeyCode::Tab | KeyCode::BackTab => self.turn_over(),
            KeyCode::Char('x') => {
                let open = self.selected().filter(|row| row.state == Standing::Open).map(|row| row.id);
                return (open.map_or(Wants::Nothing, Wants::Decline), Vec::new());
            }
            // Esc clears a filter and leaves nothing else.
            KeyCode::Esc if !self.filter.is_empty() => {
                self.filter.set_text("");
                self.filtered()
            }
            KeyCode::Char('q') => return (Wants::Quit, Vec::new()),
            _ => Vec::new(),
        };
        (Wants::Nothing, moved)
    }

    pub(super) fn paste(&mut self, pasted: &str) -> Vec<Effect> {
        if !self.is_filtering {
            return Vec::new();
        }
        // Text that does not fit is not a filter either.
        let _ = self.filter.paste(pasted);
        self.filtered()
    }

    /// Switches between ended and pending asks.
    fn turn_over(&mut self) -> Vec<Effect> {
        self.shown = match self.shown {
            Shown::Waiting => Shown::Ended,
            Shown::Ended => Shown::Waiting,
        };
        self.rows.clear();
        self.order.clear();
        self.is_read = false;
        self.at = None;
        self.at_row = 0;
        self.top = 0;
        self.peeked = None;
        self.is_of_other = self.is_listing && !self.is_of_other;
        self.list()
    }
}
