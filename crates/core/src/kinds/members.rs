//! Members of a question that only one kind has, under their names in our own format.

use super::KindName;
use crate::model::question::choice::ChoiceOption;
use crate::model::value::number::Number;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Members that only one kind has. Each kind fills in its own and reads its own; `wire` writes and reads them as JSON.
#[derive(Default)]
pub(crate) struct KindMembers<'q> {
    /// Options that were read. They are written from the question itself.
    pub(crate) options: Option<Vec<ChoiceOption>>,
    pub(crate) multi: bool,
    pub(crate) other: bool,
    pub(crate) other_label: Option<Cow<'q, str>>,
    pub(crate) other_at: Option<usize>,
    pub(crate) long: bool,
    pub(crate) yes: Option<Cow<'q, str>>,
    pub(crate) no: Option<Cow<'q, str>>,
    pub(crate) consent: Option<bool>,
    pub(crate) min: Option<i32>,
    pub(crate) max: Option<i32>,
    pub(crate) emoji: bool,
    pub(crate) annotations: Option<Cow<'q, BTreeMap<i32, String>>>,
    pub(crate) step: Option<Number>,
}

impl KindMembers<'_> {
    /// Returns the names of the members, the kind that has each, and true for those that are set.
    pub(crate) fn owners(&self) -> [(&'static str, KindName, bool); 14] {
        [
            ("options", KindName::Choice, self.options.is_some()),
            ("multi", KindName::Choice, self.multi),
            ("other", KindName::Choice, self.other),
            ("other_label", KindName::Choice, self.other_label.is_some()),
            ("other_at", KindName::Choice, self.other_at.is_some()),
            ("long", KindName::Text, self.long),
            ("yes", KindName::Confirm, self.yes.is_some()),
            ("no", KindName::Confirm, self.no.is_some()),
            ("consent", KindName::Confirm, self.consent.is_some()),
            ("min", KindName::Rating, self.min.is_some()),
            ("max", KindName::Rating, self.max.is_some()),
            ("emoji", KindName::Rating, self.emoji),
            ("annotations", KindName::Rating, self.annotations.is_some()),
            ("step", KindName::Number, self.step.is_some()),
        ]
    }
}
