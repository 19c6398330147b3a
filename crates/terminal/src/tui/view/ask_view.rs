//! Screen of a questionnaire: header, page, submit row, footer.

use super::super::answer::{AskTab, AskView};
use super::super::app::App;
use super::super::dialog::Dialog;
use super::super::widgets::theme::StyleRole;
use super::footer::{self, AskFooter};
use super::{FrameCanvas, PageContent, ViewContext, dialog, header, question, review, section, submit_row};
use ratatui::layout::Rect;
use sayso_core::Message;
use sayso_core::i18n::action_words::act_verb_and_object;
use sayso_core::model::action::ActSummary;

/// Height of a screen from which on a page has the button to the next section.
const MIN_BUTTON_HEIGHT: u16 = 12;

/// Draws the ask that is open.
pub(super) fn draw(app: &App, view: &AskView, area: Rect, canvas: &mut FrameCanvas<'_>) {
    let cx = app.view_context();
    let above = header::header_rows(area.width);
    let has_dialog = view.dialog.is_some() || app.overlay.is_some();
    let footer = AskFooter {
        view,
        has_dialog,
        has_list: app.setup.only_ask.is_none(),
        unreachable_since: app.unreachable_since_text(),
    };
    let below = footer::draw(&cx, &footer, area, canvas);
    let (mut rows, answer) = submit_row::rows(&cx, view, usize::from(area.width));
    if rows.is_empty() && area.height >= MIN_BUTTON_HEIGHT {
        rows = section::button_rows(&cx, view, usize::from(area.width));
    }
    let pinned = u16::try_from(rows.len()).unwrap_or_default();
    let height = area.height.saturating_sub(above + below + pinned);
    let body = Rect { y: area.y + above, height, ..area };
    canvas.draw_rows(Rect { y: body.bottom(), height: pinned, ..area }, &rows);
    canvas.report.submit_answer = answer.filter(|_| !has_dialog);
    let mut page = match view.tab {
        AskTab::Question(place) => question::page(&cx, view, place, body),
        AskTab::Review => review::page(&cx, view, body),
    };
    canvas.report.text_widths.append(&mut page.text_widths);
    let from = canvas.draw_page(body, &page, view.scroll.target());
    if has_dialog {
        canvas.report.drawn_lines = None;
    }
    let bottom = Rect { y: area.bottom().saturating_sub(below), height: 1, ..area };
    draw_scroll_position(&cx, from, &page, (body, bottom), canvas);
    draw_waiting_count(&cx, app.other_pending_count(), bottom, canvas);
    header::draw(&cx, view, area, canvas);
    if let Some(dialog) = &view.dialog {
        // A low screen has no room for a dialog between the header and the footer.
        let is_low = height + pinned < dialog::DIALOG_ROWS;
        let body = Rect { height: height + pinned, ..body };
        let body = if is_low { dialog::below_title(area) } else { body };
        draw_dialog_of_ask(&cx, view, dialog, body, canvas);
    }
}

fn draw_dialog_of_ask(
    cx: &ViewContext<'_>,
    view: &AskView,
    dialog: &Dialog,
    body: Rect,
    canvas: &mut FrameCanvas<'_>,
) {
    let request = &view.ask.request;
    let act = request.questionnaire.action.as_ref().map(ActSummary::from);
    let act = act.map(|act| act_verb_and_object(&act, cx.lang));
    let name = || request.questionnaire.display_name().to_owned();
    let about = dialog::DialogSubject {
        asker: request.shown_asker().name_in_sentence(cx.lang),
        verb: act.as_ref().map(|(verb, _)| *verb),
        title: act.map_or_else(name, |(_, object)| object),
        view: Some(view),
    };
    dialog::draw(cx, dialog, super::DialogLayer::Ask, &about, body, canvas);
}

/// Draws the number of other asks that wait on the rule above the footer.
fn draw_waiting_count(cx: &ViewContext<'_>, others: usize, rule: Rect, canvas: &mut FrameCanvas<'_>) {
    if others == 0 {
        return;
    }
    let message = Message::MoreWaiting.render_with(cx.lang, [others]);
    let builder = cx.builder(usize::from(rule.width));
    canvas.draw_spans(rule.x + 1, rule.y, &[builder.span(format!(" {message} "), StyleRole::Plain)], None);
}

/// Draws the range of visible rows on the rule above the footer.
fn draw_scroll_position(
    cx: &ViewContext<'_>,
    from: usize,
    page: &PageContent,
    (body, rule): (Rect, Rect),
    canvas: &mut FrameCanvas<'_>,
) {
    let height = usize::from(body.height);
    let rows = page.rows.len();
    if rows <= height {
        return;
    }
    let signs = cx.theme.symbols;
    let last = (from + height).min(rows);
    let up = if from > 0 { signs.up } else { "" };
    let down = if last < rows { signs.down } else { "" };
    let message = Message::RowsShown.render_with(cx.lang, [from + 1, last, rows]);
    let message = format!(" {message} {up}{down} ");
    let builder = cx.builder(usize::from(body.width));
    let wide = u16::try_from(super::display_width(&message)).unwrap_or_default();
    let x = rule.right().saturating_sub(wide + 1);
    canvas.draw_spans(x, rule.y, &[builder.span(message, StyleRole::Faint)], None);
}
