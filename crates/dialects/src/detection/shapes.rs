//! Detection of a request's dialect by its shape. Members that only some dialects have rule out the others, and a
//! dialect with all required members is preferred to one that lacks some. If that leaves none, members that a reader
//! would ignore do not count against a dialect with all its required members.

use crate::dialect::Dialect;
use crate::lenient::{self, Lenient, LenientList, ObjectMembers};
use serde::de::{IgnoredAny, MapAccess};

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

#[derive(Default)]
struct RequestShape {
    /// Dialects that its members rule out.
    excluded: DialectSet,
    /// It names its format.
    is_named: bool,
    /// Dialects whose requirements are met without questions.
    whole: DialectSet,
    questions: Lenient<LenientList<QuestionShape>>,
    sections: Lenient<LenientList<SectionShape>>,
}

#[derive(Default)]
struct QuestionShape {
    excluded: DialectSet,
    names: Vec<&'static str>,
    options: Lenient<LenientList<OptionShape>>,
}

#[derive(Default)]
struct SectionShape {
    excluded: DialectSet,
    questions: Lenient<LenientList<QuestionShape>>,
}

#[derive(Default)]
struct OptionShape {
    excluded: DialectSet,
    has_value: bool,
    has_description: bool,
}

impl<'t> ObjectMembers<'t> for RequestShape {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.excluded |= !request_member_dialects(name);
        self.is_named |= name == "sayso";
        match name {
            "fields" | "schema" | "inputSchema" => self.whole |= INTERACTION,
            "event" | "data" | "taskName" => self.whole |= INTERRUPT,
            "questions" => {
                self.questions = object.next_value()?;
                // In an interrupt, `null` marks an approval without questions.
                if matches!(self.questions, Lenient::WrongType("null")) {
                    self.excluded |= !INTERRUPT;
                }
            }
            "sections" => self.sections = object.next_value()?,
            _ => {}
        }
        Ok(matches!(name, "questions" | "sections"))
    }
}

impl<'t> ObjectMembers<'t> for QuestionShape {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.excluded |= !question_member_dialects(name);
        self.names.extend(required_name(name));
        if name == "options" {
            self.options = object.next_value()?;
            return Ok(true);
        }
        Ok(false)
    }
}

impl<'t> ObjectMembers<'t> for SectionShape {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "fields" => self.excluded |= !INTERACTION,
            "questions" => {
                self.excluded |= !SAYSO;
                self.questions = object.next_value()?;
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }
}

impl OptionShape {
    /// Returns the dialects whose required members this option has.
    fn complete_dialects(&self) -> DialectSet {
        let value = if self.has_value { ANY } else { !(QUESTIONNAIRE | INTERRUPT) };
        let description = if self.has_description { ANY } else { !ASK_USER_QUESTION };
        value & description
    }
}

impl<'t> ObjectMembers<'t> for OptionShape {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.excluded |= !option_member_dialects(name);
        self.has_value |= name == "value";
        self.has_description |= name == "description";
        object.next_value::<IgnoredAny>()?;
        Ok(true)
    }
}

/// Returns the dialects that the members of a request allow.
pub(crate) fn detect(text: &str) -> DialectGuess {
    let Ok(Lenient::Value(request)) = lenient::read::<RequestShape>(text) else { return DialectGuess::None };
    if request.excluded & ANY == 0 {
        return DialectGuess::None;
    }
    let mut fits = ANY & !request.excluded;
    let mut whole = fits;
    let sections = valid_items(request.sections);
    let mut items = valid_items(request.questions);
    for section in sections {
        fits &= !section.excluded;
        items.extend(valid_items(section.questions));
    }
    // Our own reader reports unknown members, so they count against it.
    let mut lenient_fits = if request.is_named || items.is_empty() { 0 } else { IGNORING };
    if items.is_empty() {
        whole &= request.whole;
    }
    let mut has_bare_labels = false;
    for item in items {
        fits &= !item.excluded;
        for (dialect, names) in REQUIRED_MEMBERS {
            if !names.iter().all(|name| item.names.contains(name)) {
                whole &= !dialect;
                lenient_fits &= !dialect;
            }
        }
        has_bare_labels |= is_bare(&item.options);
        for option in valid_items(item.options) {
            fits &= !option.excluded;
            lenient_fits &= option.complete_dialects();
        }
    }
    if has_bare_labels {
        fits &= SAYSO | (whole & CLEAR_WHEN_COMPLETE);
        lenient_fits &= CLEAR_WHEN_COMPLETE;
    }
    let set = match fits & whole {
        0 if fits == 0 => most_specific(lenient_fits),
        0 => fits,
        both => both,
    };
    let mut dialects = Vec::new();
    for dialect in Dialect::ALL {
        if set & dialect_bit(dialect) != 0 {
            dialects.push(dialect);
        }
    }
    match dialects.as_slice() {
        [] => DialectGuess::None,
        [dialect] => DialectGuess::One(*dialect),
        _ => DialectGuess::Several(dialects),
    }
}

/// Returns those of these dialects that require the most members, since a chance match of many is less likely.
fn most_specific(set: DialectSet) -> DialectSet {
    let mut most_members = 0;
    let mut specific_set = 0;
    for (dialect, names) in REQUIRED_MEMBERS {
        if set & dialect == 0 || names.len() < most_members {
            continue;
        }
        if names.len() > most_members {
            most_members = names.len();
            specific_set = 0;
        }
        specific_set |= dialect;
    }
    specific_set
}

/// Returns the constant of a member's name that some dialect requires of a question.
fn required_name(name: &str) -> Option<&'static str> {
    for (_, names) in REQUIRED_MEMBERS {
        if let Some(constant) = names.iter().find(|constant| **constant == name) {
            return Some(constant);
        }
    }
    None
}

/// Returns whether an option is a bare label.
fn is_bare(options: &Lenient<LenientList<OptionShape>>) -> bool {
    let Lenient::Value(list) = options else { return false };
    list.items.iter().any(|option| matches!(option, Lenient::WrongType("string")))
}

fn valid_items<T>(list: Lenient<LenientList<T>>) -> Vec<T> {
    let Lenient::Value(list) = list else { return Vec::new() };
    let mut valid = Vec::with_capacity(list.items.len());
    for item in list.items {
        if let Lenient::Value(item) = item {
            valid.push(item);
        }
    }
    valid
}
