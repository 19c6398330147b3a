//! Interrupts without questions: the agent wants to do something, and a person lets it or not.

use super::kept::Kept;
use super::read::numbered;
use super::{ASK_USER, task_name};
use sayso_core::wire::json;
use sayso_core::{Choice, Confirm, Kind, OptionId, Question, Questionnaire};
use serde_json::Value;

/// The value of the option that goes on.
const CONTINUE: &str = "continue";
/// The value of an option that does not.
const CANCEL: &str = "cancel";

/// An option of an approval, a label with or without a value.
#[derive(Debug)]
pub(super) struct Labelled {
    pub(super) label: String,
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

    fn sent(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.label)
    }
}

fn labelled(kept: &Kept) -> Vec<Labelled> {
    kept.options.iter().filter_map(Labelled::of).collect()
}

/// Whether the option at this place goes on: those with the value `continue` do; where none has it, the first without
/// the value `cancel`.
fn goes_on(options: &[Labelled], at: usize) -> bool {
    if options.iter().any(|option| option.sent() == CONTINUE) {
        return options.get(at).is_some_and(|option| option.sent() == CONTINUE);
    }
    options.iter().position(|option| option.sent() != CANCEL) == Some(at)
}

/// What can be answered: yes or no, called as up to two options are; one of the options where there are more.
fn kind(options: &[Labelled]) -> Kind {
    if options.len() > 2 {
        let options = options.iter().map(|option| (option.label.clone(), option.sent().to_owned()));
        return Kind::Choice(Choice { options: numbered(options.collect()), ..Choice::default() });
    }
    let mut confirm = Confirm::default();
    for (at, option) in options.iter().enumerate() {
        let place = if goes_on(options, at) { &mut confirm.yes } else { &mut confirm.no };
        place.get_or_insert_with(|| option.label.clone());
    }
    Kind::Confirm(confirm)
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

/// The one question of an approval; nothing where nothing says what is to be approved.
pub(super) fn question(questionnaire: &Questionnaire, kept: &Kept) -> Option<Question> {
    let prompt = prompt(questionnaire)?;
    Some(Question::new("q0", prompt, kind(&labelled(kept))))
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
    question.kind == kind(&labelled(kept))
}

/// The option that goes on, where an approval has options to pick from.
pub(super) fn agreement(question: &Question, kept: &Kept) -> Option<OptionId> {
    let Kind::Choice(choice) = &question.kind else { return None };
    let options = labelled(kept);
    let at = (0..options.len()).find(|at| goes_on(&options, *at))?;
    Some(choice.options.get(at)?.id.clone())
}

/// Whether the option with this id goes on.
pub(super) fn is_agreement(question: &Question, kept: &Kept, picked: &OptionId) -> bool {
    let Kind::Choice(choice) = &question.kind else { return false };
    let at = choice.options.iter().position(|option| option.id == *picked);
    at.is_some_and(|at| goes_on(&labelled(kept), at))
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
