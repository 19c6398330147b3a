//! The action to approve: its exact data, as a whole or cut to its beginning and its end.

use super::super::widgets::line_builder::LineBuilder;
use super::super::widgets::syntax::Language;
use super::super::widgets::theme::StyleRole;
use super::ViewContext;
use crate::describe::{ActionPart, action_parts};
use sayso_core::{ActionKind, Message, ProposedAction, display};

/// Rows of an action that a review repeats as a whole.
const WHOLE_ROWS: usize = 12;

/// Rows of the beginning and of the end of a longer one.
const HEAD_ROWS: usize = 7;
const TAIL_ROWS: usize = 3;

/// Adds an action. It is drawn from its data, not from the agent's description.
pub(super) fn push_action(cx: &ViewContext<'_>, action: &ProposedAction, builder: &mut LineBuilder<'_>) {
    let head = Message::ActionHead.render_with(cx.lang, [display::escape_line(&action.tool)]);
    builder.push_own_with_quote(1, &head, StyleRole::Strong);
    let mut heading = None;
    for part in action_parts(&action.act) {
        match part {
            ActionPart::Sentence(message) => {
                heading = Some(message);
                builder.push_own(1, message.plain(cx.lang), StyleRole::Faint);
            }
            ActionPart::ExactData(text) => {
                builder.push_code(1, &text, data_language(&action.act, heading, &text));
            }
        }
    }
}

/// Returns the language of exact data, which has its colours.
fn data_language(act: &ActionKind, heading: Option<Message>, text: &str) -> Option<Language> {
    match (act, heading) {
        (ActionKind::Edit { .. }, Some(Message::ActionDiff)) => Some(Language::Diff),
        (ActionKind::Write { path, .. }, Some(Message::ActionContent)) => Language::from_path(path),
        (ActionKind::Shell { .. }, Some(Message::ActionShell)) => Language::from_name("sh"),
        (ActionKind::Call { .. }, _) => Language::from_name("json"),
        _ => Language::of_diff(text),
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
    let bytes: usize = action_parts(&action.act)
        .iter()
        .map(|part| match part {
            ActionPart::ExactData(text) => text.len(),
            ActionPart::Sentence(_) => 0,
        })
        .sum();
    let left_out = rows - HEAD_ROWS - TAIL_ROWS;
    builder.push_own(3, &Message::ActionLeftOut.render_with(cx.lang, [left_out, bytes]), StyleRole::Warning);
    builder.rows.extend(tail);
}
