//! Modal dialogs: a box over the page.

use super::super::answer::AskView;
use super::super::app::App;
use super::super::dialog::{DeclineFocus, Dialog, ExitChoice, Pager, PagerExtent, QuotedText};
use super::super::editor::TextBox;
use super::super::widgets::box_edge;
use super::super::widgets::line_builder::{LineBuilder, StyledRow, display_width, truncate_to_width};
use super::super::widgets::theme::StyleRole;
use super::{DialogLayer, FrameCanvas, TextBoxSlot};
use ratatui::layout::Rect;
use sayso_core::model::actor::ShownAsker;
use sayso_core::{AskId, Message};

/// Number of rows of a dialog if each of its sentences takes one.
pub(super) const DIALOG_ROWS: u16 = 12;

/// Maximum number of columns of an asker's name in a dialog.
const NAME_COLUMNS: usize = 30;

/// Rows of a dialog, with the focused ones and the caret.
struct DialogContent<'t> {
    builder: LineBuilder<'t>,
    focus: Option<(usize, usize)>,
    caret: Option<(usize, usize)>,
    /// Visible part of the pager.
    pager: Option<PagerExtent>,
    /// Width of the reason's text box.
    reason_columns: Option<usize>,
}

impl App {
    /// Draws the dialog of the open ask.
    pub(super) fn draw_ask_dialog(
        &self,
        view: &AskView,
        dialog: &Dialog,
        body: Rect,
        canvas: &mut FrameCanvas<'_>,
    ) {
        let asker = self.brief_asker(&view.ask.request.shown_asker());
        self.draw_box(dialog, DialogLayer::Ask, &asker, body, canvas);
    }

    /// Draws the dialog over everything: help, an ended ask, a decline from the list.
    pub(super) fn draw_overlay(
        &self,
        id: Option<AskId>,
        dialog: &Dialog,
        area: Rect,
        canvas: &mut FrameCanvas<'_>,
    ) {
        let row = id.and_then(|id| self.inbox.rows().find(|row| row.id == id));
        let asker = row.map(|row| self.brief_asker(&row.shown_asker())).unwrap_or_default();
        self.draw_box(dialog, DialogLayer::Overlay, &asker, below_title(area), canvas);
    }

    /// Returns an asker's name for a dialog, too short to form a sentence.
    fn brief_asker(&self, asker: &ShownAsker<'_>) -> String {
        truncate_to_width(
            &crate::describe::asker_name(asker, str::to_owned, self.setup.lang),
            NAME_COLUMNS,
            self.setup.theme.symbols.ellipsis,
        )
    }

    fn draw_box(
        &self,
        dialog: &Dialog,
        layer: DialogLayer,
        asker: &str,
        body: Rect,
        canvas: &mut FrameCanvas<'_>,
    ) {
        canvas.hide_cursor();
        let columns = usize::from(body.width).saturating_sub(2).min(match dialog {
            Dialog::Pager(_) => 100,
            Dialog::Leave { .. } | Dialog::Decline { .. } => 66,
        });
        let mut content = DialogContent {
            builder: LineBuilder::new(&self.setup.theme, columns.saturating_sub(4)),
            focus: None,
            caret: None,
            pager: None,
            reason_columns: None,
        };
        let title = match dialog {
            Dialog::Leave { at } => {
                self.put_leave(*at, asker, &mut content);
                Message::LeaveTitle
            }
            Dialog::Decline { reason, focus: sure } => {
                self.put_decline(reason, *sure, asker, &mut content);
                Message::DeclineTitle
            }
            Dialog::Pager(pager) => {
                self.put_pager(pager, usize::from(body.height), &mut content);
                pager.title
            }
        };
        let title = title.plain(self.setup.lang);
        canvas.report.pagers.extend(content.pager.map(|extent| (layer, extent)));
        let reason = content.reason_columns.map(|columns| (TextBoxSlot::Reason(layer), columns));
        canvas.report.text_widths.extend(reason);
        let DialogContent { builder, focus, caret, .. } = content;
        let height = (builder.rows.len() + 2).min(usize::from(body.height));
        let room = height.saturating_sub(2);
        let most = builder.rows.len().saturating_sub(room);
        let first = super::scroll_into_view(focus, caret.map(|(row, _)| row), room).min(most);
        let (Ok(wide), Ok(high)) = (u16::try_from(columns), u16::try_from(height)) else { return };
        let area = Rect {
            x: body.x + (body.width.saturating_sub(wide)) / 2,
            y: body.y + (body.height.saturating_sub(high)) / 2,
            width: wide,
            height: high,
        };
        self.draw_frame(title, builder.rows.get(first..).unwrap_or_default(), area, canvas);
        if let Some((row, column)) = caret
            && let (Ok(row), Ok(column)) = (u16::try_from(row.saturating_sub(first)), u16::try_from(column))
        {
            canvas.set_cursor(area.x + 2 + column, area.y + 1 + row);
        }
    }

    fn draw_frame(&self, title: &str, rows: &[StyledRow], area: Rect, canvas: &mut FrameCanvas<'_>) {
        let theme = &self.setup.theme;
        let signs = theme.symbols;
        let columns = usize::from(area.width);
        canvas.clear(area, theme.style(StyleRole::Plain));
        let title = truncate_to_width(title, columns.saturating_sub(6), signs.ellipsis);
        let (top, bottom) =
            (box_edge::upper_edge(signs, columns, &title, ""), box_edge::lower_edge(signs, columns, ""));
        let builder = LineBuilder::new(theme, columns);
        canvas.draw_spans(area.x, area.y, &[builder.span(top, StyleRole::Strong)], None);
        canvas.draw_spans(
            area.x,
            area.bottom().saturating_sub(1),
            &[builder.span(bottom, StyleRole::Strong)],
            None,
        );
        let inner = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width.saturating_sub(4),
            height: area.height.saturating_sub(2),
        };
        for y in inner.top()..inner.bottom() {
            canvas.draw_spans(area.x, y, &[builder.span(signs.separator, StyleRole::Strong)], None);
            canvas.draw_spans(
                area.right().saturating_sub(1),
                y,
                &[builder.span(signs.separator, StyleRole::Strong)],
                None,
            );
        }
        canvas.draw_rows(inner, rows);
    }

    fn put_leave(&self, at: usize, asker: &str, content: &mut DialogContent<'_>) {
        let lang = self.setup.lang;
        let signs = self.setup.theme.symbols;
        let builder = &mut content.builder;
        builder.push_own(0, Message::LeaveSays.plain(lang), StyleRole::Plain);
        builder.push_blank();
        for (row, way) in ExitChoice::ALL.into_iter().enumerate() {
            let words = match way {
                ExitChoice::Keep => Message::WayKeep.plain(lang).to_owned(),
                ExitChoice::Leave => Message::WayLeave.plain(lang).to_owned(),
                ExitChoice::Decline => Message::WayDecline.render_with(lang, [asker]),
            };
            let has_focus = row == at;
            let pointer = if has_focus { signs.pointer } else { " " };
            let lead = builder.span(format!("{pointer} "), StyleRole::Strong);
            let words =
                vec![builder.span(words, if has_focus { StyleRole::Focus } else { StyleRole::Plain })];
            let start = builder.rows.len();
            builder.push_wrapped(&[lead], &[("  ".to_owned(), ratatui::style::Style::new())], words);
            if has_focus {
                content.focus = Some((start, builder.rows.len()));
            }
        }
    }

    fn put_decline(
        &self,
        reason: &TextBox,
        sure: DeclineFocus,
        asker: &str,
        content: &mut DialogContent<'_>,
    ) {
        let lang = self.setup.lang;
        let signs = self.setup.theme.symbols;
        let builder = &mut content.builder;
        builder.push_own(0, &Message::DeclineSays.render_with(lang, [asker]), StyleRole::Plain);
        builder.push_blank();
        builder.push_own(
            0,
            Message::DeclineReason.plain(lang),
            if sure == DeclineFocus::Reason { StyleRole::Strong } else { StyleRole::Plain },
        );
        let room = builder.columns.saturating_sub(2).max(8);
        content.reason_columns = Some(room);
        let reason = reason.at_width(room);
        let place = reason.caret_cell();
        let (first, count) = (place.row.saturating_sub(2), reason.rows().min(3));
        if sure == DeclineFocus::Reason {
            content.caret = Some((builder.rows.len() + place.row - first, 2 + place.column));
        }
        for words in reason.visible_rows(first, count) {
            let fill = "_".repeat(room.saturating_sub(display_width(&words)));
            builder.push_row(vec![
                builder.span(format!("  {words}"), StyleRole::Plain),
                builder.span(fill, StyleRole::Faint),
            ]);
        }
        builder.push_blank();
        for (place, message) in
            [(DeclineFocus::Keep, Message::WayKeep), (DeclineFocus::Decline, Message::DeclineNow)]
        {
            let has_focus = sure == place;
            let pointer = if has_focus { signs.pointer } else { " " };
            let words = builder
                .span(message.plain(lang), if has_focus { StyleRole::Focus } else { StyleRole::Plain });
            if has_focus {
                content.focus = Some((builder.rows.len(), builder.rows.len() + 1));
            }
            builder.push_row(vec![builder.span(format!("{pointer} "), StyleRole::Strong), words]);
        }
    }

    fn put_pager(&self, pager: &Pager, height: usize, content: &mut DialogContent<'_>) {
        let builder = &mut content.builder;
        let room = height.saturating_sub(3).max(1);
        let mut text = LineBuilder::new(&self.setup.theme, builder.columns).with_cache(&self.layout_cache);
        for line in pager.own_text.lines() {
            text.push_own(0, line, StyleRole::Plain);
        }
        match &pager.quoted_text {
            QuotedText::Empty => {}
            QuotedText::Text(words) => text.push_agent(0, words, StyleRole::Agent),
            QuotedText::Verbatim(words) => text.push_verbatim(0, words),
        }
        let scroll = pager.scroll.min(text.rows.len().saturating_sub(room));
        content.pager = Some(PagerExtent { scroll, visible_rows: room });
        let last = (scroll + room).min(text.rows.len());
        let counted = Message::RowsShown.render_with(self.setup.lang, [scroll + 1, last, text.rows.len()]);
        builder.rows.extend(text.rows.into_iter().skip(scroll).take(room));
        builder.push_own(
            0,
            &format!("{counted}  {}", pager.key_hints.plain(self.setup.lang)),
            StyleRole::Faint,
        );
    }
}

/// Returns the screen without its first row, which names the asker.
pub(super) fn below_title(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}
