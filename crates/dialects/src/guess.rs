//! Which dialect a request is in, by its shape: the members that only some dialects have rule out the others, and a
//! dialect whose members are all there is preferred to one that misses some. Where that leaves none, members that a
//! reader would ignore do not count against a dialect whose own are all there.

use crate::Dialect;
use crate::loose::{self, List, Loose, Members};
use serde::de::{IgnoredAny, MapAccess};

/// The dialects that a request may be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guess {
    /// It is clear.
    One(Dialect),
    /// These fit alike.
    Several(Vec<Dialect>),
    /// None fits, or it is no JSON.
    None,
}

impl Dialect {
    /// Whether who is refused in it should hear that the request was taken for it by its shape. Not where what a refusal
    /// says is laid down, nor where the shape is taken for no other.
    pub const fn says_it_was_guessed(self) -> bool {
        match self {
            Self::Sayso | Self::AskUserQuestion | Self::Auq => false,
            Self::Questionnaire | Self::Interaction | Self::Interrupt => true,
        }
    }
}

/// Dialects that a question with all of its members is clearly in, also where its options are bare labels, which only our
/// own format has.
const CLEAR_WHEN_WHOLE: Set = QUESTIONNAIRE | ASK_USER_QUESTION | AUQ;

/// A set of dialects, a bit each.
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

/// The dialects whose requests have a member of this name.
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

/// The dialects whose questions have a member of this name.
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

/// The dialects whose options have a member of this name.
fn of_option(name: &str) -> Set {
    match name {
        "value" => SAYSO | QUESTIONNAIRE | INTERRUPT,
        "description" => ANY & !INTERRUPT,
        "allow_custom" => INTERRUPT,
        "id" | "preview" | "recommended" => SAYSO,
        _ => ANY,
    }
}

/// The members that make a question of a dialect whole, a bit each.
const WHOLE: [(Set, &[&str]); 5] = [
    (SAYSO, &["prompt"]),
    (QUESTIONNAIRE, &["id", "type", "label", "prompt"]),
    (ASK_USER_QUESTION, &["question", "header", "options", "multiSelect"]),
    (AUQ, &["prompt", "title", "options", "multiSelect"]),
    (INTERRUPT, &["question", "options"]),
];

/// The dialects whose readers ignore members that they do not know.
const IGNORING: Set = QUESTIONNAIRE | ASK_USER_QUESTION | AUQ | INTERRUPT;

struct Request {
    fits: Set,
    /// It names its format.
    named: bool,
    any: bool,
    /// The dialects that have all they need without questions.
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
                // An interrupt says of an approval that there are no questions.
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
    /// The dialects whose options have all they need here.
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

/// The dialects that the members of a request allow.
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
    // Our own reader tells of members that it does not know, so they count against it.
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

/// Of these dialects those that need the most members: one that is there by chance is less likely.
fn most_needed(set: Set) -> Set {
    let needed = || WHOLE.iter().filter(|(one, _)| set & one != 0);
    let most = needed().map(|(_, names)| names.len()).max();
    needed().filter(|(_, names)| Some(names.len()) == most).fold(0, |set, (one, _)| set | one)
}

/// Whether an option is a bare label.
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
