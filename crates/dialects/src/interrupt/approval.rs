//! Interrupts without questions: the agent wants to do something, and a person lets it or not.

use super::kept::Kept;
use super::{ASK_USER, task_name};
use crate::names;
use sayso_core::consent;
use sayso_core::wire::json;
use sayso_core::{Choice, Confirm, Kind, Opt, OptionId, Question, Questionnaire};
use serde_json::Value;

/// The value of the option that goes on.
const CONTINUE: &str = "continue";
/// The value of an option that does not.
const CANCEL: &str = "cancel";

/// An option of an approval, a label with or without a value.
#[derive(Debug)]
pub(super) struct Labelled {
    label: String,
    value: Option<String>,
}

impl Labelled {
    /// An option as it stands in an interrupt: a string, or an object with a label.
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

    /// Whether it has a name to be picked by.
    pub(super) fn has_name(&self) -> bool {
        !self.label.trim().is_empty()
    }

    fn sent(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.label)
    }

    /// Whether its value or its label agrees.
    fn agrees(&self) -> bool {
        self.value.as_deref().is_some_and(consent::is_agreeing) || consent::is_agreeing(&self.label)
    }

    /// Whether its value or its label refuses.
    fn refuses(&self) -> bool {
        self.value.as_deref().is_some_and(consent::is_refusing) || consent::is_refusing(&self.label)
    }
}

fn labelled(kept: &Kept) -> Vec<Labelled> {
    kept.options.iter().filter_map(Labelled::of).collect()
}

/// Which of the options goes on: the only one whose value or label agrees, unless the other of the two refuses. Where an
/// option stands says nothing.
///
/// # Errors
/// How many agree, where it is not one.
pub(super) fn going_on(options: &[Labelled]) -> Result<usize, usize> {
    let mut agreeing = options.iter().enumerate().filter(|(_, option)| option.agrees());
    match (agreeing.next(), agreeing.count()) {
        (Some((at, option)), 0) if !option.refuses() => Ok(at),
        (Some(_), more) if more > 0 => Err(more + 1),
        _ => Err(0),
    }
}

/// What can be answered. Yes or no, where there are no options; or one that agrees, with or without one behind it that
/// refuses, so that the numbers on a screen are those of the options. Else one of the options. Nothing where it is not
/// clear which goes on.
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

/// The words of the question: what would be done, in the words there are.
fn prompt(questionnaire: &Questionnaire) -> Option<String> {
    let has_words = |words: &&str| !words.trim().is_empty();
    let title = questionnaire.title.as_deref().filter(has_words);
    let action = questionnaire.action.as_ref().filter(|action| !asks(&action.tool));
    let tool = || action.map(|action| task_name(&action.tool)).filter(has_words);
    let asked = title.or_else(tool).map(|words| format!("{words}?"));
    asked.or_else(|| questionnaire.context.as_deref().filter(has_words).map(str::to_owned))
}

/// The one question of an approval; nothing where nothing says what is to be approved, or which option goes on.
pub(super) fn question(questionnaire: &Questionnaire, kept: &Kept) -> Option<Question> {
    let prompt = prompt(questionnaire)?;
    Some(Question::new("q0", prompt, kind(&labelled(kept))?))
}

/// The question of a questionnaire that is an approval: yes or no and nothing else, or one of the options that it was
/// asked with.
pub(super) fn approved<'q>(questionnaire: &'q Questionnaire, kept: &Kept) -> Option<&'q Question> {
    let [question] = questionnaire.questions.as_slice() else { return None };
    let has_words = !question.prompt.trim().is_empty() || prompt(questionnaire).is_some();
    let is_approval = match &question.kind {
        Kind::Confirm(_) => true,
        Kind::Choice(_) => has_options(question, kept),
        _ => false,
    };
    (is_approval && has_words).then_some(question)
}

/// Whether what can be answered is what the options of the approval say.
pub(super) fn has_options(question: &Question, kept: &Kept) -> bool {
    kind(&labelled(kept)).is_some_and(|kind| kind == question.kind)
}

/// The option that goes on, where an approval has options to pick from.
pub(super) fn agreement(question: &Question, kept: &Kept) -> Option<OptionId> {
    let Kind::Choice(choice) = &question.kind else { return None };
    let at = going_on(&labelled(kept)).ok()?;
    Some(choice.options.get(at)?.id.clone())
}

/// What `info` says where a questionnaire of another format has no context: the question itself, unless `info` would
/// only repeat what becomes the question anyway.
pub(super) fn info<'q>(questionnaire: &'q Questionnaire, question: &'q Question) -> Option<&'q str> {
    let context = questionnaire.context.as_deref();
    let is_said = prompt(questionnaire).is_some_and(|prompt| prompt == question.prompt);
    let own = || (!is_said).then_some(question.prompt.as_str());
    context.filter(|words| !words.trim().is_empty()).or_else(own).or(context)
}

/// Whether a call asks questions rather than for a decision.
pub(super) fn asks(tool: &str) -> bool {
    tool == ASK_USER
}

/// The words of a decision, as a client resumes with them.
pub(super) fn decided(goes_on: bool, reason: Option<&str>) -> String {
    #[derive(serde::Serialize)]
    struct Resume<'r> {
        action: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'r str>,
    }
    json::write(&Resume { action: if goes_on { CONTINUE } else { CANCEL }, reason })
}
