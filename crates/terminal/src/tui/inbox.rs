//! The inbox: a live list of pending or ended asks.

mod keys;
mod pending_asks;
mod reading_time;
mod sort_order;

use super::cursor_move::CursorMove;
use super::editor::{LineMode, TextBox};
use super::effect::{AskListing, DeskCall, Effect};
use super::view::ListExtent;
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
        self.visible.iter().filter_map(|index| self.rows.get(*index))
    }

    /// Returns the number of pending asks, and of those with a draft.
    pub(super) fn counts(&self) -> (usize, usize) {
        let mut pending_count = 0;
        let mut draft_count = 0;
        for row in &self.rows {
            if row.state.is_pending() {
                pending_count += 1;
                draft_count += usize::from(row.answered > 0);
            }
        }
        (pending_count, draft_count)
    }

    /// Returns the index of the selected row among the visible ones; 0 if there are none.
    pub(super) fn selected_index(&self) -> usize {
        let mut index = self.selected_row;
        if let Some(id) = self.selected_id
            && let Some(row) = self.rows().position(|row| row.id == id)
        {
            index = row;
        }
        index.min(self.visible.len().saturating_sub(1))
    }

    /// Returns the selected row; `None` if no row is visible.
    pub(super) fn selected(&self) -> Option<&AskSummary> {
        self.rows().nth(self.selected_index())
    }

    /// Returns the ID of the selected ask.
    pub(super) fn selected_ask(&self) -> Option<AskId> {
        Some(self.selected()?.id)
    }

    /// The desk filters the rows: those in memory are not all, or ended ones, of which it searches the questions too.
    fn is_filtered_by_desk(&self) -> bool {
        self.has_more || self.state_filter == StateFilter::Ended
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
        // Rows in memory are filtered here at each key.
        self.is_search = !words.is_empty() && self.is_filtered_by_desk();
        self.lists_all_pending = !self.is_search && self.state_filter == StateFilter::Pending;
        let search = if self.is_search { Some(words.to_owned()) } else { None };
        let query = AskQuery { states, search, ..AskQuery::default() };
        let list = Effect::Call(DeskCall::List { query, rows: MAX_ROWS });
        if self.lists_all_pending {
            return vec![list];
        }
        // New asks are announced in every view.
        vec![Effect::Call(DeskCall::ListPending { rows: MAX_ROWS }), list]
    }

    /// Takes the result of a list call. Announces new asks; they never move the selection.
    pub(super) fn handle_listing(&mut self, result: Result<AskListing, Problem>) -> Vec<Effect> {
        self.is_listing = false;
        if std::mem::take(&mut self.has_other_filter) {
            self.is_stale = false;
            return self.request_list();
        }
        let mut effects = Vec::new();
        match result {
            Ok(listing) => effects = self.apply_listing(listing),
            Err(problem) => self.problem = Some(problem),
        }
        if std::mem::take(&mut self.is_stale) {
            effects.extend(self.request_list());
        }
        effects
    }

    fn apply_listing(&mut self, listing: AskListing) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.problem = None;
        self.for_others = listing.for_others;
        self.selected_row = self.selected_index();
        if self.selected_id.is_none() {
            self.selected_id = self.selected_ask();
        }
        if self.lists_all_pending {
            effects.extend(self.notify_new(&listing.rows));
        }
        self.rows = listing.rows;
        // The result of a search does not tell how many rows exist.
        if !self.is_search {
            self.has_more = listing.has_more;
        }
        self.is_read = true;
        self.sort_and_filter();
        self.restore_selection();
        effects.extend(self.request_preview());
        effects
    }

    /// Takes the pending asks while the list shows others. After a failure the next change reads them again.
    pub(super) fn handle_pending(&mut self, result: Result<Vec<AskSummary>, Problem>) -> Option<Effect> {
        self.notify_new(&result.ok()?)
    }

    fn notify_new(&mut self, pending_rows: &[AskSummary]) -> Option<Effect> {
        let new = self.pending.update(pending_rows);
        if new == 0 { None } else { Some(Effect::Notify { new }) }
    }

    /// Keeps the selection at its ask, or at the row that took its place.
    fn restore_selection(&mut self) {
        let index = self.selected_index();
        let selected_ask = self.rows().nth(index).map(|row| row.id);
        self.selected_row = index;
        self.selected_id = selected_ask;
    }

    /// Sorts the rows, and filters them unless the desk has done so.
    fn sort_and_filter(&mut self) {
        let filter = self.filter.text().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let is_filtered_by_desk = self.is_filtered_by_desk();
        let mut order: Vec<usize> = Vec::with_capacity(self.rows.len());
        for (index, row) in self.rows.iter().enumerate() {
            if is_filtered_by_desk || contains_words(row, &words) {
                order.push(index);
            }
        }
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
        if let Some(ask) = &self.preview
            && ask.id == row.id
            && ask.state.changed_at == row.changed_at
        {
            return Vec::new();
        }
        vec![Effect::Call(DeskCall::Peek(row.id))]
    }

    pub(super) fn set_preview(&mut self, result: Result<Ask, Problem>) {
        if let Ok(ask) = result {
            self.preview = Some(ask);
        }
    }

    /// Takes the time while the selected ask is shown as a whole. An ask that was shown long enough is marked as seen.
    pub(super) fn track_reading(&mut self, is_shown: bool, now: Timestamp) -> Option<Effect> {
        let mut unread_ask = None;
        if is_shown
            && let Some(row) = self.selected()
            && let Some(preview) = &self.preview
            && preview.id == row.id
            && row.state == AskStatus::Open
            && !row.seen
            && !row.damaged
        {
            unread_ask = Some(row.id);
        }
        let id = self.reading_time.update(unread_ask, now)?;
        for row in &mut self.rows {
            if row.id == id {
                row.seen = true;
            }
        }
        Some(Effect::Call(DeskCall::MarkSeen(id)))
    }

    /// Returns the time at which the shown ask counts as seen.
    pub(super) fn next_wakeup(&self) -> Option<Timestamp> {
        self.reading_time.next_wakeup()
    }

    /// Moves the selection to another row.
    pub(super) fn move_selection(&mut self, movement: CursorMove) -> Vec<Effect> {
        let last = self.visible.len().saturating_sub(1);
        self.selected_row = movement.apply(self.selected_index(), last);
        self.selected_id = None;
        self.restore_selection();
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
        let selected_ask = self.selected_ask();
        self.filter.set_text("");
        self.sort_and_filter();
        self.selected_id = selected_ask;
        self.restore_selection();
        self.request_filtered()
    }

    /// Reads what the changed filter shows, at the desk where the rows in memory are not all.
    fn request_filtered(&mut self) -> Vec<Effect> {
        let mut effects = self.request_preview();
        if self.is_filtered_by_desk() {
            effects.extend(self.request_list());
        }
        effects
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

/// Returns whether an ask contains all these lower-case words in what its row shows, or in its ID.
fn contains_words(row: &AskSummary, words: &[&str]) -> bool {
    if words.is_empty() {
        return true;
    }
    let AskSummary { title, asker, folder, account, program, .. } = row;
    let mut text = format!("{title} {asker}");
    if let Some(act) = &row.act {
        text.push(' ');
        text.push_str(&act.object);
    }
    for detail in [folder, account, program].into_iter().flatten() {
        text.push(' ');
        text.push_str(detail);
    }
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word) || row.id.matches_search_word(word))
}
