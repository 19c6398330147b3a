//! Prompts of ours: sentences that ask about an act if its asker has none. They are stored in one language and read in
//! their reader's, and they are drawn as ours.

use super::{Lang, Message, foreign};
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;

/// Returns the prompt of a question in a language if it is ours: it is empty above an action, or asks in our words for
/// the permission of a tool's call or about a plan.
pub fn own_prompt(questionnaire: &Questionnaire, question: &Question, lang: Lang) -> Option<String> {
    let prompt = question.prompt.as_str();
    if let Some(action) = &questionnaire.action {
        let allow_tool = Message::HookPermission.with([foreign(&action.tool)]);
        if Lang::ALL.iter().any(|lang| allow_tool.render(*lang) == prompt) {
            return Some(allow_tool.render(lang));
        }
        if prompt.is_empty() || is_in_any_language(prompt, Message::AllowAction) {
            return Some(Message::AllowAction.plain(lang).to_owned());
        }
    }
    if !is_in_any_language(prompt, Message::HookPlan) {
        return None;
    }
    Some(Message::HookPlan.plain(lang).to_owned())
}

fn is_in_any_language(prompt: &str, message: Message) -> bool {
    Lang::ALL.iter().any(|lang| message.plain(*lang) == prompt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DateQuestion;
    use crate::model::action::{ActionKind, ProposedAction};

    #[test]
    fn own_prompts_have_the_readers_language() {
        let act = ActionKind::Open { url: "https://example.org".to_owned() };
        let action = Some(ProposedAction { tool: "Bash".to_owned(), act });
        for (prompt, with_action, alone) in [
            ("Allow \"Bash\"?", Some("允许“Bash”吗？"), None),
            ("允许“Bash”吗？", Some("允许“Bash”吗？"), None),
            ("Allow \"Write\"?", None, None),
            ("", Some("允许此操作吗？"), None),
            ("Allow this?", Some("允许此操作吗？"), None),
            ("Go ahead with this plan?", Some("按此计划进行吗？"), Some("按此计划进行吗？")),
            ("Deploy?", None, None),
        ] {
            let question = Question::new("q", prompt, DateQuestion);
            let mut questionnaire = Questionnaire { action: action.clone(), ..Questionnaire::default() };
            assert_eq!(own_prompt(&questionnaire, &question, Lang::Zh).as_deref(), with_action, "{prompt}");
            questionnaire.action = None;
            assert_eq!(own_prompt(&questionnaire, &question, Lang::Zh).as_deref(), alone, "{prompt}");
        }
    }
}
