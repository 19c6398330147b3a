//! Losses of a questionnaire that becomes a request of a less expressive dialect.
//!
//! A dialect declares its capabilities ([`DialectCapabilities`]); the losses are computed here for all of them. A
//! question that it cannot ask at all is left out, with its follow-ups.

pub(crate) mod names;
pub(crate) mod places;

use crate::{Dialect, TranslationLoss};
use sayso_core::rules::LengthUnit;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, Condition, Constraint, DocumentPath, ProposedAction, Question, QuestionId,
    QuestionKind, Questionnaire, Requirement, Rules, UncheckedAnswers,
};
use sayso_core::{LocalizedText, Message};
use std::borrow::Cow;
use std::collections::HashSet;

/// Support of a dialect for a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleSupport {
    /// The setting is always on.
    Always,
    /// The setting is always off.
    Never,
    /// The request chooses.
    Configurable,
}

/// Capabilities of a dialect.
pub(crate) struct DialectCapabilities {
    pub(crate) dialect: Dialect,
    /// A title, a context, sections, button labels, a completion message.
    pub(crate) title: bool,
    pub(crate) context: bool,
    pub(crate) action: fn(&Questionnaire, &ProposedAction) -> bool,
    pub(crate) sections: bool,
    pub(crate) section_conditions: bool,
    pub(crate) buttons: bool,
    pub(crate) completed: bool,
    /// Names that the asker gave to questions and options, instead of their numbers.
    pub(crate) question_ids: bool,
    pub(crate) option_values: bool,
    /// Follow-up questions, and the supported conditions for them.
    pub(crate) follow_ups: bool,
    pub(crate) condition: fn(&Questionnaire, &Question, &Condition) -> bool,
    pub(crate) label: bool,
    pub(crate) detail: bool,
    pub(crate) placeholder: fn(&Question) -> bool,
    pub(crate) prefill: bool,
    pub(crate) unchecked: bool,
    /// Required questions.
    pub(crate) required: RuleSupport,
    /// Own answers at choices, with a label and a position chosen by the asker.
    pub(crate) own_answer: RuleSupport,
    pub(crate) own_label: bool,
    pub(crate) own_place: bool,
    pub(crate) description: bool,
    /// A constraint at a question, with or without a message.
    pub(crate) constraint: fn(&Question, &Constraint) -> bool,
    /// Unsupported members of a question of this kind, each with its loss.
    pub(crate) kind: fn(&Question) -> Vec<(&'static str, Message)>,
    /// Its rules for answers.
    pub(crate) rules: Rules,
}

impl DialectCapabilities {
    /// Returns the capabilities of a dialect that only has choices with names and descriptions.
    pub(crate) fn choices_only(dialect: Dialect, required: RuleSupport, rules: Rules) -> Self {
        Self {
            dialect,
            title: false,
            context: false,
            action: |_, _| false,
            sections: false,
            section_conditions: false,
            buttons: false,
            completed: false,
            question_ids: false,
            option_values: false,
            follow_ups: false,
            condition: |_, _, _| false,
            label: true,
            detail: false,
            placeholder: |_| false,
            prefill: false,
            unchecked: false,
            required,
            own_answer: RuleSupport::Always,
            own_label: false,
            own_place: false,
            description: true,
            constraint: |_, _| false,
            kind: |_| Vec::new(),
            rules,
        }
    }

    /// Returns the questions that it can ask, up to this many, and all losses. `refuses` returns the reason that it
    /// cannot ask a question.
    pub(crate) fn translate<'q>(
        &self,
        questionnaire: &'q Questionnaire,
        untranslatable: &dyn Fn(&Question) -> Option<LocalizedText>,
        most: usize,
    ) -> (Vec<&'q Question>, Vec<TranslationLoss>) {
        let mut losses = LossCollector { can: self, questionnaire, lost: Vec::new() };
        losses.check_questionnaire();
        let mut kept = Vec::new();
        let mut left_out: HashSet<&QuestionId> = HashSet::new();
        for (question, place) in questionnaire.questions.iter().zip(questionnaire.question_paths()) {
            let why = match &question.parent {
                Some(parent) if left_out.contains(parent) => Some(Message::LostWithParent.into()),
                _ => untranslatable(question)
                    .or_else(|| (kept.len() == most).then(|| Message::LostBeyond.with([most]))),
            };
            if let Some(why) = why {
                left_out.insert(&question.id);
                losses.lost.push(TranslationLoss::new(place, why).replaced_by(Message::LeftOut));
                continue;
            }
            losses.check_question(kept.len(), question, &place);
            kept.push(question);
        }
        losses.check_rules(&kept);
        (kept, losses.lost)
    }
}

struct LossCollector<'l> {
    can: &'l DialectCapabilities,
    questionnaire: &'l Questionnaire,
    lost: Vec<TranslationLoss>,
}

impl LossCollector<'_> {
    fn record(&mut self, is_lost: bool, path: DocumentPath, what: Message) {
        self.record_with(is_lost, path, what, None);
    }

    fn record_with(&mut self, is_lost: bool, path: DocumentPath, what: Message, instead: Option<Message>) {
        if is_lost {
            self.lost.push(TranslationLoss {
                path,
                what: what.into(),
                replacement: instead.map(LocalizedText::from),
            });
        }
    }

    fn check_questionnaire(&mut self) {
        let (can, whole) = (self.can, self.questionnaire);
        let root = DocumentPath::root();
        self.record(whole.title.is_some() && !can.title, root.join("title"), Message::LostTitle);
        self.record(whole.context.is_some() && !can.context, root.join("context"), Message::LostContext);
        let action = whole.action.as_ref().is_some_and(|action| !(can.action)(whole, action));
        self.record(action, root.join("action"), Message::LostAction);
        self.record(whole.submit.is_some() && !can.buttons, root.join("submit"), Message::LostButton);
        self.record(whole.cancel.is_some() && !can.buttons, root.join("cancel"), Message::LostButton);
        self.record(
            whole.completed.is_some() && !can.completed,
            root.join("completed"),
            Message::LostCompleted,
        );
        for (index, section) in whole.sections.iter().enumerate() {
            let place = root.join("sections").join(index);
            if !can.sections {
                self.record(true, place, Message::LostSection);
            } else if !can.section_conditions {
                self.record(section.show_if.is_some(), place.join("show_if"), Message::LostCondition);
            }
        }
        let foreign = whole.extensions.keys().filter(|name| *name != can.dialect.name());
        self.lost.extend(foreign.map(|name| TranslationLoss::of_extensions(name)));
    }

    /// Records the losses of the question that is asked at this number.
    fn check_question(&mut self, number: usize, question: &Question, place: &DocumentPath) {
        let can = self.can;
        let at = |member: &str| place.join(member);
        let follows = question.parent.is_some() && !can.follow_ups;
        self.record_with(follows, place.clone(), Message::LostFollowUp, Some(Message::AlwaysAsked));
        let condition = question
            .show_if
            .as_ref()
            .filter(|condition| !(can.condition)(self.questionnaire, question, condition));
        let instead = (!follows).then_some(Message::AlwaysAsked);
        self.record_with(condition.is_some() && !follows, at("show_if"), Message::LostCondition, instead);
        self.record(question.label.is_some() && !can.label, at("label"), Message::LostLabel);
        self.record(question.detail.is_some() && !can.detail, at("detail"), Message::LostDetail);
        let placeholder = question.placeholder.is_some() && !(can.placeholder)(question);
        self.record(placeholder, at("placeholder"), Message::LostPlaceholder);
        self.record(question.prefill.is_some() && !can.prefill, at("prefill"), Message::LostPrefill);
        self.record(question.validates_on_submit && !can.unchecked, at("unchecked"), Message::LostUnchecked);
        match can.required {
            RuleSupport::Always => self.record(!question.required, at("required"), Message::LostOptional),
            RuleSupport::Never => self.record(question.required, at("required"), Message::LostRequired),
            RuleSupport::Configurable => {}
        }
        for (index, constraint) in question.constraints.iter().enumerate() {
            let is_lost = !(can.constraint)(question, constraint);
            self.record(is_lost, at("constraints").join(index), Message::LostConstraint);
        }
        for (member, what) in (can.kind)(question) {
            self.record(true, at(member), what);
        }
        let named = question.id.as_str() != format!("q{number}") || question.key.is_some();
        let named = named && !can.question_ids;
        self.record(named, at("id"), Message::LostId);
        if let QuestionKind::Choice(choice) = &question.kind {
            self.check_choice(choice, place);
        }
    }

    fn check_choice(&mut self, choice: &ChoiceQuestion, place: &DocumentPath) {
        let can = self.can;
        let at = |member: &str| place.join(member);
        match can.own_answer {
            RuleSupport::Always => {
                self.record_with(!choice.other, at("other"), Message::LostNoOwn, Some(Message::OwnOffered));
            }
            RuleSupport::Never => self.record(choice.other, at("other"), Message::LostOwn),
            RuleSupport::Configurable => {}
        }
        let offers_own = choice.other && can.own_answer != RuleSupport::Never;
        let label = offers_own && choice.other_label.is_some() && !can.own_label;
        self.record(label, at("other_label"), Message::LostOwnLabel);
        let moved =
            offers_own && choice.other_at.is_some_and(|at| at < choice.options.len()) && !can.own_place;
        self.record(moved, at("other_at"), Message::LostOwnPlace);
        for (index, option) in choice.options.iter().enumerate() {
            self.check_option(option, &at("options").join(index));
        }
        let is_named = |(index, option): (usize, &ChoiceOption)| {
            option.value.is_some() || option.id.as_str() != format!("o{}", index + 1)
        };
        let named = !can.option_values && choice.options.iter().enumerate().any(is_named);
        self.record(named, at("options"), Message::LostOptionIds);
    }

    fn check_option(&mut self, option: &ChoiceOption, place: &DocumentPath) {
        let can = self.can;
        let described = option.description.as_ref().is_some_and(|text| !text.is_empty());
        self.record(described && !can.description, place.join("description"), Message::LostDescription);
        self.record(option.preview.is_some(), place.join("preview"), Message::LostPreview);
        self.record(option.recommended, place.join("recommended"), Message::LostRecommended);
    }

    /// Records the rules that affect some answer.
    fn check_rules(&mut self, kept: &[&Question]) {
        let (ours, theirs) = (&self.questionnaire.rules, &self.can.rules);
        let any = |is: &dyn Fn(&Question) -> bool| kept.iter().any(|question| is(question));
        let choice = |is: fn(&ChoiceQuestion) -> bool| {
            any(&|question| matches!(&question.kind, QuestionKind::Choice(choice) if is(choice)))
        };
        let is_long =
            |demand: &Requirement| matches!(demand, Requirement::MinLength(_) | Requirement::MaxLength(_));
        let lengths =
            any(&|question| question.constraints.iter().flat_map(Constraint::requirements).any(is_long));
        let texts = any(&|question| matches!(question.kind, QuestionKind::Text(_)));
        let own = choice(|choice| choice.other);
        let confirms =
            any(&|question| question.required && matches!(question.kind, QuestionKind::Confirm(_)));
        let conditions = any(&|question| question.show_if.is_some());
        let differs = [
            ("length_unit", lengths && ours.length_unit != theirs.length_unit),
            ("trim_text", (texts || own) && ours.trim_text != theirs.trim_text),
            ("repeated_picks", choice(|choice| choice.multi) && ours.repeated_picks != theirs.repeated_picks),
            (
                "other_alone",
                choice(|choice| choice.multi && choice.other) && ours.other_alone != theirs.other_alone,
            ),
            ("empty_other", own && ours.empty_other != theirs.empty_other),
            ("own_answers_match", own && conditions && ours.own_answers_match != theirs.own_answers_match),
            ("must_be_true", confirms && ours.must_be_true != theirs.must_be_true),
            ("empty_picks", choice(|_| true) && ours.empty_picks != theirs.empty_picks),
            ("loose_single", choice(|choice| !choice.multi) && ours.loose_single != theirs.loose_single),
            ("blank_text", (texts || own) && ours.blank_text != theirs.blank_text),
            ("some_answer", any(&|question| !question.required) && ours.some_answer != theirs.some_answer),
            ("unjudged", ours.unjudged != theirs.unjudged),
            (
                "loose_dates",
                any(&|question| question.kind.is_date_or_time()) && ours.loose_dates != theirs.loose_dates,
            ),
            ("reserved", own && ours.reserved != theirs.reserved),
        ];
        let is_pattern = |demand: &Requirement| matches!(demand, Requirement::Pattern(_));
        let patterns =
            any(&|question| question.constraints.iter().flat_map(Constraint::requirements).any(is_pattern));
        if patterns && self.questionnaire.unchecked == UncheckedAnswers::Refuse {
            let path = DocumentPath::root().join("unchecked");
            self.lost.push(TranslationLoss::new(path, Message::LostRule.with(["unchecked"])));
        }
        for (rule, _) in differs.into_iter().filter(|(_, differs)| *differs) {
            let path = DocumentPath::root().join("rules").join(rule);
            self.lost.push(TranslationLoss::new(path, Message::LostRule.with([rule])));
        }
    }
}

/// Cuts a text to this length and records the loss.
pub(crate) fn truncate<'w>(
    words: &'w str,
    most: usize,
    unit: LengthUnit,
    place: &dyn Fn() -> DocumentPath,
    lost: &mut Vec<TranslationLoss>,
) -> Cow<'w, str> {
    if unit.count(words) <= most {
        return Cow::Borrowed(words);
    }
    let loss = TranslationLoss::new(place(), Message::LostLength.with([most]));
    lost.push(loss.replaced_by(Message::CutThere));
    let mut kept = String::new();
    let mut room = most.saturating_sub(1);
    for c in words.chars() {
        let length = unit.count(c.encode_utf8(&mut [0; 4]));
        if length > room {
            break;
        }
        room -= length;
        kept.push(c);
    }
    kept.push('…');
    Cow::Owned(kept)
}
