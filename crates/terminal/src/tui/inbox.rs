//! The inbox: a live list of pending or ended asks.

mod pending_asks;
mod reading_time;
mod sort_order;

use super::editor::{KeyResult, LineMode, TextBox};
use super::effect::{AskListing, DeskCall, Effect};
use super::view::ListExtent;
use crate::tty::{Key, KeyCode};
use jiff::Timestamp;
use pending_asks::PendingAsks;
use reading_time::ReadingTime;
use sayso_core::{Ask, AskId, Problem};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use sayso_desk::AskQuery;
pub(crate) use sort_order::SortOrder;

/// Maximum number of rows in memory; the search finds more.
const MAX_ROWS: usize = 2_000;

/// Filter by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateFilter {
    /// Pending asks.
    Pending,
    /// Ended asks.
    Ended,
}

/// Result of a key at the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InboxRequest {
    /// Nothing further.
    Nothing,
    /// Open this ask.
    Open(AskId),
    /// Decline this ask, after a confirmation.
    Decline(AskId),
    /// Show the link of this ask.
    Link(AskId),
    /// Exit the program.
    Quit,
}

/// State of the inbox.
#[derive(Debug)]
pub(super) struct Inbox {
    pub(super) state_filter: StateFilter,
    pub(super) sort_order: SortOrder,
    rows: Vec<AskSummary>,
    /// Indices of the rows that pass the filter, in sort order.
    visible: Vec<usize>,
    /// More rows exist than are in memory.
    pub(super) has_more: bool,
    selected_id: Option<AskId>,
    /// Index of the selected row, used if its ask disappears.
    selected_row: usize,
    pub(super) filter: TextBox,
    pub(super) is_filtering: bool,
    /// Visible part of the list.
    pub(super) extent: ListExtent,
    pub(super) preview: Option<Ask>,
    reading_time: ReadingTime,
    pub(super) pending: PendingAsks,
    /// A list call is in flight; `is_stale` asks for another one after it.
    is_listing: bool,
    is_stale: bool,
    /// The list call in flight is for the other state filter.
    has_other_filter: bool,
    /// It lists all pending asks.
    lists_all_pending: bool,
    /// It is a search.
    is_search: bool,
    /// The rows have been read at least once.
    pub(super) is_read: bool,
    /// Number of asks that the list leaves out, since they are for others.
    pub(super) for_others: usize,
    /// Cause of the last failed read.
    pub(super) problem: Option<Problem>,
}

impl Inbox {
    pub(super) fn new() -> Self {
        Self {
            state_filter: StateFilter::Pending,
            sort_order: SortOrder::Blocking,
            rows: Vec::new(),
            visible: Vec::new(),
            has_more: false,
            selected_id: None,
            selected_row: 0,
            filter: TextBox::new("", LineMode::Single),
            is_filtering: false,
            extent: ListExtent::default(),
            preview: None,
            reading_time: ReadingTime::default(),
            pending: PendingAsks::default(),
            is_listing: false,
            is_stale: false,
            has_other_filter: false,
            lists_all_pending: false,
            is_search: false,
            is_read: false,
            for_others: 0,
            problem: None,
        }
    }

    /// Returns the visible rows in sort order.
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = &AskSummary> {
        self.visible.iter().filter_map(|place| self.rows.get(*place))
    }

    /// Returns the number of pending asks, and of those with a draft.
    pub(super) fn counts(&self) -> (usize, usize) {
        let waiting = self.rows.iter().filter(|row| row.state.is_pending());
        (waiting.clone().count(), waiting.filter(|row| row.answered > 0).count())
    }

    /// Returns the index of the selected row.
    pub(super) fn selected_index(&self) -> usize {
        let place = self.selected_id.and_then(|id| self.rows().position(|row| row.id == id));
        place.unwrap_or(self.selected_row).min(self.visible.len().saturating_sub(1))
    }

    /// Returns the selected ask.
    pub(super) fn selected(&self) -> Option<&AskSummary> {
        self.rows().nth(self.selected_index())
    }

    /// Lists the asks now, or after the call in flight has returned.
    pub(super) fn request_list(&mut self) -> Vec<Effect> {
        if std::mem::replace(&mut self.is_listing, true) {
            self.is_stale = true;
            return Vec::new();
        }
        let states = match self.state_filter {
            StateFilter::Pending => Vec::new(),
            StateFilter::Ended => AskStatus::settled().collect(),
        };
        let words = self.filter.text().trim();
        // Rows in memory are filtered here at each key; beyond those the desk searches, in the questions too.
        let searches = !words.is_empty() && (self.has_more || self.state_filter == StateFilter::Ended);
        let search = searches.then(|| words.to_owned());
        self.is_search = searches;
        self.lists_all_pending = search.is_none() && self.state_filter == StateFilter::Pending;
        let list =
            DeskCall::List { query: AskQuery { states, search, ..AskQuery::default() }, rows: MAX_ROWS };
        // New asks are announced in every view.
        let beside = (!self.lists_all_pending).then_some(DeskCall::ListPending { rows: MAX_ROWS });
        beside.into_iter().chain([list]).map(Effect::Call).collect()
    }

    /// Takes the result of a list call. Announces new asks; they never move the selection.
    pub(super) fn handle_listing(&mut self, listed: Result<AskListing, Problem>) -> Vec<Effect> {
        self.is_listing = false;
        let mut effects = Vec::new();
        if std::mem::take(&mut self.has_other_filter) {
            self.is_stale = false;
            return self.request_list();
        }
        match listed {
            Ok(AskListing { rows, has_more: more, for_others }) => {
                self.problem = None;
                self.for_others = for_others;
                self.selected_row = self.selected_index();
                self.selected_id = self.selected_id.or_else(|| self.selected().map(|row| row.id));
                if self.lists_all_pending {
                    effects.extend(self.notify_new(&rows));
                }
                self.rows = rows;
                // The result of a search does not tell how many rows exist.
                self.has_more = if self.is_search { self.has_more } else { more };
                self.is_read = true;
                self.sort_and_filter();
                self.restore_selection();
                effects.extend(self.request_preview());
            }
            Err(problem) => self.problem = Some(problem),
        }
        if std::mem::take(&mut self.is_stale) {
            effects.extend(self.request_list());
        }
        effects
    }

    /// Takes the pending asks while the list shows others. After a failure the next change reads them again.
    pub(super) fn handle_pending(&mut self, waiting: Result<Vec<AskSummary>, Problem>) -> Vec<Effect> {
        waiting.map(|rows| self.notify_new(&rows).into_iter().collect()).unwrap_or_default()
    }

    fn notify_new(&mut self, waiting: &[AskSummary]) -> Option<Effect> {
        let new = self.pending.update(waiting);
        (new > 0).then_some(Effect::Notify { new })
    }

    /// Keeps the selection at its ask, or at the row that took its place.
    fn restore_selection(&mut self) {
        let cursor = self.selected_index();
        self.selected_row = cursor;
        let at = self.rows().nth(cursor).map(|row| row.id);
        self.selected_id = at;
    }

    /// Sorts and filters the rows.
    fn sort_and_filter(&mut self) {
        let words = self.filter.text().to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let searched = self.has_more || self.state_filter == StateFilter::Ended;
        let fits = |row: &AskSummary| {
            let more =
                [&row.folder, &row.account, &row.program].map(|text| text.as_deref().unwrap_or_default());
            let act = row.act.as_ref().map(|act| act.object.as_str()).unwrap_or_default();
            let all = format!("{} {act} {} {}", row.title, row.asker, more.join(" ")).to_lowercase();
            searched || words.iter().all(|word| all.contains(word) || row.id.matches_search_word(word))
        };
        let mut order: Vec<usize> = Vec::with_capacity(self.rows.len());
        order.extend(
            self.rows.iter().enumerate().filter(|(_, row)| words.is_empty() || fits(row)).map(|(at, _)| at),
        );
        if self.state_filter == StateFilter::Pending {
            self.sort_order.sort(&mut order, &self.rows);
        }
        self.visible = order;
    }

    /// Reads the selected ask for the preview below the list.
    fn request_preview(&mut self) -> Vec<Effect> {
        let Some(row) = self.selected() else {
            self.preview = None;
            return Vec::new();
        };
        let (id, changed_at) = (row.id, row.changed_at);
        let is_there =
            self.preview.as_ref().is_some_and(|ask| ask.id == id && ask.state.changed_at == changed_at);
        if is_there { Vec::new() } else { vec![Effect::Call(DeskCall::Peek(id))] }
    }

    pub(super) fn set_preview(&mut self, peeked: Result<Ask, Problem>) {
        if let Ok(ask) = peeked {
            self.preview = Some(ask);
        }
    }

    /// Takes the time while the selected ask is shown as a whole. An ask that was shown long enough is marked as seen.
    pub(super) fn track_reading(&mut self, is_shown: bool, now: Timestamp) -> Option<Effect> {
        let previewed = self.preview.as_ref().map(|ask| ask.id);
        let is_unread = |row: &&AskSummary| row.state == AskStatus::Open && !row.seen && !row.damaged;
        let unread = self.selected().filter(is_unread).map(|row| row.id);
        let shown = unread.filter(|id| is_shown && previewed == Some(*id));
        let id = self.reading_time.update(shown, now)?;
        self.rows.iter_mut().filter(|row| row.id == id).for_each(|row| row.seen = true);
        Some(Effect::Call(DeskCall::MarkSeen(id)))
    }

    /// Returns the time at which the shown ask counts as seen.
    pub(super) fn next_wakeup(&self) -> Option<Timestamp> {
        self.reading_time.next_wakeup()
    }

    /// Moves the selection to a row.
    pub(super) fn move_selection(&mut self, to: impl Fn(usize, usize) -> usize) -> Vec<Effect> {
        let last = self.visible.len().saturating_sub(1);
        self.selected_row = to(self.selected_index(), last).min(last);
        let at = self.rows().nth(self.selected_row).map(|row| row.id);
        self.selected_id = at;
        self.request_preview()
    }

    fn apply_filter(&mut self) -> Vec<Effect> {
        self.sort_and_filter();
        self.selected_id = None;
        self.selected_row = 0;
        self.restore_selection();
        self.request_filtered()
    }

    /// Shows all rows again. The selection stays at its ask.
    fn clear_filter(&mut self) -> Vec<Effect> {
        let selected = self.selected().map(|row| row.id);
        self.filter.set_text("");
        self.sort_and_filter();
        self.selected_id = selected;
        self.restore_selection();
        self.request_filtered()
    }

    /// Reads what the changed filter shows, at the desk where the rows in memory are not all.
    fn request_filtered(&mut self) -> Vec<Effect> {
        let mut effects = self.request_preview();
        if self.has_more || self.state_filter == StateFilter::Ended {
            effects.extend(self.request_list());
        }
        effects
    }

    pub(super) fn handle_key(&mut self, key: Key) -> (InboxRequest, Vec<Effect>) {
        if self.is_filtering {
            match self.filter.handle_key(key) {
                KeyResult::Changed => return (InboxRequest::Nothing, self.apply_filter()),
                KeyResult::Moved | KeyResult::Full => return (InboxRequest::Nothing, Vec::new()),
                KeyResult::Ignored => {}
            }
            match key.code {
                KeyCode::Tab => {
                    self.is_filtering = false;
                    return (InboxRequest::Nothing, Vec::new());
                }
                KeyCode::Esc | KeyCode::Enter => self.is_filtering = false,
                _ => {}
            }
        }
        if !(key.is_unmodified() || key.ctrl && matches!(key.code, KeyCode::Char('n' | 'p'))) {
            return (InboxRequest::Nothing, Vec::new());
        }
        let page = self.extent.asks.saturating_sub(1).max(1);
        let moved = match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_selection(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_selection(|at, _| at + 1),
            KeyCode::Char('p') if key.ctrl => self.move_selection(|at, _| at.saturating_sub(1)),
            KeyCode::Char('n') if key.ctrl => self.move_selection(|at, _| at + 1),
            KeyCode::PageUp => self.move_selection(|at, _| at.saturating_sub(page)),
            KeyCode::PageDown => self.move_selection(|at, _| at + page),
            KeyCode::Home | KeyCode::Char('g') => self.move_selection(|_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.move_selection(|_, last| last),
            KeyCode::Enter => {
                let open = self.selected().map(|row| row.id);
                return (open.map_or(InboxRequest::Nothing, InboxRequest::Open), Vec::new());
            }
            KeyCode::Char('/') => {
                self.is_filtering = true;
                Vec::new()
            }
            KeyCode::Char('s') => {
                self.sort_order = self.sort_order.next();
                self.sort_and_filter();
                self.restore_selection();
                self.request_preview()
            }
            KeyCode::Char('h') | KeyCode::Tab | KeyCode::BackTab => self.toggle_state_filter(),
            KeyCode::Char('d') => {
                let open = self.selected().filter(|row| row.state == AskStatus::Open).map(|row| row.id);
                return (open.map_or(InboxRequest::Nothing, InboxRequest::Decline), Vec::new());
            }
            KeyCode::Char('b') => {
                let link = self.selected().map(|row| row.id);
                return (link.map_or(InboxRequest::Nothing, InboxRequest::Link), Vec::new());
            }
            // Esc clears a filter and leaves nothing else.
            KeyCode::Esc if !self.filter.is_empty() => self.clear_filter(),
            KeyCode::Char('q') => return (InboxRequest::Quit, Vec::new()),
            _ => Vec::new(),
        };
        (InboxRequest::Nothing, moved)
    }

    pub(super) fn paste(&mut self, pasted: &str) -> Vec<Effect> {
        if !self.is_filtering {
            return Vec::new();
        }
        // Text that does not fit leaves the filter as it was, which the filter line shows.
        let _ = self.filter.paste(pasted);
        self.apply_filter()
    }

    /// Switches between ended and pending asks.
    fn toggle_state_filter(&mut self) -> Vec<Effect> {
        self.state_filter = match self.state_filter {
            StateFilter::Pending => StateFilter::Ended,
            StateFilter::Ended => StateFilter::Pending,
        };
        self.rows.clear();
        self.visible.clear();
        self.is_read = false;
        self.selected_id = None;
        self.selected_row = 0;
        self.extent.first = 0;
        self.preview = None;
        self.has_other_filter = self.is_listing && !self.has_other_filter;
        self.request_list()
    }
}
