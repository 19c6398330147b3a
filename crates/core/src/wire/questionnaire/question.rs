//! A question as JSON, with its follow-up questions inside it.

use super::text::WireText;
use super::{condition, constraint, option};
use crate::i18n::Message;
use crate::kinds::{Answer, KindName, QuestionKind};
use crate::model::document_path::DocumentPath;
use crate::model::id::{QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::value::number::Number;
use crate::problem::{Problem, ProblemCode};
use crate::wire::hints::aliases;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Boxed entries: they have many members, most of them unset, and are not moved after reading.
pub(super) type Entries<'q> = Vec<Box<QuestionEntry<'q>>>;

/// One question.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Question")]
pub(crate) struct QuestionEntry<'q> {
    /// Identifies it; numbered where it is left out.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    id: Option<WireText<'q>>,
    /// Your own name for it, if that is not its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<WireText<'q>>,
    /// Kind of answer. Without it: a choice if there are options, else a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<KindName>,
    /// A short name for tabs and lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<WireText<'q>>,
    /// Question to the person. May be Markdown.
    #[schemars(length(min = 1))]
    prompt: WireText<'q>,
    /// More about it, shown under the prompt. May be Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<WireText<'q>>,
    /// It must be answered before the answers can be sent.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    required: bool,
    /// Any answer of its kind is taken while it is typed; what is sent is judged all the same.
    #[serde(default, skip_serializing_if = "is_false")]
    unchecked: bool,
    /// For a choice: the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub(crate) options: Option<Vec<option::OptionEntry<'q>>>,
    /// For a choice: several may be picked.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) multi: bool,
    /// For a choice: a typed own answer is offered after the options.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) other: bool,
    /// For a choice: label of the own answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) other_label: Option<WireText<'q>>,
    /// For a choice: number of options above the own answer; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) other_at: Option<usize>,
    /// For a text: more than one line is expected.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) long: bool,
    /// For a confirmation: label of yes, quoted after our own yes. It must not mean no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) yes: Option<WireText<'q>>,
    /// For a confirmation: label of no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) no: Option<WireText<'q>>,
    /// For a confirmation: true if yes is consent, false if it is an ordinary value. Without it: consent if there is an
    /// action, or if nothing else is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) consent: Option<bool>,
    /// For a rating: the lowest step; 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) min: Option<i32>,
    /// For a rating: the highest step; 5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max: Option<i32>,
    /// For a rating: faces are shown along the scale.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) emoji: bool,
    /// For a rating: labels of single steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<Cow<'q, BTreeMap<i32, String>>>,
    /// For a number: step of the control. Answers are not checked against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) step: Option<Number>,
    /// An example of what to type, shown and never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    placeholder: Option<WireText<'q>>,
    /// The answer to fill in at first, in the form of an outcome's answers. Consent takes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prefill: Option<Cow<'q, Answer>>,
    /// Constraints on the answer, checked in this order; the first that fails is reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<constraint::ConstraintEntry>,
    /// Condition under which it is asked; without it always, and a follow-up question once its parent has an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    show_if: Option<Box<condition::ConditionEntry<'q>>>,
    /// Questions that follow it up, each asked right after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Entries<'q>,
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_true(value: &bool) -> bool {
    *value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) const fn is_false(value: &bool) -> bool {
    !*value
}

/// Returns the entry of a question, without its follow-ups.
pub(super) fn question_entry(question: &Question) -> QuestionEntry<'_> {
    let mut entry = QuestionEntry {
        id: Some(question.id.as_str().into()),
        key: WireText::from_option(question.key.as_ref()),
        kind: None,
        label: WireText::from_option(question.label.as_ref()),
        prompt: question.prompt.as_str().into(),
        detail: WireText::from_option(question.detail.as_ref()),
        required: question.required,
        unchecked: question.validates_on_submit,
        options: None,
        multi: false,
        other: false,
        other_label: None,
        other_at: None,
        long: false,
        yes: None,
        no: None,
        consent: None,
        min: None,
        max: None,
        emoji: false,
        annotations: None,
        step: None,
        placeholder: WireText::from_option(question.placeholder.as_ref()),
        prefill: question.prefill.as_ref().map(Cow::Borrowed),
        constraints: question.constraints.iter().map(constraint::ConstraintEntry::from_constraint).collect(),
        show_if: question
            .show_if
            .as_ref()
            .map(|condition| Box::new(condition::ConditionEntry::from_condition(condition))),
        children: Vec::new(),
    };
    question.kind.behavior().write(&mut entry);
    entry
}

/// Position of a question in the questionnaire.
pub(super) struct QuestionPosition<'s> {
    /// Its number among all, from 0; the default id.
    pub(super) number: usize,
    pub(super) section: Option<&'s SectionId>,
    pub(super) parent: Option<&'s QuestionId>,
    pub(super) place: &'s dyn Fn() -> DocumentPath,
}

impl<'q> QuestionEntry<'q> {
    /// Builds the question, and returns the entries of its follow-ups.
    pub(super) fn into_question(
        mut self: Box<Self>,
        placed: &QuestionPosition<'_>,
        problems: &mut Vec<Problem>,
    ) -> (Question, Entries<'q>) {
        let kind = self.kind(placed, problems);
        let mut constraints = Vec::with_capacity(self.constraints.len());
        for (index, entry) in self.constraints.drain(..).enumerate() {
            let place = || (placed.place)().join("constraints").join(index);
            constraints.push(entry.into_constraint(&place, problems));
        }
        let place = || (placed.place)().join("show_if");
        let show_if = self.show_if.take().map(|entry| entry.into_condition(placed.parent, &place, problems));
        let question = Question {
            id: self.id.map_or_else(|| QuestionId::numbered('q', placed.number), QuestionId::new),
            key: self.key.map(WireText::into_owned),
            section: placed.section.cloned(),
            parent: placed.parent.cloned(),
            show_if,
            label: self.label.map(WireText::into_owned),
            prompt: self.prompt.into_owned(),
            detail: self.detail.map(WireText::into_owned),
            required: self.required,
            validates_on_submit: self.unchecked,
            placeholder: self.placeholder.map(WireText::into_owned),
            prefill: self.prefill.map(Cow::into_owned),
            constraints,
            kind,
        };
        (question, self.children)
    }

    fn kind(&mut self, placed: &QuestionPosition<'_>, problems: &mut Vec<Problem>) -> QuestionKind {
        let usual = if self.options.is_some() { KindName::Choice } else { KindName::Text };
        let kind = self.kind.unwrap_or(usual).take_from(self);
        // Members that the kind does not use: most likely another kind was meant.
        let left = [
            ("options", self.options.is_some()),
            ("multi", self.multi),
            ("other", self.other),
            ("other_label", self.other_label.is_some()),
            ("other_at", self.other_at.is_some()),
            ("long", self.long),
            ("yes", self.yes.is_some()),
            ("no", self.no.is_some()),
            ("consent", self.consent.is_some()),
            ("min", self.min.is_some()),
            ("max", self.max.is_some()),
            ("emoji", self.emoji),
            ("annotations", self.annotations.is_some()),
            ("step", self.step.is_some()),
        ];
        for (member, _) in left.into_iter().filter(|(_, is_left)| *is_left) {
            let message = Message::MemberDoesNotSuit.with([member, kind.name()]);
            let hint = aliases::constraint(member, &kind);
            let place = (placed.place)().join(member);
            problems.push(Problem { hint, ..Problem::new(ProblemCode::InvalidValue, message).at(place) });
        }
        kind
    }
}
