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
        let mut above = LineBuilder::new(self.cx.theme, columns);
        self.put_header(&mut above);
        let caret = self.put_filter_line(&mut above, canvas);
        push_rule(&mut above);
        let mut below = LineBuilder::new(self.cx.theme, columns);
        push_rule(&mut below);
        self.put_footer(area, &mut below);
        let (top, bottom) = (row_count(above.rows.len()), row_count(below.rows.len()));
        let footer = Rect { y: area.bottom().saturating_sub(bottom), height: bottom, ..area };
        canvas.draw_rows(area, &above.rows);
        canvas.draw_rows(footer, &below.rows);
        let body = Rect { y: area.y + top, height: area.height.saturating_sub(top + bottom), ..area };
        let list = self.draw_selected_ask(body, area, canvas);
        self.draw_list(list, footer, canvas);
        if let Some((row, column)) = caret {
            canvas.set_cursor(area.x + row_count(column), area.y + row_count(row));
        }
    }

    fn put_header(&self, builder: &mut LineBuilder<'_>) {
        let lang = self.cx.lang;
        let (waiting, drafts) = self.inbox.counts();
        let dot = format!(" {} ", builder.theme.symbols.dot);
        let is_filtered = self.inbox.is_read && !self.inbox.filter.is_empty();
        let matches =
            is_filtered.then(|| Message::FilterMatches.render_with(lang, [self.inbox.rows().count()]));
        let counts = match self.inbox.state_filter {
            StateFilter::Pending => {
                let more = if self.inbox.has_more { "+" } else { "" };
                let waiting = Message::WaitingCount.render_with(lang, [own(format!("{waiting}{more}"))]);
                let drafts = (drafts > 0).then(|| Message::DraftCount.render_with(lang, [drafts]));
                let others = self.inbox.for_others;
                let others = (others > 0).then(|| Message::OthersCount.render_with(lang, [others]));
                if is_filtered { vec![matches, Some(waiting)] } else { vec![Some(waiting), drafts, others] }
            }
            StateFilter::Ended => vec![matches, Some(Message::HistoryTitle.plain(lang).to_owned())],
        };
        let counts = counts.into_iter().flatten().collect::<Vec<_>>().join(&dot);
        let name = Message::InboxTitle.plain(lang);
        let gap = " "
            .repeat(builder.columns.saturating_sub(display_width(name) + display_width(&counts) + 2).max(1));
        builder.push_row(vec![
            builder.span(format!(" {name}"), StyleRole::Strong),
            builder.span(format!("{gap}{counts}"), StyleRole::Plain),
        ]);
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
        let is_filtering = self.inbox.is_filtering;
        let shown = match (words.is_empty(), is_filtering) {
            (true, false) => Message::FilterHint.plain(lang).to_owned(),
            _ => format!("/{words}"),
        };
        let role = if is_filtering || !words.is_empty() { StyleRole::Strong } else { StyleRole::Faint };
        let shown = truncate_to_width(
            &shown,
            builder.columns.saturating_sub(display_width(&sort) + 4),
            builder.theme.symbols.ellipsis,
        );
        let gap = " "
            .repeat(builder.columns.saturating_sub(display_width(&shown) + display_width(&sort) + 2).max(1));
        let caret = is_filtering.then(|| (builder.rows.len(), 2 + filter.caret_cell().column));
        builder.push_row(vec![
            builder.span(format!(" {shown}"), role),
            builder.span(format!("{gap}{sort}"), StyleRole::Faint),
        ]);
        caret
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
        let selected = self.inbox.selected().map(|row| row.id);
        if let Some(ask) = self.inbox.preview.as_ref().filter(|ask| Some(ask.id) == selected) {
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
        let top = self
            .inbox
            .extent
            .first
            .min(cursor)
            .max((cursor + 1).saturating_sub(fit))
            .min(count.saturating_sub(fit));
        canvas.report.list = Some(ListExtent { first: top, asks: fit });
        let rows = RowContext { cx: &self.cx, is_running: self.is_running, scope: self.scope };
        for (at, row) in self.inbox.rows().enumerate().skip(top).take(fit) {
            builder.hit_target = Some(HitTarget::Item(at));
            columns.push_row(&rows, row, at == cursor, &mut builder);
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
        let wide = row_count(display_width(&message));
        let span = LineBuilder::new(self.cx.theme, 80).span(message, StyleRole::Plain);
        canvas.draw_spans(footer.right().saturating_sub(wide + 1), footer.y, &[span], None);
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
        // The example has the quotation marks of JSON.
        for line in message.split('\n') {
            let line =
                AuthoredText { quotes: Author::Ours, ..AuthoredText::new(line.to_owned(), Author::Ours) };
            let line = builder.authored_span(line, StyleRole::Faint);
            builder.push_authored(&[("  ".to_owned(), Style::new())], Margins::hanging(2), &[line]);
        }
    }

    fn put_footer(&self, area: Rect, builder: &mut LineBuilder<'_>) {
        let lang = self.cx.lang;
        if let Some(report) = &self.status {
            let before = builder.rows.len();
            builder.push_own(1, report, StyleRole::Warning);
            builder.rows.truncate(before + (usize::from(area.height) / 6).max(1));
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
    if let Some(report) = &app.notice {
        return Some(report.clone());
    }
    let away =
        app.unreachable_since_text().map(|since| Message::NotConnected.render_with(lang, [own(since)]));
    let is_opening = app.opening.is_active() && app.setup.only_ask.is_none();
    let opening = is_opening.then(|| Message::Opening.plain(lang).to_owned());
    let texts: Vec<_> = away.into_iter().chain(opening).collect();
    (!texts.is_empty()).then(|| texts.join(describe::sentence_separator(lang)))
}

fn row_count(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
