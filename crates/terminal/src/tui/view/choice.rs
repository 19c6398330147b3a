//! Options of a choice, the own answer among them, and their previews.

use super::super::answer::{AskView, FieldFocus, FieldState, is_picked};
use super::super::widgets::agent_text::preview_columns;
use super::super::widgets::authored_text::Margins;
use super::super::widgets::line_builder::{
    HitTarget, LineBuilder, StyledRow, StyledSpan, columns_between, display_width, spans_width,
};
use super::super::widgets::theme::StyleRole;
use super::question::{PageBuilder, TextBoxFrame};
use super::{TextBoxSlot, ViewContext};
use crate::describe;
use ratatui::style::Style;
use sayso_core::i18n::foreign;
use sayso_core::model::ask::Submission;
use sayso_core::{
    ChoiceItem, ChoiceOption, ChoiceQuestion, ConsentQuestions, Message, Question, Reply, Rules,
};
use std::ops::Range;

/// Minimum number of columns for options and a preview side by side.
const SIDE_BY_SIDE_COLUMNS: usize = 76;

/// Maximum number of rows of a description, and of one on a low page.
const DESCRIPTION_ROWS: usize = 4;
const LOW_DESCRIPTION_ROWS: usize = 2;

/// Height of a page below which descriptions are short.
const LOW_HEIGHT: usize = 20;

/// Signs of our marks, and brackets that look like them.
const MARK_SIGNS: [char; 12] = ['[', ']', '［', '］', '【', '】', '〔', '〕', '⟦', '⟧', '★', '*'];

/// A choice with the state that its page needs.
struct ChoiceView<'a> {
    choice: &'a ChoiceQuestion,
    rules: &'a Rules,
    reply: &'a Reply,
    /// Offers that pass the filter, as indices into all offers, from 0.
    offers: Vec<usize>,
    /// Index of the focused offer in `offers`.
    focused: usize,
    question: &'a Question,
    consent: ConsentQuestions,
    refused: Option<&'a Submission>,
}

impl<'a> ChoiceView<'a> {
    /// Returns the preview of the focused option, with the number of the option.
    fn focused_preview(&self) -> Option<(usize, &'a str)> {
        let number = self.offers.get(self.focused)? + 1;
        match self.choice.item_by_number(number)? {
            ChoiceItem::Option(option) => Some((number, option.preview.as_deref()?)),
            ChoiceItem::Other => None,
        }
    }
}

/// Our own marks of an option.
struct OptionMarks<'m> {
    /// The value that the option sends, if it is shown.
    value: Option<&'m str>,
    is_suggested: bool,
}

pub(super) fn push_choice(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    question: &Question,
    choice: &ChoiceQuestion,
    field: &FieldState,
    page: &mut PageBuilder<'_>,
) {
    let reply = view.form.sheet.reply_at(place);
    let offers = field.matching_offers(choice, reply);
    let questionnaire = view.form.sheet.questionnaire();
    let choice_view = ChoiceView {
        choice,
        rules: &questionnaire.rules,
        reply,
        focused: field.cursor.min(offers.len().saturating_sub(1)),
        offers,
        question,
        consent: ConsentQuestions::for_questionnaire(questionnaire),
        refused: view.ask.refused_submission(),
    };
    if field.focus == FieldFocus::Filter || !field.filter.is_empty() {
        push_filter(cx, &choice_view, field, page);
    }
    let columns = page.builder.columns;
    let has_preview = choice.options.iter().any(|option| option.preview.is_some());
    if !has_preview || columns < SIDE_BY_SIDE_COLUMNS {
        push_options(cx, &choice_view, field, page);
        return;
    }
    let start = page.builder.rows.len();
    let option_columns = option_columns(choice, columns);
    page.builder.columns = option_columns;
    push_options(cx, &choice_view, field, page);
    page.builder.columns = columns;
    push_side_preview(cx, &choice_view, option_columns, start, page);
}

fn push_filter(
    cx: &ViewContext<'_>,
    choice_view: &ChoiceView<'_>,
    field: &FieldState,
    page: &mut PageBuilder<'_>,
) {
    let builder = &mut page.builder;
    let columns = builder.columns.saturating_sub(24).max(8);
    page.text_widths.push((TextBoxSlot::OptionFilter, columns));
    let filter = field.filter.at_width(columns);
    let words = filter.visible_rows(0, 1).join("");
    let lead = format!(" / {words}");
    if field.focus == FieldFocus::Filter {
        page.caret = Some((builder.rows.len(), 3 + filter.caret_cell().column));
    }
    let counts = [choice_view.offers.len(), choice_view.choice.item_count()];
    let count = Message::FilterShows.render_with(cx.lang, counts);
    let used = display_width(&lead) + display_width(&count) + 2;
    let gap = " ".repeat(builder.columns.saturating_sub(used).max(1));
    builder.push_row(vec![
        builder.span(lead, StyleRole::Strong),
        builder.span(format!("{gap}{count}"), StyleRole::Faint),
    ]);
}

fn push_options(
    cx: &ViewContext<'_>,
    choice_view: &ChoiceView<'_>,
    field: &FieldState,
    page: &mut PageBuilder<'_>,
) {
    let ChoiceView { choice, reply, offers, question, consent, refused, .. } = choice_view;
    let max_rows = if page.height < LOW_HEIGHT { LOW_DESCRIPTION_ROWS } else { DESCRIPTION_ROWS };
    for (row, index) in offers.iter().enumerate() {
        let Some(offer) = choice.item_by_number(index + 1) else { continue };
        let has_focus = row == choice_view.focused && field.focus != FieldFocus::Note;
        let start = page.builder.rows.len();
        page.builder.hit_target = Some(HitTarget::Item(*index));
        let prefix = offer_prefix(cx, choice, index + 1, has_focus, is_picked(reply, &offer));
        match offer {
            ChoiceItem::Option(option) => {
                let value = page.display_hints.option_value(option);
                let is_suggested = consent.suggests(question, option, *refused);
                let marks = OptionMarks { value, is_suggested };
                if push_option(cx, option, &marks, &prefix, has_focus, max_rows, &mut page.builder) {
                    page.cut_options.push(*index);
                }
            }
            ChoiceItem::Other => push_own_answer(cx, choice_view, field, &prefix, has_focus, page),
        }
        page.builder.hit_target = None;
        if has_focus {
            page.focus_from(start);
        }
    }
    if offers.is_empty() {
        page.builder.push_own(3, Message::NothingFits.plain(cx.lang), StyleRole::Faint);
    }
}

/// Returns the prefix of an offer: pointer, mark and number.
fn offer_prefix(
    cx: &ViewContext<'_>,
    choice: &ChoiceQuestion,
    number: usize,
    has_focus: bool,
    is_picked: bool,
) -> Vec<StyledSpan> {
    let signs = cx.theme.symbols;
    let builder = LineBuilder::new(cx.theme, 80);
    let pointer = if has_focus { signs.pointer } else { " " };
    let mark = match (choice.multi, is_picked) {
        (true, true) => signs.checked,
        (true, false) => signs.unchecked,
        (false, true) => signs.picked,
        (false, false) => signs.unpicked,
    };
    let wide = choice.item_count().to_string().len();
    vec![
        builder.span(format!("{pointer} "), StyleRole::Accent),
        builder.span(format!("{mark} "), if is_picked { StyleRole::Completed } else { StyleRole::Plain }),
        builder.span(format!("{number:>wide$}  "), StyleRole::Faint),
    ]
}

/// Adds an option, and returns true if its description is cut.
fn push_option(
    cx: &ViewContext<'_>,
    option: &ChoiceOption,
    marks: &OptionMarks<'_>,
    prefix: &[StyledSpan],
    has_focus: bool,
    max_rows: usize,
    builder: &mut LineBuilder<'_>,
) -> bool {
    let indent = spans_width(prefix);
    let start = builder.rows.len();
    builder.push_agent_after(prefix, &option.label, StyleRole::Agent.focused_if(has_focus));
    let rows = start..builder.rows.len();
    push_marks(cx, marks, (&option.label, rows), indent, builder);
    match &option.description {
        Some(text) => push_description(cx, text, indent, max_rows, builder),
        None => false,
    }
}

/// Adds our marks of an option: next to its label if they fit, else on a row of their own. A label with signs that our
/// marks consist of could imitate them, so they never share its row.
fn push_marks(
    cx: &ViewContext<'_>,
    marks: &OptionMarks<'_>,
    label: (&str, Range<usize>),
    indent: usize,
    builder: &mut LineBuilder<'_>,
) {
    let mut spans = Vec::new();
    if marks.is_suggested {
        let star = format!("{} {}", cx.theme.symbols.star, Message::Suggested.plain(cx.lang));
        spans.push(builder.own_span(star, StyleRole::Suggestion));
    }
    if let Some(value) = marks.value {
        let words = Message::ItsValue.render_with(cx.lang, [foreign(value)]);
        spans.push(builder.own_span(format!("[{words}]"), StyleRole::Agent));
    }
    let (label, rows) = label;
    let columns = builder.columns;
    let mut mark_row = None;
    if rows.len() == 1 && !label.contains(MARK_SIGNS) {
        mark_row = Some(rows.start);
    }
    for span in spans {
        if let Some(row) = mark_row.and_then(|row| builder.rows.get_mut(row))
            && row.width() + 2 + span.width() <= columns
        {
            let gap = [("  ".to_owned(), Style::new())];
            row.spans = row.spans.iter().cloned().chain(gap).chain([span.into_span()]).collect();
            continue;
        }
        mark_row = Some(builder.rows.len());
        let margins = Margins { ours: indent, mark: indent };
        builder.push_authored(&[(" ".repeat(indent), Style::new())], margins, &[span]);
    }
}

/// Adds the description of an option, of the same height whether the option has the focus or not: a longer one is cut, with
/// the key that opens it at its end. Returns true if it is cut.
fn push_description(
    cx: &ViewContext<'_>,
    text: &str,
    indent: usize,
    max_rows: usize,
    builder: &mut LineBuilder<'_>,
) -> bool {
    let mut description = cx.builder(builder.columns);
    description.push_markdown(indent, text);
    // A row between paragraphs would take one from the text.
    let gutter = builder.gutter(indent);
    description.rows.retain(|row| row.spans[..] != gutter[..]);
    let is_cut = description.rows.len() > max_rows;
    description.rows.truncate(max_rows);
    let plain = cx.theme.style(StyleRole::Agent);
    let faint = cx.theme.style(StyleRole::Faint);
    let row_count = description.rows.len();
    for (index, row) in description.rows.iter().enumerate() {
        let mut spans = row.spans.to_vec();
        for (_, style) in &mut spans {
            if *style == plain {
                *style = faint;
            }
        }
        if is_cut && index + 1 == row_count {
            let mark = builder.span(format!(" {} (p)", cx.theme.symbols.ellipsis), StyleRole::Key);
            let room = builder.columns.saturating_sub(display_width(&mark.0));
            spans = columns_between(&spans, 0, room);
            spans.push(mark);
        }
        builder.push_row(spans);
    }
    is_cut
}

/// Draws the own answer, with its text.
fn push_own_answer(
    cx: &ViewContext<'_>,
    choice_view: &ChoiceView<'_>,
    field: &FieldState,
    prefix: &[StyledSpan],
    has_focus: bool,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let indent = spans_width(prefix);
    let role = StyleRole::Agent.focused_if(has_focus);
    let name = choice_view.choice.own_answer_row(choice_view.rules, lang);
    push_own_answer_name(choice_view.choice, name, prefix, role, &mut page.builder);
    if field.focus == FieldFocus::Text {
        let title = Message::YourAnswer.plain(lang).to_owned();
        let frame = TextBoxFrame {
            indent: indent.min(8),
            title: &title,
            count: "",
            min_rows: 1,
            placeholder: choice_view.question.placeholder.as_deref(),
            is_note: false,
        };
        page.put_text_box(&frame, &field.text, true, lang);
    } else if !field.text.is_empty() {
        let words = describe::excerpt(field.text.text());
        let is_sent = is_picked(choice_view.reply, &ChoiceItem::Other);
        let message = if is_sent { Message::OwnAnswer } else { Message::OwnAside };
        let role = if is_sent { StyleRole::Plain } else { StyleRole::Warning };
        page.builder.push_own(indent, &message.render_with(lang, [foreign(words)]), role);
    }
}

/// Returns the columns of the options next to a preview: what their labels need, so that the preview has the rest.
fn option_columns(choice: &ChoiceQuestion, columns: usize) -> usize {
    const MARK_COLUMNS: usize = 12;
    const LEAST: usize = 34;
    let labels = choice.options.iter().map(|option| display_width(&describe::brief(&option.label)));
    let widest = labels.max().unwrap_or_default() + MARK_COLUMNS;
    widest.max(LEAST).min(columns / 2 - 2)
}

/// Draws the preview of the focused option to the right of the options, which begin at row `start`.
fn push_side_preview(
    cx: &ViewContext<'_>,
    choice_view: &ChoiceView<'_>,
    option_columns: usize,
    start: usize,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let mut preview_pane = cx.builder(page.builder.columns - option_columns - 4);
    let mut is_cut = false;
    match choice_view.focused_preview() {
        Some((number, preview)) => {
            let message = Message::PreviewOfNumber.render_with(lang, [number]);
            preview_pane.push_own(0, &message, StyleRole::Faint);
            preview_pane.push_preview(preview, 0);
            is_cut = preview_columns(preview) + 2 > preview_pane.columns;
        }
        None => preview_pane.push_own(0, Message::NoPreviewHere.plain(lang), StyleRole::Faint),
    }
    // Half of what a long context would leave at least.
    let least = page.height.saturating_sub(page.least_rows()) / 2;
    let room = page.height.saturating_sub(start).max(least).max(6);
    if is_cut || preview_pane.rows.len() > room {
        preview_pane.rows.truncate(room - 1);
        preview_pane.push_own(0, Message::PreviewMore.plain(lang), StyleRole::Faint);
    }
    let rows = page.builder.rows.len().max(start + preview_pane.rows.len());
    page.builder.rows.resize(rows, StyledRow::default());
    let separator = format!("{} ", cx.theme.symbols.separator);
    let faint = cx.theme.style(StyleRole::Faint);
    for (index, row) in page.builder.rows.iter_mut().skip(start).enumerate() {
        let fill = (option_columns + 1).saturating_sub(row.width());
        let mut spans = row.spans.to_vec();
        spans.push((" ".repeat(fill), Style::new()));
        spans.push((separator.clone(), faint));
        if let Some(preview_row) = preview_pane.rows.get(index) {
            spans.extend(preview_row.spans.iter().cloned());
        }
        row.spans = spans.into();
    }
}

/// Adds the name of the own answer: the asker's label, or our word.
pub(super) fn push_own_answer_name(
    choice: &ChoiceQuestion,
    name: &str,
    prefix: &[StyledSpan],
    role: StyleRole,
    builder: &mut LineBuilder<'_>,
) {
    if choice.other_label.as_deref() == Some(name) {
        builder.push_agent_after(prefix, name, role);
        return;
    }
    let name = builder.own_span(name, role);
    builder.push_authored(prefix, Margins::hanging(spans_width(prefix)), &[name]);
}
