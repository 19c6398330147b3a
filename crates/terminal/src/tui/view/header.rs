//! Header of a questionnaire: title, asker, and tabs.

use super::super::answer::{AskTab, AskView};
use super::super::widgets::line_builder::{
    HitTarget, LineBuilder, StyledSpan, display_width, spans_width, truncate_to_width,
};
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, NARROW_COLUMNS, ViewContext, push_rule};
use crate::describe;
use ratatui::layout::Rect;
use sayso_core::model::actor::ShownAsker;
use sayso_core::{Ask, Message, ReplyContent};
use std::collections::VecDeque;
use std::time::Duration;

/// Maximum number of columns of a tab's name.
const TAB_COLUMNS: usize = 12;

/// Maximum number of columns of a prompt that is the name of a tab as a whole.
const PROMPT_COLUMNS: usize = 24;

/// Maximum number of columns of the prompt of the only question.
const LONE_COLUMNS: usize = 48;

/// Maximum number of columns of an asker's self-chosen name.
const NAME_COLUMNS: usize = 24;

/// Draws the header, which has [`header_rows`] rows.
pub(super) fn draw(cx: &ViewContext<'_>, view: &AskView, area: Rect, canvas: &mut FrameCanvas<'_>) {
    let columns = usize::from(area.width);
    let mut builder = LineBuilder::new(cx.theme, columns);
    let title = describe::title(view.ask.request.questionnaire.display_name());
    if is_narrow(area.width) {
        let marks = tab_symbols(cx, view, columns / 2);
        let marks_width = spans_width(&marks);
        let room = columns.saturating_sub(marks_width + 3);
        let title = truncate_to_width(&title, room, cx.theme.symbols.ellipsis);
        let gap = " ".repeat(columns.saturating_sub(display_width(&title) + marks_width + 2));
        let mut row = vec![
            builder.span(" ", StyleRole::Plain),
            builder.span(title, StyleRole::Strong),
            builder.span(gap, StyleRole::Plain),
        ];
        row.extend(marks);
        builder.push_row(row);
        let asker = asker_and_age(cx, &view.ask, columns.saturating_sub(1));
        builder.push_row(vec![builder.span(format!(" {asker}"), StyleRole::Faint)]);
        canvas.draw_rows(area, &builder.rows);
        return;
    }
    // The asker's identity comes from us, so the title never takes its place.
    let asker = asker_and_age(cx, &view.ask, columns * 3 / 5);
    let asker_width = display_width(&asker);
    let title = truncate_to_width(&title, columns.saturating_sub(asker_width + 4), cx.theme.symbols.ellipsis);
    let gap = " ".repeat(columns.saturating_sub(display_width(&title) + asker_width + 2));
    builder.push_row(vec![
        builder.span(" ", StyleRole::Plain),
        builder.span(title, StyleRole::Strong),
        builder.span(gap, StyleRole::Plain),
        builder.span(asker, StyleRole::Faint),
    ]);
    builder.push_blank();
    push_rule(&mut builder);
    canvas.draw_rows(area, &builder.rows);
    draw_tabs(cx, view, Rect { y: area.y + 1, height: 1, ..area }, canvas);
}

/// Returns the asker, its folder and the age of its ask, of which the age is never cut.
fn asker_and_age(cx: &ViewContext<'_>, ask: &Ask, columns: usize) -> String {
    let age = format!(" {} {}", cx.theme.symbols.dot, age_text(cx, ask));
    let asker = asker_and_folder(cx, &ask.request.shown_asker());
    let room = columns.saturating_sub(display_width(&age));
    truncate_to_width(&asker, room, cx.theme.symbols.ellipsis) + &age
}

/// Returns the asker's name. A self-chosen one leaves room for the verified facts.
pub(super) fn asker_name(cx: &ViewContext<'_>, asker: &ShownAsker<'_>) -> String {
    let short = |name: &str| truncate_to_width(name, NAME_COLUMNS, cx.theme.symbols.ellipsis);
    describe::asker_name(asker, short, cx.lang)
}

/// Returns the asker and its folder.
pub(super) fn asker_and_folder(cx: &ViewContext<'_>, asker: &ShownAsker<'_>) -> String {
    let name = asker_name(cx, asker);
    match describe::asker_folder(asker, cx.home, cx.lang) {
        Some(folder) => format!("{name} {} {folder}", cx.theme.symbols.dot),
        None => name,
    }
}

/// Returns the time since an ask was asked. A clock that is behind the asker's counts as age 0.
pub(super) fn age_text(cx: &ViewContext<'_>, ask: &Ask) -> String {
    let age = cx.now.timestamp().duration_since(ask.request.created_at);
    describe::age_text(Duration::try_from(age).unwrap_or_default(), cx.lang)
}

fn draw_tabs(cx: &ViewContext<'_>, view: &AskView, area: Rect, canvas: &mut FrameCanvas<'_>) {
    let signs = cx.theme.symbols;
    let progress = view.form.sheet.progress();
    let count = format!("{}/{}", progress.answered, progress.total);
    let columns = usize::from(area.width);
    let room = columns.saturating_sub(display_width(&count) + 2);
    let tabs = view.tabs();
    let current = tabs.iter().position(|tab| *tab == view.tab).unwrap_or_default();
    let (first, cells) = visible_tabs(cx, view, &tabs, current, room.saturating_sub(4));
    let builder = LineBuilder::new(cx.theme, columns);
    let lead = builder.span(if first > 0 { signs.left } else { " " }, StyleRole::Faint);
    let mut x = canvas.draw_spans(area.x, area.y, &[lead], None);
    let end = first + cells.len();
    for (index, cell) in (first..).zip(cells) {
        if index > first {
            let separator = builder.span(format!(" {} ", signs.separator), StyleRole::Faint);
            x = canvas.draw_spans(x, area.y, &[separator], None);
        }
        x = canvas.draw_spans(x, area.y, &cell, Some(HitTarget::Tab(index)));
    }
    if end < tabs.len() {
        let arrow = builder.span(format!(" {}", signs.right), StyleRole::Faint);
        canvas.draw_spans(x, area.y, &[arrow], None);
    }
    let count_width = u16::try_from(display_width(&count)).unwrap_or_default();
    let x = area.right().saturating_sub(count_width + 1);
    canvas.draw_spans(x, area.y, &[builder.span(count, StyleRole::Strong)], None);
}

fn tab_label(cx: &ViewContext<'_>, view: &AskView, tab: AskTab) -> Vec<StyledSpan> {
    let builder = LineBuilder::new(cx.theme, 80);
    let name_role = StyleRole::Plain.focused_if(tab == view.tab);
    match tab {
        AskTab::Review => vec![builder.span(Message::TabReview.plain(cx.lang), name_role)],
        AskTab::Question(place) => {
            let (mark, role) = question_symbol(cx, view, place);
            let name = question_tab_name(cx, view, place);
            vec![builder.span(format!("{mark} "), role), builder.span(name, name_role)]
        }
    }
}

/// Returns the name of a question's tab: its label, or else its prompt. Among several, a long prompt is cut short and has
/// its number.
fn question_tab_name(cx: &ViewContext<'_>, view: &AskView, place: usize) -> String {
    let ellipsis = cx.theme.symbols.ellipsis;
    let Some(question) = view.form.question(place) else { return String::new() };
    if let Some(label) = &question.label {
        return truncate_to_width(&describe::title(label), TAB_COLUMNS, ellipsis);
    }
    let prompt = describe::title(question.prompt.trim());
    match display_width(&prompt) {
        1.. if view.tabs().len() == 1 => truncate_to_width(&prompt, LONE_COLUMNS, ellipsis),
        0 => Message::TabQuestion.render_with(cx.lang, [view.form.sheet.number_of(place)]),
        1..=PROMPT_COLUMNS => prompt,
        _ => {
            let name = format!("{}. {prompt}", view.form.sheet.number_of(place));
            truncate_to_width(&name, PROMPT_COLUMNS, ellipsis)
        }
    }
}

/// Returns the symbol of a question's state.
pub(super) fn question_symbol(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
) -> (&'static str, StyleRole) {
    let signs = cx.theme.symbols;
    let is_wrong =
        view.form.flagged.contains(&place) && !view.form.sheet.blocking_problems_at(place).is_empty();
    if is_wrong || view.needs_correction(place) {
        return (signs.wrong, StyleRole::Failure);
    }
    let is_follow_up = view.form.question(place).is_some_and(|question| question.parent.is_some());
    match &view.form.sheet.reply_at(place).content {
        ReplyContent::Answered(_) if view.form.sheet.needs_attention(place) => {
            (signs.edited, StyleRole::Warning)
        }
        ReplyContent::Answered(_) => (signs.answered, StyleRole::Completed),
        ReplyContent::Skipped => (signs.skipped, StyleRole::Faint),
        _ if view.tab == AskTab::Question(place) => (signs.current, StyleRole::Plain),
        _ if is_follow_up => (signs.follow_up, StyleRole::Plain),
        _ => (signs.untouched, StyleRole::Faint),
    }
}

/// Returns all tabs as symbols, for narrow screens.
fn tab_symbols(cx: &ViewContext<'_>, view: &AskView, room: usize) -> Vec<StyledSpan> {
    let builder = LineBuilder::new(cx.theme, 80);
    let progress = view.form.sheet.progress();
    let count = format!("{}/{} ", progress.answered, progress.total);
    let tabs = view.tabs();
    let current = tabs.iter().position(|tab| *tab == view.tab).unwrap_or_default();
    let room = room.saturating_sub(display_width(&count) + 3).max(3);
    let first = current.saturating_sub(room / 2).min(tabs.len().saturating_sub(room));
    let signs = cx.theme.symbols;
    let mut marks = vec![builder.span(count, StyleRole::Strong)];
    if first > 0 {
        marks.push(builder.span(signs.left, StyleRole::Faint));
    }
    for tab in tabs.iter().skip(first).take(room) {
        let has_focus = *tab == view.tab;
        let (mark, role) = match tab {
            AskTab::Review if has_focus => ("[R]", StyleRole::Plain),
            AskTab::Review => ("R", StyleRole::Plain),
            AskTab::Question(place) => question_symbol(cx, view, *place),
        };
        marks.push(builder.span(mark, role.focused_if(has_focus)));
    }
    if first + room < tabs.len() {
        marks.push(builder.span(signs.right, StyleRole::Faint));
    }
    marks
}

/// Returns the height of the header in rows; a narrow screen has its tabs in the first one.
pub(super) fn header_rows(columns: u16) -> u16 {
    if is_narrow(columns) { 2 } else { 3 }
}

fn is_narrow(columns: u16) -> bool {
    usize::from(columns) < NARROW_COLUMNS
}

/// Returns as many tabs around the current one as fit, and the index of the first.
fn visible_tabs(
    cx: &ViewContext<'_>,
    view: &AskView,
    tabs: &[AskTab],
    current: usize,
    room: usize,
) -> (usize, Vec<Vec<StyledSpan>>) {
    // A separator of this width is between two tabs.
    const GAP: usize = 3;
    let mut cells = VecDeque::new();
    let mut used = 0;
    if let Some(tab) = tabs.get(current) {
        let cell = tab_label(cx, view, *tab);
        used = spans_width(&cell);
        cells.push_back(cell);
    }
    let mut first = current;
    let mut end = current + 1;
    loop {
        let earlier_used = used;
        if let Some(tab) = tabs.get(end) {
            let cell = tab_label(cx, view, *tab);
            let width = GAP + spans_width(&cell);
            if used + width <= room {
                used += width;
                cells.push_back(cell);
                end += 1;
            }
        }
        if let Some(previous) = first.checked_sub(1)
            && let Some(tab) = tabs.get(previous)
        {
            let cell = tab_label(cx, view, *tab);
            let width = GAP + spans_width(&cell);
            if used + width <= room {
                used += width;
                cells.push_front(cell);
                first = previous;
            }
        }
        if used == earlier_used {
            return (first, cells.into());
        }
    }
}
