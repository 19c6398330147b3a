//! Generations of the dialect, and the limits of a call.

use super::spec::OPTIONS_MIN;
use crate::auq::spec::NAME;
use sayso_core::{Questionnaire, limits};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Not;

/// Generation of the dialect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuqCompat {
    /// The spec's own generation.
    #[default]
    #[serde(rename = "spec")]
    Spec,
    /// The later generation, 3.4: results begin with a session line, calls have up to five questions and need not wait.
    #[serde(rename = "3.4")]
    V3_4,
}

impl AuqCompat {
    /// Every generation.
    pub const ALL: [Self; 2] = [Self::Spec, Self::V3_4];

    /// Returns its name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::V3_4 => "3.4",
        }
    }

    /// Returns the generation with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|compat| compat.name() == name)
    }

    /// Returns the generation that a questionnaire was asked in; the spec's own for one from another dialect.
    pub fn from_questionnaire(questionnaire: &Questionnaire) -> Self {
        AuqExtensions::from_questionnaire(questionnaire).map_or(Self::Spec, |kept| kept.compat)
    }
}

/// Limits of a request, with the generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuqLimits {
    compat: AuqCompat,
    questions: usize,
    options: usize,
}

impl Default for AuqLimits {
    fn default() -> Self {
        Self::spec()
    }
}

impl AuqLimits {
    /// Upper bound of the configurable limits on questions and options.
    pub const SETTABLE_MAX: usize = 10;

    /// Only our own limits, for requests that are not judged.
    pub const NONE: Self =
        Self { compat: AuqCompat::Spec, questions: limits::QUESTIONS, options: limits::OPTIONS };

    /// Returns the spec's limits: up to four questions of up to four options.
    pub const fn spec() -> Self {
        Self { compat: AuqCompat::Spec, questions: 4, options: 4 }
    }

    /// Returns the limits of 3.4: up to five questions of up to five options.
    pub const fn v3_4() -> Self {
        Self { compat: AuqCompat::V3_4, questions: 5, options: 5 }
    }

    /// Returns the default limits of a generation.
    pub const fn from_compat(compat: AuqCompat) -> Self {
        match compat {
            AuqCompat::Spec => Self::spec(),
            AuqCompat::V3_4 => Self::v3_4(),
        }
    }

    /// Sets the limits: 1 to 10 questions of 2 to 10 options; `None` outside these bounds.
    #[must_use]
    pub fn with_limits(self, questions: usize, options: usize) -> Option<Self> {
        let within = (1..=Self::SETTABLE_MAX).contains(&questions)
            && (OPTIONS_MIN..=Self::SETTABLE_MAX).contains(&options);
        within.then_some(Self { questions, options, ..self })
    }

    /// Returns the generation.
    pub const fn compat(self) -> AuqCompat {
        self.compat
    }

    /// Returns the limit on questions in a call.
    pub const fn questions(self) -> usize {
        self.questions
    }

    /// Returns the limit on options of a question.
    pub const fn options(self) -> usize {
        self.options
    }
}

/// Extensions stored with a questionnaire that was asked in 3.4. One asked in the spec's generation has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AuqExtensions {
    pub(super) compat: AuqCompat,
    /// The asker does not wait for the answer.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) non_blocking: bool,
}

impl AuqExtensions {
    /// Returns the extensions of a questionnaire, if they are exactly in the form that the reader stores.
    pub(super) fn from_questionnaire(questionnaire: &Questionnaire) -> Option<Self> {
        let value = questionnaire.extensions.get(NAME)?;
        let kept = Self::deserialize(value).ok().filter(|kept| kept.compat != AuqCompat::Spec)?;
        (kept.as_json() == *value).then_some(kept)
    }

    pub(super) fn as_json(self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
