//! Two prompts that teach when to ask a person, and when not to.

use super::descriptions;
use rmcp::model::{GetPromptResult, ListPromptsResult, Prompt, PromptMessage, Role};

/// Prompts: name, description and text.
const PROMPTS: &[(&str, &str, &str)] = &[
    ("when_to_ask", "Find what only a person can decide, and ask it well, once", descriptions::WHEN_TO_ASK),
    ("when_not_to_ask", "Go on without asking where no person is needed", descriptions::WHEN_NOT_TO_ASK),
];

pub(super) fn list_prompts() -> ListPromptsResult {
    let prompts = PROMPTS.iter().map(|(name, about, _)| Prompt::new(*name, Some(*about), None));
    ListPromptsResult::with_all_items(prompts.collect())
}

pub(super) fn find_prompt(name: &str) -> Option<GetPromptResult> {
    let (_, about, text) = PROMPTS.iter().find(|(known, ..)| *known == name)?;
    let message = PromptMessage::new_text(Role::User, *text);
    Some(GetPromptResult::new(vec![message]).with_description(*about))
}
