//! View of the action that a person is asked to agree to.

use super::agent_text::{exact, one_line};
use sayso_core::i18n::describe_action::{ActionPart, action_parts};
use sayso_core::{Lang, Message, ProposedAction};

/// View of an action: our sentences, and exact data.
#[derive(Debug)]
pub(crate) struct ActionView {
    pub(crate) heading: String,
    /// Sentences, each with the exact data below it.
    pub(crate) parts: Vec<(&'static str, Vec<String>)>,
}

impl ActionView {
    pub(crate) fn new(action: &ProposedAction, lang: Lang) -> Self {
        let mut parts: Vec<(&'static str, Vec<String>)> = Vec::new();
        for part in action_parts(&action.act) {
            match part {
                ActionPart::Sentence(message) => parts.push((message.plain(lang), Vec::new())),
                ActionPart::ExactData(text) => match parts.last_mut() {
                    Some((_, data)) => data.push(exact(&text)),
                    None => parts.push(("", vec![exact(&text)])),
                },
            }
        }
        Self { heading: Message::ActionHead.render_with(lang, [one_line(&action.tool)]), parts }
    }
}
