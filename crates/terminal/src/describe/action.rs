//! Description of an action, from its data and not from the agent's text; shared by all surfaces.

use crate::describe;
use crate::wrap::GUTTER;
use sayso_core::i18n::describe_action::{ActionPart, action_parts};
use sayso_core::{Lang, Message, ProposedAction, display};

/// Returns the lines that describe an action: our own sentences, and exact data behind the gutter.
pub fn describe_action(action: &ProposedAction, lang: Lang) -> String {
    let mut lines = vec![Message::ActionHead.render_with(lang, [describe::brief(&action.tool)])];
    for part in action_parts(&action.act) {
        match part {
            ActionPart::Sentence(message) => lines.push(message.plain(lang).to_owned()),
            ActionPart::ExactData(text) => {
                let exact = display::exact_lines(&text, lang);
                lines.extend(exact.iter().map(|line| format!("{GUTTER}{line}")));
            }
        }
    }
    lines.join("\n")
}
