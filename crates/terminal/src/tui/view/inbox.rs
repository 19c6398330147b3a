//! The inbox: the list of asks with the selected ask next to it or below it, and the keys.

mod ask_pane;
mod list_row;

use super::super::app::App;
use super::super::inbox::{Inbox, SortOrder, StateFilter};
use super::super::widgets::authored_text::Margins;
use super::super::widgets::line_builder::{HitTarget, LineBuilder, display_width, truncate_to_width};
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, ListExtent, TextBoxSlot, ViewContext, footer, push_rule};
use crate::describe::{self, Author, AuthoredText};
use crate::surface::ProcessCheck;
use list_row::{ListColumns, RowContext};
use ratatui::layout::Rect;
use ratatui::style::Style;
use sayso_core::Message;
use sayso_core::i18n::own;
use sayso_desk::ListScope;

/// Minimum number of columns of a screen with the list and the selected ask side by side.
const SPLIT_COLUMNS: u16 = 140;

/// Minimum number of columns of the list next to an ask.
const SPLIT_LIST_COLUMNS: u16 = 66;

/// Minimum height of a screen with the selected ask below the list.
const PREVIEW_HEIGHT: u16 = 30;

/// Returns whether a screen shows the whole selected ask next to the list.
pub(in crate::tui) const fn shows_selected_ask(size: (u16, u16)) -> bool {
    size.0 >= SPLIT_COLUMNS
}

/// The state from which the inbox is drawn.
pub(super) struct InboxView<'a> {
    cx: ViewContext<'a>,
    inbox: &'a Inbox,
    is_running: ProcessCheck,
    scope: &'a ListScope,
    /// Announcement, or state of the connection.
    status: Option<String>,
    /// A dialog over the list shows its own keys.
    has_dialog: bool,
}

impl<'a> InboxView<'a> {
    pub(super) fn new(app: &'a App) -> Self {
        Self {
            cx: app.view_context(),
            inbox: &app.inbox,
            is_running: app.setup.is_running,
            scope: &app.setup.scope,
            status: status_line(app),
            has_dialog: app.overlay.is_some(),
        }
    }

    pub(super) fn draw(&self, area: Rect, canvas: &mut FrameCanvas<'_>) {
        let columns = usize::from(area.width);
        let mut header = LineBuilder::new(self.cx.theme, columns);
        self.put_header(&mut header);
        let caret = self.put_filter_line(&mut header, canvas);
        push_rule(&mut header);
        let mut footer = LineBuilder::new(self.cx.theme, columns);
        push_rule(&mut footer);
        self.put_footer(area, &mut footer);
        canvas.draw_rows(area, &header.rows);
        let header_height = row_count(header.rows.len());
        let footer_height = row_count(footer.rows.len());
        let footer_area =
            Rect { y: area.bottom().saturating_sub(footer_height), height: footer_height, ..area };
        canvas.draw_rows(footer_area, &footer.rows);
        let height = area.height.saturating_sub(header_height + footer_height);
        let body = Rect { y: area.y + header_height, height, ..area };
        let list = self.draw_selected_ask(body, area, canvas);
        self.draw_list(list, footer_area, canvas);
        if let Some((row, column)) = caret {
            canvas.set_cursor(area.x + row_count(column), area.y + row_count(row));
        }
    }

    fn put_header(&self, builder: &mut LineBuilder<'_>) {
        let lang = self.cx.lang;
        let mut counts = Vec::new();
        let is_filtered = self.inbox.is_read && !self.inbox.filter.is_empty();
        if is_filtered {
            counts.push(Message::FilterMatches.render_with(lang, [self.inbox.rows().count()]));
        }
        match self.inbox.state_filter {
            StateFilter::Pending => {
                let (pending_count, draft_count) = self.inbox.counts();
                let more = if self.inbox.has_more { "+" } else { "" };
                counts.push(Message::WaitingCount.render_with(lang, [own(format!("{pending_count}{more}"))]));
                if !is_filtered && draft_count > 0 {
                    counts.push(Message::DraftCount.render_with(lang, [draft_count]));
                }
                if !is_filtered && self.inbox.for_others > 0 {
                    counts.push(Message::OthersCount.render_with(lang, [self.inbox.for_others]));
                }
            }
            StateFilter::Ended => counts.push(Message::HistoryTitle.plain(lang).to_owned()),
        }
        let counts = counts.join(&format!(" {} ", builder.theme.symbols.dot));
        let name = Message::InboxTitle.plain(lang);
        push_at_edges(builder, (name, StyleRole::Strong), (&counts, StyleRole::Plain));
    }

    /// Adds the filter and the sort order. Returns the caret while the filter is edited.
    fn put_filter_line(
        &self,
        builder: &mut LineBuilder<'_>,
        canvas: &mut FrameCanvas<'_>,
    ) -> Option<(usize, usize)> {
        let lang = self.cx.lang;
        let sort = match (self.inbox.state_filter, self.inbox.sort_order) {
            (StateFilter::Ended, _) => Message::SortNewest,
            (_, SortOrder::Blocking) => Message::SortBlocking,
            (_, SortOrder::Oldest) => Message::SortOldest,
            (_, SortOrder::Newest) => Message::SortNewest,
            (_, SortOrder::Deadline) => Message::SortDeadline,
        };
        let sort = Message::SortedBy.render_with(lang, [sort.plain(lang)]);
        let room = builder.columns.saturating_sub(display_width(&sort) + 6).max(8);
        canvas.report.text_widths.push((TextBoxSlot::InboxFilter, room));
        let filter = self.inbox.filter.at_width(room);
        let words = filter.visible_rows(0, 1).join("");
        let (text, role) = if self.inbox.is_filtering || !words.is_empty() {
            (format!("/{words}"), StyleRole::Strong)
        } else {
            (Message::FilterHint.plain(lang).to_owned(), StyleRole::Faint)
        };
        let room = builder.columns.saturating_sub(display_width(&sort) + 4);
        let text = truncate_to_width(&text, room, builder.theme.symbols.ellipsis);
        let row = builder.rows.len();
        push_at_edges(builder, (&text, role), (&sort, StyleRole::Faint));
        if self.inbox.is_filtering { Some((row, 2 + filter.caret_cell().column)) } else { None }
    }

    /// Draws the selected ask next to the list or below it, if there is room. Returns the area of the list.
    fn draw_selected_ask(&self, body: Rect, area: Rect, canvas: &mut FrameCanvas<'_>) -> Rect {
        let is_split = shows_selected_ask((area.width, area.height));
        if !is_split && area.height < PREVIEW_HEIGHT {
            return body;
        }
        let theme = self.cx.theme;
        let builder = LineBuilder::new(theme, usize::from(area.width));
        let (list, pane) = if is_split {
            let width = (area.width / 2).max(SPLIT_LIST_COLUMNS);
            let line = builder.span(theme.symbols.separator, StyleRole::Faint);
            for y in body.top()..body.bottom() {
                canvas.draw_spans(body.x + width, y, std::slice::from_ref(&line), None);
            }
            let x = body.x + width + 2;
            (Rect { width, ..body }, Rect { x, width: body.right().saturating_sub(x), ..body })
        } else {
            let height = body.height / 3;
            let y = body.bottom().saturating_sub(height);
            let line = builder.span(theme.symbols.rule.repeat(builder.columns), StyleRole::Faint);
            canvas.draw_spans(body.x, y, &[line], None);
            let list = Rect { height: body.height.saturating_sub(height), ..body };
            (list, Rect { x: body.x + 1, y: y + 1, height: height.saturating_sub(1), width: body.width - 1 })
        };
        if let Some(ask) = &self.inbox.preview
            && self.inbox.selected_ask() == Some(ask.id)
        {
            canvas.draw_rows(pane, &ask_pane::rows(&self.cx, ask, pane));
        }
        list
    }

    fn draw_list(&self, area: Rect, footer: Rect, canvas: &mut FrameCanvas<'_>) {
        let height = usize::from(area.height);
        let cursor = self.inbox.selected_index();
        let count = self.inbox.rows().count();
        let mut builder = LineBuilder::new(self.cx.theme, usize::from(area.width));
        if count == 0 {
            self.put_empty_list(&mut builder);
            canvas.draw_rows(area, &builder.rows);
            return;
        }
        let columns = ListColumns::new(builder.columns, self.inbox.state_filter);
        let details = usize::from(columns.has_details());
        let fit = height.saturating_sub(details).max(1);
        // The list scrolls only as far as the cursor needs.
        let lowest = (cursor + 1).saturating_sub(fit);
        let top = self.inbox.extent.first.min(cursor).max(lowest).min(count.saturating_sub(fit));
        canvas.report.list = Some(ListExtent { first: top, asks: fit });
        let rows = RowContext { cx: &self.cx, is_running: self.is_running, scope: self.scope };
        for (index, row) in self.inbox.rows().enumerate().skip(top).take(fit) {
            builder.hit_target = Some(HitTarget::Item(index));
            columns.push_row(&rows, row, index == cursor, &mut builder);
        }
        canvas.draw_rows(area, &builder.rows);
        self.draw_position(cursor, (top, (top + fit).min(count), count), footer, canvas);
    }

    /// Draws the position in the list onto the rule below it.
    fn draw_position(
        &self,
        cursor: usize,
        (top, end, count): (usize, usize, usize),
        footer: Rect,
        canvas: &mut FrameCanvas<'_>,
    ) {
        let signs = self.cx.theme.symbols;
        let up = if top > 0 { signs.up } else { "" };
        let down = if end < count { signs.down } else { "" };
        let more = if self.inbox.has_more { "+" } else { "" };
        let counts = [(cursor + 1).to_string(), format!("{count}{more}")];
        let message = Message::FilterShows.render_with(self.cx.lang, counts.map(own));
        let arrows = if up.is_empty() && down.is_empty() { String::new() } else { format!(" {up}{down}") };
        let message = format!(" {message}{arrows} ");
        let width = row_count(display_width(&message));
        let span = LineBuilder::new(self.cx.theme, 80).span(message, StyleRole::Plain);
        canvas.draw_spans(footer.right().saturating_sub(width + 1), footer.y, &[span], None);
    }

    fn put_empty_list(&self, builder: &mut LineBuilder<'_>) {
        let lang = self.cx.lang;
        builder.push_blank();
        let message = match (&self.inbox.problem, self.inbox.is_read, self.inbox.filter.is_empty()) {
            (Some(problem), ..) => problem.render_lines(lang).join(" "),
            (None, false, _) => Message::ReadingList.plain(lang).to_owned(),
            (None, true, false) => Message::FilterHidesAll.plain(lang).to_owned(),
            (None, true, true) if self.inbox.state_filter == StateFilter::Ended => {
                Message::NothingEnded.plain(lang).to_owned()
            }
            (None, true, true) if self.inbox.for_others > 0 => {
                Message::OnlyForOthers.render_with(lang, [self.inbox.for_others])
            }
            (None, true, true) => Message::InboxEmpty.plain(lang).to_owned(),
        };
        for line in message.split('\n') {
            // The example has the quotation marks of JSON, which quote nobody.
            let text = AuthoredText::new(line.to_owned(), Author::Ours);
            let text = AuthoredText { quotes: Author::Ours, ..text };
            let span = builder.authored_span(text, StyleRole::Faint);
            builder.push_authored(&[("  ".to_owned(), Style::new())], Margins::hanging(2), &[span]);
        }
    }

    fn put_footer(&self, area: Rect, builder: &mut LineBuilder<'_>) {
        let lang = self.cx.lang;
        if let Some(status) = &self.status {
            let start = builder.rows.len();
            builder.push_own(1, status, StyleRole::Warning);
            builder.rows.truncate(start + (usize::from(area.height) / 6).max(1));
        } else if footer::footer_lines(area.height) > 2 {
            let whole = Message::NothingSentInbox.plain(lang);
            let fits = display_width(whole) < builder.columns;
            let message = if fits { whole } else { Message::NothingSentBrief.plain(lang) };
            builder.push_row(vec![builder.span(format!(" {message}"), StyleRole::Faint)]);
        }
        if self.has_dialog {
            builder.push_blank();
            return;
        }
        let keys: &[Message] = match (self.inbox.is_filtering, self.inbox.state_filter) {
            (true, _) => &[Message::KeyMove, Message::KeyOpen, Message::KeyEscClear],
            (false, StateFilter::Pending) => &[
                Message::KeyMove,
                Message::KeyOpen,
                Message::KeyFilter,
                Message::KeyDecline,
                Message::KeyHistory,
                Message::KeySort,
                Message::KeyQuit,
                Message::KeyHelp,
            ],
            (false, StateFilter::Ended) => &[
                Message::KeyMove,
                Message::KeyEnterView,
                Message::KeySearch,
                Message::KeyPending,
                Message::KeyQuit,
                Message::KeyHelp,
            ],
        };
        builder.rows.append(&mut footer::hint_rows(&self.cx, keys, builder.columns, 1, 1));
    }
}

/// Returns the status line of the inbox.
fn status_line(app: &App) -> Option<String> {
    let lang = app.setup.lang;
    if app.notice.is_some() {
        return app.notice.clone();
    }
    let mut sentences = Vec::new();
    if let Some(since) = app.unreachable_since_text() {
        sentences.push(Message::NotConnected.render_with(lang, [own(since)]));
    }
    if app.opening.is_active() && app.setup.only_ask.is_none() {
        sentences.push(Message::Opening.plain(lang).to_owned());
    }
    if sentences.is_empty() { None } else { Some(sentences.join(describe::sentence_separator(lang))) }
}

/// Adds a row with one text at the left edge and one at the right.
fn push_at_edges(
    builder: &mut LineBuilder<'_>,
    (left, left_role): (&str, StyleRole),
    (right, right_role): (&str, StyleRole),
) {
    let used = display_width(left) + display_width(right) + 2;
    let gap = " ".repeat(builder.columns.saturating_sub(used).max(1));
    builder.push_row(vec![
        builder.span(format!(" {left}"), left_role),
        builder.span(format!("{gap}{right}"), right_role),
    ]);
}

fn row_count(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
