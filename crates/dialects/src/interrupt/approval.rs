//! Approvals: interrupts without questions, in which the agent wants to act and a person allows it or not.

use super::kept::Kept;
use super::{ASK_USER, task_name};
use crate::names;
use sayso_core::consent;
use sayso_core::wire::json;
use sayso_core::{Choice, Confirm, Kind, Opt, OptionId, Question, Questionnaire};
use serde_json::Value;

/// Value of the option that continues.
const CONTINUE: &str = "continue";
/// Value of an option that does not continue.
const CANCEL: &str = "cancel";

/// Option of an approval: a label with or without a value.
#[derive(Debug)]
pub(super) struct Labelled {
    label: String,
    value: Option<String>,
}

impl Labelled {
    /// Parses an option of an interrupt: a string, or an object with a label.
    pub(super) fn of(option: &Value) -> Option<Self> {
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

    fn sent(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.label)
    }

    /// Returns whether its value or its label agrees.
    fn agrees(&self) -> bool {
        self.value.as_deref().is_some_and(consent::is_agreeing) || consent::is_agreeing(&self.label)
    }

    /// Returns whether its value or its label refuses.
    fn refuses(&self) -> bool {
        self.value.as_deref().is_some_and(consent::is_refusing) || consent::is_refusing(&self.label)
    }
}

fn labelled(extensions: &Kept) -> Vec<Labelled> {
    extensions.options.iter().filter_map(Labelled::of).collect()
}

/// Returns the index of the option that continues: the only one whose value or label agrees, unless that option also
/// refuses. The position of an option does not matter.
///
/// # Errors
/// Returns the number of options that agree, if it is not one.
pub(super) fn going_on(options: &[Labelled]) -> Result<usize, usize> {
    let mut agreeing = options.iter().enumerate().filter(|(_, option)| option.agrees());
    match (agreeing.next(), agreeing.count()) {
        (Some((at, option)), 0) if !option.refuses() => Ok(at),
        (Some(_), more) if more > 0 => Err(more + 1),
        _ => Err(0),
    }
}

/// Returns the kind of the question; `None` if it is unclear which option continues.
///
/// Without options it is yes or no. So is one option that agrees, alone or followed by one that refuses: the numbers on
/// a screen are then those of the options. Otherwise it is a choice of the options.
fn kind(options: &[Labelled]) -> Option<Kind> {
    if options.is_empty() {
        return Some(Kind::Confirm(Confirm::default()));
    }
    let at = going_on(options).ok().filter(|_| options.iter().all(Labelled::has_name))?;
    let (yes, no) = match (at, options) {
        (0, [yes]) => (yes, None),
        (0, [yes, no]) if no.refuses() && no.label != yes.label => (yes, Some(no.label.clone())),
        _ => {
            let option = |option: &Labelled| Opt::new(option.sent(), option.label.as_str());
            let mut options: Vec<Opt> = options.iter().map(option).collect();
            names::of_options(&mut options, []);
            return Some(Kind::Choice(Choice { options, ..Choice::default() }));
        }
    };
    Some(Kind::Confirm(Confirm { yes: Some(yes.label.clone()), no }))
}

/// Returns the prompt of the question: the action to approve, in the best available words.
fn prompt(questionnaire: &Questionnaire) -> Option<String> {
    let has_words = |words: &&str| !words.trim().is_empty();
    let title = questionnaire.title.as_deref().filter(has_words);
    let action = questionnaire.action.as_ref().filter(|action| !asks(&action.tool));
    let tool = || action.map(|action| task_name(&action.tool)).filter(has_words);
    let asked = title.or_else(tool).map(|words| format!("{words}?"));
    asked.or_else(|| questionnaire.context.as_deref().filter(has_words).map(str::to_owned))
}

/// Returns the question of an approval; `None` if nothing names the action to approve, or no option clearly continues.
pub(super) fn question(questionnaire: &Questionnaire, extensions: &Kept) -> Option<Question> {
    let prompt = prompt(questionnaire)?;
    Some(Question::new("q0", prompt, kind(&labelled(extensions))?))
}

/// Returns the question of a questionnaire that is an approval: only a yes or no, or a choice of the options that it
/// was asked with.
pub(super) fn approved<'q>(questionnaire: &'q Questionnaire, extensions: &Kept) -> Option<&'q Question> {
    let [question] = questionnaire.questions.as_slice() else { return None };
    let has_words = !question.prompt.trim().is_empty() || prompt(questionnaire).is_some();
    let is_approval = match &question.kind {
        Kind::Confirm(_) => true,
        Kind::Choice(_) => has_options(question, extensions),
        _ => false,
    };
    (is_approval && has_words).then_some(question)
}

/// Returns whether the question's kind matches the options of the approval.
pub(super) fn has_options(question: &Question, extensions: &Kept) -> bool {
    kind(&labelled(extensions)).is_some_and(|kind| kind == question.kind)
}

/// Returns the option that continues, if an approval has options to pick from.
pub(super) fn agreement(question: &Question, extensions: &Kept) -> Option<OptionId> {
    let Kind::Choice(choice) = &question.kind else { return None };
    let at = going_on(&labelled(extensions)).ok()?;
    Some(choice.options.get(at)?.id.clone())
}

/// Returns the text of `info` for a questionnaire of another format without a context: the question itself, unless the
/// prompt is derived from the rest anyway.
pub(super) fn info<'q>(questionnaire: &'q Questionnaire, question: &'q Question) -> Option<&'q str> {
    let context = questionnaire.context.as_deref();
    let is_said = prompt(questionnaire).is_some_and(|prompt| prompt == question.prompt);
    let own = || (!is_said).then_some(question.prompt.as_str());
    context.filter(|words| !words.trim().is_empty()).or_else(own).or(context)
}

/// Returns whether a call asks questions rather than for a decision.
pub(super) fn asks(tool: &str) -> bool {
    tool == ASK_USER
}

/// Returns a decision in the format in which a client resumes.
pub(super) fn decided(goes_on: bool, reason: Option<&str>) -> String {
    #[derive(serde::Serialize)]
    struct Resume<'r> {
        action: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'r str>,
    }
    json::write(&Resume { action: if goes_on { CONTINUE } else { CANCEL }, reason })
}
