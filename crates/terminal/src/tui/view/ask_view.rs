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
    let header_rows = header::header_rows(area.width);
    let has_dialog = view.dialog.is_some() || app.overlay.is_some();
    let footer = AskFooter {
        view,
        has_dialog,
        has_list: app.setup.only_ask.is_none(),
        unreachable_since: app.unreachable_since_text(),
    };
    let footer_rows = footer::draw(&cx, &footer, area, canvas);
    let (mut rows, answer) = submit_row::rows(&cx, view, usize::from(area.width));
    if rows.is_empty() && area.height >= MIN_BUTTON_HEIGHT {
        rows = section::button_rows(&cx, view, usize::from(area.width));
    }
    let pinned_rows = u16::try_from(rows.len()).unwrap_or_default();
    let height = area.height.saturating_sub(header_rows + footer_rows + pinned_rows);
    let body = Rect { y: area.y + header_rows, height, ..area };
    canvas.draw_rows(Rect { y: body.bottom(), height: pinned_rows, ..area }, &rows);
    let mut page = match view.tab {
        AskTab::Question(place) => question::page(&cx, view, place, body),
        AskTab::Review => review::page(&cx, view, body),
    };
    canvas.report.text_widths.append(&mut page.text_widths);
    let offset = canvas.draw_page(body, &page, view.scroll.target());
    canvas.report.submit_answer = answer;
    if has_dialog {
        // A dialog hides the page, so that nothing of it counts as read.
        canvas.report.submit_answer = None;
        canvas.report.drawn_lines = None;
    }
    let rule = Rect { y: area.bottom().saturating_sub(footer_rows), height: 1, ..area };
    draw_scroll_position(&cx, offset, &page, (body, rule), canvas);
    draw_waiting_count(&cx, app.other_pending_count(), rule, canvas);
    header::draw(&cx, view, area, canvas);
    if let Some(dialog) = &view.dialog {
        let mut dialog_area = Rect { height: height + pinned_rows, ..body };
        if dialog_area.height < dialog::DIALOG_ROWS {
            // A low screen has no room for a dialog between the header and the footer.
            dialog_area = dialog::below_title(area);
        }
        draw_dialog_of_ask(&cx, view, dialog, dialog_area, canvas);
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
    let (verb, title) = match &request.questionnaire.action {
        Some(action) => {
            let (verb, object) = act_verb_and_object(&ActSummary::from(action), cx.lang);
            (Some(verb), object)
        }
        None => (None, request.questionnaire.display_name().to_owned()),
    };
    let asker = request.shown_asker().name_in_sentence(cx.lang);
    let subject = dialog::DialogSubject { asker, verb, title, view: Some(view) };
    dialog::draw(cx, dialog, super::DialogLayer::Ask, &subject, body, canvas);
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
    offset: usize,
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
    let last = (offset + height).min(rows);
    let up = if offset > 0 { signs.up } else { "" };
    let down = if last < rows { signs.down } else { "" };
    let message = Message::RowsShown.render_with(cx.lang, [offset + 1, last, rows]);
    let message = format!(" {message} {up}{down} ");
    let builder = cx.builder(usize::from(body.width));
    let wide = u16::try_from(super::display_width(&message)).unwrap_or_default();
    let x = rule.right().saturating_sub(wide + 1);
    canvas.draw_spans(x, rule.y, &[builder.span(message, StyleRole::Faint)], None);
}
