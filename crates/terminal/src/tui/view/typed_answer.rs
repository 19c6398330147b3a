//! Typed answers: text box, length, and interpretation.

use super::super::answer::{AskView, FieldFocus, FieldState};
use super::super::widgets::line_builder::display_width;
use super::super::widgets::theme::StyleRole;
use super::question::{PageBuilder, TextBoxFrame, quoted_line};
use super::{NARROW_COLUMNS, ViewContext};
use crate::describe;
use jiff::civil::Date;
use sayso_core::i18n::{foreign, own};
use sayso_core::kinds::date;
use sayso_core::{
    Answer, Constraint, Lang, LineFormat, Message, Question, QuestionInput, Requirement, Rules,
};

/// Adds a typed answer in its box.
pub(super) fn push_typed_answer(
    cx: &ViewContext<'_>,
    view: &AskView,
    question: &Question,
    field: &FieldState,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let has_focus = field.focus == FieldFocus::Text;
    let count = describe_length(question, &view.form.sheet.questionnaire().rules, field.text.text());
    let start = page.builder.rows.len();
    let frame = TextBoxFrame {
        indent: if page.builder.columns < NARROW_COLUMNS { 0 } else { 1 },
        title: Message::YourAnswer.plain(lang),
        count: &count,
        min_rows: if question.is_long_text() { 4 } else { 1 },
        placeholder: question.placeholder.as_deref(),
        is_note: false,
    };
    page.put_text_box(&frame, &field.text, has_focus, lang);
    // The box shows the beginning of a placeholder that is wider than it.
    if field.text.is_empty()
        && let Some(placeholder) = &question.placeholder
        && let Some(example) = quoted_line(placeholder, lang)
        && let Some((_, box_columns)) = page.text_widths.last()
        && display_width(&example) > *box_columns
    {
        let message = Message::Example.render_with(lang, [own(example)]);
        page.builder.push_own(2, &message, StyleRole::Faint);
    }
    if !has_focus {
        page.focus_from(start);
    }
    let help = question.kind.typing_help().map(|help| help.plain(lang));
    if field.text.is_empty() {
        if let Some(help) = help {
            page.builder.push_own(2, help, StyleRole::Faint);
        }
        return;
    }
    if question.is_text() {
        return;
    }
    let message = match field.parse_answer(question, cx.now) {
        Some(Answer::Text(_)) | None => describe_misunderstanding(cx, question, field.text.text(), help),
        Some(answer) => describe_interpretation(cx, question, &answer),
    };
    page.builder.push_own(2, &message, StyleRole::Faint);
}

/// Says why a typed value is not understood.
fn describe_misunderstanding(
    cx: &ViewContext<'_>,
    question: &Question,
    text: &str,
    help: Option<&'static str>,
) -> String {
    let lang = cx.lang;
    if let Some(message) = question.kind.impossible_message(text) {
        return message.render_with(lang, [foreign(text.trim())]);
    }
    if question.input() == QuestionInput::Line(LineFormat::Datetime)
        && let Some(day) = date::parse_words(text, cx.now)
    {
        return Message::TimeMissing.render_with(lang, [own(with_weekday(day, day.to_string(), lang))]);
    }
    match help {
        Some(help) => Message::NotUnderstoodLike.render_with(lang, [own(help)]),
        None => Message::NotUnderstood.plain(lang).to_owned(),
    }
}

/// Describes how a typed date or number was interpreted.
fn describe_interpretation(cx: &ViewContext<'_>, question: &Question, answer: &Answer) -> String {
    let lang = cx.lang;
    let words = answer.describe(question, lang).into_owned();
    let day = match answer {
        Answer::Date(date) => Some(*date),
        Answer::Datetime(moment) => Some(moment.datetime.date()),
        _ => None,
    };
    let words = match day {
        Some(day) => with_weekday(day, words, lang),
        None => words,
    };
    match answer {
        Answer::Datetime(moment) if moment.offset.is_none() => {
            Message::UnderstoodHere.render_with(lang, [own(words)])
        }
        _ => Message::UnderstoodAs.render_with(lang, [own(words)]),
    }
}

/// Describes the length of a text and its maximum.
fn describe_length(question: &Question, rules: &Rules, text: &str) -> String {
    let length = describe::text_length(text, rules);
    for requirement in question.constraints.iter().flat_map(Constraint::requirements) {
        if let Requirement::MaxLength(max) = requirement {
            return format!("{length} / {max}");
        }
    }
    if length > 0 && question.is_text() { length.to_string() } else { String::new() }
}

/// Prefixes a date with the name of its weekday.
fn with_weekday(day: Date, words: String, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{} {words}", day.strftime("%A")),
        Lang::Zh => words,
    }
}
