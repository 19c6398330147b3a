//! A section as one page: its other fields above and below the current one, and the button to the next section.

use super::super::answer::{AskTab, AskView, SectionStep};
use super::super::widgets::authored_text::Margins;
use super::super::widgets::line_builder::{
    HitTarget, LineBuilder, StyledRow, display_width, truncate_to_width,
};
use super::super::widgets::theme::StyleRole;
use super::question::PageBuilder;
use super::{ViewContext, header, review};
use crate::describe;
use ratatui::style::Style;
use sayso_core::{Message, ReplyContent};

/// Maximum number of columns of the names of fields.
const NAME_COLUMNS: usize = 28;

/// Adds the other fields of the section, as many of the nearest as there is room for.
pub(super) fn push_fields(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    section_row: usize,
    page: &mut PageBuilder<'_>,
) {
    let Some(SectionStep { before, after, .. }) = view.form.section_step(place) else { return };
    let gap = usize::from(!after.is_empty());
    let room = page.height.saturating_sub(page.builder.rows.len() + gap);
    // Each side has half of the room, and what the other one leaves of its half.
    let count_below = after.len().min(room.saturating_sub(before.len().min(room / 2)));
    let count_above = before.len().min(room - count_below);
    let fields = FieldRows::new(cx, view, page.builder.columns);
    if count_below > 0 {
        page.builder.push_blank();
        page.builder.rows.extend(after.iter().take(count_below).filter_map(|place| fields.row(*place)));
    }
    let nearest = before.iter().skip(before.len() - count_above);
    let mut rows_above: Vec<_> = nearest.filter_map(|place| fields.row(*place)).collect();
    if !rows_above.is_empty() && page.builder.rows.len() + rows_above.len() < page.height {
        rows_above.push(StyledRow::default());
    }
    page.insert_rows(section_row, rows_above);
}

/// Rows of fields, each with its state, its name and its answer.
struct FieldRows<'c, 'a> {
    cx: &'c ViewContext<'a>,
    view: &'c AskView,
    tabs: Vec<AskTab>,
    columns: usize,
    name_columns: usize,
}

impl<'c, 'a> FieldRows<'c, 'a> {
    fn new(cx: &'c ViewContext<'a>, view: &'c AskView, columns: usize) -> Self {
        Self { cx, view, tabs: view.tabs(), columns, name_columns: NAME_COLUMNS.min(columns / 3) }
    }

    fn row(&self, place: usize) -> Option<StyledRow> {
        let sheet = &self.view.form.sheet;
        let question = self.view.form.question(place)?;
        let builder = LineBuilder::new(self.cx.theme, self.columns);
        let ellipsis = self.cx.theme.symbols.ellipsis;
        let (mark, role) = header::question_symbol(self.cx, self.view, place);
        let name = describe::title(question.display_name());
        let name = truncate_to_width(&name, self.name_columns, ellipsis);
        let fill = " ".repeat((self.name_columns + 2).saturating_sub(display_width(&name)));
        let mut spans = vec![
            builder.span(format!(" {mark} "), role),
            builder.span(name, StyleRole::Agent),
            (fill, Style::new()),
        ];
        if matches!(sheet.reply_at(place).content, ReplyContent::Answered(_)) {
            let reply = describe::reply_at(sheet, place, question, self.cx.lang);
            let room = self.columns.saturating_sub(3 + self.name_columns + 2);
            spans.push(builder.span(truncate_to_width(&reply, room, ellipsis), StyleRole::Faint));
        }
        let tab = self.tabs.iter().position(|tab| *tab == AskTab::Question(place));
        Some(StyledRow { spans: spans.into(), hit: tab.map(HitTarget::Tab) })
    }
}

/// Returns the row with the button to the next section, if there is one.
pub(super) fn button_rows(cx: &ViewContext<'_>, view: &AskView, columns: usize) -> Vec<StyledRow> {
    let AskTab::Question(place) = view.tab else { return Vec::new() };
    let Some(step) = view.form.section_step(place) else { return Vec::new() };
    let Some(next) = step.next else { return Vec::new() };
    let Some(tab) = view.tabs().iter().position(|tab| *tab == AskTab::Question(next)) else {
        return Vec::new();
    };
    let mut builder = cx.builder(columns);
    builder.hit_target = Some(HitTarget::Tab(tab));
    let words = Message::NextSection.plain(cx.lang);
    let has_focus = view.leads_to_next_section(place, &step);
    let (lead, mut spans) = review::button(&builder, words, true, has_focus);
    if let Some(question) = view.form.question(place)
        && let Some(section) = &question.section
    {
        let label = describe::section_label(&view.form.sheet, section);
        spans.extend(review::askers_label(label, &builder));
    }
    builder.push_authored(&[lead], Margins::hanging(6), &spans);
    builder.rows.truncate(1);
    builder.rows
}
