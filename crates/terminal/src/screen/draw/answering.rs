//! Screen of a questionnaire: header, page, footer.

use super::super::answering::{Answering, Spot};
use super::super::app::App;
use super::super::paper::Paper;
use super::super::theme::Role;
use super::{Canvas, Page, dialog};
use crate::action::{Part, parts};
use ratatui::layout::Rect;
use sayso_core::{Action, Message, display};

impl App {
    pub(super) fn draw_answering(&mut self, area: Rect, canvas: &mut Canvas<'_>) {
        let Some(mut view) = self.answering.take() else { return };
        let above = self.draw_header(&view, area, canvas);
        let below = self.draw_footer(&view, area, canvas);
        let body = Rect { y: area.y + above, height: area.height.saturating_sub(above + below), ..area };
        let page = match view.spot {
            Spot::Action => self.action_page(&view, body),
            Spot::Question(place) => self.question_page(&mut view, place, body),
            Spot::Review => self.review_page(&view, body),
        };
        let from = canvas.page(body, &page, view.scroll);
        self.draw_scrolled(from, &page, body, canvas);
        if view.dialog.is_some() {
            // A low screen has no room for a dialog between the header and the footer.
            let is_low = body.height < dialog::ROWS;
            let body = if is_low { dialog::below_title(area) } else { body };
            self.draw_dialog(&mut view, body, canvas);
        }
        self.answering = Some(view);
    }

    /// Draws the range of visible rows on the line below a page.
    fn draw_scrolled(&self, from: usize, page: &Page, body: Rect, canvas: &mut Canvas<'_>) {
        let height = usize::from(body.height);
        let rows = page.rows.len();
        if rows <= height {
            return;
        }
        let signs = self.setup.theme.signs;
        let last = (from + height).min(rows);
        let up = if from > 0 { signs.up } else { "" };
        let down = if last < rows { signs.down } else { "" };
        let said = Message::RowsShown.say(self.setup.lang, [from + 1, last, rows]);
        let said = format!(" {said} {up}{down} ");
        let builder = Paper::new(&self.setup.theme, usize::from(body.width));
        let wide = u16::try_from(super::width(&said)).unwrap_or_default();
        let x = body.right().saturating_sub(wide + 1);
        canvas.spans(x, body.bottom(), &[builder.span(said, Role::Faint)], None);
    }

    /// Renders the action from its data, not from the agent's description.
    fn action_page(&self, view: &Answering, body: Rect) -> Page {
        let mut builder = Paper::new(&self.setup.theme, usize::from(body.width)).keeping(&self.laid);
        let questionnaire = view.sheet.questionnaire();
        let Some(action) = &questionnaire.action else { return Page::default() };
        self.put_action(&mut builder, action);
        if let Some(context) = &questionnaire.context {
            builder.blank();
            builder.ours(1, Message::AgentSays.plain(self.setup.lang), Role::Faint);
            builder.markdown(1, context);
        }
        Page { rows: builder.rows, ..Page::default() }
    }

    fn put_action(&self, builder: &mut Paper<'_>, action: &Action) {
        let lang = self.setup.lang;
        builder.quoting(1, &Message::ActionHead.say(lang, [display::line(&action.tool)]), Role::Strong);
        for part in parts(&action.act) {
            match part {
                Part::Ours(message) => builder.ours(1, message.plain(lang), Role::Plain),
                Part::Exactly(text) => builder.exact(1, &text),
            }
        }
    }
}
