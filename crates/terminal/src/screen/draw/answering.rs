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
        let Some(mut answering) = self.answering.take() else { return };
        let above = self.draw_header(&answering, area, canvas);
        let below = self.draw_footer(&answering, area, canvas);
        let body = Rect { y: area.y + above, height: area.height.saturating_sub(above + below), ..area };
        let page = match answering.spot {
            Spot::Action => self.action_page(&answering, body),
            Spot::Question(place) => self.question_page(&mut answering, place, body),
            Spot::Review => self.review_page(&answering, body),
        };
        let from = canvas.page(body, &page, answering.scroll);
        self.draw_scrolled(from, &page, body, canvas);
        if answering.dialog.is_some() {
            // A low screen has no room for a dialog between the header and the footer.
            let is_low = body.height < dialog::ROWS;
            let body = if is_low { dialog::below_title(area) } else { body };
            self.draw_dialog(&mut answering, body, canvas);
        }
        self.answering = Some(answering);
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
        let paper = Paper::new(&self.setup.theme, usize::from(body.width));
        let wide = u16::try_from(super::width(&said)).unwrap_or_default();
        let x = body.right().saturating_sub(wide + 1);
        canvas.spans(x, body.bottom(), &[paper.span(said, Role::Faint)], None);
    }

    /// Renders the action from its data, not from the agent's description.
    fn action_page(&self, answering: &Answering, body: Rect) -> Page {
        let mut paper = Paper::new(&self.setup.theme, usize::from(body.width)).keeping(&self.laid);
        let questionnaire = answering.sheet.questionnaire();
        let Some(action) = &questionnaire.action else { return Page::default() };
        self.put_action(&mut paper, action);
        if let Some(context) = &questionnaire.context {
            paper.blank();
            paper.ours(1, Message::AgentSays.plain(self.setup.lang), Role::Faint);
            paper.markdown(1, context);
        }
        Page { rows: paper.rows, ..Page::default() }
    }

    fn put_action(&self, paper: &mut Paper<'_>, action: &Action) {
        let lang = self.setup.lang;
        paper.quoting(1, &Message::ActionHead.say(lang, [display::line(&action.tool)]), Role::Strong);
        for part in parts(&action.act) {
            match part {
                Part::Ours(message) => paper.ours(1, message.plain(lang), Role::Plain),
                Part::Exactly(text) => paper.exact(1, &text),
            }
        }
    }
}
