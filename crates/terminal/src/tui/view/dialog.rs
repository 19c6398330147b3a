//! Modal dialogs: a box over the page, with its keys on the last row.

use super::super::answer::AskView;
use super::super::app::App;
use super::super::dialog::{DeclineForm, Dialog, JumpForm, NoteForm, Pager, PagerExtent, QuotedText};
use super::super::editor::TextBox;
use super::super::widgets::agent_text::preview_columns;
use super::super::widgets::authored_text::AuthoredSpan;
use super::super::widgets::box_edge;
use super::super::widgets::line_builder::{
    LineBuilder, StyledRow, display_width, spans_width, truncate_to_width,
};
use super::super::widgets::theme::StyleRole;
use super::{DialogLayer, FrameCanvas, TextBoxSlot, ViewContext, action, footer, review};
use crate::describe;
use ratatui::layout::Rect;
use sayso_core::i18n::action_words::act_verb_and_object;
use sayso_core::i18n::own;
use sayso_core::{AskId, Message};

/// Number of rows of a dialog if each of its sentences takes one.
pub(super) const DIALOG_ROWS: u16 = 12;

/// Maximum number of questions that are shown at once to go to.
const JUMP_ROWS: usize = 6;

/// The ask that a dialog is about.
pub(super) struct DialogSubject<'a> {
    pub(super) asker: String,
    /// Our verb for the act that the ask is about.
    pub(super) verb: Option<&'static str>,
    /// What the act is about, or the title of the ask.
    pub(super) title: String,
    /// The open ask.
    pub(super) view: Option<&'a AskView>,
}

/// Rows of a dialog, with the focused ones and the caret.
struct DialogContent<'t> {
    builder: LineBuilder<'t>,
    focus: Option<(usize, usize)>,
    caret: Option<(usize, usize)>,
    /// Visible part of the pager.
    pager: Option<PagerExtent>,
    /// Width of the text box.
    text_columns: Option<usize>,
}

/// Draws the dialog over everything: help, an ended ask, a decline from the list.
pub(super) fn draw_overlay(
    app: &App,
    id: Option<AskId>,
    dialog: &Dialog,
    area: Rect,
    canvas: &mut FrameCanvas<'_>,
) {
    let cx = app.view_context();
    let mut subject = DialogSubject { asker: String::new(), verb: None, title: String::new(), view: None };
    if let Some(row) = app.inbox.rows().find(|row| Some(row.id) == id) {
        subject.asker = row.shown_asker().name_in_sentence(cx.lang);
        match &row.act {
            Some(act) => {
                let (verb, object) = act_verb_and_object(act, cx.lang);
                subject.verb = Some(verb);
                subject.title = object;
            }
            None => subject.title = describe::row_name(row, cx.lang),
        }
    }
    draw(&cx, dialog, DialogLayer::Overlay, &subject, below_title(area), canvas);
}

/// Draws a dialog in the middle of an area, at most as wide as its text is easy to read, and reports what it measured.
pub(super) fn draw(
    cx: &ViewContext<'_>,
    dialog: &Dialog,
    layer: DialogLayer,
    subject: &DialogSubject<'_>,
    body: Rect,
    canvas: &mut FrameCanvas<'_>,
) {
    canvas.hide_cursor();
    let max_columns = match dialog {
        // A preview uses the width there is; sentences are easier to read in shorter rows.
        Dialog::Pager(Pager { quoted_text: QuotedText::Option { .. } | QuotedText::Action(_), .. }) => {
            usize::MAX
        }
        Dialog::Pager(_) => 100,
        Dialog::Decline(_) | Dialog::Note(_) | Dialog::Jump(_) => 66,
    };
    let columns = usize::from(body.width).saturating_sub(2).min(max_columns);
    let mut content = DialogContent {
        builder: LineBuilder::new(cx.theme, columns.saturating_sub(4)),
        focus: None,
        caret: None,
        pager: None,
        text_columns: None,
    };
    let title = match dialog {
        Dialog::Decline(form) => {
            push_decline(cx, form, subject, &mut content);
            Message::DeclineTitle
        }
        Dialog::Note(form) => {
            push_note(cx, form, subject, &mut content);
            Message::FormNoteLabel
        }
        Dialog::Jump(form) => {
            push_jump(cx, form, subject, &mut content);
            Message::JumpTitle
        }
        Dialog::Pager(pager) => {
            push_pager(cx, pager, usize::from(body.height), &mut content);
            pager.title
        }
    };
    if let Some(extent) = content.pager {
        canvas.report.pagers.push((layer, extent));
    }
    if let Some(text_columns) = content.text_columns {
        canvas.report.text_widths.push((TextBoxSlot::Dialog(layer), text_columns));
    }
    let rows = &content.builder.rows;
    let height = (rows.len() + 2).min(usize::from(body.height));
    let room = height.saturating_sub(2);
    let caret_row = content.caret.map(|(row, _)| row);
    let first = super::scroll_into_view(content.focus, caret_row, room).min(rows.len().saturating_sub(room));
    let (Ok(width), Ok(height)) = (u16::try_from(columns), u16::try_from(height)) else { return };
    let area = Rect {
        x: body.x + (body.width.saturating_sub(width)) / 2,
        y: body.y + (body.height.saturating_sub(height)) / 2,
        width,
        height,
    };
    draw_frame(cx, title.plain(cx.lang), rows.get(first..).unwrap_or_default(), area, canvas);
    if let Some((row, column)) = content.caret
        && let (Ok(row), Ok(column)) = (u16::try_from(row.saturating_sub(first)), u16::try_from(column))
    {
        canvas.set_cursor(area.x + 2 + column, area.y + 1 + row);
    }
}

fn draw_frame(
    cx: &ViewContext<'_>,
    title: &str,
    rows: &[StyledRow],
    area: Rect,
    canvas: &mut FrameCanvas<'_>,
) {
    let signs = cx.theme.symbols;
    let columns = usize::from(area.width);
    canvas.clear(area, cx.theme.style(StyleRole::Plain));
    let title = truncate_to_width(title, columns.saturating_sub(6), signs.ellipsis);
    let builder = LineBuilder::new(cx.theme, columns);
    let upper_edge = builder.span(box_edge::upper_edge(signs, columns, &title, ""), StyleRole::Accent);
    let lower_edge = builder.span(box_edge::lower_edge(signs, columns, ""), StyleRole::Accent);
    let right = area.right().saturating_sub(1);
    canvas.draw_spans(area.x, area.y, &[upper_edge], None);
    canvas.draw_spans(area.x, area.bottom().saturating_sub(1), &[lower_edge], None);
    let inner = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    };
    for y in inner.top()..inner.bottom() {
        for x in [area.x, right] {
            canvas.draw_spans(x, y, &[builder.span(signs.separator, StyleRole::Accent)], None);
        }
    }
    canvas.draw_rows(inner, rows);
}

/// Adds a text box of at most three rows, with the caret.
fn push_text_box(text: &TextBox, content: &mut DialogContent<'_>) {
    let builder = &mut content.builder;
    let room = builder.columns.saturating_sub(2).max(8);
    content.text_columns = Some(room);
    let text = text.at_width(room);
    let caret = text.caret_cell();
    let first = caret.row.saturating_sub(2);
    content.caret = Some((builder.rows.len() + caret.row - first, 2 + caret.column));
    for words in text.visible_rows(first, text.rows().min(3)) {
        let fill = "_".repeat(room.saturating_sub(display_width(&words)));
        builder.push_row(vec![
            builder.span(format!("  {words}"), StyleRole::Plain),
            builder.span(fill, StyleRole::Faint),
        ]);
    }
}

fn push_decline(
    cx: &ViewContext<'_>,
    form: &DeclineForm,
    subject: &DialogSubject<'_>,
    content: &mut DialogContent<'_>,
) {
    let lang = cx.lang;
    if !subject.title.is_empty() {
        let builder = &mut content.builder;
        // A row that our verb leads is ours.
        let (mut row, role) = match subject.verb {
            Some(verb) => (vec![builder.span(format!("{verb} "), StyleRole::Plain)], StyleRole::Plain),
            None => (builder.gutter(0), StyleRole::Agent),
        };
        let room = builder.columns.saturating_sub(spans_width(&row));
        let title = describe::title(&subject.title);
        row.push(builder.span(truncate_to_width(&title, room, cx.theme.symbols.ellipsis), role));
        builder.push_row(row);
    }
    let message = Message::DeclineSays.render_with(lang, [own(&subject.asker)]);
    content.builder.push_own(0, &message, StyleRole::Plain);
    content.builder.push_blank();
    content.builder.push_own(0, Message::DeclineReason.plain(lang), StyleRole::Strong);
    push_text_box(&form.reason, content);
    content.builder.push_blank();
    let is_live = form.is_live(cx.monotonic);
    let (_, words) = review::button(&content.builder, Message::DeclineNow.plain(lang), is_live, true);
    content.builder.push_row(words.into_iter().map(AuthoredSpan::into_span).collect());
    let keys = [Message::KeyEnterDecline, Message::KeyKeepAnswering];
    content.builder.rows.extend(footer::hint_rows(cx, &keys, content.builder.columns + 1, 1, 0));
}

fn push_note(
    cx: &ViewContext<'_>,
    form: &NoteForm,
    subject: &DialogSubject<'_>,
    content: &mut DialogContent<'_>,
) {
    if subject.view.is_some_and(|view| !view.carries_notes) {
        content.builder.push_own(0, Message::NotesNotCarried.plain(cx.lang), StyleRole::Warning);
        content.builder.push_blank();
    }
    push_text_box(&form.text, content);
    content.builder.push_blank();
    let keys = [Message::KeyEnterDone, Message::KeyNewLine, Message::KeyEscDone];
    content.builder.rows.extend(footer::hint_rows(cx, &keys, content.builder.columns + 1, 1, 0));
}

fn push_jump(
    cx: &ViewContext<'_>,
    form: &JumpForm,
    subject: &DialogSubject<'_>,
    content: &mut DialogContent<'_>,
) {
    let lang = cx.lang;
    content.builder.push_own(0, Message::JumpHow.plain(lang), StyleRole::Plain);
    push_text_box(&form.query, content);
    let Some(view) = subject.view else { return };
    let matches = view.form.matching_questions(form.query.text());
    let cursor = form.at.min(matches.len().saturating_sub(1));
    let first = (cursor + 1).saturating_sub(JUMP_ROWS);
    if matches.is_empty() {
        content.builder.push_own(2, Message::NothingFits.plain(lang), StyleRole::Faint);
    }
    for (row, place) in matches.iter().enumerate().skip(first).take(JUMP_ROWS) {
        let Some(question) = view.form.question(*place) else { continue };
        let has_focus = row == cursor;
        let pointer = if has_focus { cx.theme.symbols.pointer } else { " " };
        let number = format!("{pointer} {}. ", view.form.sheet.number_of(*place));
        let room = content.builder.columns.saturating_sub(display_width(&number));
        let name = describe::title(question.display_name());
        let name = truncate_to_width(&name, room, cx.theme.symbols.ellipsis);
        let number = content.builder.span(number, StyleRole::Accent);
        let name = content.builder.span(name, StyleRole::Agent.focused_if(has_focus));
        content.builder.push_row(vec![number, name]);
    }
    let keys = [Message::KeyMove, Message::KeyGo, Message::KeyCancel];
    content.builder.rows.extend(footer::hint_rows(cx, &keys, content.builder.columns + 1, 1, 0));
}

fn push_pager(cx: &ViewContext<'_>, pager: &Pager, height: usize, content: &mut DialogContent<'_>) {
    let builder = &mut content.builder;
    let room = height.saturating_sub(3).max(1);
    let mut text = cx.builder(builder.columns);
    for line in pager.own_text.lines() {
        text.push_own(0, line, StyleRole::Plain);
    }
    let mut column = 0;
    match &pager.quoted_text {
        QuotedText::Empty => {}
        QuotedText::Lines(lines) => {
            for line in lines {
                text.push_ended_line(line);
            }
        }
        QuotedText::Markdown(words) => text.push_markdown(0, words),
        QuotedText::Option { description, preview } => {
            if let Some(description) = description {
                text.push_markdown(0, description);
                text.push_blank();
            }
            if let Some(preview) = preview {
                let hidden = preview_columns(preview).saturating_sub(text.columns.saturating_sub(2));
                column = pager.column.min(hidden);
                text.push_preview(preview, column);
            }
        }
        QuotedText::Action(proposed) => action::push_action(cx, proposed, &mut text),
    }
    let scroll = pager.scroll.min(text.rows.len().saturating_sub(room));
    content.pager = Some(PagerExtent { scroll, column, visible_rows: room });
    let last = (scroll + room).min(text.rows.len());
    let position = Message::RowsShown.render_with(cx.lang, [scroll + 1, last, text.rows.len()]);
    builder.rows.extend(text.rows.into_iter().skip(scroll).take(room));
    let keys = pager.key_hints.plain(cx.lang);
    let all = format!("{position}  {keys}");
    // The keys matter more than the numbers.
    let fits = display_width(&cx.theme.adapt_text(&all)) <= builder.columns;
    builder.push_own(0, if fits { &all } else { keys }, StyleRole::Faint);
}

/// Returns the screen without its first row, which names the asker.
pub(super) fn below_title(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}
