//! Row of an ask in the list, in columns that depend on the width.

use super::super::super::inbox::StateFilter;
use super::super::super::widgets::line_builder::{
    LineBuilder, StyledSpan, display_width, truncate_start, truncate_to_width,
};
use super::super::super::widgets::symbols::SymbolSet;
use super::super::super::widgets::theme::StyleRole;
use super::super::header::asker_name;
use super::super::{NARROW_COLUMNS, ViewContext};
use crate::describe::{self, short_form};
use crate::surface::ProcessCheck;
use ratatui::style::Modifier;
use sayso_core::i18n::own;
use sayso_core::model::ask::AskRequest;
use sayso_core::{AskSummary, Message, display, model::ask_summary::AskStatus};
use sayso_desk::ListScope;

/// Columns before the title: the pointer and the sign.
const MARGIN: usize = 4;

/// Columns of the age or the deadline.
const TIME_COLUMNS: usize = 8;

/// Columns of the count of questions.
const COUNT_COLUMNS: usize = 7;

/// Time before a deadline from which it stands out, in seconds.
const URGENT_SECONDS: i64 = 600;

/// The context of a row besides its ask.
pub(super) struct RowContext<'a> {
    pub(super) cx: &'a ViewContext<'a>,
    pub(super) is_running: ProcessCheck,
    pub(super) scope: &'a ListScope,
}

/// Widths of the columns; a column that has no room is 0 wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListColumns {
    title: usize,
    agent: usize,
    folder: usize,
    /// State in words.
    words: usize,
    count: usize,
}

impl ListColumns {
    /// Divides the width of the list.
    pub(super) fn new(columns: usize, filter: StateFilter) -> Self {
        let words = match filter {
            StateFilter::Pending => 14,
            StateFilter::Ended => 26,
        };
        let (agent, folder, words, count) = match columns {
            0..NARROW_COLUMNS => (0, 0, 0, 0),
            NARROW_COLUMNS..80 => (14, 0, 0, COUNT_COLUMNS),
            80..100 => (16, 0, 0, COUNT_COLUMNS),
            100..120 => (18, 20, 0, COUNT_COLUMNS),
            _ => (20, 22, words, COUNT_COLUMNS),
        };
        let with_gap = |width: usize| if width > 0 { width + 1 } else { 0 };
        let taken =
            MARGIN + [agent, folder, words, count, TIME_COLUMNS].into_iter().map(with_gap).sum::<usize>() + 1;
        Self { title: columns.saturating_sub(taken).max(8), agent, folder, words, count }
    }

    /// Returns whether the selected row has a second line: for what has no column.
    pub(super) const fn has_details(&self) -> bool {
        self.words == 0
    }

    /// Adds an ask.
    pub(super) fn push_row(
        &self,
        rows: &RowContext<'_>,
        row: &AskSummary,
        has_focus: bool,
        builder: &mut LineBuilder<'_>,
    ) {
        let signs = builder.theme.symbols;
        let pointer = if has_focus { signs.pointer } else { " " };
        let pointer = builder.span(format!("{pointer} "), StyleRole::Accent);
        if row.damaged {
            let message = format!("{} {}", row.id.short_id(), Message::RowDamaged.plain(rows.cx.lang));
            let message = truncate_to_width(&message, builder.columns.saturating_sub(MARGIN), signs.ellipsis);
            let message = builder.span(format!("{} {message}", signs.skipped), StyleRole::Failure);
            builder.push_row(vec![pointer, message]);
            if has_focus && self.has_details() {
                builder.push_blank();
            }
            return;
        }
        let (mark, role) = row_symbol(rows, row);
        let left = |words: &str, width: usize| {
            let words = truncate_to_width(words, width, signs.ellipsis);
            let fill = width.saturating_sub(display_width(&words));
            format!("{words}{}", " ".repeat(fill + 1))
        };
        let others = others_mark(rows, row, self.title / 2, signs);
        let room = self.title.saturating_sub(display_width(&others));
        let title = truncate_to_width(&describe::row_name(row, rows.cx.lang), room, signs.ellipsis);
        let gap = " ".repeat((room + 1).saturating_sub(display_width(&title)));
        let mut spans = vec![
            pointer,
            builder.span(format!("{mark} "), role),
            builder.span(others, StyleRole::Warning),
            title_span(title, row, has_focus, builder),
            builder.span(gap, StyleRole::Plain),
        ];
        if self.agent > 0 {
            let name = asker_name(rows.cx, &row.shown_asker());
            spans.push(builder.span(left(&name, self.agent), StyleRole::Plain));
        }
        if self.folder > 0 {
            let folder = folder_text(rows, row, self.folder);
            spans.push(builder.span(left(&folder, self.folder), StyleRole::Faint));
        }
        if self.words > 0 {
            spans.push(builder.span(left(&state_words(rows, row), self.words), StyleRole::Faint));
        }
        spans.extend(self.time_and_count(rows, row, builder));
        builder.push_row(spans);
        if has_focus && self.has_details() {
            self.push_details(rows, row, builder);
        }
    }

    fn time_and_count(
        &self,
        rows: &RowContext<'_>,
        row: &AskSummary,
        builder: &LineBuilder<'_>,
    ) -> Vec<StyledSpan> {
        let right = |words: &str, width: usize| {
            format!("{}{words} ", " ".repeat(width.saturating_sub(display_width(words))))
        };
        let (time, is_urgent) = time_text(rows.cx, row);
        let role = match (is_urgent, row.deadline) {
            (true, _) => StyleRole::Warning,
            (false, Some(_)) => StyleRole::Plain,
            (false, None) => StyleRole::Faint,
        };
        let mut spans = vec![builder.span(right(&time, TIME_COLUMNS), role)];
        if self.count > 0 {
            let draft = match row.answered {
                0 => String::new(),
                _ if !row.state.is_pending() => String::new(),
                answered => format!("{answered}/"),
            };
            let count =
                Message::QuestionsShort.render_with(rows.cx.lang, [own(format!("{draft}{}", row.asked))]);
            spans.push(builder.span(right(&count, self.count), StyleRole::Faint));
        }
        spans
    }

    /// Adds the second line of the selected row: what has no column.
    fn push_details(&self, rows: &RowContext<'_>, row: &AskSummary, builder: &mut LineBuilder<'_>) {
        let signs = builder.theme.symbols;
        let dot = format!(" {} ", signs.dot);
        let words = state_words(rows, row);
        let agent = if self.agent == 0 { asker_name(rows.cx, &row.shown_asker()) } else { String::new() };
        let room = builder.columns.saturating_sub(MARGIN + 1);
        let taken = display_width(&words) + display_width(&agent) + 2 * display_width(&dot);
        let folder = match self.folder {
            0 => folder_text(rows, row, room.saturating_sub(taken)),
            _ => String::new(),
        };
        let parts: Vec<_> =
            [agent, folder, words].into_iter().filter(|part| !part.trim().is_empty()).collect();
        let text = truncate_to_width(&parts.join(&dot), room, signs.ellipsis);
        builder.push_row(vec![builder.span(format!("{}{text}", " ".repeat(MARGIN)), StyleRole::Faint)]);
    }
}

/// Returns the mark before the title of an ask that is not for the person: whom it is for.
fn others_mark(rows: &RowContext<'_>, row: &AskSummary, columns: usize, signs: &SymbolSet) -> String {
    let Some(audience) = row.audience.as_ref().filter(|_| !rows.scope.is_for_person(row)) else {
        return String::new();
    };
    let names = audience.to_string();
    let label = Message::IsFor.render_with(rows.cx.lang, [own(display::escape_line(&names))]);
    format!("{} {} ", truncate_to_width(&label, columns.saturating_sub(3), signs.ellipsis), signs.dot)
}

/// Returns the title; that of an ask that no one has opened is bold.
fn title_span(title: String, row: &AskSummary, has_focus: bool, builder: &LineBuilder<'_>) -> StyledSpan {
    let (words, style) = builder.span(title, if has_focus { StyleRole::Focus } else { StyleRole::Agent });
    let is_new = row.state == AskStatus::Open && !row.seen;
    (words, if is_new { style.add_modifier(Modifier::BOLD) } else { style })
}

/// Returns the end of the folder, by which folders differ.
fn folder_text(rows: &RowContext<'_>, row: &AskSummary, columns: usize) -> String {
    let folder = describe::asker_folder(&row.shown_asker(), rows.cx.home, rows.cx.lang).unwrap_or_default();
    truncate_start(&folder, columns, rows.cx.theme.symbols.ellipsis)
}

/// Returns the time that matters: until the deadline of a pending ask, or since an ask began or ended.
fn time_text(cx: &ViewContext<'_>, row: &AskSummary) -> (String, bool) {
    let now = cx.now.timestamp();
    if let Some(deadline) = row.deadline.filter(|_| row.state.is_pending()) {
        let left = deadline.duration_since(now);
        let words = Message::TimeLeft.render_with(cx.lang, [own(short_form::short_duration(left))]);
        return (words, left.as_secs() <= URGENT_SECONDS);
    }
    let since = if row.state.is_pending() { row.created_at } else { row.changed_at };
    (short_form::short_duration(now.duration_since(since)), false)
}

fn row_symbol(rows: &RowContext<'_>, row: &AskSummary) -> (&'static str, StyleRole) {
    let signs = rows.cx.theme.symbols;
    match row.state {
        AskStatus::Open if !row.is_waiting(rows.is_running) => (signs.detached, StyleRole::Faint),
        AskStatus::Open if row.answered > 0 => (signs.edited, StyleRole::Warning),
        AskStatus::Open if row.seen => (signs.untouched, StyleRole::Plain),
        AskStatus::Open => (signs.current, StyleRole::Warning),
        AskStatus::Submitted => (signs.edited, StyleRole::Faint),
        AskStatus::Answered if row.approved == Some(false) => (signs.skipped, StyleRole::Faint),
        AskStatus::Answered => (signs.answered, StyleRole::Completed),
        AskStatus::Declined | AskStatus::Cancelled | AskStatus::Expired => (signs.skipped, StyleRole::Faint),
    }
}

/// Returns the state of an ask in a few words: who waits, or how it ended.
fn state_words(rows: &RowContext<'_>, row: &AskSummary) -> String {
    let at = row.changed_at.to_zoned(rows.cx.now.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let message = match row.state {
        AskStatus::Open if row.is_waiting(rows.is_running) => Message::RowBlocks,
        AskStatus::Open => Message::RowGone,
        AskStatus::Submitted => Message::RowSubmitted,
        AskStatus::Answered => match (row.approved, row.delivered) {
            (Some(true), true) => Message::RowAllowed,
            (Some(true), false) => Message::RowAllowedNotTaken,
            (Some(false), _) => Message::RowAnsweredNo,
            (None, true) => Message::RowAnswered,
            (None, false) => Message::RowAnsweredNotTaken,
        },
        AskStatus::Declined => Message::RowDeclined,
        AskStatus::Cancelled if row.dialect == AskRequest::HOOK_DIALECT => Message::RowEndedInHost,
        AskStatus::Cancelled => Message::RowCancelled,
        AskStatus::Expired => Message::RowExpired,
    };
    message.render_with(rows.cx.lang, [own(at)])
}
