//! Which of its two generations the dialect speaks, and how much a call may ask.

use super::OPTIONS_MIN;
use crate::Dialect;
use sayso_core::{Questionnaire, limits};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Not;

/// The generation that is spoken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compat {
    /// The spec's own.
    #[default]
    #[serde(rename = "spec")]
    Spec,
    /// The later one, 3.4: a first line with the session, up to five questions, asking without waiting.
    #[serde(rename = "3.4")]
    V3_4,
}

impl Compat {
    /// Every generation.
    pub const ALL: [Self; 2] = [Self::Spec, Self::V3_4];

    /// Its name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::V3_4 => "3.4",
        }
    }

    /// The generation of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|compat| compat.name() == name)
    }

    /// The generation that a questionnaire was asked in; the spec's own for one that came in another dialect.
    pub fn of(questionnaire: &Questionnaire) -> Self {
        Kept::of(questionnaire).map_or(Self::Spec, |kept| kept.compat)
    }
}

/// The limits of a request, and the generation that is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuqLimits {
    compat: Compat,
    questions: usize,
    options: usize,
}

impl Default for AuqLimits {
    fn default() -> Self {
        Self::spec()
    }
}

impl AuqLimits {
    /// The most questions, and the most options, that may be allowed.
    pub const SETTABLE_MAX: usize = 10;

    /// None but our own, for where a request itself is not judged.
    pub const NONE: Self =
        Self { compat: Compat::Spec, questions: limits::QUESTIONS, options: limits::OPTIONS };

    /// The spec's: up to four questions of up to four options.
    pub const fn spec() -> Self {
        Self { compat: Compat::Spec, questions: 4, options: 4 }
    }

    /// Those of 3.4: up to five questions of up to five options.
    pub const fn v3_4() -> Self {
        Self { compat: Compat::V3_4, questions: 5, options: 5 }
    }

    /// The usual limits of a generation.
    pub const fn of(compat: Compat) -> Self {
        match compat {
            Compat::Spec => Self::spec(),
            Compat::V3_4 => Self::v3_4(),
        }
    }

    /// The same generation with up to so many questions, 1 to 10, of up to so many options, 2 to 10; `None` outside
    /// of these bounds.
    #[must_use]
    pub fn allowing(self, questions: usize, options: usize) -> Option<Self> {
        let within = (1..=Self::SETTABLE_MAX).contains(&questions)
            && (OPTIONS_MIN..=Self::SETTABLE_MAX).contains(&options);
        within.then_some(Self { questions, options, ..self })
    }

    /// The generation.
    pub const fn compat(self) -> Compat {
        self.compat
    }

    /// The most questions in a call.
    pub const fn questions(self) -> usize {
        self.questions
    }

    /// The most options of a question.
    pub const fn options(self) -> usize {
        self.options
    }
}

/// What stays beside a questionnaire that was asked in 3.4. One asked in the spec's own generation has nothing there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Kept {
    pub(super) compat: Compat,
    /// The asker does not wait for the answer.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) non_blocking: bool,
}

impl Kept {
    /// What stands beside a questionnaire, where it is exactly what the reader puts there.
    pub(super) fn of(questionnaire: &Questionnaire) -> Option<Self> {
        let value = questionnaire.beside.get(Dialect::Auq.name())?;
        let kept = Self::deserialize(value).ok().filter(|kept| kept.compat != Compat::Spec)?;
        (kept.as_json() == *value).then_some(kept)
    }

    pub(super) fn as_json(self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
