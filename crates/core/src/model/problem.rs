//! Problems: a stable code, a path, a message, and a hint on how to fix it.

use crate::i18n::{Lang, LocalizedText, Message};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::fmt;
use std::num::NonZeroU32;

macro_rules! codes {
    ($(#[$meta:meta])* $code:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $code { $($(#[$doc])* $name,)* }

        impl $code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the stable text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Parses the stable text.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }
        }
    };
}

codes! {
    /// Kind of a problem. The text is stable: programs may test for it.
    ProblemCode {
        /// No request was given.
        MissingRequest = "missing_request",
        /// The request is not JSON.
        InvalidJson = "invalid_json",
        /// Bytes that are not UTF-8.
        NotText = "not_text",
        /// Larger than a limit allows.
        TooLarge = "too_large",
        /// Nested deeper than a limit allows.
        TooDeep = "too_deep",
        /// The request has problems; they are in `causes`.
        InvalidRequest = "invalid_request",
        /// A required value is missing.
        Required = "required",
        /// A value of another type than expected.
        InvalidType = "invalid_type",
        /// Fewer or shorter than allowed.
        TooSmall = "too_small",
        /// More or longer than allowed.
        TooBig = "too_big",
        /// An id that another question or option has already.
        DuplicateId = "duplicate_id",
        /// A pattern that does not compile, or differs from JavaScript.
        BadPattern = "bad_pattern",
        /// A condition on a later question, or one that no answer can fulfil.
        BadCondition = "bad_condition",
        /// A constraint that does not apply to answers of this kind, or that is impossible to meet.
        BadConstraint = "bad_constraint",
        /// A label of yes that refuses, or of no that agrees.
        ContraryLabel = "contrary_label",
        /// Consent that the asker prefilled or recommended.
        PresetConsent = "preset_consent",
        /// An unknown member.
        UnknownMember = "unknown_member",
        /// An answer that does not match the pattern.
        PatternUnmet = "pattern_unmet",
        /// An answer whose pattern exceeded the step budget, if unchecked answers are refused.
        PatternNotChecked = "pattern_not_checked",
        /// A value that is not allowed.
        InvalidValue = "invalid_value",
        /// A dialect that is unknown, or not clear from the request.
        UnknownDialect = "unknown_dialect",
        /// The answers have problems; they are in `causes`.
        InvalidAnswers = "invalid_answers",
        /// A question without an answer.
        NeedsAnswer = "needs_answer",
        /// An option that the question does not have.
        NoSuchOption = "no_such_option",
        /// A question that the questionnaire does not have.
        NoSuchQuestion = "no_such_question",
        /// No ask has this id, or none that is visible to the asker.
        AskNotFound = "ask_not_found",
        /// Several asks match a short id.
        AmbiguousId = "ambiguous_id",
        /// Another person answered first.
        AskAnswered = "ask_answered",
        /// A person declined first.
        AskDeclined = "ask_declined",
        /// The asker took the question back.
        AskCancelled = "ask_cancelled",
        /// The deadline passed.
        AskExpired = "ask_expired",
        /// An answer awaits its asker's verdict.
        AskSubmitted = "ask_submitted",
        /// The ask is still open, so there is no outcome to deliver.
        AskOpen = "ask_open",
        /// The answered question is not the current one.
        AskChanged = "ask_changed",
        /// A verdict on another round than the one submitted.
        WrongRound = "wrong_round",
        /// No thread has this id, or none that this agent took part in.
        ThreadNotFound = "thread_not_found",
        /// The turn of a thread ended, or belongs to another process of its agent.
        TurnOver = "turn_over",
        /// No agent can take a message in a thread, or the choice is ambiguous.
        NoAgent = "no_agent",
        /// The key was used for another request before.
        KeyReused = "key_reused",
        /// The role does not permit this.
        NotAllowed = "not_allowed",
        /// Interactive answering needs a terminal.
        NoTerminal = "no_terminal",
        /// The desk has too many open asks.
        DeskCrowded = "desk_crowded",
        /// An unsupported kind of desk.
        DeskUnsupported = "desk_unsupported",
        /// The file is not a desk.
        DeskNotOurs = "desk_not_ours",
        /// The desk was written by a newer version.
        DeskTooNew = "desk_too_new",
        /// The desk's folder or file cannot be opened or written.
        DeskUnreachable = "desk_unreachable",
        /// The stored data of one ask is corrupt.
        AskDamaged = "ask_damaged",
        /// The desk file is corrupt.
        DeskDamaged = "desk_damaged",
        /// The desk lacks confirmed changes.
        DeskIncomplete = "desk_incomplete",
        /// The disk is full.
        DeskFull = "desk_full",
        /// Other processes held the lock of the desk for too long.
        DeskBusy = "desk_busy",
        /// Reading or writing the desk failed; whether a write took effect may be unknown.
        DeskFailed = "desk_failed",
        /// No token, or an unknown one.
        Unauthorized = "unauthorized",
        /// The rate limit is exceeded.
        TooManyRequests = "too_many_requests",
        /// Another person saved one of these questions in the meantime.
        DraftChanged = "draft_changed",
        /// No route has this path.
        NoSuchRoute = "no_such_route",
        /// The route does not support this method.
        MethodNotAllowed = "method_not_allowed",
        /// An unsupported media type.
        UnsupportedMediaType = "unsupported_media_type",
        /// The body of a request did not arrive in time.
        BodyLate = "body_late",
        /// A host name that the server does not answer to.
        HostNotAllowed = "host_not_allowed",
        /// An origin that is not allowed.
        OriginNotAllowed = "origin_not_allowed",
        /// An invalid header.
        BadHeader = "bad_header",
        /// The server is shutting down; another will replace it.
        DeskClosing = "desk_closing",
        /// An invalid setting.
        InvalidSetting = "invalid_setting",
        /// An unreadable file.
        UnreadableFile = "unreadable_file",
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One step of a path to a value in a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// A member of an object.
    Key(String),
    /// An element of an array, from 0.
    Index(usize),
}

impl From<&str> for PathStep {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for PathStep {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// Path in a document; empty for the whole document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentPath(pub Vec<PathStep>);

impl DocumentPath {
    /// Returns the path of the whole document.
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// Returns the path with one more step.
    #[must_use]
    pub fn join(&self, step: impl Into<PathStep>) -> Self {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Self(steps)
    }

    /// Formats the path as a JSON pointer (RFC 6901): `/questions/0/header`.
    pub fn to_json_pointer(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, step| {
            text.push('/');
            match step {
                PathStep::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
                PathStep::Index(index) => text.push_str(&index.to_string()),
            }
            text
        })
    }

    /// Formats the path as in JavaScript: `questions[0].header`.
    pub fn to_js_path(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, step| {
            match step {
                PathStep::Key(key) if text.is_empty() => text.push_str(key),
                PathStep::Key(key) => {
                    text.push('.');
                    text.push_str(key);
                }
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
            text
        })
    }
}

impl Serialize for DocumentPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for step in &self.0 {
            match step {
                PathStep::Key(key) => list.serialize_element(key)?,
                PathStep::Index(index) => list.serialize_element(index)?,
            }
        }
        list.end()
    }
}

/// An error that a person or a program caused and can fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub code: ProblemCode,
    /// The path in the request or the answers.
    pub path: DocumentPath,
    /// The description of the error.
    pub message: LocalizedText,
    /// A hint on how to fix it.
    pub hint: Option<LocalizedText>,
    /// The individual problems, if this one sums up several.
    pub causes: Vec<Problem>,
    /// Seconds after which to retry, if known.
    pub retry_after_s: Option<NonZeroU32>,
}

impl Problem {
    /// Returns a problem of the whole input, without a hint.
    pub fn new(code: ProblemCode, message: impl Into<LocalizedText>) -> Self {
        Self {
            code,
            path: DocumentPath::root(),
            message: message.into(),
            hint: None,
            causes: Vec::new(),
            retry_after_s: None,
        }
    }

    /// Returns the problem of a missing required member.
    pub fn missing_member(member: &str) -> Self {
        Self::new(ProblemCode::Required, Message::NeedsMember.with([member]))
            .at(DocumentPath::root().join(member))
    }

    /// Returns the problem of a member with an invalid value.
    pub fn invalid_value(member: &str, given: &str) -> Self {
        let message = Message::NoSuchValue.with([member, given]);
        Self::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join(member))
    }

    /// Sums up the problems of a request. If it cannot be read at all, returns that one problem.
    pub fn from_request(mut problems: Vec<Self>) -> Self {
        let is_unreadable = |problem: &Self| {
            match problem.code {
                ProblemCode::InvalidJson | ProblemCode::NotText | ProblemCode::TooDeep => true,
                // Otherwise a part is too large.
                ProblemCode::TooLarge => problem.path == DocumentPath::root(),
                _ => false,
            }
        };
        if problems.len() == 1
            && let Some(one) = problems.pop_if(|problem| is_unreadable(problem))
        {
            return one;
        }
        let message = Message::RequestHasProblems.with([problems.len()]);
        Self::new(ProblemCode::InvalidRequest, message).with_causes(problems)
    }

    /// Returns the problem with this path.
    #[must_use]
    pub fn at(mut self, path: DocumentPath) -> Self {
        self.path = path;
        self
    }

    /// Returns the problem with a hint on how to fix it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<LocalizedText>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the problem with these causes.
    #[must_use]
    pub fn with_causes(mut self, causes: Vec<Self>) -> Self {
        self.causes = causes;
        self
    }

    /// Returns the problem with a delay after which to retry, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = NonZeroU32::new(u32::try_from(seconds).unwrap_or(u32::MAX));
        self
    }

    /// Returns the causes, or the problem itself if it has none.
    pub fn individual_problems(&self) -> &[Self] {
        if self.causes.is_empty() { std::slice::from_ref(self) } else { &self.causes }
    }

    /// Renders the problem for the command line: program name and message, then the causes and the hint.
    pub fn render_for_cli(&self, lang: Lang) -> String {
        format!("sayso: {}", self.render_lines(lang).join("\n").replace('\n', "\n  "))
    }

    /// Renders the problem, its causes each with its hint, and its own hint as lines for a person.
    pub fn render_lines(&self, lang: Lang) -> Vec<String> {
        let mut lines = vec![self.message.render(lang)];
        for cause in &self.causes {
            let place = cause.path.to_js_path();
            let hint = cause.hint.as_ref().map(|hint| format!(" {}", hint.render(lang))).unwrap_or_default();
            let text = cause.message.render(lang) + &hint;
            lines.push(if place.is_empty() { format!("- {text}") } else { format!("- {place}: {text}") });
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
    fn path_formats_as_pointer_and_brackets() {
        let path = DocumentPath::root().join("questions").join(0).join("a/b~c");
        assert_eq!(path.to_json_pointer(), "/questions/0/a~1b~0c");
        assert_eq!(path.to_js_path(), "questions[0].a/b~c");
        assert_eq!(DocumentPath::root().to_json_pointer(), "");
    }

    #[test]
    fn codes_are_distinct_words() {
        let mut texts: Vec<_> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), ProblemCode::ALL.len());
        assert!(texts.iter().all(|text| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
    }
}
