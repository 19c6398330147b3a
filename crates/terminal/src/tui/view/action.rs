//! The action to approve: its exact data, as a whole or cut to its beginning and its end.

use super::super::widgets::diff;
use super::super::widgets::line_builder::LineBuilder;
use super::super::widgets::theme::StyleRole;
use super::ViewContext;
use crate::describe::{ActionPart, action_parts};
use sayso_core::i18n::own;
use sayso_core::{Message, ProposedAction};

/// Rows of an action that a review repeats as a whole.
const WHOLE_ROWS: usize = 12;

/// Rows of the beginning and of the end of a longer one.
const HEAD_ROWS: usize = 7;
const TAIL_ROWS: usize = 3;

/// Adds an action. It is drawn from its data, not from the agent's description.
pub(super) fn push_action(cx: &ViewContext<'_>, action: &ProposedAction, builder: &mut LineBuilder<'_>) {
    let mut is_diff = false;
    for (at, part) in action_parts(action).into_iter().enumerate() {
        match part {
            ActionPart::Sentence(message) if at == 0 => {
                builder.push_own(1, &message.render(cx.lang), StyleRole::Strong);
            }
            ActionPart::Sentence(message) => {
                is_diff = message == Message::ActionDiff.into();
                builder.push_own(1, &message.render(cx.lang), StyleRole::Faint);
            }
            ActionPart::ExactData(text) => {
                builder.push_exact(1, &text, is_diff || diff::is_diff(&text), cx.lang);
            }
        }
    }
}

/// Adds an action, or of a long one the beginning, the end and the size.
pub(super) fn push_action_summary(
    cx: &ViewContext<'_>,
    action: &ProposedAction,
    builder: &mut LineBuilder<'_>,
) {
    let mut whole = cx.builder(builder.columns);
    push_action(cx, action, &mut whole);
    let rows = whole.rows.len();
    if rows <= WHOLE_ROWS {
        builder.rows.append(&mut whole.rows);
        return;
    }
    let tail = whole.rows.split_off(rows - TAIL_ROWS);
    whole.rows.truncate(HEAD_ROWS);
    builder.rows.append(&mut whole.rows);
    let mut bytes = 0;
    for part in action_parts(action) {
        if let ActionPart::ExactData(text) = part {
            bytes += text.len();
        }
    }
    let hidden_rows = rows - HEAD_ROWS - TAIL_ROWS;
    let message = Message::ActionLeftOut.render_with(cx.lang, [own(hidden_rows), own(bytes)]);
    builder.push_own(3, &message, StyleRole::Warning);
    builder.rows.extend(tail);
}
