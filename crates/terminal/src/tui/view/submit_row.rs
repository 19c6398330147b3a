//! Submit row of a lone question's page: the button, and the answer that it sends.

use super::super::answer::{AskView, SubmitRow};
use super::super::widgets::line_builder::{HitTarget, StyledRow};
use super::super::widgets::theme::StyleRole;
use super::{ViewContext, review};
use crate::describe;
use sayso_core::Message;
use sayso_core::i18n::own;

/// Maximum number of rows.
const MAX_ROWS: usize = 3;

/// Returns the rows below a lone question's page, and the answer that they show.
pub(super) fn rows(cx: &ViewContext<'_>, view: &AskView, columns: usize) -> (Vec<StyledRow>, Option<String>) {
    let Some(row) = view.submit_row(cx.lang, cx.monotonic) else { return (Vec::new(), None) };
    let mut builder = cx.builder(columns);
    builder.hit_target = Some(HitTarget::Submit);
    let asker = view.ask.request.shown_asker().name_in_sentence(cx.lang);
    let (words, answer, unread, is_live) = match row {
        SubmitRow::Blocked(reason) => (reason, None, None, false),
        SubmitRow::Ready { answer, unread, is_live } => (answer.clone(), Some(answer), unread, is_live),
    };
    let (_, mut spans) = review::button(&builder, Message::SubmitAlone.plain(cx.lang), is_live, is_live);
    // The button is in the column of the options.
    let pointer = if is_live { cx.theme.symbols.pointer } else { " " };
    let lead = builder.span(format!("{pointer} "), StyleRole::Accent);
    match &answer {
        Some(_) => {
            spans.push(builder.span(format!("  {words}"), StyleRole::Strong));
            spans.extend(review::unread_mark(unread, cx.lang, &builder));
            let to = Message::SubmitTo.render_with(cx.lang, [own(asker)]);
            spans.push(builder.span(format!("  {to}"), StyleRole::Faint));
            spans.extend(review::askers_label(describe::submit_label(&view.form.sheet), &builder));
        }
        None => spans.push(builder.span(format!("  {words}"), StyleRole::Faint)),
    }
    let hang = builder.continuation_gutter(6);
    builder.push_wrapped(&[lead], &hang, spans);
    builder.rows.truncate(MAX_ROWS);
    (builder.rows, answer)
}
