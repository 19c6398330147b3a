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
use sayso_core::{Answer, Lang, LineFormat, Message, Question, QuestionInput, Requirement, Rules};

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
    let least = if question.is_long_text() { 4 } else { 1 };
    let title = Message::YourAnswer.plain(lang).to_owned();
    let narrow = page.builder.columns < NARROW_COLUMNS;
    let start = page.builder.rows.len();
    let indent = usize::from(!narrow);
    let placeholder = question.placeholder.as_deref();
    let frame =
        TextBoxFrame { indent, title: &title, count: &count, min_rows: least, placeholder, is_note: false };
    page.put_text_box(&frame, &field.text, has_focus, lang);
    let whole = placeholder.filter(|_| field.text.is_empty()).and_then(|text| quoted_line(text, lang));
    // The box shows the beginning of a placeholder that is wider than it.
    let inner = page.text_widths.last().map_or(0, |(_, columns)| *columns);
    if let Some(whole) = whole.filter(|whole| display_width(whole) > inner) {
        let message = Message::Example.render_with(lang, [own(whole)]);
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
    typed: &str,
    help: Option<&'static str>,
) -> String {
    let lang = cx.lang;
    if let Some(message) = question.kind.impossible_message(typed) {
        return message.render_with(lang, [foreign(typed.trim())]);
    }
    if question.input() == QuestionInput::Line(LineFormat::Datetime)
        && let Some(day) = date::parse_words(typed, cx.now)
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
    let most =
        question.constraints.iter().flat_map(sayso_core::Constraint::requirements).find_map(|demand| {
            match demand {
                Requirement::MaxLength(most) => Some(*most),
                _ => None,
            }
        });
    let length = describe::text_length(text, rules);
    match most {
        Some(most) => format!("{length} / {most}"),
        None if length > 0 && question.is_text() => length.to_string(),
        None => String::new(),
    }
}

/// Prefixes a date with the name of its weekday.
fn with_weekday(day: Date, words: String, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{} {words}", day.strftime("%A")),
        Lang::Zh => words,
    }
}
