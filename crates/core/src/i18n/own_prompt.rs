//! Prompts of ours: sentences that ask about an act if its asker has none. They are stored in one language and read in
//! their reader's, and they are drawn as ours.

use super::{Lang, Message, foreign};
use crate::display::markdown_lines;
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

/// Lines of a plan in which its name is searched.
const NAME_LINES: usize = 20;

/// Marks with which a line of a plan may begin.
const LINE_MARKS: [char; 7] = [' ', '#', '>', '-', '*', '+', '•'];

/// Returns the title that a list shows for a plan of an agent's host: our question with the first words of the plan as
/// a quotation.
pub fn plan_title(questionnaire: &Questionnaire) -> Option<String> {
    if !is_in_any_language(questionnaire.display_name(), Message::HookPlan) {
        return None;
    }
    let plan = questionnaire.context.as_deref()?;
    for line in plan.lines().take(NAME_LINES) {
        let Some(name) = markdown_lines(line).into_iter().find(|words| words.contains(char::is_alphanumeric))
        else {
            continue;
        };
        return Some(
            Message::HookPlanNamed
                .render_with(Lang::En, [foreign(name.trim_start_matches(LINE_MARKS).trim_end())]),
        );
    }
    None
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
    fn plan_is_named_by_its_first_words() {
        for (plan, title) in [
            ("# Add *caching*\n\nFirst", Some("Go ahead with this plan? \"Add caching\"")),
            ("\n---\nDo \"all\" of it", Some("Go ahead with this plan? \"Do 'all' of it\"")),
            ("> - One\n> - Two", Some("Go ahead with this plan? \"One\"")),
            ("\n \n", None),
        ] {
            let question = Question::new("q", "Go ahead with this plan?", DateQuestion);
            let mut questionnaire = Questionnaire { questions: vec![question], ..Questionnaire::default() };
            assert_eq!(plan_title(&questionnaire), None);
            questionnaire.context = Some(plan.to_owned());
            assert_eq!(plan_title(&questionnaire).as_deref(), title, "{plan}");
            questionnaire.title = Some("Deploy?".to_owned());
            assert_eq!(plan_title(&questionnaire), None);
        }
    }

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
