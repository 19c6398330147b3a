//! What went wrong: a stable code, where, what, and a hint for whoever can mend it.

use crate::message::{Lang, Message, Text};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::fmt;
use std::num::NonZeroU32;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What kind of problem it is. The text is stable: programs may test for it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The stable text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Reads the stable text.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }
        }
    };
}

codes! {
    /// No request was given at all.
    MissingRequest = "missing_request",
    /// The request is not JSON.
    InvalidJson = "invalid_json",
    /// Bytes that are no UTF-8 text.
    NotText = "not_text",
    /// Larger than a limit allows.
    TooLarge = "too_large",
    /// Nested deeper than a limit allows.
    TooDeep = "too_deep",
    /// The request has problems; they stand in `causes`.
    InvalidRequest = "invalid_request",
    /// A value that must be there is missing.
    Required = "required",
    /// A value of another type than expected.
    InvalidType = "invalid_type",
    /// Fewer or shorter than allowed.
    TooSmall = "too_small",
    /// More or longer than allowed.
    TooBig = "too_big",
    /// An id that another question or option has already.
    DuplicateId = "duplicate_id",
    /// A pattern that does not compile, or not as JavaScript would.
    BadPattern = "bad_pattern",
    /// A condition that looks ahead, or that no answer could ever fulfil.
    BadCondition = "bad_condition",
    /// A constraint that says nothing about answers of this kind, or demands what cannot be.
    BadConstraint = "bad_constraint",
    /// A label of yes that refuses, or of no that agrees.
    ContraryLabel = "contrary_label",
    /// Consent that the asker filled in or suggests.
    PresetConsent = "preset_consent",
    /// A member that nothing reads.
    UnknownMember = "unknown_member",
    /// An answer that does not have the form asked for.
    PatternUnmet = "pattern_unmet",
    /// An answer whose pattern takes too many steps to check, where unchecked answers are refused.
    PatternNotChecked = "pattern_not_checked",
    /// A value that is not one of those allowed.
    InvalidValue = "invalid_value",
    /// A dialect that Sayso does not speak, or none that the request shows clearly.
    UnknownDialect = "unknown_dialect",
    /// The answers have problems; they stand in `causes`.
    InvalidAnswers = "invalid_answers",
    /// A question without an answer.
    NeedsAnswer = "needs_answer",
    /// An option that the question does not have.
    NoSuchOption = "no_such_option",
    /// A question that the questionnaire does not have.
    NoSuchQuestion = "no_such_question",
    /// No ask has this id, or none that the asker may see.
    AskNotFound = "ask_not_found",
    /// Several asks fit a short id.
    AmbiguousId = "ambiguous_id",
    /// Somebody answered first.
    AskAnswered = "ask_answered",
    /// A person declined first.
    AskDeclined = "ask_declined",
    /// The asker took the question back.
    AskCancelled = "ask_cancelled",
    /// The deadline passed.
    AskExpired = "ask_expired",
    /// An answer waits for its asker's verdict.
    AskSubmitted = "ask_submitted",
    /// The ask is still open, so there is no outcome to deliver.
    AskOpen = "ask_open",
    /// What was answered is not what is asked.
    AskChanged = "ask_changed",
    /// A verdict on another round than the one submitted.
    WrongRound = "wrong_round",
    /// No thread has this id, or none that this agent has had.
    ThreadNotFound = "thread_not_found",
    /// The turn of a thread ended, or is with another process of its agent.
    TurnOver = "turn_over",
    /// No agent can take what was said in a thread, or it is not clear which.
    NoAgent = "no_agent",
    /// The key was used for something else before.
    KeyReused = "key_reused",
    /// This role may not do this.
    NotAllowed = "not_allowed",
    /// Interactive answering needs a terminal.
    NoTerminal = "no_terminal",
    /// The desk is too full for another ask.
    DeskCrowded = "desk_crowded",
    /// A desk of a kind that is not served.
    DeskUnsupported = "desk_unsupported",
    /// The file is not a desk.
    DeskNotOurs = "desk_not_ours",
    /// The desk was written by a newer version.
    DeskTooNew = "desk_too_new",
    /// The desk's folder or file cannot be opened or written.
    DeskUnreachable = "desk_unreachable",
    /// What is stored of one ask is not what was written.
    AskDamaged = "ask_damaged",
    /// The desk file is damaged.
    DeskDamaged = "desk_damaged",
    /// The desk lacks changes that were confirmed.
    DeskIncomplete = "desk_incomplete",
    /// No room left on the disk.
    DeskFull = "desk_full",
    /// Other processes held the desk for too long.
    DeskBusy = "desk_busy",
    /// Reading or writing the desk failed; whether a write took effect may be unknown.
    DeskFailed = "desk_failed",
    /// No token, or none that is known.
    Unauthorized = "unauthorized",
    /// More requests than allowed.
    TooManyRequests = "too_many_requests",
    /// Somebody else saved one of these questions since.
    DraftChanged = "draft_changed",
    /// Nothing is served under this path.
    NoSuchRoute = "no_such_route",
    /// What is served under this path does not know this method.
    MethodNotAllowed = "method_not_allowed",
    /// A body of a kind that is not read.
    UnsupportedMediaType = "unsupported_media_type",
    /// The body of a request that did not come in time.
    BodyLate = "body_late",
    /// A name of the server that it is not called by.
    HostNotAllowed = "host_not_allowed",
    /// A page of a site that is not allowed to ask.
    OriginNotAllowed = "origin_not_allowed",
    /// A header that cannot be read.
    BadHeader = "bad_header",
    /// The server is going down; another will take its place.
    DeskClosing = "desk_closing",
    /// A setting that cannot be read or has no such value.
    InvalidSetting = "invalid_setting",
    /// A file that cannot be read.
    UnreadableFile = "unreadable_file",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One step on the way to a value in a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A member of an object.
    Key(String),
    /// An element of an array, from 0.
    Index(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// Where in a document; empty for the whole of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// The whole document.
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// This path and one step more.
    #[must_use]
    pub fn then(&self, step: impl Into<Step>) -> Self {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Self(steps)
    }

    /// As a JSON pointer (RFC 6901): `/questions/0/header`.
    pub fn pointer(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, step| {
            text.push('/');
            match step {
                Step::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => text.push_str(&index.to_string()),
            }
            text
        })
    }

    /// As written in JavaScript: `questions[0].header`.
    pub fn bracketed(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, step| {
            match step {
                Step::Key(key) if text.is_empty() => text.push_str(key),
                Step::Key(key) => {
                    text.push('.');
                    text.push_str(key);
                }
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
            text
        })
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for step in &self.0 {
            match step {
                Step::Key(key) => list.serialize_element(key)?,
                Step::Index(index) => list.serialize_element(index)?,
            }
        }
        list.end()
    }
}

/// Something that a person or a program did and can mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem it is.
    pub code: Code,
    /// Where in the request or the answers.
    pub path: Path,
    /// What is wrong, in words.
    pub message: Text,
    /// What to do about it.
    pub hint: Option<Text>,
    /// The single problems, where this one sums up several.
    pub causes: Vec<Problem>,
    /// Seconds after which it makes sense to try again, where that is known.
    pub retry_after_s: Option<NonZeroU32>,
}

impl Problem {
    /// A problem with the whole of what was given, without a hint.
    pub fn new(code: Code, message: impl Into<Text>) -> Self {
        Self {
            code,
            path: Path::root(),
            message: message.into(),
            hint: None,
            causes: Vec::new(),
            retry_after_s: None,
        }
    }

    /// A member that has to be there, and is not.
    pub fn needs_member(member: &str) -> Self {
        Self::new(Code::Required, Message::NeedsMember.with([member])).at(Path::root().then(member))
    }

    /// A member that has a value it cannot have.
    pub fn no_such_value(member: &str, given: &str) -> Self {
        let said = Message::NoSuchValue.with([member, given]);
        Self::new(Code::InvalidValue, said).at(Path::root().then(member))
    }

    /// What is wrong with a request, summed up; or the one problem of one that cannot be read at all.
    pub fn in_request(mut problems: Vec<Self>) -> Self {
        let is_unreadable = |problem: &Self| {
            match problem.code {
                Code::InvalidJson | Code::NotText | Code::TooDeep => true,
                // Else it is a part that is too large.
                Code::TooLarge => problem.path == Path::root(),
                _ => false,
            }
        };
        if problems.len() == 1
            && let Some(one) = problems.pop_if(|problem| is_unreadable(problem))
        {
            return one;
        }
        let said = Message::RequestHasProblems.with([problems.len()]);
        Self::new(Code::InvalidRequest, said).because(problems)
    }

    /// The same problem, found at this place.
    #[must_use]
    pub fn at(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// The same problem with a word on what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Text>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem, summing up these.
    #[must_use]
    pub fn because(mut self, causes: Vec<Self>) -> Self {
        self.causes = causes;
        self
    }

    /// The same problem, which may be gone after so many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = NonZeroU32::new(u32::try_from(seconds).unwrap_or(u32::MAX));
        self
    }

    /// The problems that it sums up, or itself where it is one.
    pub fn single(&self) -> &[Self] {
        if self.causes.is_empty() { std::slice::from_ref(self) } else { &self.causes }
    }

    /// Returns the problem as a program on a command line says it: its name, what is wrong, and below that the causes and
    /// what to do.
    pub fn complaint(&self, lang: Lang) -> String {
        format!("sayso: {}", self.lines(lang).join("\n").replace('\n', "\n  "))
    }

    /// The problem, its causes each with its hint, and its own hint, as lines for a person.
    pub fn lines(&self, lang: Lang) -> Vec<String> {
        let mut lines = vec![self.message.render(lang)];
        for cause in &self.causes {
            let place = cause.path.bracketed();
            let hint = cause.hint.as_ref().map(|hint| format!(" {}", hint.render(lang))).unwrap_or_default();
            let said = cause.message.render(lang) + &hint;
            lines.push(if place.is_empty() { format!("- {said}") } else { format!("- {place}: {said}") });
        }
        lines.extend(self.hint.as_ref().map(|hint| hint.render(lang)));
        lines
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message.render(Lang::En))
    }
}

impl std::error::Error for Problem {}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("code", self.code.as_str())?;
        map.serialize_entry("message", &self.message.render(Lang::En))?;
        if let Some(hint) = &self.hint {
            map.serialize_entry("hint", &hint.render(Lang::En))?;
        }
        if !self.causes.is_empty() {
            map.serialize_entry("causes", &self.causes)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_as_pointer_and_as_brackets() {
        let path = Path::root().then("questions").then(0).then("a/b~c");
        assert_eq!(path.pointer(), "/questions/0/a~1b~0c");
        assert_eq!(path.bracketed(), "questions[0].a/b~c");
        assert_eq!(Path::root().pointer(), "");
    }

    #[test]
    fn codes_are_distinct_words() {
        let mut texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), Code::ALL.len());
        assert!(texts.iter().all(|text| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
    }
}
