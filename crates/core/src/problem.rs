//! Problems: a stable code, a path, a message, and a hint on how to fix it.

mod code;
mod explanation;

pub use code::ProblemCode;
pub use explanation::ProblemExplanation;

use crate::i18n::{Lang, LocalizedText, Message, foreign, own};
use crate::limits;
use crate::model::audience::service_user::InvalidServiceUser;
use crate::model::document_path::DocumentPath;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;
use std::num::NonZeroU32;

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
        Self::new(ProblemCode::Required, Message::NeedsMember.with([own(member)]))
            .at(DocumentPath::root().join(member))
    }

    /// Returns the problem of a member with an invalid value.
    pub fn invalid_value(member: &str, given: &str) -> Self {
        let message = Message::NoSuchValue.with([own(member), foreign(given)]);
        Self::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join(member))
    }

    /// Returns the problem of an id that another item has.
    pub(crate) fn duplicate_id(id: &impl ToString) -> Self {
        Self::new(ProblemCode::DuplicateId, Message::DuplicateId.with([foreign(id.to_string())]))
    }

    /// Returns the problem of an empty or too long id; `None` for a valid one.
    pub(crate) fn invalid_id(id: &str) -> Option<Self> {
        let code = if id.is_empty() {
            ProblemCode::TooSmall
        } else if id.len() > limits::ID_CHARS && id.chars().count() > limits::ID_CHARS {
            ProblemCode::TooBig
        } else {
            return None;
        };
        Some(Self::new(code, Message::IdLength.with([limits::ID_CHARS])))
    }

    /// Returns the problem of a count above this bound.
    pub(crate) fn too_many(count: usize, most: usize, message: Message) -> Option<Self> {
        if count <= most {
            return None;
        }
        Some(Self::new(ProblemCode::TooBig, message.with([most, count])))
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

    /// Returns the problem for someone away from the desk's machine. It names neither the file nor the database of the desk,
    /// and no error of the system: those are in the log.
    #[must_use]
    pub fn without_place(mut self) -> Self {
        let (message, hint) = match self.code {
            ProblemCode::DeskUnreachable => (Message::DeskSilent, Message::DeskSilentHint),
            ProblemCode::DeskMoved => (Message::DeskMovedAway, Message::DeskTroubleHint),
            ProblemCode::DeskFailed => (Message::DeskTrouble, Message::DeskFailedHint),
            ProblemCode::DeskNotOurs
            | ProblemCode::DeskTooNew
            | ProblemCode::DeskTooOld
            | ProblemCode::DeskIncomplete
            | ProblemCode::UnreadableFile => (Message::DeskTrouble, Message::DeskTroubleHint),
            _ => return self,
        };
        (self.message, self.hint) = (message.into(), Some(hint.into()));
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
            let mut text = cause.message.render(lang);
            if let Some(hint) = &cause.hint {
                text = format!("{}{}", end_sentence(text, lang), hint.render(lang));
            }
            lines.push(if place.is_empty() { format!("- {text}") } else { format!("- {place}: {text}") });
        }
        lines.extend(self.hint.as_ref().map(|hint| hint.render(lang)));
        lines
    }
}

/// Returns a text that another sentence can follow: messages of other readers end without a full stop.
fn end_sentence(mut text: String, lang: Lang) -> String {
    if !text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：']) {
        text.push(if lang == Lang::Zh { '。' } else { '.' });
    }
    text.push(' ');
    text
}

/// A reader that stops at its first problem returns it as the only one.
impl From<Problem> for Vec<Problem> {
    fn from(problem: Problem) -> Self {
        vec![problem]
    }
}

impl From<InvalidServiceUser> for Problem {
    fn from(invalid: InvalidServiceUser) -> Self {
        let (member, message) = match invalid {
            InvalidServiceUser::Service => ("account", Message::ServiceName.with([limits::SERVICE_CHARS])),
            InvalidServiceUser::User => {
                ("user", Message::ServiceUserLength.with([limits::SERVICE_USER_BYTES]))
            }
        };
        Self::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join(member))
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
