//! Approvals: interrupts without questions, in which the agent wants to act and a person allows it or not.

use super::extensions::InterruptExtensions;
use super::interrupt_data::task_name;
use super::spec::ASK_USER;
use crate::names;
use sayso_core::rules::consent::words;
use sayso_core::wire::json;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, ConfirmQuestion, OptionId, Question, QuestionInput, QuestionKind,
    Questionnaire,
};
use serde_json::Value;

/// Value of the option that continues.
const CONTINUE: &str = "continue";
/// Value of an option that does not continue.
const CANCEL: &str = "cancel";

/// Option of an approval: a label with or without a value.
#[derive(Debug)]
pub(super) struct ApprovalOption {
    label: String,
    value: Option<String>,
}

impl ApprovalOption {
    /// Parses an option of an interrupt: a string, or an object with a label.
    pub(super) fn from_json(option: &Value) -> Option<Self> {
        if let Value::String(label) = option {
            return Some(Self { label: label.clone(), value: None });
        }
        let value = match option.get("value") {
            None | Some(Value::Null) => None,
            Some(value) => Some(value.as_str()?.to_owned()),
        };
        Some(Self { label: option.get("label")?.as_str()?.to_owned(), value })
    }

    /// Returns whether it has a name to be picked by.
    pub(super) fn has_name(&self) -> bool {
        !self.label.trim().is_empty()
    }

    fn sent_value(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.label)
    }

    /// Returns whether its value or its label agrees.
    fn agrees(&self) -> bool {
        self.value.as_deref().is_some_and(words::is_agreeing) || words::is_agreeing(&self.label)
    }

    /// Returns whether its value or its label refuses.
    fn refuses(&self) -> bool {
        self.value.as_deref().is_some_and(words::is_refusing) || words::is_refusing(&self.label)
    }
}

fn approval_options(extensions: &InterruptExtensions) -> Vec<ApprovalOption> {
    extensions.options.iter().filter_map(ApprovalOption::from_json).collect()
}

/// Returns the index of the option that continues: the only one whose value or label agrees, unless that option also
/// refuses. The position of an option does not matter.
///
/// # Errors
/// Returns the number of options that agree, if it is not one.
pub(super) fn continuing_option(options: &[ApprovalOption]) -> Result<usize, usize> {
    let mut agreeing_options = Vec::new();
    for (index, option) in options.iter().enumerate() {
        if option.agrees() {
            agreeing_options.push((index, option));
        }
    }
    match agreeing_options.as_slice() {
        [(index, option)] if !option.refuses() => Ok(*index),
        [_] => Err(0),
        several => Err(several.len()),
    }
}

/// Returns whether a person can decide by these options: one continues, or it counts which of several is picked. None
/// may agree and refuse at once.
pub(super) fn can_decide(options: &[ApprovalOption]) -> bool {
    let has_contrary_option = options.iter().any(|option| option.agrees() && option.refuses());
    continuing_option(options).is_ok() || (options.len() > 1 && !has_contrary_option)
}

/// Returns the kind of the question; `None` if no one can decide by these options.
///
/// Without options it is yes or no. So is one option that agrees, alone or followed by one that refuses: the numbers on
/// a screen are then those of the options. Otherwise it is a choice of the options.
fn approval_kind(options: &[ApprovalOption]) -> Option<QuestionKind> {
    if options.is_empty() {
        return Some(ConfirmQuestion::default().into());
    }
    if !options.iter().all(ApprovalOption::has_name) || !can_decide(options) {
        return None;
    }
    let (yes, no) = match (continuing_option(options), options) {
        (Ok(0), [yes]) => (yes, None),
        (Ok(0), [yes, no]) if no.refuses() && no.label != yes.label => (yes, Some(no.label.clone())),
        _ => {
            let mut choice = ChoiceQuestion::default();
            for option in options {
                choice.options.push(ChoiceOption::new(option.sent_value(), option.label.as_str()));
            }
            names::assign_option_ids(&mut choice.options, []);
            return Some(choice.into());
        }
    };
    Some(ConfirmQuestion { yes: Some(yes.label.clone()), no, consent: None }.into())
}

/// Returns the prompt of the question: the action to approve, in the best available words.
fn approval_prompt(questionnaire: &Questionnaire) -> Option<String> {
    let title = questionnaire.title.as_deref().unwrap_or_default();
    if !title.trim().is_empty() {
        return Some(format!("{title}?"));
    }
    if let Some(action) = &questionnaire.action
        && !is_ask_user(&action.tool)
        && !task_name(&action.tool).trim().is_empty()
    {
        return Some(format!("{}?", task_name(&action.tool)));
    }
    let context = questionnaire.context.as_deref()?;
    if context.trim().is_empty() { None } else { Some(context.to_owned()) }
}

/// Returns the question of an approval; `None` if nothing names the action to approve, or no one can decide by its
/// options.
pub(super) fn approval_question(
    questionnaire: &Questionnaire,
    extensions: &InterruptExtensions,
) -> Option<Question> {
    let prompt = approval_prompt(questionnaire)?;
    Some(Question::new("q0", prompt, approval_kind(&approval_options(extensions))?))
}

/// Returns the question of a questionnaire that is an approval: only a yes or no, or a choice of the options that it
/// was asked with.
pub(super) fn find_approval<'q>(
    questionnaire: &'q Questionnaire,
    extensions: &InterruptExtensions,
) -> Option<&'q Question> {
    let [question] = questionnaire.questions.as_slice() else { return None };
    let has_words = !question.prompt.trim().is_empty() || approval_prompt(questionnaire).is_some();
    let is_approval = match question.input() {
        QuestionInput::Toggle(_) => true,
        QuestionInput::Options(_) => matches_options(question, extensions),
        QuestionInput::Scale(_) | QuestionInput::Line(_) => false,
    };
    if is_approval && has_words { Some(question) } else { None }
}

/// Returns whether the question's kind matches the options of the approval.
pub(super) fn matches_options(question: &Question, extensions: &InterruptExtensions) -> bool {
    approval_kind(&approval_options(extensions)).as_ref() == Some(&question.kind)
}

/// Returns whether an approval is decided by which option is picked, since it is unclear which one continues.
pub(super) fn is_open_choice(question: &Question, extensions: &InterruptExtensions) -> bool {
    question.choice().is_some() && agreeing_option(question, extensions).is_none()
}

/// Returns the option that continues, if an approval has options to pick from.
pub(super) fn agreeing_option(question: &Question, extensions: &InterruptExtensions) -> Option<OptionId> {
    let choice = question.choice()?;
    let at = continuing_option(&approval_options(extensions)).ok()?;
    Some(choice.options.get(at)?.id.clone())
}

/// Returns the text of `info` for a questionnaire of another format without a context: the question itself, unless the
/// prompt is derived from the rest anyway.
pub(super) fn info_text<'q>(questionnaire: &'q Questionnaire, question: &'q Question) -> Option<&'q str> {
    let context = questionnaire.context.as_deref();
    if context.is_some_and(|words| !words.trim().is_empty()) {
        return context;
    }
    let is_derived = approval_prompt(questionnaire).as_ref() == Some(&question.prompt);
    if is_derived || question.prompt.is_empty() { context } else { Some(&question.prompt) }
}

/// Returns whether a call asks questions rather than for a decision.
pub(super) fn is_ask_user(tool: &str) -> bool {
    tool == ASK_USER
}

/// Returns a decision in the format in which a client resumes.
pub(super) fn decision_json(goes_on: bool, reason: Option<&str>) -> String {
    #[derive(serde::Serialize)]
    struct DecisionDocument<'r> {
        action: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'r str>,
    }
    json::write(&DecisionDocument { action: if goes_on { CONTINUE } else { CANCEL }, reason })
}
