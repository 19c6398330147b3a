//! Screen of a questionnaire: header, page, footer.

use super::super::answer::{AskTab, AskView};
use super::super::app::App;
use super::super::widgets::line_builder::LineBuilder;
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, PageContent, dialog, header};
use crate::describe::{ActionPart, action_parts};
use ratatui::layout::Rect;
use sayso_core::{Message, ProposedAction, display};

impl App {
    pub(super) fn draw_ask_view(&self, view: &AskView, area: Rect, canvas: &mut FrameCanvas<'_>) {
        let above = header::header_rows(area.width);
        let below = self.draw_footer(view, area, canvas);
        let body = Rect { y: area.y + above, height: area.height.saturating_sub(above + below), ..area };
        let mut page = match view.tab {
            AskTab::Action => self.action_page(view, body),
            AskTab::Question(place) => self.question_page(view, place, body),
            AskTab::Review => self.review_page(view, body),
        };
        canvas.report.text_widths.append(&mut page.text_widths);
        let from = canvas.draw_page(body, &page, view.scroll.target());
        self.draw_scroll_position(from, &page, body, canvas);
        // A frame that shows the end of the action marks it as read.
        let shows_action_end = view.tab == AskTab::Action && canvas.report.at_end;
        self.draw_header(view, view.action_seen || shows_action_end, area, canvas);
        if let Some(dialog) = &view.dialog {
            // A low screen has no room for a dialog between the header and the footer.
            let is_low = body.height < dialog::DIALOG_ROWS;
            let body = if is_low { dialog::below_title(area) } else { body };
            self.draw_ask_dialog(view, dialog, body, canvas);
        }
    }

    /// Draws the range of visible rows on the line below a page.
    fn draw_scroll_position(
        &self,
        from: usize,
        page: &PageContent,
        body: Rect,
        canvas: &mut FrameCanvas<'_>,
    ) {
        let height = usize::from(body.height);
        let rows = page.rows.len();
        if rows <= height {
            return;
        }
        let signs = self.setup.theme.symbols;
        let last = (from + height).min(rows);
        let up = if from > 0 { signs.up } else { "" };
        let down = if last < rows { signs.down } else { "" };
        let said = Message::RowsShown.render_with(self.setup.lang, [from + 1, last, rows]);
        let said = format!(" {said} {up}{down} ");
        let builder = LineBuilder::new(&self.setup.theme, usize::from(body.width));
        let wide = u16::try_from(super::display_width(&said)).unwrap_or_default();
        let x = body.right().saturating_sub(wide + 1);
        canvas.draw_spans(x, body.bottom(), &[builder.span(said, StyleRole::Faint)], None);
    }

    /// Renders the action from its data, not from the agent's description.
    fn action_page(&self, view: &AskView, body: Rect) -> PageContent {
        let mut builder =
            LineBuilder::new(&self.setup.theme, usize::from(body.width)).with_cache(&self.layout_cache);
        let questionnaire = view.sheet.questionnaire();
        let Some(action) = &questionnaire.action else { return PageContent::default() };
        self.put_action(&mut builder, action);
        if let Some(context) = &questionnaire.context {
            builder.push_blank();
            builder.push_own(1, Message::AgentSays.plain(self.setup.lang), StyleRole::Faint);
            builder.push_markdown(1, context);
        }
        PageContent { rows: builder.rows, ..PageContent::default() }
    }

    fn put_action(&self, builder: &mut LineBuilder<'_>, action: &ProposedAction) {
        let lang = self.setup.lang;
        builder.push_own_with_quote(
            1,
            &Message::ActionHead.render_with(lang, [display::escape_line(&action.tool)]),
            StyleRole::Strong,
        );
        for part in action_parts(&action.act) {
            match part {
                ActionPart::Sentence(message) => builder.push_own(1, message.plain(lang), StyleRole::Plain),
                ActionPart::ExactData(text) => builder.push_verbatim(1, &text),
            }
        }
    }
}
