//! Options of a choice, the own answer among them, and their previews.

use super::super::answer::{AskView, FieldFocus, FieldState, is_picked};
use super::super::widgets::agent_text::preview_columns;
use super::super::widgets::authored_text::Margins;
use super::super::widgets::line_builder::{
    HitTarget, LineBuilder, StyledRow, StyledSpan, columns_between, display_width,
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
    /// The asker's example of an own answer.
    placeholder: Option<&'a str>,
    /// Offers that pass the filter, as indices into all offers, from 0.
    offers: Vec<usize>,
    /// Index of the focused offer in `offers`.
    focused: usize,
    question: Option<&'a Question>,
    consent: ConsentQuestions,
    refused: Option<&'a Submission>,
}

/// Our own marks of an option.
struct OptionMarks<'m> {
    /// The value that the option sends, if it is shown.
    value: Option<&'m str>,
    suggested: bool,
}

pub(super) fn push_choice(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    choice: &ChoiceQuestion,
    field: &FieldState,
    page: &mut PageBuilder<'_>,
) {
    let reply = view.form.sheet.reply_at(place);
    let offers = field.matching_offers(choice, reply);
    let at = field.cursor.min(offers.len().saturating_sub(1));
    let consent = ConsentQuestions::for_questionnaire(view.form.sheet.questionnaire());
    let question = view.form.question(place);
    let chosen = ChoiceView {
        choice,
        rules: &view.form.sheet.questionnaire().rules,
        reply,
        placeholder: question.and_then(|question| question.placeholder.as_deref()),
        offers,
        focused: at,
        question,
        consent,
        refused: view.ask.refused_submission(),
    };
    let columns = page.builder.columns;
    if field.focus == FieldFocus::Filter || !field.filter.is_empty() {
        push_filter(cx, &chosen, field, page);
    }
    let has_preview = choice.options.iter().any(|option| option.preview.is_some());
    let beside = has_preview && columns >= SIDE_BY_SIDE_COLUMNS;
    let start = page.builder.rows.len();
    let left = if beside { option_columns(choice, columns) } else { columns };
    page.builder.columns = left;
    push_options(cx, &chosen, field, page);
    page.builder.columns = columns;
    if beside {
        push_side_preview(cx, &chosen, left, start, page);
    }
}

fn push_filter(
    cx: &ViewContext<'_>,
    chosen: &ChoiceView<'_>,
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
    let counts = [chosen.offers.len(), chosen.choice.item_count()];
    let count = Message::FilterShows.render_with(cx.lang, counts);
    let gap =
        " ".repeat(builder.columns.saturating_sub(display_width(&lead) + display_width(&count) + 2).max(1));
    builder.push_row(vec![
        builder.span(lead, StyleRole::Strong),
        builder.span(format!("{gap}{count}"), StyleRole::Faint),
    ]);
}

fn push_options(
    cx: &ViewContext<'_>,
    chosen: &ChoiceView<'_>,
    field: &FieldState,
    page: &mut PageBuilder<'_>,
) {
    let ChoiceView { choice, reply, offers, focused: at, question, consent, refused, .. } = chosen;
    let max_rows = if page.height < LOW_HEIGHT { LOW_DESCRIPTION_ROWS } else { DESCRIPTION_ROWS };
    for (row, offer_place) in offers.iter().enumerate() {
        let Some(offer) = choice.item_by_number(offer_place + 1) else { continue };
        let has_focus = row == *at && field.focus != FieldFocus::Note;
        let start = page.builder.rows.len();
        page.builder.hit_target = Some(HitTarget::Item(*offer_place));
        let before = offer_prefix(cx, choice, offer_place + 1, has_focus, is_picked(reply, &offer));
        match offer {
            ChoiceItem::Option(option) => {
                let value = page.display_hints.option_value(option);
                let suggested = question.is_some_and(|question| consent.suggests(question, option, *refused));
                let marks = OptionMarks { value, suggested };
                if push_option(cx, option, &marks, &before, has_focus, max_rows, &mut page.builder) {
                    page.cut_options.push(*offer_place);
                }
            }
            ChoiceItem::Other => push_own_answer(cx, chosen, field, &before, has_focus, page),
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
    picked: bool,
) -> Vec<StyledSpan> {
    let signs = cx.theme.symbols;
    let builder = LineBuilder::new(cx.theme, 80);
    let pointer = if has_focus { signs.pointer } else { " " };
    let mark = match (choice.multi, picked) {
        (true, true) => signs.checked,
        (true, false) => signs.unchecked,
        (false, true) => signs.picked,
        (false, false) => signs.unpicked,
    };
    let wide = choice.item_count().to_string().len();
    vec![
        builder.span(format!("{pointer} "), StyleRole::Accent),
        builder.span(format!("{mark} "), if picked { StyleRole::Completed } else { StyleRole::Plain }),
        builder.span(format!("{number:>wide$}  "), StyleRole::Faint),
    ]
}

/// Adds an option, and returns true if its description is cut.
fn push_option(
    cx: &ViewContext<'_>,
    option: &ChoiceOption,
    marks: &OptionMarks<'_>,
    before: &[StyledSpan],
    has_focus: bool,
    max_rows: usize,
    builder: &mut LineBuilder<'_>,
) -> bool {
    let indent = before.iter().map(|(words, _)| display_width(words)).sum::<usize>();
    let start = builder.rows.len();
    builder.push_agent_after(
        before,
        &option.label,
        if has_focus { StyleRole::Focus } else { StyleRole::Agent },
    );
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
    let star = marks.suggested.then(|| {
        let star = format!("{} {}", cx.theme.symbols.star, Message::Suggested.plain(cx.lang));
        builder.own_span(star, StyleRole::Suggestion)
    });
    let value = marks.value.map(|value| {
        let words = Message::ItsValue.render_with(cx.lang, [foreign(value)]);
        builder.own_span(format!("[{words}]"), StyleRole::Agent)
    });
    let (label, rows) = label;
    let is_row = rows.len() == 1 && !label.contains(MARK_SIGNS);
    let columns = builder.columns;
    let mut row = Some(rows.start).filter(|_| is_row);
    for words in star.into_iter().chain(value) {
        let wide = words.width() + 2;
        let last = row.and_then(|row| builder.rows.get_mut(row));
        if let Some(last) = last.filter(|last| last.width() + wide <= columns) {
            let gap = [("  ".to_owned(), Style::new())];
            last.spans = last.spans.iter().cloned().chain(gap).chain([words.into_span()]).collect();
            continue;
        }
        row = Some(builder.rows.len());
        let margins = Margins { ours: indent, mark: indent };
        builder.push_authored(&[(" ".repeat(indent), Style::new())], margins, &[words]);
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
    let (plain, faint) = (cx.theme.style(StyleRole::Agent), cx.theme.style(StyleRole::Faint));
    let last = description.rows.len();
    for (at, row) in description.rows.iter().enumerate() {
        let mut spans = row.spans.to_vec();
        for (_, style) in spans.iter_mut().filter(|(_, style)| *style == plain) {
            *style = faint;
        }
        if is_cut && at + 1 == last {
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
    chosen: &ChoiceView<'_>,
    field: &FieldState,
    before: &[StyledSpan],
    has_focus: bool,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let indent = before.iter().map(|(words, _)| display_width(words)).sum::<usize>();
    let role = if has_focus { StyleRole::Focus } else { StyleRole::Agent };
    let name = chosen.choice.own_answer_row(chosen.rules, lang);
    push_own_answer_name(chosen.choice, name, before, role, &mut page.builder);
    if field.focus == FieldFocus::Text {
        let title = Message::YourAnswer.plain(lang).to_owned();
        let frame = TextBoxFrame {
            indent: indent.min(8),
            title: &title,
            count: "",
            min_rows: 1,
            placeholder: chosen.placeholder,
            is_note: false,
        };
        page.put_text_box(&frame, &field.text, true, lang);
    } else if !field.text.is_empty() {
        let words = describe::excerpt(field.text.text());
        let is_own = is_picked(chosen.reply, &ChoiceItem::Other);
        let message = if is_own { Message::OwnAnswer } else { Message::OwnAside };
        let role = if is_own { StyleRole::Plain } else { StyleRole::Warning };
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

fn push_side_preview(
    cx: &ViewContext<'_>,
    chosen: &ChoiceView<'_>,
    left: usize,
    start: usize,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let mut right = LineBuilder::new(cx.theme, page.builder.columns - left - 4).with_cache(cx.layout_cache);
    let mut is_cut = false;
    let number = chosen.offers.get(chosen.focused).map(|offer| offer + 1);
    let preview = number.and_then(|number| match chosen.choice.item_by_number(number)? {
        ChoiceItem::Option(option) => option.preview.as_deref(),
        ChoiceItem::Other => None,
    });
    match (number, preview) {
        (Some(number), Some(preview)) => {
            right.push_own(0, &Message::PreviewOfNumber.render_with(lang, [number]), StyleRole::Faint);
            right.push_preview(preview, 0);
            is_cut = preview_columns(preview) + 2 > right.columns;
        }
        _ => right.push_own(0, Message::NoPreviewHere.plain(lang), StyleRole::Faint),
    }
    // Half of what a long context would leave at least.
    let least = page.height.saturating_sub(page.least_rows()) / 2;
    let room = page.height.saturating_sub(start).max(least).max(6);
    if is_cut || right.rows.len() > room {
        right.rows.truncate(room - 1);
        right.push_own(0, Message::PreviewMore.plain(lang), StyleRole::Faint);
    }
    let rows = page.builder.rows.len().max(start + right.rows.len());
    page.builder.rows.resize(rows, StyledRow::default());
    let parting = format!("{} ", cx.theme.symbols.separator);
    let faint = cx.theme.style(StyleRole::Faint);
    for (at, row) in page.builder.rows.iter_mut().skip(start).enumerate() {
        let fill = (left + 1).saturating_sub(row.width());
        let beside = right.rows.get(at).map(|row| row.spans.clone()).unwrap_or_default();
        let between = [(" ".repeat(fill), Style::new()), (parting.clone(), faint)];
        row.spans = row.spans.iter().cloned().chain(between).chain(beside.iter().cloned()).collect();
    }
}

/// Adds the name of the own answer: the asker's label, or our word.
pub(super) fn push_own_answer_name(
    choice: &ChoiceQuestion,
    name: &str,
    before: &[StyledSpan],
    role: StyleRole,
    builder: &mut LineBuilder<'_>,
) {
    if choice.other_label.as_deref() == Some(name) {
        builder.push_agent_after(before, name, role);
        return;
    }
    let indent = before.iter().map(|(words, _)| display_width(words)).sum();
    let name = builder.own_span(name, role);
    builder.push_authored(before, Margins::hanging(indent), &[name]);
}
