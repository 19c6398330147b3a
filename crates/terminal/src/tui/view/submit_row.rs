//! Submit row of a lone question's page: the button, and the answer that it sends.

use super::super::answer::{AskView, SubmitRow};
use super::super::widgets::authored_text::Margins;
use super::super::widgets::line_builder::{HitTarget, StyledRow};
use super::super::widgets::theme::StyleRole;
use super::{ViewContext, review};
use crate::describe::{self, Author, AuthoredText};
use sayso_core::Message;
use sayso_core::i18n::own;

/// Maximum number of rows.
const MAX_ROWS: usize = 3;

/// Returns the rows below a lone question's page, and the answer that they show.
pub(super) fn rows(cx: &ViewContext<'_>, view: &AskView, columns: usize) -> (Vec<StyledRow>, Option<String>) {
    let Some(row) = view.submit_row(cx.lang, cx.monotonic) else { return (Vec::new(), None) };
    let is_text = view.current_question().is_some_and(|(_, question)| question.is_text());
    let quotes = if is_text { Author::Person } else { Author::Asker };
    let mut builder = cx.builder(columns);
    builder.hit_target = Some(HitTarget::Submit);
    let is_live = matches!(row, SubmitRow::Ready { is_live: true, .. });
    let (_, mut spans) = review::button(&builder, Message::SubmitAlone.plain(cx.lang), is_live, is_live);
    let answer = match row {
        SubmitRow::Blocked(cause) => {
            let text = AuthoredText { quotes, ..AuthoredText::new(format!("  {cause}"), Author::Ours) };
            spans.push(builder.authored_span(text, StyleRole::Faint));
            None
        }
        SubmitRow::Ready { answer, unread, .. } => {
            let text = AuthoredText { quotes, ..AuthoredText::new(format!("  {answer}"), Author::Ours) };
            spans.push(builder.authored_span(text, StyleRole::Strong));
            spans.extend(review::unread_mark(unread, cx.lang, &builder));
            let asker = view.ask.request.shown_asker().name_in_sentence(cx.lang);
            let to = Message::SubmitTo.render_with(cx.lang, [own(asker)]);
            spans.push(builder.own_span(format!("  {to}"), StyleRole::Faint));
            spans.extend(review::askers_label(describe::submit_label(&view.form.sheet), &builder));
            Some(answer)
        }
    };
    // The button is in the column of the options.
    let pointer = if is_live { cx.theme.symbols.pointer } else { " " };
    let lead = builder.span(format!("{pointer} "), StyleRole::Accent);
    builder.push_authored(&[lead], Margins::hanging(6), &spans);
    builder.rows.truncate(MAX_ROWS);
    (builder.rows, answer)
}
