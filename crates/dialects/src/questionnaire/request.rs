//! Writing of requests: a questionnaire of any dialect as the spec's `QuestionnaireParams`.

use super::constraints::{self, MOST, Written};
use super::kept::Kept;
use super::{NO_LABEL, SCALE, YES_LABEL, rules, show_if};
use crate::names;
use crate::places::Places;
use crate::translate::{Can, Says, cut};
use crate::{Dialect, Lost, Translated};
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{Choice, Condition, Kind, Lang, Path, Question, QuestionId, Questionnaire, limits};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Longest label that is made from a prompt, in UTF-16 code units.
const MADE_LABEL_LENGTH: usize = 20;

#[derive(Serialize)]
struct Document<'q> {
    questions: Vec<Item<'q>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'q> {
    id: Cow<'q, str>,
    #[serde(rename = "type")]
    kind: &'static str,
    label: Cow<'q, str>,
    prompt: &'q str,
    #[serde(flatten)]
    details: Details<'q>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    show_if: Option<ShowIf>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Item<'q>>,
}

#[derive(Serialize)]
struct ShowIf {
    value: String,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Details<'q> {
    Choice {
        max_select: u32,
        options: Vec<Entry<'q>>,
    },
    Text {
        #[serde(skip_serializing_if = "Option::is_none")]
        placeholder: Option<&'q str>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        multiline: bool,
    },
    Confirm {
        #[serde(skip_serializing_if = "Option::is_none")]
        yes_label: Option<&'q str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        no_label: Option<&'q str>,
    },
    Rating {
        range: Range,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        show_emoji: bool,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        annotations: &'q BTreeMap<i32, String>,
    },
}

#[derive(Serialize)]
struct Range {
    min: i32,
    max: i32,
}

#[derive(Serialize)]
struct Entry<'q> {
    value: &'q str,
    label: &'q str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'q str>,
}

fn can() -> Can {
    Can {
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
                *condition == Condition::never() || show_if::value(parent, condition).is_some()
            })
        },
        label: true,
        detail: false,
        placeholder: |question| matches!(question.kind, Kind::Text(_)),
        prefill: false,
        unchecked: false,
        required: Says::Always,
        own_answer: Says::Always,
        own_label: false,
        own_place: false,
        description: true,
        // Losses of a constraint are reported when it is written.
        constraint: |_, _| true,
        kind: |_| Vec::new(),
        rules: rules(),
    }
}

/// Returns the reason that the spec cannot express a question.
fn refuses(question: &Question) -> Option<Text> {
    match &question.kind {
        Kind::Choice(choice) => {
            let count = choice.options.len();
            let bounds = [count, 1, limits::OPTIONS];
            (!(1..=limits::OPTIONS).contains(&count)).then(|| Message::LostOptionCount.with(bounds))
        }
        Kind::Rating(rating) => {
            ((rating.min, rating.max) != SCALE).then(|| Message::LostKind.with([question.kind.name()]))
        }
        Kind::Text(_) | Kind::Confirm(_) => None,
        Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime => {
            Some(Message::LostKind.with([question.kind.name()]))
        }
    }
}

/// Translates a questionnaire into a request: every question for which the spec has a type.
pub fn request(questionnaire: &Questionnaire) -> Translated {
    let (kept, lost) = can().translate(questionnaire, &refuses, limits::QUESTIONS);
    let at: HashMap<&QuestionId, usize> =
        kept.iter().enumerate().rev().map(|(at, question)| (&question.id, at)).collect();
    let parents: Vec<Option<usize>> = kept
        .iter()
        .enumerate()
        .map(|(here, question)| at.get(question.parent.as_ref()?).copied().filter(|parent| *parent < here))
        .collect();
    let mut writing = Writing { places: Places::of(questionnaire), lost };
    let names = writing.names(&kept);
    let mut compared: Vec<Vec<String>> = vec![Vec::new(); kept.len()];
    let mut values = Vec::with_capacity(kept.len());
    let mut never = Never { kept: Kept::of(questionnaire), used: Kept::default(), ours: HashMap::new() };
    for (question, parent) in kept.iter().zip(&parents) {
        let parent = parent.and_then(|at| Some((at, *kept.get(at)?)));
        let condition = question.show_if.as_ref();
        let value = parent.zip(condition).and_then(|((_, parent), wanted)| {
            if *wanted == Condition::never() {
                return Some(never.of(question, parent));
            }
            show_if::value(parent, wanted)
        });
        let of_parent = parent.and_then(|(at, _)| compared.get_mut(at));
        if let Some((of_parent, value)) = of_parent.zip(value.clone()) {
            of_parent.push(value);
        }
        values.push(value);
    }
    let mut items = Vec::with_capacity(kept.len());
    for (((question, name), value), compared) in kept.iter().zip(names).zip(values).zip(&compared) {
        let mut item = writing.item(question, name, compared);
        item.show_if = value.map(|value| ShowIf { value });
        items.push(item);
    }
    let name = Dialect::Questionnaire.name();
    if never.used.as_json().as_ref() != questionnaire.beside.get(name) {
        let path = Path::root().then("beside").then(name);
        writing.lost.push(Lost { path, what: Message::LostBeside.with([name]), instead: None });
    }
    let text = json::write(&Document { questions: tree(items, &parents) });
    Translated { text, lost: writing.lost }
}

/// Nests items in their parents, from the last to the first, so that each item has its children before it is moved.
fn tree<'q>(mut items: Vec<Item<'q>>, parents: &[Option<usize>]) -> Vec<Item<'q>> {
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
struct Never<'q> {
    kept: Kept,
    /// Values that the reader will store again.
    used: Kept,
    /// A value that no answer to a parent can have, computed once per parent.
    ours: HashMap<&'q QuestionId, String>,
}

impl<'q> Never<'q> {
    /// Returns the asker's own value if no answer can have it, or else a generated one.
    fn of(&mut self, question: &Question, parent: &'q Question) -> String {
        let impossible = self.ours.entry(&parent.id).or_insert_with(|| show_if::impossible(parent));
        let own = self.kept.value(&question.id).filter(|own| show_if::condition(parent, own).is_none());
        let Some(own) = own.filter(|own| own != impossible) else { return impossible.clone() };
        self.used.keep(&question.id, own.to_owned());
        own.to_owned()
    }
}

struct Writing<'q> {
    places: Places<'q>,
    lost: Vec<Lost>,
}

impl<'q> Writing<'q> {
    fn lose(
        &mut self,
        question: &Question,
        place: impl Fn(&Path) -> Path,
        what: Message,
        instead: Option<Text>,
    ) {
        let path = place(&self.places.of_question(question));
        self.lost.push(Lost { path, what: what.into(), instead });
    }

    /// Returns the names of questions: the asker's, or ids if those are not unique.
    fn names(&mut self, kept: &[&'q Question]) -> Vec<Cow<'q, str>> {
        let mut keys: HashMap<&str, usize> = HashMap::new();
        for question in kept {
            *keys.entry(question.key()).or_default() += 1;
        }
        let mut given: HashSet<Cow<'q, str>> = HashSet::new();
        let mut number = 0;
        let mut names = Vec::with_capacity(kept.len());
        for question in kept {
            let mut name = Cow::Borrowed(question.key());
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
        let mut ids = names::ids(names.iter().map(AsRef::as_ref), 'q', 0, []);
        for (question, name) in kept.iter().zip(&names) {
            let (id, key) = names::named(name.to_string(), ids.of_next());
            if question.id.as_str() != id || question.key != key {
                self.lose(question, |place| place.then("id"), Message::LostId, None);
            }
        }
        names
    }

    fn item(&mut self, question: &'q Question, id: Cow<'q, str>, compared: &[String]) -> Item<'q> {
        let label = match question.label.as_deref() {
            Some(label) => Cow::Borrowed(label),
            None => {
                let instead = Some(Message::PromptStands.into());
                self.lose(question, |place| place.then("label"), Message::LostNoName, instead);
                let unit = LengthUnit::Utf16;
                cut(&question.prompt, MADE_LABEL_LENGTH, unit, &Path::root, &mut Vec::new())
            }
        };
        let (details, is_max_select_first) = self.details(question, compared);
        let constraints = self.constraints(question, usize::from(is_max_select_first));
        Item {
            id,
            kind: constraints::type_name_of(&question.kind),
            label,
            prompt: &question.prompt,
            details,
            constraints,
            show_if: None,
            children: Vec::new(),
        }
    }

    fn details(&mut self, question: &'q Question, compared: &[String]) -> (Details<'q>, bool) {
        match &question.kind {
            Kind::Choice(choice) => {
                self.option_ids(question, choice, compared);
                let (max_select, is_first) =
                    if choice.multi { constraints::max_select(question, choice) } else { (1, false) };
                let entry = |option: &'q sayso_core::Opt| Entry {
                    value: option.sent(),
                    label: &option.label,
                    description: option.description.as_deref(),
                };
                (
                    Details::Choice { max_select, options: choice.options.iter().map(entry).collect() },
                    is_first,
                )
            }
            Kind::Confirm(confirm) => {
                let said =
                    |label: &'q Option<String>, usual: &str| label.as_deref().filter(|label| *label != usual);
                let (yes_label, no_label) = (said(&confirm.yes, YES_LABEL), said(&confirm.no, NO_LABEL));
                (Details::Confirm { yes_label, no_label }, false)
            }
            Kind::Rating(rating) => {
                let range = Range { min: rating.min, max: rating.max };
                let (show_emoji, annotations) = (rating.emoji, &rating.annotations);
                (Details::Rating { range, show_emoji, annotations }, false)
            }
            _ => {
                let (placeholder, multiline) = (question.placeholder.as_deref(), question.is_long_text());
                (Details::Text { placeholder, multiline }, false)
            }
        }
    }

    fn option_ids(&mut self, question: &Question, choice: &Choice, compared: &[String]) {
        let values = choice.options.iter().map(sayso_core::Opt::sent);
        let mut ids = names::ids(values, 'o', 1, compared.iter().map(String::as_str));
        for (index, option) in choice.options.iter().enumerate() {
            let (id, value) = names::named(option.sent().to_owned(), ids.of_next());
            if option.id.as_str() != id || option.value != value {
                let place = |place: &Path| place.then("options").then(index).then("id");
                self.lose(question, place, Message::LostId, None);
            }
        }
    }

    /// Returns the constraints after the first `after`. One without a message gets ours, since the spec requires one;
    /// several demands in one become several constraints.
    fn constraints(&mut self, question: &Question, after: usize) -> Vec<Written> {
        let mut all = Vec::new();
        for (index, constraint) in question.constraints.iter().enumerate().skip(after) {
            let words = |demand: &sayso_core::Demand| {
                constraint.message.as_deref().map_or_else(|| demand.words().render(Lang::En), str::to_owned)
            };
            let written = constraint
                .demands()
                .filter_map(|demand| constraints::written(question, demand, words(demand)));
            let mut written: Vec<_> = written.collect();
            written.truncate(MOST - all.len());
            let is_whole = written.len() == 1 && constraint.demands().count() == 1;
            if !is_whole || constraint.message.is_none() {
                let instead = written.first().map(|first| Text::Verbatim(first.message.clone()));
                let place = |place: &Path| place.then("constraints").then(index);
                self.lose(question, place, Message::LostConstraint, instead);
            }
            all.append(&mut written);
        }
        all
    }
}
