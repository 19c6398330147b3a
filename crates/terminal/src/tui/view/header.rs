//! Header of a questionnaire: title, asker, and tabs.

use super::super::answer::{AskTab, AskView};
use super::super::widgets::line_builder::{
    HitTarget, LineBuilder, StyledSpan, display_width, truncate_to_width,
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
    let behind = format!(" {} {}", cx.theme.symbols.dot, age_text(cx, &view.ask));
    let who = |columns: usize| {
        let room = columns.saturating_sub(display_width(&behind));
        let who = truncate_to_width(
            &asker_and_folder(cx, &view.ask.request.shown_asker()),
            room,
            cx.theme.symbols.ellipsis,
        );
        format!("{who}{behind}")
    };
    let title = describe::title(view.ask.request.questionnaire.display_name());
    if is_narrow(area.width) {
        let marks = tab_symbols(cx, view, columns / 2);
        let taken: usize = marks.iter().map(|(mark, _)| display_width(mark)).sum();
        let room = columns.saturating_sub(taken + 3);
        let title = truncate_to_width(&title, room, cx.theme.symbols.ellipsis);
        let gap = " ".repeat(columns.saturating_sub(display_width(&title) + taken + 2));
        let mut row = vec![
            builder.span(" ", StyleRole::Plain),
            builder.span(title, StyleRole::Strong),
            builder.span(gap, StyleRole::Plain),
        ];
        row.extend(marks);
        builder.push_row(row);
        builder
            .push_row(vec![builder.span(format!(" {}", who(columns.saturating_sub(1))), StyleRole::Faint)]);
        canvas.draw_rows(area, &builder.rows);
        return;
    }
    // The asker's identity comes from us, so the title never takes its place.
    let who = who(columns * 3 / 5);
    let title =
        truncate_to_width(&title, columns.saturating_sub(display_width(&who) + 4), cx.theme.symbols.ellipsis);
    let gap = " ".repeat(columns.saturating_sub(display_width(&title) + display_width(&who) + 2));
    builder.push_row(vec![
        builder.span(" ", StyleRole::Plain),
        builder.span(title, StyleRole::Strong),
        builder.span(gap, StyleRole::Plain),
        builder.span(who, StyleRole::Faint),
    ]);
    builder.push_blank();
    push_rule(&mut builder);
    canvas.draw_rows(area, &builder.rows);
    draw_tabs(cx, view, Rect { y: area.y + 1, height: 1, ..area }, canvas);
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
    let at = tabs.iter().position(|spot| *spot == view.tab).unwrap_or_default();
    let label = |place: usize| tabs.get(place).map(|spot| tab_label(cx, view, *spot));
    let (first, cells) = visible_tabs(label, at, room.saturating_sub(4));
    let builder = LineBuilder::new(cx.theme, columns);
    let faint = |words: &str| builder.span(words, StyleRole::Faint);
    let mut x = area.x;
    let lead = if first > 0 { signs.left } else { " " };
    x = canvas.draw_spans(x, area.y, &[faint(lead)], None);
    let last = first + cells.len();
    for (place, cell) in (first..).zip(cells) {
        if place > first {
            x = canvas.draw_spans(x, area.y, &[faint(&format!(" {} ", signs.separator))], None);
        }
        x = canvas.draw_spans(x, area.y, &cell, Some(HitTarget::Tab(place)));
    }
    if last < tabs.len() {
        canvas.draw_spans(x, area.y, &[faint(&format!(" {}", signs.right))], None);
    }
    let at = area.right().saturating_sub(u16::try_from(display_width(&count)).unwrap_or_default() + 1);
    canvas.draw_spans(at, area.y, &[builder.span(count, StyleRole::Strong)], None);
}

fn tab_label(cx: &ViewContext<'_>, view: &AskView, spot: AskTab) -> Vec<StyledSpan> {
    let builder = LineBuilder::new(cx.theme, 80);
    let (mark, role) = match spot {
        AskTab::Review => ("", StyleRole::Plain),
        AskTab::Question(place) => question_symbol(cx, view, place),
    };
    let name = match spot {
        AskTab::Review => Message::TabReview.plain(cx.lang).to_owned(),
        AskTab::Question(place) => question_tab_name(cx, view, place),
    };
    let name_role = if spot == view.tab { StyleRole::Focus } else { StyleRole::Plain };
    let mark = if mark.is_empty() { String::new() } else { format!("{mark} ") };
    vec![builder.span(mark, role), builder.span(name, name_role)]
}

/// Returns the name of a question's tab: its label, or else its prompt. Among several, a long prompt is cut short and has
/// its number.
fn question_tab_name(cx: &ViewContext<'_>, view: &AskView, place: usize) -> String {
    let ellipsis = cx.theme.symbols.ellipsis;
    let question = view.form.question(place);
    if let Some(label) = question.and_then(|question| question.label.as_deref()) {
        return truncate_to_width(&describe::title(label), TAB_COLUMNS, ellipsis);
    }
    let prompt = question.map(|question| describe::title(question.prompt.trim())).unwrap_or_default();
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
    let reply = view.form.sheet.reply_at(place);
    let is_wrong =
        view.form.flagged.contains(&place) && !view.form.sheet.blocking_problems_at(place).is_empty();
    let asks_for_more = view.needs_correction(place);
    match (&reply.content, view.form.question(place).is_some_and(|question| question.parent.is_some())) {
        _ if is_wrong || asks_for_more => (signs.wrong, StyleRole::Failure),
        (ReplyContent::Answered(_), _) if view.form.sheet.needs_attention(place) => {
            (signs.edited, StyleRole::Warning)
        }
        (ReplyContent::Answered(_), _) => (signs.answered, StyleRole::Completed),
        (ReplyContent::Skipped, _) => (signs.skipped, StyleRole::Faint),
        _ if view.tab == AskTab::Question(place) => (signs.current, StyleRole::Plain),
        (_, true) => (signs.follow_up, StyleRole::Plain),
        (_, false) => (signs.untouched, StyleRole::Faint),
    }
}

/// Returns all tabs as symbols, for narrow screens.
fn tab_symbols(cx: &ViewContext<'_>, view: &AskView, room: usize) -> Vec<StyledSpan> {
    let builder = LineBuilder::new(cx.theme, 80);
    let progress = view.form.sheet.progress();
    let count = format!("{}/{} ", progress.answered, progress.total);
    let tabs = view.tabs();
    let at = tabs.iter().position(|spot| *spot == view.tab).unwrap_or_default();
    let room = room.saturating_sub(display_width(&count) + 3).max(3);
    let first = at.saturating_sub(room / 2).min(tabs.len().saturating_sub(room));
    let signs = cx.theme.symbols;
    let mut marks = vec![builder.span(count, StyleRole::Strong)];
    if first > 0 {
        marks.push(builder.span(signs.left, StyleRole::Faint));
    }
    for spot in tabs.iter().skip(first).take(room) {
        let is_here = *spot == view.tab;
        let (mark, role) = match spot {
            AskTab::Review if is_here => ("[R]", StyleRole::Plain),
            AskTab::Review => ("R", StyleRole::Plain),
            AskTab::Question(place) => question_symbol(cx, view, *place),
        };
        marks.push(builder.span(mark, if is_here { StyleRole::Focus } else { role }));
    }
    if first + room < tabs.len() {
        marks.push(builder.span(signs.right, StyleRole::Faint));
    }
    marks
}

/// Returns the height of the header.
pub(super) fn header_rows(columns: u16) -> u16 {
    if is_narrow(columns) { 2 } else { 3 }
}

fn is_narrow(columns: u16) -> bool {
    usize::from(columns) < NARROW_COLUMNS
}

/// Returns as many tabs around the current one as fit, and the index of the first.
fn visible_tabs(
    label: impl Fn(usize) -> Option<Vec<StyledSpan>>,
    at: usize,
    room: usize,
) -> (usize, Vec<Vec<StyledSpan>>) {
    let wide = |cell: &[StyledSpan]| cell.iter().map(|(words, _)| display_width(words)).sum::<usize>() + 3;
    let mut cells: VecDeque<Vec<StyledSpan>> = label(at).into_iter().collect();
    let mut taken: usize = cells.iter().map(|cell| wide(cell)).sum();
    let (mut first, mut end) = (at, at + 1);
    loop {
        let before = taken;
        if let Some(next) = label(end).filter(|next| taken + wide(next) <= room + 3) {
            taken += wide(&next);
            cells.push_back(next);
            end += 1;
        }
        if let Some(next) =
            first.checked_sub(1).and_then(&label).filter(|next| taken + wide(next) <= room + 3)
        {
            taken += wide(&next);
            cells.push_front(next);
            first -= 1;
        }
        if taken == before {
            return (first, cells.into());
        }
    }
}
