//! Page of one question: prompt, answer, note and problems.

use super::super::answer::{AskView, FieldFocus, FieldState};
use super::super::editor::TextBox;
use super::super::widgets::box_edge;
use super::super::widgets::line_builder::{
    HitTarget, LineBuilder, StyledRow, display_width, truncate_to_width,
};
use super::super::widgets::theme::StyleRole;
use super::{PageContent, TextBoxSlot, ViewContext, choice, prompt, scale, section, typed_answer};
use crate::describe::{self, SpoofingCheck};
use ratatui::layout::Rect;
use sayso_core::i18n::foreign;
use sayso_core::{Lang, LocalizedText, Message, Question, QuestionInput};
use std::ops::Range;
use std::rc::Rc;

/// Height of a page below which rows are scarce: the context scrolls away and nothing is set apart by a blank row.
const LOW_HEIGHT: usize = 12;

/// Minimum number of rows of a context that is cut, with the row that says so; on a low page it is the smaller one.
const MIN_CONTEXT_ROWS: [usize; 2] = [2, 4];

/// Page under construction.
pub(super) struct PageBuilder<'a> {
    pub(super) builder: LineBuilder<'a>,
    pub(super) focus: Option<(usize, usize)>,
    /// The focused rows are drawn together or not at all.
    pub(super) is_focus_unsplit: bool,
    pub(super) caret: Option<(usize, usize)>,
    /// Row at which the prompt begins.
    pub(super) prompt_row: usize,
    /// Row below the heading of the section.
    pub(super) section_row: Option<usize>,
    /// The page shows what a person agrees to, so no row of it is cut.
    pub(super) must_read: bool,
    /// Rows that may be cut in favour of the question and its options: the context and the details.
    pub(super) contexts: Vec<Range<usize>>,
    /// Options whose description is cut, as indices into all offers.
    pub(super) cut_options: Vec<usize>,
    /// Number of visible rows of the page.
    pub(super) height: usize,
    /// Display hints of the question.
    pub(super) display_hints: Rc<SpoofingCheck>,
    /// Widths of the text boxes so far.
    pub(super) text_widths: Vec<(TextBoxSlot, usize)>,
}

/// Frame of a text box.
pub(super) struct TextBoxFrame<'a> {
    /// Margin in columns on each side.
    pub(super) indent: usize,
    pub(super) title: &'a str,
    /// Length of the text, as shown.
    pub(super) count: &'a str,
    /// Minimum number of inner rows.
    pub(super) min_rows: usize,
    /// The asker's example of an answer. It is in the box until something is typed.
    pub(super) placeholder: Option<&'a str>,
    /// The text is the note, not the answer.
    pub(super) is_note: bool,
}

/// Returns the page of a question; an empty one if there is no such question.
pub(super) fn page(cx: &ViewContext<'_>, view: &AskView, place: usize, body: Rect) -> PageContent {
    let (Some(question), Some(field)) = (view.form.question(place), view.form.field(place)) else {
        return PageContent::default();
    };
    let mut page = PageBuilder {
        builder: cx.builder(usize::from(body.width)),
        prompt_row: 0,
        section_row: None,
        must_read: view.must_read(place),
        contexts: Vec::new(),
        cut_options: Vec::new(),
        focus: None,
        is_focus_unsplit: false,
        caret: None,
        height: usize::from(body.height),
        display_hints: field.display_hints(view.form.sheet.questionnaire(), question, cx.lang),
        text_widths: Vec::new(),
    };
    prompt::push_action(cx, view, place, &mut page);
    prompt::push_prompt(cx, view, place, question, &mut page);
    let lines_to_read = if page.must_read { Some(page.builder.rows.len()) } else { None };
    page.builder.push_blank();
    match question.input() {
        QuestionInput::Options(choice) => {
            choice::push_choice(cx, view, place, question, choice, field, &mut page);
        }
        QuestionInput::Toggle(confirm) => scale::push_confirm(cx, view, place, question, confirm, &mut page),
        QuestionInput::Scale(rating) => scale::push_rating(cx, view, place, rating, &mut page),
        QuestionInput::Line(_) => {
            typed_answer::push_typed_answer(cx, view, question, field, &mut page);
        }
    }
    push_problems(cx, view, place, question, &mut page.builder);
    push_note(cx, field, &mut page);
    let cuts_context = page.cut_contexts(cx);
    if let Some(section_row) = page.section_row
        && !cuts_context
    {
        section::push_fields(cx, view, place, section_row, &mut page);
    }
    PageContent {
        // On a low page the context scrolls away in favour of the question, unless it must be read.
        content_start: if page.is_low() && !page.must_read { page.prompt_row } else { 0 },
        rows: page.builder.rows,
        lines_to_read,
        cut_options: page.cut_options,
        cuts_context,
        focus: page.focus,
        is_focus_unsplit: page.is_focus_unsplit && page.caret.is_none(),
        caret: page.caret,
        text_widths: page.text_widths,
    }
}

/// Adds the problems, once the person left the question or tried to submit, and the asker's corrections.
fn push_problems(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    question: &Question,
    builder: &mut LineBuilder<'_>,
) {
    let lang = cx.lang;
    let wrong = cx.theme.symbols.wrong;
    let sheet = &view.form.sheet;
    if let Some(feedback) = view.ask.feedback() {
        for (id, error) in &feedback.errors {
            if *id == question.id {
                let message = describe::objection_heading(&view.ask, sheet, place, lang);
                builder.push_own(1, &format!("{wrong} {message}"), StyleRole::Failure);
                builder.push_markdown(1, error);
            }
        }
    }
    if sheet.is_prefilled(place) {
        let reply = sheet.reply_at(place);
        let words = describe::reply_in_sentence(sheet.questionnaire(), question, reply, lang);
        builder.push_own(1, &Message::FilledInStands.render_with(lang, [words]), StyleRole::Warning);
    }
    if view.form.suggested.contains(&place) {
        builder.push_own(1, Message::SuggestedTaken.plain(lang), StyleRole::Warning);
    }
    if !view.form.flagged.contains(&place) {
        return;
    }
    for problem in sheet.blocking_problems_at(place) {
        match &problem.message {
            LocalizedText::Verbatim(words) => {
                builder.push_own(1, wrong, StyleRole::Failure);
                builder.push_agent(1, words, StyleRole::Agent);
            }
            LocalizedText::Message(..) => {
                builder.push_own(1, &format!("{wrong} {}", problem.message.render(lang)), StyleRole::Failure);
            }
        }
    }
}

fn push_note(cx: &ViewContext<'_>, field: &FieldState, page: &mut PageBuilder<'_>) {
    let lang = cx.lang;
    if field.focus == FieldFocus::Note {
        page.builder.push_blank();
        let title = Message::YourNote.plain(lang).to_owned();
        let frame = TextBoxFrame {
            indent: 1,
            title: &title,
            count: "",
            min_rows: 4,
            placeholder: None,
            is_note: true,
        };
        page.put_text_box(&frame, &field.note, true, lang);
    } else if !field.note.is_empty() {
        page.builder.push_blank();
        let words = describe::excerpt(field.note.text());
        page.builder.push_own(1, &Message::NoteSoFar.render_with(lang, [foreign(words)]), StyleRole::Plain);
    }
}

/// Returns the first line of a placeholder as a quotation, so that no theme makes it look like an answer.
pub(super) fn quoted_line(placeholder: &str, lang: Lang) -> Option<String> {
    let line = placeholder.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(Message::Quoted.render_with(lang, [foreign(line)]))
}

/// Returns the row in place of the rows of a context that are cut: their number, and the key that shows them.
fn cut_mark(cx: &ViewContext<'_>, hidden_rows: usize) -> StyledRow {
    let builder = LineBuilder::new(cx.theme, 80);
    let message = Message::ContextMore.render_with(cx.lang, [hidden_rows]);
    let (count, hint) = message.split_once("  ").unwrap_or((message.as_str(), ""));
    let (key, words) = hint.split_once(' ').unwrap_or((hint, ""));
    let spans = [
        builder.span(format!(" {count}  "), StyleRole::Faint),
        builder.span(format!("{key} "), StyleRole::Key),
        builder.span(words, StyleRole::Faint),
    ];
    StyledRow { spans: spans.into(), hit: None }
}

/// Returns the row that was `row` before rows from `from` on moved down, or up if negative.
const fn moved_row(row: usize, from: usize, by: isize) -> usize {
    if row >= from { row.saturating_add_signed(by) } else { row }
}

impl PageBuilder<'_> {
    /// Returns the number of rows so far if the contexts are cut as far as they may be.
    pub(super) fn least_rows(&self) -> usize {
        let mut rows = self.builder.rows.len();
        for context in &self.contexts {
            rows -= context.len().saturating_sub(self.min_context_rows());
        }
        rows
    }

    fn min_context_rows(&self) -> usize {
        let [low, high] = MIN_CONTEXT_ROWS;
        if self.is_low() { low } else { high }
    }

    /// Returns whether rows are too few for blank ones.
    pub(super) const fn is_low(&self) -> bool {
        self.height < LOW_HEIGHT
    }

    /// Adds rows that may be cut in favour of the question and its options, if nothing on the page must be read.
    pub(super) fn push_context(&mut self, push: impl FnOnce(&mut LineBuilder<'_>)) {
        let start = self.builder.rows.len();
        push(&mut self.builder);
        if !self.must_read {
            self.contexts.push(start..self.builder.rows.len());
        }
    }

    /// Cuts contexts until the page fits, and marks where. Returns whether any was cut.
    fn cut_contexts(&mut self, cx: &ViewContext<'_>) -> bool {
        let mut is_cut = false;
        for Range { start, end } in std::mem::take(&mut self.contexts).into_iter().rev() {
            let excess = self.builder.rows.len().saturating_sub(self.height);
            let visible_rows = (end - start).saturating_sub(excess).max(self.min_context_rows());
            if excess == 0 || visible_rows >= end - start {
                continue;
            }
            // The row of the mark takes the place of one that is cut.
            let mark_row = start + visible_rows - 1;
            let hidden_rows = end - mark_row;
            self.builder.rows.splice(mark_row..end, [cut_mark(cx, hidden_rows)]);
            self.move_marks(end, 1_isize.saturating_sub_unsigned(hidden_rows));
            is_cut = true;
        }
        is_cut
    }

    /// Inserts rows above the prompt.
    pub(super) fn insert_rows(&mut self, at: usize, rows: Vec<StyledRow>) {
        self.move_marks(at, 0_isize.saturating_add_unsigned(rows.len()));
        self.builder.rows.splice(at..at, rows);
    }

    /// Moves the focus, the caret and the prompt along with the rows from this one on.
    fn move_marks(&mut self, from: usize, by: isize) {
        if let Some((first, end)) = &mut self.focus {
            *first = moved_row(*first, from, by);
            *end = moved_row(*end, from, by);
        }
        if let Some((row, _)) = &mut self.caret {
            *row = moved_row(*row, from, by);
        }
        self.prompt_row = moved_row(self.prompt_row, from, by);
    }

    /// Adds a text box, with the caret if it has the focus.
    pub(super) fn put_text_box(
        &mut self,
        frame: &TextBoxFrame<'_>,
        text: &TextBox,
        has_focus: bool,
        lang: Lang,
    ) {
        let TextBoxFrame { indent, title, count, min_rows, placeholder, is_note } = *frame;
        let signs = self.builder.theme.symbols;
        let columns = self.builder.columns.saturating_sub(indent * 2).min(100);
        let inner = columns.saturating_sub(4).max(4);
        let slot = if is_note { TextBoxSlot::Note } else { TextBoxSlot::Answer };
        self.text_widths.push((slot, inner));
        let mut example = None;
        if text.is_empty()
            && let Some(placeholder) = placeholder
        {
            example = quoted_line(placeholder, lang);
        }
        let text = text.at_width(inner);
        let room = self.height.saturating_sub(self.least_rows() + 4).max(min_rows.min(3)).max(1);
        let rows = text.rows().max(min_rows).min(room);
        let caret = text.caret_cell();
        let first = if has_focus { (caret.row + 1).saturating_sub(rows) } else { 0 };
        let pad = " ".repeat(indent);
        let edge_role = if has_focus { StyleRole::Accent } else { StyleRole::Faint };
        let upper_edge = box_edge::upper_edge(signs, columns, title, count);
        self.builder.push_row(vec![self.builder.span(format!("{pad}{upper_edge}"), edge_role)]);
        let start = self.builder.rows.len();
        let mut visible_rows = text.visible_rows(first, rows);
        visible_rows.resize(rows, String::new());
        let mut text_role = StyleRole::Plain;
        if let (Some(example), Some(row)) = (example, visible_rows.first_mut()) {
            *row = truncate_to_width(&example, inner, signs.ellipsis);
            text_role = StyleRole::Faint;
        }
        for (row, words) in (first..).zip(visible_rows) {
            let fill = " ".repeat(inner.saturating_sub(display_width(&words)));
            let bar = self.builder.span(signs.separator, edge_role);
            let spans = [
                (pad.clone(), self.builder.theme.style(StyleRole::Plain)),
                bar.clone(),
                self.builder.span(format!(" {words}{fill} "), text_role),
                bar,
            ];
            let hit = Some(HitTarget::Text { note: is_note, row, from: indent + 2 });
            self.builder.rows.push(StyledRow { spans: spans.into(), hit });
        }
        let (line, column) = text.line_and_column();
        let shows_position = text.rows() > rows || line > 1;
        let position = if shows_position { format!("{line}:{column}") } else { String::new() };
        let lower_edge = box_edge::lower_edge(signs, columns, &position);
        self.builder.push_row(vec![self.builder.span(format!("{pad}{lower_edge}"), edge_role)]);
        if has_focus {
            self.caret = Some((start + caret.row - first, indent + 2 + caret.column.min(inner)));
            self.focus_from(start);
        }
    }

    /// Marks the rows from this one on as focused.
    pub(super) fn focus_from(&mut self, start: usize) {
        self.focus = Some((start, self.builder.rows.len()));
    }
}
