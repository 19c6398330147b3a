//! One question and the kinds there are.

use crate::answer::Answer;
use crate::condition::Condition;
use crate::constraint::Constraint;
use crate::id::{OptionId, QuestionId, SectionId};
use crate::number::Number;
use crate::spelling;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Identifies it within its questionnaire.
    pub id: QuestionId,
    /// What the asker calls it, where that is not its id.
    pub key: Option<String>,
    /// The section it stands in.
    pub section: Option<SectionId>,
    /// The question it follows up: it is asked only where that is answered.
    pub parent: Option<QuestionId>,
    /// When it is asked at all.
    pub show_if: Option<Condition>,
    /// A short name for tabs and lists.
    pub label: Option<String>,
    /// What is asked.
    pub prompt: String,
    /// More about it, shown under the prompt.
    pub detail: Option<String>,
    /// Whether it must be answered before the questionnaire can be submitted.
    pub required: bool,
    /// Whether surfaces take any answer of its kind; what is sent is judged all the same.
    pub unchecked: bool,
    /// An example of what to type, shown and never sent.
    pub placeholder: Option<String>,
    /// The answer that stands there at the beginning.
    pub prefill: Option<Answer>,
    /// What an answer must be like, in the order judged.
    pub constraints: Vec<Constraint>,
    /// What can be answered.
    pub kind: Kind,
}

/// The kinds of question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One or several of some options.
    Choice(Choice),
    /// Typed text.
    Text(TextEntry),
    /// Yes or no.
    Confirm(Confirm),
    /// A step on a scale.
    Rating(Rating),
    /// A number.
    Number(NumberEntry),
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A day with a time of day.
    Datetime,
}

impl Kind {
    /// Whether answers of this kind are dates or times.
    pub const fn is_date_or_time(&self) -> bool {
        matches!(self, Self::Date | Self::Time | Self::Datetime)
    }

    /// Whether of two answers of this kind one is more, or later.
    pub const fn has_order(&self) -> bool {
        self.is_date_or_time() || matches!(self, Self::Number(_) | Self::Rating(_))
    }

    /// Its name in the wire format.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Choice(_) => "choice",
            Self::Text(_) => "text",
            Self::Confirm(_) => "confirm",
            Self::Rating(_) => "rating",
            Self::Number(_) => "number",
            Self::Date => "date",
            Self::Time => "time",
            Self::Datetime => "datetime",
        }
    }
}

/// A choice among options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// The options in the order shown, numbered from 1.
    pub options: Vec<Opt>,
    /// Several may be picked.
    pub multi: bool,
    /// A typed own answer is offered beside the options.
    pub other: bool,
    /// What that offer is called; words of ours without it.
    pub other_label: Option<String>,
    /// How many options stand above that offer; all of them without it.
    pub other_at: Option<usize>,
}

/// What can be picked in a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer<'c> {
    /// An option.
    Option(&'c Opt),
    /// An own answer, to be typed.
    Own,
}

impl Choice {
    /// The option with this id.
    #[inline]
    pub fn option(&self, id: &OptionId) -> Option<&Opt> {
        self.options.iter().find(|option| option.id == *id)
    }

    /// What can be picked, in the order shown: the options, and the own answer in its place.
    pub fn offers(&self) -> impl Iterator<Item = Offer<'_>> {
        let (above, below) = self.options.split_at(self.own_place());
        let own = self.other.then_some(Offer::Own);
        above.iter().map(Offer::Option).chain(own).chain(below.iter().map(Offer::Option))
    }

    /// How many things can be picked.
    pub fn offered(&self) -> usize {
        self.options.len() + usize::from(self.other)
    }

    /// What has this number on the screen, from 1.
    pub fn numbered(&self, number: usize) -> Option<Offer<'_>> {
        let at = number.checked_sub(1)?;
        match at.cmp(&self.own_place()) {
            Ordering::Equal if self.other => Some(Offer::Own),
            Ordering::Greater if self.other => self.options.get(at - 1).map(Offer::Option),
            _ => self.options.get(at).map(Offer::Option),
        }
    }

    fn own_place(&self) -> usize {
        self.other_at.map_or(self.options.len(), |at| at.min(self.options.len()))
    }
}

/// One option of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opt {
    /// Identifies it within its question.
    pub id: OptionId,
    /// What the asker gets for it, where that is not its id.
    pub value: Option<String>,
    /// What the person reads.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
    /// What it would look like: a text of any length, shown beside the options.
    pub preview: Option<String>,
    /// The asker would pick it. It is marked, and never picked for a person.
    pub recommended: bool,
}

impl Opt {
    /// What the asker gets for it.
    pub fn sent(&self) -> &str {
        self.value.as_deref().unwrap_or(self.id.as_str())
    }

    /// What the asker gets for it, unless that is only another spelling of the label, or an id that we numbered.
    pub fn sent_beside(&self) -> Option<&str> {
        let number = self.id.as_str().strip_prefix('o').filter(|number| !number.is_empty());
        let is_digits = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
        let is_numbered = self.value.is_none() && number.is_some_and(is_digits);
        (!is_numbered && !spelling::is_same(self.sent(), &self.label)).then(|| self.sent())
    }

    /// An option with nothing but its id and its label.
    pub fn new(id: impl Into<OptionId>, label: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            value: None,
            label: label.into(),
            description: None,
            preview: None,
            recommended: false,
        }
    }
}

/// A text to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextEntry {
    /// More than a line is expected.
    pub long: bool,
}

/// A yes or a no.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confirm {
    /// What yes is called; words of ours without it.
    pub yes: Option<String>,
    /// What no is called; words of ours without it.
    pub no: Option<String>,
}

/// A scale of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rating {
    /// The lowest step.
    pub min: i32,
    /// The highest step.
    pub max: i32,
    /// Faces are shown along the scale.
    pub emoji: bool,
    /// What single steps mean.
    pub annotations: BTreeMap<i32, String>,
}

impl Default for Rating {
    fn default() -> Self {
        Self { min: 1, max: 5, emoji: false, annotations: BTreeMap::new() }
    }
}

/// A number to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberEntry {
    /// How far one step goes in a control that has steps. No answer is judged by it.
    pub step: Option<Number>,
}

impl Question {
    /// A required question with nothing but its id, its prompt and its kind.
    pub fn new(id: impl Into<QuestionId>, prompt: impl Into<String>, kind: Kind) -> Self {
        Self {
            id: id.into(),
            key: None,
            section: None,
            parent: None,
            show_if: None,
            label: None,
            prompt: prompt.into(),
            detail: None,
            required: true,
            unchecked: false,
            placeholder: None,
            prefill: None,
            constraints: Vec::new(),
            kind,
        }
    }

    /// What the asker calls it.
    pub fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(self.id.as_str())
    }

    /// The name to call it by in lists and reviews: its label, or else what it asks.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.prompt)
    }

    /// What it lets pick from; nothing where it is of another kind.
    pub const fn choice(&self) -> Option<&Choice> {
        match &self.kind {
            Kind::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// Whether more than one line is to be typed.
    pub const fn is_long_text(&self) -> bool {
        matches!(&self.kind, Kind::Text(entry) if entry.long)
    }
}
