//! Modal dialogs: a box over the page.

use super::super::answering::Answering;
use super::super::app::App;
use super::super::dialog::{Dialog, Pager, Sure, Theirs, Way};
use super::super::paper::{Paper, Row, fitted, width};
use super::super::text::TextBox;
use super::super::theme::Role;
use super::{Canvas, edge};
use ratatui::layout::Rect;
use sayso_core::Message;
use sayso_core::who::ShownAsker;

/// Number of rows of a dialog if each of its sentences takes one.
pub(super) const ROWS: u16 = 12;

/// Maximum number of columns of an asker's name in a dialog.
const NAME_COLUMNS: usize = 30;

/// Rows of a dialog, with the focused ones and the caret.
struct Boxed<'t> {
    builder: Paper<'t>,
    focus: Option<(usize, usize)>,
    caret: Option<(usize, usize)>,
}

impl App {
    pub(super) fn draw_dialog(&self, view: &mut Answering, body: Rect, canvas: &mut Canvas<'_>) {
        let asker = self.brief_asker(&view.ask.request.shown_asker());
        if let Some(dialog) = &mut view.dialog {
            self.draw_box(dialog, &asker, body, canvas);
        }
    }

    /// Draws the dialog over everything: help, an ended ask, a decline from the list.
    pub(super) fn draw_over(&mut self, area: Rect, canvas: &mut Canvas<'_>) {
        let Some((id, mut dialog)) = self.over.take() else { return };
        let row = id.and_then(|id| self.inbox.rows().find(|row| row.id == id));
        let asker = row.map(|row| self.brief_asker(&row.shown_asker())).unwrap_or_default();
        let body = below_title(area);
        self.draw_box(&mut dialog, &asker, body, canvas);
        self.over = Some((id, dialog));
    }

    /// Returns an asker's name for a dialog, too short to form a sentence.
    fn brief_asker(&self, asker: &ShownAsker<'_>) -> String {
        fitted(
            &crate::recap::asker(asker, str::to_owned, self.setup.lang),
            NAME_COLUMNS,
            self.setup.theme.signs.cut,
        )
    }

    fn draw_box(&self, dialog: &mut Dialog, asker: &str, body: Rect, canvas: &mut Canvas<'_>) {
        canvas.hide_cursor();
        let columns = usize::from(body.width).saturating_sub(2).min(match dialog {
            Dialog::Pager(_) => 100,
            Dialog::Leave { .. } | Dialog::Decline { .. } => 66,
        });
        let mut content = Boxed {
            builder: Paper::new(&self.setup.theme, columns.saturating_sub(4)),
            focus: None,
            caret: None,
        };
        let title = match dialog {
            Dialog::Leave { at } => {
                self.put_leave(*at, asker, &mut content);
                Message::LeaveTitle
            }
            Dialog::Decline { reason, sure } => {
                self.put_decline(reason, *sure, asker, &mut content);
                Message::DeclineTitle
            }
            Dialog::Pager(pager) => {
                self.put_pager(pager, usize::from(body.height), &mut content.builder);
                pager.title
            }
        };
        let title = title.plain(self.setup.lang);
        let Boxed { builder, focus, caret } = content;
        let height = (builder.rows.len() + 2).min(usize::from(body.height));
        let room = height.saturating_sub(2);
        let most = builder.rows.len().saturating_sub(room);
        let first = super::in_sight(focus, caret.map(|(row, _)| row), room).min(most);
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

    fn draw_frame(&self, title: &str, rows: &[Row], area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &self.setup.theme;
        let signs = theme.signs;
        let columns = usize::from(area.width);
        canvas.clear(area, theme.style(Role::Plain));
        let title = fitted(title, columns.saturating_sub(6), signs.cut);
        let (top, bottom) = (edge::upper(signs, columns, &title, ""), edge::lower(signs, columns, ""));
        let builder = Paper::new(theme, columns);
        canvas.spans(area.x, area.y, &[builder.span(top, Role::Strong)], None);
        canvas.spans(area.x, area.bottom().saturating_sub(1), &[builder.span(bottom, Role::Strong)], None);
        let inner = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width.saturating_sub(4),
            height: area.height.saturating_sub(2),
        };
        for y in inner.top()..inner.bottom() {
            canvas.spans(area.x, y, &[builder.span(signs.parting, Role::Strong)], None);
            canvas.spans(
                area.right().saturating_sub(1),
                y,
                &[builder.span(signs.parting, Role::Strong)],
                None,
            );
        }
        canvas.rows(inner, rows);
    }

    fn put_leave(&self, at: usize, asker: &str, content: &mut Boxed<'_>) {
        let lang = self.setup.lang;
        let signs = self.setup.theme.signs;
        let builder = &mut content.builder;
        builder.ours(0, Message::LeaveSays.plain(lang), Role::Plain);
        builder.blank();
        for (row, way) in Way::ALL.into_iter().enumerate() {
            let words = match way {
                Way::Keep => Message::WayKeep.plain(lang).to_owned(),
                Way::Leave => Message::WayLeave.plain(lang).to_owned(),
                Way::Decline => Message::WayDecline.say(lang, [asker]),
            };
            let has_focus = row == at;
            let pointer = if has_focus { signs.pointer } else { " " };
            let lead = builder.span(format!("{pointer} "), Role::Strong);
            let words = vec![builder.span(words, if has_focus { Role::Focus } else { Role::Plain })];
            let start = builder.rows.len();
            builder.wrapped(&[lead], &[("  ".to_owned(), ratatui::style::Style::new())], words);
            if has_focus {
                content.focus = Some((start, builder.rows.len()));
            }
        }
    }

    fn put_decline(&self, reason: &mut TextBox, sure: Sure, asker: &str, content: &mut Boxed<'_>) {
        let lang = self.setup.lang;
        let signs = self.setup.theme.signs;
        let builder = &mut content.builder;
        builder.ours(0, &Message::DeclineSays.say(lang, [asker]), Role::Plain);
        builder.blank();
        builder.ours(
            0,
            Message::DeclineReason.plain(lang),
            if sure == Sure::Reason { Role::Strong } else { Role::Plain },
        );
        let room = builder.columns.saturating_sub(2).max(8);
        reason.fit(room);
        let place = reason.caret();
        let (first, count) = (place.row.saturating_sub(2), reason.rows().min(3));
        if sure == Sure::Reason {
            content.caret = Some((builder.rows.len() + place.row - first, 2 + place.column));
        }
        for words in reason.shown(first, count) {
            let fill = "_".repeat(room.saturating_sub(width(&words)));
            builder
                .row(vec![builder.span(format!("  {words}"), Role::Plain), builder.span(fill, Role::Faint)]);
        }
        builder.blank();
        for (place, message) in [(Sure::Keep, Message::WayKeep), (Sure::Decline, Message::DeclineNow)] {
            let has_focus = sure == place;
            let pointer = if has_focus { signs.pointer } else { " " };
            let words = builder.span(message.plain(lang), if has_focus { Role::Focus } else { Role::Plain });
            if has_focus {
                content.focus = Some((builder.rows.len(), builder.rows.len() + 1));
            }
            builder.row(vec![builder.span(format!("{pointer} "), Role::Strong), words]);
        }
    }

    fn put_pager(&self, pager: &mut Pager, height: usize, builder: &mut Paper<'_>) {
        let room = height.saturating_sub(3).max(1);
        let mut text = Paper::new(&self.setup.theme, builder.columns).keeping(&self.laid);
        for line in pager.ours.lines() {
            text.ours(0, line, Role::Plain);
        }
        match &pager.theirs {
            Theirs::Nothing => {}
            Theirs::Text(words) => text.agent(0, words, Role::Agent),
            Theirs::Exactly(words) => text.exact(0, words),
        }
        let most = text.rows.len().saturating_sub(room);
        pager.scroll = pager.scroll.min(most);
        pager.rows = room;
        let last = (pager.scroll + room).min(text.rows.len());
        let counted = Message::RowsShown.say(self.setup.lang, [pager.scroll + 1, last, text.rows.len()]);
        builder.rows.extend(text.rows.into_iter().skip(pager.scroll).take(room));
        builder.ours(0, &format!("{counted}  {}", pager.keys.plain(self.setup.lang)), Role::Faint);
    }
}

/// Returns the screen without its first row, which names the asker.
pub(super) fn below_title(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}
