//! A question as JSON, with its follow-up questions inside it.

use super::text::WireText;
use super::{condition, constraint, option};
use crate::i18n::Message;
use crate::kinds::KindName;
use crate::kinds::members::KindMembers;
use crate::model::answer::Answer;
use crate::model::document_path::DocumentPath;
use crate::model::id::{QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::question::kind::QuestionKind;
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
    kind: Option<KindName>,
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
    options: Option<Vec<option::OptionEntry<'q>>>,
    /// For a choice: several may be picked.
    #[serde(default, skip_serializing_if = "is_false")]
    multi: bool,
    /// For a choice: a typed own answer is offered after the options.
    #[serde(default, skip_serializing_if = "is_false")]
    other: bool,
    /// For a choice: label of the own answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_label: Option<WireText<'q>>,
    /// For a choice: number of options above the own answer; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_at: Option<usize>,
    /// For a text: more than one line is expected.
    #[serde(default, skip_serializing_if = "is_false")]
    long: bool,
    /// For a confirmation: label of yes, quoted after our own yes. It must not mean no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    yes: Option<WireText<'q>>,
    /// For a confirmation: label of no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    no: Option<WireText<'q>>,
    /// For a confirmation: true if yes is consent, false if it is an ordinary value. Without it: consent if there is an
    /// action, or if nothing else is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    consent: Option<bool>,
    /// For a rating: the lowest step; 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<i32>,
    /// For a rating: the highest step; 5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<i32>,
    /// For a rating: faces are shown along the scale.
    #[serde(default, skip_serializing_if = "is_false")]
    emoji: bool,
    /// For a rating: labels of single steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    annotations: Option<Cow<'q, BTreeMap<i32, String>>>,
    /// For a number: step of the control. Answers are not checked against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    step: Option<Number>,
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
    let kind = question.kind.behavior();
    let mut members = KindMembers::default();
    kind.write(&mut members);
    let options = question.choice().map(|choice| choice.options.iter().map(option::option_entry).collect());
    let show_if = question.show_if.as_ref().map(condition::ConditionEntry::from_condition);
    QuestionEntry {
        id: Some(question.id.as_str().into()),
        key: WireText::from_option(question.key.as_ref()),
        kind: Some(kind.kind_name()),
        label: WireText::from_option(question.label.as_ref()),
        prompt: question.prompt.as_str().into(),
        detail: WireText::from_option(question.detail.as_ref()),
        required: question.required,
        unchecked: question.validates_on_submit,
        options,
        multi: members.multi,
        other: members.other,
        other_label: members.other_label.map(WireText::from),
        other_at: members.other_at,
        long: members.long,
        yes: members.yes.map(WireText::from),
        no: members.no.map(WireText::from),
        consent: members.consent,
        min: members.min,
        max: members.max,
        emoji: members.emoji,
        annotations: members.annotations,
        step: members.step,
        placeholder: WireText::from_option(question.placeholder.as_ref()),
        prefill: question.prefill.as_ref().map(Cow::Borrowed),
        constraints: question.constraints.iter().map(constraint::ConstraintEntry::from_constraint).collect(),
        show_if: show_if.map(Box::new),
        children: Vec::new(),
    }
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
        let mut show_if = None;
        if let Some(condition) = self.show_if.take() {
            let place = || (placed.place)().join("show_if");
            show_if = Some(condition.into_condition(placed.parent, &place, problems));
        }
        let question = Question {
            id: match self.id {
                Some(id) => QuestionId::new(id),
                None => QuestionId::numbered('q', placed.number),
            },
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
        let default_name = if self.options.is_some() { KindName::Choice } else { KindName::Text };
        let name = self.kind.unwrap_or(default_name);
        let mut members = self.take_kind_members();
        let owners = members.owners();
        let kind = name.take_from(&mut members);
        for (member, owner, is_set) in owners {
            // Most likely another kind was meant.
            if is_set && owner != name {
                let message = Message::MemberDoesNotSuit.with([member, kind.name()]);
                let hint = aliases::constraint(member, &kind);
                let place = (placed.place)().join(member);
                problems.push(Problem { hint, ..Problem::new(ProblemCode::InvalidValue, message).at(place) });
            }
        }
        kind
    }

    fn take_kind_members(&mut self) -> KindMembers<'q> {
        let mut options = None;
        if let Some(entries) = self.options.take() {
            options =
                Some(entries.into_iter().enumerate().map(|(at, entry)| entry.into_option(at)).collect());
        }
        KindMembers {
            options,
            multi: self.multi,
            other: self.other,
            other_label: self.other_label.take().map(WireText::into_cow),
            other_at: self.other_at,
            long: self.long,
            yes: self.yes.take().map(WireText::into_cow),
            no: self.no.take().map(WireText::into_cow),
            consent: self.consent,
            min: self.min,
            max: self.max,
            emoji: self.emoji,
            annotations: self.annotations.take(),
            step: self.step,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn schema_and_kind_members_agree() {
        let schema = schemars::schema_for!(QuestionEntry<'static>);
        let mut described = Vec::new();
        for (name, member) in schema.get("properties").unwrap().as_object().unwrap() {
            let description = member["description"].as_str().unwrap();
            if let Some(rest) = description.strip_prefix("For a ") {
                let (owner, _) = rest.split_once(':').unwrap();
                let kind = if owner == "confirmation" { "confirm" } else { owner };
                described.push((name.as_str(), Value::from(kind)));
            }
        }
        let mut members = Vec::new();
        for (name, owner, _) in KindMembers::default().owners() {
            members.push((name, serde_json::to_value(owner).unwrap()));
        }
        assert_eq!(members, described);
    }
}
