//! Detection of a request's dialect by its shape. Members that only some dialects have rule out the others, and a
//! dialect with all required members is preferred to one that lacks some. If that leaves none, members that a reader
//! would ignore do not count against a dialect with all its required members.

use crate::Dialect;
use crate::lenient::LenientList;
use sayso_core::wire::json;
use serde_json::{Map, Value};

/// Dialects that a request may be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialectGuess {
    /// Exactly one fits.
    One(Dialect),
    /// These fit equally.
    Several(Vec<Dialect>),
    /// None fits, or the text is not JSON.
    None,
}

impl Dialect {
    /// Returns whether a refusal in this dialect should mention that the dialect was guessed from the shape. It should
    /// not if the spec fixes the text of refusals, or if the shape is unique.
    pub const fn reports_guess(self) -> bool {
        match self {
            Self::Sayso | Self::AskUserQuestion | Self::Auq => false,
            Self::Questionnaire | Self::Interaction | Self::Interrupt => true,
        }
    }
}

/// Dialects that are certain if a question has all of their members, even if its options are bare labels, which only
/// our own format has.
const CLEAR_WHEN_COMPLETE: DialectSet = QUESTIONNAIRE | ASK_USER_QUESTION | AUQ;

/// Set of dialects as a bit mask.
type DialectSet = u8;

const SAYSO: DialectSet = 1;
const QUESTIONNAIRE: DialectSet = 1 << 1;
const ASK_USER_QUESTION: DialectSet = 1 << 2;
const AUQ: DialectSet = 1 << 3;
const INTERACTION: DialectSet = 1 << 4;
const INTERRUPT: DialectSet = 1 << 5;
const ANY: DialectSet = SAYSO | QUESTIONNAIRE | ASK_USER_QUESTION | AUQ | INTERACTION | INTERRUPT;

const fn dialect_bit(dialect: Dialect) -> DialectSet {
    match dialect {
        Dialect::Sayso => SAYSO,
        Dialect::Questionnaire => QUESTIONNAIRE,
        Dialect::AskUserQuestion => ASK_USER_QUESTION,
        Dialect::Auq => AUQ,
        Dialect::Interaction => INTERACTION,
        Dialect::Interrupt => INTERRUPT,
    }
}

/// Returns the dialects whose requests have a member of this name.
fn request_member_dialects(name: &str) -> DialectSet {
    match name {
        "questions" => ANY & !INTERACTION,
        "sayso" | "context" | "action" | "submit" | "cancel" | "completed" | "rules" | "beside" => SAYSO,
        "title" | "sections" => SAYSO | INTERACTION,
        "nonBlocking" => AUQ,
        "fields" | "schema" | "inputSchema" | "description" | "submitLabel" | "cancelLabel"
        | "initialValues" | "prompt" | "timeoutMs" | "onTimeout" | "validate" | "mode" | "completedView"
        | "presentation" => INTERACTION,
        "event" | "data" | "info" | "taskName" => INTERRUPT,
        _ => ANY,
    }
}

/// Returns the dialects whose questions have a member of this name.
fn question_member_dialects(name: &str) -> DialectSet {
    match name {
        "prompt" => SAYSO | QUESTIONNAIRE | AUQ,
        "id" | "label" | "constraints" | "children" | "placeholder" | "annotations" => SAYSO | QUESTIONNAIRE,
        "type" | "maxSelect" | "showIf" | "multiline" | "yesLabel" | "noLabel" | "range" | "showEmoji" => {
            QUESTIONNAIRE
        }
        "question" => ASK_USER_QUESTION | INTERRUPT,
        "header" => ASK_USER_QUESTION,
        "multiSelect" => ASK_USER_QUESTION | AUQ,
        "title" => AUQ,
        "kind" | "multi" | "other" | "detail" | "required" | "prefill" | "show_if" | "long" | "min"
        | "max" => SAYSO,
        _ => ANY,
    }
}

/// Returns the dialects whose options have a member of this name.
fn option_member_dialects(name: &str) -> DialectSet {
    match name {
        "value" => SAYSO | QUESTIONNAIRE | INTERRUPT,
        "description" => ANY & !INTERRUPT,
        "allow_custom" => INTERRUPT,
        "id" | "preview" | "recommended" => SAYSO,
        _ => ANY,
    }
}

/// Required members of a question in each dialect.
const REQUIRED_MEMBERS: [(DialectSet, &[&str]); 5] = [
    (SAYSO, &["prompt"]),
    (QUESTIONNAIRE, &["id", "type", "label", "prompt"]),
    (ASK_USER_QUESTION, &["question", "header", "options", "multiSelect"]),
    (AUQ, &["prompt", "title", "options", "multiSelect"]),
    (INTERRUPT, &["question", "options"]),
];

/// Dialects whose readers ignore unknown members.
const IGNORING: DialectSet = QUESTIONNAIRE | ASK_USER_QUESTION | AUQ | INTERRUPT;

/// Returns the dialects that the members of a request allow.
pub(crate) fn detect(text: &str) -> DialectGuess {
    let Ok(Value::Object(request)) = json::read(text) else { return DialectGuess::None };
    let mut fits = narrow(&request, request_member_dialects);
    if request.keys().all(|name| request_member_dialects(name) == ANY) {
        return DialectGuess::None;
    }
    // In an interrupt, `null` marks an approval without questions.
    if request.get("questions").is_some_and(Value::is_null) {
        fits &= INTERRUPT;
    }
    let mut items: Vec<_> = objects(request.get("questions")).collect();
    for section in objects(request.get("sections")) {
        fits &= if section.contains_key("fields") { INTERACTION } else { ANY };
        fits &= if section.contains_key("questions") { SAYSO } else { ANY };
        items.extend(objects(section.get("questions")));
    }
    let mut whole = if items.is_empty() { dialects_without_questions(&request) } else { ANY };
    // Our own reader reports unknown members, so they count against it.
    let mut ignoring = if request.contains_key("sayso") || items.is_empty() { 0 } else { IGNORING };
    let mut has_bare_labels = false;
    for item in items {
        fits &= narrow(item, question_member_dialects);
        let is_whole = |names: &[&str]| names.iter().all(|name| item.contains_key(*name));
        let missing =
            REQUIRED_MEMBERS.iter().filter(|(_, names)| !is_whole(names)).fold(0, |set, (one, _)| set | one);
        whole &= !missing;
        ignoring &= !missing;
        has_bare_labels |= list(item.get("options")).any(Value::is_string);
        for option in objects(item.get("options")) {
            fits &= narrow(option, option_member_dialects);
            ignoring &= complete_option_dialects(option);
        }
    }
    if has_bare_labels {
        fits &= SAYSO | (whole & CLEAR_WHEN_COMPLETE);
        ignoring &= CLEAR_WHEN_COMPLETE;
    }
    let set = match fits & whole {
        0 if fits == 0 => most_specific(ignoring),
        0 => fits,
        both => both,
    };
    let mut dialects = Dialect::ALL.into_iter().filter(|dialect| set & dialect_bit(*dialect) != 0);
    match (dialects.next(), dialects.next()) {
        (None, _) => DialectGuess::None,
        (Some(only), None) => DialectGuess::One(only),
        (Some(first), Some(second)) => {
            DialectGuess::Several([first, second].into_iter().chain(dialects).collect())
        }
    }
}

/// Returns the dialects that have all members of an object.
fn narrow(object: &Map<String, Value>, dialects: fn(&str) -> DialectSet) -> DialectSet {
    object.keys().fold(ANY, |set, name| set & dialects(name))
}

/// Returns the dialects whose requests need no questions beside these members.
fn dialects_without_questions(request: &Map<String, Value>) -> DialectSet {
    let has = |names: &[&str]| names.iter().any(|name| request.contains_key(*name));
    let interaction = if has(&["fields", "schema", "inputSchema"]) { INTERACTION } else { 0 };
    let interrupt = if has(&["event", "data", "taskName"]) { INTERRUPT } else { 0 };
    interaction | interrupt
}

/// Returns the dialects whose required members this option has.
fn complete_option_dialects(option: &Map<String, Value>) -> DialectSet {
    let value = if option.contains_key("value") { ANY } else { !(QUESTIONNAIRE | INTERRUPT) };
    let description = if option.contains_key("description") { ANY } else { !ASK_USER_QUESTION };
    value & description
}

/// Returns those of these dialects that require the most members, since a chance match of many is less likely.
fn most_specific(set: DialectSet) -> DialectSet {
    let needed = || REQUIRED_MEMBERS.iter().filter(|(one, _)| set & one != 0);
    let most = needed().map(|(_, names)| names.len()).max();
    needed().filter(|(_, names)| Some(names.len()) == most).fold(0, |set, (one, _)| set | one)
}

/// Returns the first elements of a list: no request may have more.
fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten().take(LenientList::<()>::MAX_KEPT)
}

fn objects(value: Option<&Value>) -> impl Iterator<Item = &Map<String, Value>> {
    list(value).filter_map(Value::as_object)
}
