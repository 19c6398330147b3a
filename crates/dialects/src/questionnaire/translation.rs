//! Writing of requests: a questionnaire of any dialect as the spec's `QuestionnaireParams`.

mod document;

use super::constraints::{self, MAX_CONSTRAINTS, QuestionnaireConstraintDocument};
use super::extensions::QuestionnaireExtensions;
use super::messages::{NO_LABEL, YES_LABEL};
use super::{SCALE, show_if, spec_rules};
use crate::translation::names;
use crate::translation::places::QuestionPlaces;
use crate::translation::{DialectCapabilities, RuleSupport, truncate};
use crate::{Dialect, TranslatedRequest, TranslationLoss};
use document::{
    QuestionnaireDetailsDocument, QuestionnaireItemDocument, QuestionnaireOptionDocument,
    QuestionnaireParamsDocument, QuestionnaireRangeDocument, QuestionnaireShowIfDocument,
};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{
    ChoiceQuestion, Condition, DocumentPath, Lang, Question, QuestionId, QuestionKind, Questionnaire, limits,
};
use sayso_core::{LocalizedText, Message};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Longest label that is made from a prompt, in UTF-16 code units.
const DERIVED_LABEL_LENGTH: usize = 20;

fn capabilities() -> DialectCapabilities {
    DialectCapabilities {
        dialect: Dialect::Questionnaire,
        title: false,
        context: false,
        action: |_, _| false,
        sections: false,
        section_conditions: false,
        buttons: false,
        completed: false,
        question_ids: true,
        option_values: true,
        follow_ups: true,
        condition: |questionnaire, question, condition| {
            let parent = question.parent.as_ref().and_then(|id| questionnaire.question(id));
            parent.is_some_and(|parent| {
                *condition == Condition::always_false()
                    || show_if::condition_value(parent, condition).is_some()
            })
        },
        label: true,
        detail: false,
        placeholder: |question| matches!(question.kind, QuestionKind::Text(_)),
        prefill: false,
        unchecked: false,
        required: RuleSupport::Always,
        own_answer: RuleSupport::Always,
        own_label: false,
        own_place: false,
        description: true,
        // Losses of a constraint are reported when it is written.
        constraint: |_, _| true,
        kind: |_| Vec::new(),
        rules: spec_rules(),
    }
}

/// Returns the reason that the spec cannot express a question.
fn refusal_reason(question: &Question) -> Option<LocalizedText> {
    match &question.kind {
        QuestionKind::Choice(choice) => {
            let count = choice.options.len();
            let bounds = [count, 1, limits::OPTIONS];
            (!(1..=limits::OPTIONS).contains(&count)).then(|| Message::LostOptionCount.with(bounds))
        }
        QuestionKind::Rating(rating) => {
            ((rating.min, rating.max) != SCALE).then(|| Message::LostKind.with([question.kind.name()]))
        }
        QuestionKind::Text(_) | QuestionKind::Confirm(_) => None,
        QuestionKind::Number(_) | QuestionKind::Date | QuestionKind::Time | QuestionKind::Datetime => {
            Some(Message::LostKind.with([question.kind.name()]))
        }
    }
}

/// Translates a questionnaire into a request: every question for which the spec has a type.
pub fn write_request(questionnaire: &Questionnaire) -> TranslatedRequest {
    let (kept, lost) = capabilities().translate(questionnaire, &refusal_reason, limits::QUESTIONS);
    let at: HashMap<&QuestionId, usize> =
        kept.iter().enumerate().rev().map(|(at, question)| (&question.id, at)).collect();
    let parents: Vec<Option<usize>> = kept
        .iter()
        .enumerate()
        .map(|(here, question)| at.get(question.parent.as_ref()?).copied().filter(|parent| *parent < here))
        .collect();
    let mut writing = QuestionnaireWriter { places: QuestionPlaces::from_questionnaire(questionnaire), lost };
    let names = writing.assign_names(&kept);
    let mut compared: Vec<Vec<String>> = vec![Vec::new(); kept.len()];
    let mut values = Vec::with_capacity(kept.len());
    let mut never = ImpossibleValues {
        stored: QuestionnaireExtensions::from_questionnaire(questionnaire),
        used: QuestionnaireExtensions::default(),
        generated: HashMap::new(),
    };
    for (question, parent) in kept.iter().zip(&parents) {
        let parent = parent.and_then(|at| Some((at, *kept.get(at)?)));
        let condition = question.show_if.as_ref();
        let value = parent.zip(condition).and_then(|((_, parent), wanted)| {
            if *wanted == Condition::always_false() {
                return Some(never.value_for(question, parent));
            }
            show_if::condition_value(parent, wanted)
        });
        let of_parent = parent.and_then(|(at, _)| compared.get_mut(at));
        if let Some((of_parent, value)) = of_parent.zip(value.clone()) {
            of_parent.push(value);
        }
        values.push(value);
    }
    let mut items = Vec::with_capacity(kept.len());
    for (((question, name), value), compared) in kept.iter().zip(names).zip(values).zip(&compared) {
        let mut item = writing.write_item(question, name, compared);
        item.show_if = value.map(|value| QuestionnaireShowIfDocument { value });
        items.push(item);
    }
    let name = Dialect::Questionnaire.name();
    if never.used.to_json().as_ref() != questionnaire.extensions.get(name) {
        writing.lost.push(TranslationLoss::of_extensions(name));
    }
    let text = json::write(&QuestionnaireParamsDocument { questions: nest_items(items, &parents) });
    TranslatedRequest { text, lost: writing.lost }
}

/// Nests items in their parents, from the last to the first, so that each item has its children before it is moved.
fn nest_items<'q>(
    mut items: Vec<QuestionnaireItemDocument<'q>>,
    parents: &[Option<usize>],
) -> Vec<QuestionnaireItemDocument<'q>> {
    let mut top = Vec::new();
    for parent in parents.iter().rev() {
        let Some(mut item) = items.pop() else { break };
        item.children.reverse();
        match parent.and_then(|parent| items.get_mut(parent)) {
            Some(parent) => parent.children.push(item),
            None => top.push(item),
        }
    }
    top.reverse();
    top
}

/// Values of conditions that never hold.
struct ImpossibleValues<'q> {
    stored: QuestionnaireExtensions,
    /// Values that the reader will store again.
    used: QuestionnaireExtensions,
    /// A value that no answer to a parent can have, computed once per parent.
    generated: HashMap<&'q QuestionId, String>,
}

impl<'q> ImpossibleValues<'q> {
    /// Returns the asker's own value if no answer can have it, or else a generated one.
    fn value_for(&mut self, question: &Question, parent: &'q Question) -> String {
        let impossible =
            self.generated.entry(&parent.id).or_insert_with(|| show_if::impossible_value(parent));
        let own = self
            .stored
            .never_value(&question.id)
            .filter(|own| show_if::parse_condition(parent, own).is_none());
        let Some(own) = own.filter(|own| own != impossible) else { return impossible.clone() };
        self.used.store_never(&question.id, own.to_owned());
        own.to_owned()
    }
}

struct QuestionnaireWriter<'q> {
    places: QuestionPlaces<'q>,
    lost: Vec<TranslationLoss>,
}

impl<'q> QuestionnaireWriter<'q> {
    fn report_loss(
        &mut self,
        question: &Question,
        place: impl Fn(&DocumentPath) -> DocumentPath,
        what: Message,
        instead: Option<LocalizedText>,
    ) {
        let path = place(&self.places.place(question));
        self.lost.push(TranslationLoss { path, what: what.into(), replacement: instead });
    }

    /// Returns the names of questions: the asker's, or ids if those are not unique.
    fn assign_names(&mut self, kept: &[&'q Question]) -> Vec<Cow<'q, str>> {
        let mut keys: HashMap<&str, usize> = HashMap::new();
        for question in kept {
            *keys.entry(question.asker_key()).or_default() += 1;
        }
        let mut given: HashSet<Cow<'q, str>> = HashSet::new();
        let mut number = 0;
        let mut names = Vec::with_capacity(kept.len());
        for question in kept {
            let mut name = Cow::Borrowed(question.asker_key());
            if !given.insert(name.clone()) {
                name = Cow::Borrowed(question.id.as_str());
                while keys.contains_key(&*name) || given.contains(&*name) {
                    name = Cow::Owned(format!("q{number}"));
                    number += 1;
                }
                given.insert(name.clone());
            }
            names.push(name);
        }
        let mut ids = names::assign_ids(names.iter().map(AsRef::as_ref), 'q', 0, []);
        for (question, name) in kept.iter().zip(&names) {
            let (id, key) = names::id_and_name(name.to_string(), ids.next_id());
            if question.id.as_str() != id || question.key != key {
                self.report_loss(question, |place| place.join("id"), Message::LostId, None);
            }
        }
        names
    }

    fn write_item(
        &mut self,
        question: &'q Question,
        id: Cow<'q, str>,
        compared: &[String],
    ) -> QuestionnaireItemDocument<'q> {
        let label = match question.label.as_deref() {
            Some(label) => Cow::Borrowed(label),
            None => {
                let instead = Some(Message::PromptStands.into());
                self.report_loss(question, |place| place.join("label"), Message::LostNoName, instead);
                let unit = LengthUnit::Utf16;
                truncate(&question.prompt, DERIVED_LABEL_LENGTH, unit, &DocumentPath::root, &mut Vec::new())
            }
        };
        let (details, is_max_select_first) = self.write_details(question, compared);
        let constraints = self.write_constraints(question, usize::from(is_max_select_first));
        QuestionnaireItemDocument {
            id,
            kind: constraints::question_type(&question.kind),
            label,
            prompt: &question.prompt,
            details,
            constraints,
            show_if: None,
            children: Vec::new(),
        }
    }

    fn write_details(
        &mut self,
        question: &'q Question,
        compared: &[String],
    ) -> (QuestionnaireDetailsDocument<'q>, bool) {
        match &question.kind {
            QuestionKind::Choice(choice) => {
                self.check_option_ids(question, choice, compared);
                let (max_select, is_first) =
                    if choice.multi { constraints::max_select(question, choice) } else { (1, false) };
                let entry = |option: &'q sayso_core::ChoiceOption| QuestionnaireOptionDocument {
                    value: option.sent_value(),
                    label: &option.label,
                    description: option.description.as_deref(),
                };
                (
                    QuestionnaireDetailsDocument::Choice {
                        max_select,
                        options: choice.options.iter().map(entry).collect(),
                    },
                    is_first,
                )
            }
            QuestionKind::Confirm(confirm) => {
                let text =
                    |label: &'q Option<String>, usual: &str| label.as_deref().filter(|label| *label != usual);
                let (yes_label, no_label) = (text(&confirm.yes, YES_LABEL), text(&confirm.no, NO_LABEL));
                (QuestionnaireDetailsDocument::Confirm { yes_label, no_label }, false)
            }
            QuestionKind::Rating(rating) => {
                let range = QuestionnaireRangeDocument { min: rating.min, max: rating.max };
                let (show_emoji, annotations) = (rating.emoji, &rating.annotations);
                (QuestionnaireDetailsDocument::Rating { range, show_emoji, annotations }, false)
            }
            _ => {
                let (placeholder, multiline) = (question.placeholder.as_deref(), question.is_long_text());
                (QuestionnaireDetailsDocument::Text { placeholder, multiline }, false)
            }
        }
    }

    fn check_option_ids(&mut self, question: &Question, choice: &ChoiceQuestion, compared: &[String]) {
        let values = choice.options.iter().map(sayso_core::ChoiceOption::sent_value);
        let mut ids = names::assign_ids(values, 'o', 1, compared.iter().map(String::as_str));
        for (index, option) in choice.options.iter().enumerate() {
            let (id, value) = names::id_and_name(option.sent_value().to_owned(), ids.next_id());
            if option.id.as_str() != id || option.value != value {
                let place = |place: &DocumentPath| place.join("options").join(index).join("id");
                self.report_loss(question, place, Message::LostId, None);
            }
        }
    }

    /// Returns the constraints after the first `after`. One without a message gets ours, since the spec requires one;
    /// several demands in one become several constraints.
    fn write_constraints(
        &mut self,
        question: &Question,
        after: usize,
    ) -> Vec<QuestionnaireConstraintDocument> {
        let mut all = Vec::new();
        for (index, constraint) in question.constraints.iter().enumerate().skip(after) {
            let words = |demand: &sayso_core::Requirement| {
                constraint
                    .message
                    .as_deref()
                    .map_or_else(|| demand.default_message().render(Lang::En), str::to_owned)
            };
            let written = constraint
                .requirements()
                .filter_map(|demand| constraints::constraint_document(question, demand, words(demand)));
            let mut written: Vec<_> = written.collect();
            written.truncate(MAX_CONSTRAINTS - all.len());
            let is_whole = written.len() == 1 && constraint.requirements().count() == 1;
            if !is_whole || constraint.message.is_none() {
                let instead = written.first().map(|first| LocalizedText::Verbatim(first.message.clone()));
                let place = |place: &DocumentPath| place.join("constraints").join(index);
                self.report_loss(question, place, Message::LostConstraint, instead);
            }
            all.append(&mut written);
        }
        all
    }
}
