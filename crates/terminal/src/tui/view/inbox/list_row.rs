//! Row of an ask in the list, in columns that depend on the width.

use super::super::super::inbox::StateFilter;
use super::super::super::widgets::line_builder::{
    LineBuilder, StyledSpan, display_width, truncate_start, truncate_to_width,
};
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
        let mut used = MARGIN + 1;
        for width in [agent, folder, words, count, TIME_COLUMNS] {
            if width > 0 {
                // Each column has a gap after it.
                used += width + 1;
            }
        }
        Self { title: columns.saturating_sub(used).max(8), agent, folder, words, count }
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
        let audience = audience_mark(rows, row, self.title / 2);
        let room = self.title.saturating_sub(display_width(&audience));
        let title = truncate_to_width(&describe::row_name(row, rows.cx.lang), room, signs.ellipsis);
        let gap = " ".repeat((room + 1).saturating_sub(display_width(&title)));
        let mut spans = vec![
            pointer,
            builder.span(format!("{mark} "), role),
            builder.span(audience, StyleRole::Warning),
            title_span(title, row, has_focus, builder),
            builder.span(gap, StyleRole::Plain),
        ];
        if self.agent > 0 {
            let name = asker_name(rows.cx, &row.shown_asker());
            spans.push(builder.span(align_left(&name, self.agent, signs.ellipsis), StyleRole::Plain));
        }
        if self.folder > 0 {
            let folder = folder_text(rows, row, self.folder);
            spans.push(builder.span(align_left(&folder, self.folder, signs.ellipsis), StyleRole::Faint));
        }
        if self.words > 0 {
            let state = state_words(rows, row);
            spans.push(builder.span(align_left(&state, self.words, signs.ellipsis), StyleRole::Faint));
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
        let (time, is_urgent) = time_text(rows.cx, row);
        let role = match (is_urgent, row.deadline) {
            (true, _) => StyleRole::Warning,
            (false, Some(_)) => StyleRole::Plain,
            (false, None) => StyleRole::Faint,
        };
        let mut spans = vec![builder.span(align_right(&time, TIME_COLUMNS), role)];
        if self.count > 0 {
            let has_draft = row.state.is_pending() && row.answered > 0;
            let draft = if has_draft { format!("{}/", row.answered) } else { String::new() };
            let counts = own(format!("{draft}{}", row.asked));
            let text = Message::QuestionsShort.render_with(rows.cx.lang, [counts]);
            spans.push(builder.span(align_right(&text, self.count), StyleRole::Faint));
        }
        spans
    }

    /// Adds the second line of the selected row: what has no column.
    fn push_details(&self, rows: &RowContext<'_>, row: &AskSummary, builder: &mut LineBuilder<'_>) {
        let signs = builder.theme.symbols;
        let dot = format!(" {} ", signs.dot);
        let state = state_words(rows, row);
        let agent = if self.agent == 0 { asker_name(rows.cx, &row.shown_asker()) } else { String::new() };
        let room = builder.columns.saturating_sub(MARGIN + 1);
        let used = display_width(&state) + display_width(&agent) + 2 * display_width(&dot);
        let folder = match self.folder {
            0 => folder_text(rows, row, room.saturating_sub(used)),
            _ => String::new(),
        };
        let mut parts = vec![agent, folder, state];
        parts.retain(|part| !part.trim().is_empty());
        let text = truncate_to_width(&parts.join(&dot), room, signs.ellipsis);
        builder.push_row(vec![builder.span(format!("{}{text}", " ".repeat(MARGIN)), StyleRole::Faint)]);
    }
}

/// Returns the mark before the title of an ask that is not for the person: whom it is for.
fn audience_mark(rows: &RowContext<'_>, row: &AskSummary, columns: usize) -> String {
    if rows.scope.is_for_person(row) {
        return String::new();
    }
    let Some(audience) = &row.audience else { return String::new() };
    let signs = rows.cx.theme.symbols;
    let names = audience.to_string();
    let label = Message::IsFor.render_with(rows.cx.lang, [own(display::escape_line(&names))]);
    format!("{} {} ", truncate_to_width(&label, columns.saturating_sub(3), signs.ellipsis), signs.dot)
}

/// Returns words at the left of a column, with the gap after it.
fn align_left(words: &str, width: usize, ellipsis: &str) -> String {
    let words = truncate_to_width(words, width, ellipsis);
    let fill = width.saturating_sub(display_width(&words));
    format!("{words}{}", " ".repeat(fill + 1))
}

/// Returns words at the right of a column, with the gap after it.
fn align_right(words: &str, width: usize) -> String {
    let fill = width.saturating_sub(display_width(words));
    format!("{}{words} ", " ".repeat(fill))
}

/// Returns the title; that of an ask that no one has opened is bold.
fn title_span(title: String, row: &AskSummary, has_focus: bool, builder: &LineBuilder<'_>) -> StyledSpan {
    let (words, mut style) = builder.span(title, StyleRole::Agent.focused_if(has_focus));
    if row.state == AskStatus::Open && !row.seen {
        style = style.add_modifier(Modifier::BOLD);
    }
    (words, style)
}

/// Returns the end of the folder, by which folders differ.
fn folder_text(rows: &RowContext<'_>, row: &AskSummary, columns: usize) -> String {
    let folder = describe::asker_folder(&row.shown_asker(), rows.cx.home, rows.cx.lang).unwrap_or_default();
    truncate_start(&folder, columns, rows.cx.theme.symbols.ellipsis)
}

/// Returns the time that matters: until the deadline of a pending ask, or since an ask began or ended.
fn time_text(cx: &ViewContext<'_>, row: &AskSummary) -> (String, bool) {
    let clock = cx.now.timestamp();
    if !row.state.is_pending() {
        return (short_form::short_duration(clock.duration_since(row.changed_at)), false);
    }
    let Some(deadline) = row.deadline else {
        return (short_form::short_duration(clock.duration_since(row.created_at)), false);
    };
    let rest = deadline.duration_since(clock);
    let words = Message::TimeLeft.render_with(cx.lang, [own(short_form::short_duration(rest))]);
    (words, rest.as_secs() <= URGENT_SECONDS)
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
    let changed_at = row.changed_at.to_zoned(rows.cx.now.time_zone().clone());
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
    message.render_with(rows.cx.lang, [own(changed_at.strftime("%Y-%m-%d %H:%M"))])
}
