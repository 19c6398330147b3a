//! Detection of a request's dialect by its shape. Members that only some dialects have rule out the others, and a
//! dialect with all required members is preferred to one that lacks some. If that leaves none, members that a reader
//! would ignore do not count against a dialect with all its required members.

use crate::Dialect;
use crate::loose::{self, List, Loose, Members};
use serde::de::{IgnoredAny, MapAccess};

/// Dialects that a request may be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guess {
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
    pub const fn says_it_was_guessed(self) -> bool {
        match self {
            Self::Sayso | Self::AskUserQuestion | Self::Auq => false,
            Self::Questionnaire | Self::Interaction | Self::Interrupt => true,
        }
    }
}

/// Dialects that are certain if a question has all of their members, even if its options are bare labels, which only
/// our own format has.
const CLEAR_WHEN_WHOLE: Set = QUESTIONNAIRE | ASK_USER_QUESTION | AUQ;

/// Set of dialects as a bit mask.
type Set = u8;

const SAYSO: Set = 1;
const QUESTIONNAIRE: Set = 1 << 1;
const ASK_USER_QUESTION: Set = 1 << 2;
const AUQ: Set = 1 << 3;
const INTERACTION: Set = 1 << 4;
const INTERRUPT: Set = 1 << 5;
const ANY: Set = SAYSO | QUESTIONNAIRE | ASK_USER_QUESTION | AUQ | INTERACTION | INTERRUPT;

const fn bit(dialect: Dialect) -> Set {
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
fn of_request(name: &str) -> Set {
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
fn of_question(name: &str) -> Set {
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
fn of_option(name: &str) -> Set {
    match name {
        "value" => SAYSO | QUESTIONNAIRE | INTERRUPT,
        "description" => ANY & !INTERRUPT,
        "allow_custom" => INTERRUPT,
        "id" | "preview" | "recommended" => SAYSO,
        _ => ANY,
    }
}

/// Required members of a question in each dialect.
const WHOLE: [(Set, &[&str]); 5] = [
    (SAYSO, &["prompt"]),
    (QUESTIONNAIRE, &["id", "type", "label", "prompt"]),
    (ASK_USER_QUESTION, &["question", "header", "options", "multiSelect"]),
    (AUQ, &["prompt", "title", "options", "multiSelect"]),
    (INTERRUPT, &["question", "options"]),
];

/// Dialects whose readers ignore unknown members.
const IGNORING: Set = QUESTIONNAIRE | ASK_USER_QUESTION | AUQ | INTERRUPT;

struct Request {
    fits: Set,
    /// Set if it names its format.
    named: bool,
    any: bool,
    /// Dialects whose requirements are met without questions.
    whole: Set,
    questions: Loose<List<Item>>,
    sections: Loose<List<Section>>,
}

struct Item {
    fits: Set,
    names: Vec<&'static str>,
    options: Loose<List<Entry>>,
}

struct Section {
    fits: Set,
    questions: Loose<List<Item>>,
}

struct Entry {
    fits: Set,
    has_value: bool,
    has_description: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            fits: ANY,
            named: false,
            any: false,
            whole: 0,
            questions: Loose::Missing,
            sections: Loose::Missing,
        }
    }
}

impl Default for Item {
    fn default() -> Self {
        Self { fits: ANY, names: Vec::new(), options: Loose::Missing }
    }
}

impl Default for Section {
    fn default() -> Self {
        Self { fits: ANY, questions: Loose::Missing }
    }
}

impl Default for Entry {
    fn default() -> Self {
        Self { fits: ANY, has_value: false, has_description: false }
    }
}

impl<'t> Members<'t> for Request {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.fits &= of_request(name);
        self.any |= of_request(name) != ANY;
        self.named |= name == "sayso";
        match name {
            "fields" | "schema" | "inputSchema" => self.whole |= INTERACTION,
            "event" | "data" | "taskName" => self.whole |= INTERRUPT,
            "questions" => {
                self.questions = object.next_value()?;
                // In an interrupt, `null` marks an approval without questions.
                if matches!(self.questions, Loose::Wrong("null")) {
                    self.fits &= INTERRUPT;
                }
            }
            "sections" => self.sections = object.next_value()?,
            _ => {}
        }
        Ok(matches!(name, "questions" | "sections"))
    }
}

impl<'t> Members<'t> for Item {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.fits &= of_question(name);
        let known = WHOLE.iter().flat_map(|(_, names)| *names).find(|known| **known == name);
        self.names.extend(known);
        if name == "options" {
            self.options = object.next_value()?;
            return Ok(true);
        }
        Ok(false)
    }
}

impl<'t> Members<'t> for Section {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "fields" => self.fits &= INTERACTION,
            "questions" => {
                self.fits &= SAYSO;
                self.questions = object.next_value()?;
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }
}

impl Entry {
    /// Returns the dialects whose required members this option has.
    fn whole(&self) -> Set {
        let value = if self.has_value { ANY } else { !(QUESTIONNAIRE | INTERRUPT) };
        let description = if self.has_description { ANY } else { !ASK_USER_QUESTION };
        value & description
    }
}

impl<'t> Members<'t> for Entry {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.fits &= of_option(name);
        self.has_value |= name == "value";
        self.has_description |= name == "description";
        object.next_value::<IgnoredAny>().map(|_| true)
    }
}

/// Returns the dialects that the members of a request allow.
pub(crate) fn guess(text: &str) -> Guess {
    let Ok(Loose::Value(request)) = loose::read::<Request>(text) else { return Guess::None };
    if !request.any {
        return Guess::None;
    }
    let (mut fits, mut whole) = (request.fits, request.fits);
    let sections = values(request.sections);
    let mut items: Vec<Item> = values(request.questions).collect();
    for section in sections {
        fits &= section.fits;
        items.extend(values(section.questions));
    }
    // Our own reader reports unknown members, so they count against it.
    let mut ignoring = if request.named || items.is_empty() { 0 } else { IGNORING };
    if items.is_empty() {
        whole &= request.whole;
    }
    let mut has_bare_labels = false;
    for item in items {
        fits &= item.fits;
        let is_whole = |names: &[&str]| names.iter().all(|name| item.names.contains(name));
        let missing = WHOLE.iter().filter(|(_, names)| !is_whole(names)).fold(0, |set, (one, _)| set | one);
        whole &= !missing;
        ignoring &= !missing;
        has_bare_labels |= is_bare(&item.options);
        for option in values(item.options) {
            fits &= option.fits;
            ignoring &= option.whole();
        }
    }
    if has_bare_labels {
        fits &= SAYSO | (whole & CLEAR_WHEN_WHOLE);
        ignoring &= CLEAR_WHEN_WHOLE;
    }
    let set = match fits & whole {
        0 if fits == 0 => most_needed(ignoring),
        0 => fits,
        both => both,
    };
    let mut dialects = Dialect::ALL.into_iter().filter(|dialect| set & bit(*dialect) != 0);
    match (dialects.next(), dialects.next()) {
        (None, _) => Guess::None,
        (Some(only), None) => Guess::One(only),
        (Some(first), Some(second)) => Guess::Several([first, second].into_iter().chain(dialects).collect()),
    }
}

/// Returns those of these dialects that require the most members, since a chance match of many is less likely.
fn most_needed(set: Set) -> Set {
    let needed = || WHOLE.iter().filter(|(one, _)| set & one != 0);
    let most = needed().map(|(_, names)| names.len()).max();
    needed().filter(|(_, names)| Some(names.len()) == most).fold(0, |set, (one, _)| set | one)
}

/// Returns whether an option is a bare label.
fn is_bare(options: &Loose<List<Entry>>) -> bool {
    let Loose::Value(list) = options else { return false };
    list.items.iter().any(|option| matches!(option, Loose::Wrong("string")))
}

fn values<T>(list: Loose<List<T>>) -> impl Iterator<Item = T> {
    let items = match list {
        Loose::Value(list) => list.items,
        Loose::Missing | Loose::Wrong(_) => Vec::new(),
    };
    items.into_iter().filter_map(|item| match item {
        Loose::Value(value) => Some(value),
        Loose::Missing | Loose::Wrong(_) => None,
    })
}
