//! Reading of requests (the spec's `QuestionnaireParams`): one pass over the tree of questions, then assignment of ids.

use super::constraints;
use super::kept::Kept;
use super::shape::{Details, Entry, Item, Range, Request, ShowIf};
use super::{MAX_SELECT_LEAST, NO_LABEL, SCALE, YES_LABEL, rules, show_if};
use crate::judge::{self, Issue, Judge, Place};
use crate::loose::{self, List, Loose, Record, Words};
use crate::names;
use crate::told::{self, Told};
use crate::{Dialect, Read};
use sayso_core::message::Message;
use sayso_core::problem::Step;
use sayso_core::{
    Choice, Code, Condition, Confirm, Kind, Opt, Path, Problem, Question, Questionnaire, Rating, TextEntry,
    display, limits,
};
use serde_json::Number;
use std::collections::{BTreeMap, HashMap};

const _: () =
    assert!(limits::QUESTIONS <= List::<Item<'_>>::KEPT && limits::OPTIONS <= List::<Entry<'_>>::KEPT);

/// Types of question, in the spec's order.
const TYPES: [&str; 5] = ["select", "multiSelect", "text", "confirm", "rating"];

/// Reads a request (the spec's `QuestionnaireParams`). The following are warnings: constraints that never fail, a
/// `showIf` without a parent, one that never holds, an annotation of no step, and a costly pattern. The first hundred
/// are reported in full.
///
/// # Errors
/// Returns all problems of the request, each with its path in it.
pub fn read(text: &str) -> Result<Read, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(Code::MissingRequest, Message::RequestEmpty)]);
    }
    let request = loose::read::<Request<'_>>(text).map_err(|problem| vec![problem])?;
    let mut reading = Reading {
        judge: Judge::new(judge::plain),
        names: names::Seen::default(),
        drafts: Vec::new(),
        warnings: Told::default(),
    };
    reading.request(request);
    let Reading { judge, mut drafts, mut warnings, .. } = reading;
    judge.verdict()?;
    let origins: Vec<_> = drafts.iter_mut().map(|draft| std::mem::take(&mut draft.origins)).collect();
    let questionnaire = with_ids(drafts, &mut warnings);
    let problems = questionnaire.problems();
    if !problems.is_empty() {
        return Err(as_written(&questionnaire, &origins, problems));
    }
    let costly = as_written(&questionnaire, &origins, questionnaire.costly_patterns());
    costly.into_iter().for_each(|warning| warnings.add(|| warning));
    Ok(Read { warnings: warnings.all(), ..Read::of(questionnaire) })
}

/// Question before ids are assigned: it and its options have the asker's names as ids.
struct Draft<'t> {
    question: Question,
    parent: Option<usize>,
    show_if: Option<Words<'t>>,
    origins: Vec<Option<usize>>,
}

/// Reader of a request.
struct Reading<'t> {
    judge: Judge,
    names: names::Seen<Words<'t>>,
    drafts: Vec<Draft<'t>>,
    warnings: Told,
}

impl<'t> Reading<'t> {
    fn request(&mut self, request: Loose<Request<'t>>) {
        let Some(request) = self.judge.expect(request, &Path::root) else { return };
        let place = || Path::root().then("questions");
        let items = self.judge.list(request.questions, (1, limits::QUESTIONS), &place);
        self.drafts.reserve(items.len());
        for (index, item) in items.into_iter().enumerate() {
            self.question(item, None, &|| place().then(index));
        }
    }

    fn question(&mut self, item: Loose<Item<'t>>, parent: Option<usize>, place: Place<'_>) {
        let Some(item) = self.judge.expect(item, place) else { return };
        let mut details = item.details.unwrap_or_default();
        let name = self.name(item.id, &|| place().then("id"));
        let label = self.judge.expect(item.label, &|| place().then("label")).unwrap_or_default();
        let prompt = self.judge.expect(item.prompt, &|| place().then("prompt")).unwrap_or_default();
        let mut most = None;
        let kind = self.judge.expect(item.kind, &|| place().then("type"));
        let kind = kind.and_then(|kind| self.kind(&kind, &mut details, &mut most, place));
        let placeholder = match &kind {
            Some(Kind::Text(_)) => self.judge.allow(details.placeholder, &|| place().then("placeholder")),
            _ => None,
        };
        let at = || place().then("constraints");
        let declared =
            constraints::read(&mut self.judge, &mut self.warnings, details.constraints, kind.as_ref(), &at);
        let declared = declared.after(most);
        let show_if = self.show_if(details.show_if, parent, &|| place().then("showIf"));
        let here = self.drafts.len();
        let kind = kind.unwrap_or(Kind::Text(TextEntry::default()));
        let question = Question {
            label: Some(label),
            placeholder,
            constraints: declared.constraints,
            ..Question::new(name, prompt, kind)
        };
        self.drafts.push(Draft { question, parent, show_if, origins: declared.origins });
        if matches!(details.children, Loose::Missing) {
            return;
        }
        let place = || place().then("children");
        let children = self.judge.list(details.children, (0, limits::QUESTIONS), &place);
        for (index, child) in children.into_iter().enumerate() {
            self.question(child, Some(here), &|| place().then(index));
        }
    }

    fn name(&mut self, id: Loose<Words<'t>>, place: Place<'_>) -> Words<'t> {
        let Some(name) = self.judge.expect(id, place) else { return Words::default() };
        if !self.names.is_new(name.clone()) {
            self.judge.note(Code::DuplicateId, Message::DuplicateId.with([display::line(&name)]), place);
        }
        name
    }

    fn show_if(
        &mut self,
        show_if: Loose<ShowIf<'t>>,
        parent: Option<usize>,
        place: Place<'_>,
    ) -> Option<Words<'t>> {
        let show_if = self.judge.allow(show_if, place)?;
        let value = self.judge.expect(show_if.value, &|| place().then("value"))?;
        if parent.is_none() {
            self.warnings.add(|| Problem::new(Code::BadCondition, Message::ShowIfAtTop).at(place()));
            return None;
        }
        Some(value)
    }

    /// Reads the kind of a question, and the maximum of picks that the question itself sets.
    fn kind(
        &mut self,
        name: &str,
        details: &mut Details<'t>,
        most: &mut Option<u32>,
        place: Place<'_>,
    ) -> Option<Kind> {
        let Self { judge, .. } = self;
        let at = |member: &'static str| move || place().then(member);
        Some(match name {
            "select" => {
                exactly(judge, std::mem::take(&mut details.max_select), 1, &at("maxSelect"));
                Kind::Choice(self.choice(details, false, &at("options")))
            }
            "multiSelect" => {
                let max_select = std::mem::take(&mut details.max_select);
                let own = constraints::at_least(judge, max_select, MAX_SELECT_LEAST, &at("maxSelect"));
                let choice = self.choice(details, true, &at("options"));
                let own = own?;
                if let Some(warning) = constraints::above_options(&choice, own) {
                    self.warnings.add(|| warning.at(at("maxSelect")()));
                }
                *most = constraints::demanded(&choice, own);
                Kind::Choice(choice)
            }
            "text" => {
                let long = judge.allow(std::mem::take(&mut details.multiline), &at("multiline"));
                Kind::Text(TextEntry { long: long.unwrap_or(false) })
            }
            "confirm" => Kind::Confirm(self.confirm(details, place)),
            "rating" => Kind::Rating(self.rating(details, place)),
            found => {
                judge.issue(&Issue::NoneOf { allowed: &TYPES, found }, &at("type"));
                return None;
            }
        })
    }

    /// Reads a confirmation. Default labels are sent like others, so a person sees them.
    fn confirm(&mut self, details: &mut Details<'t>, place: Place<'_>) -> Confirm {
        let at = |member: &'static str| move || place().then(member);
        let yes = self.judge.allow(std::mem::take(&mut details.yes_label), &at("yesLabel"));
        let no = self.judge.allow(std::mem::take(&mut details.no_label), &at("noLabel"));
        let confirm = Confirm {
            yes: Some(yes.unwrap_or_else(|| YES_LABEL.to_owned())),
            no: Some(no.unwrap_or_else(|| NO_LABEL.to_owned())),
        };
        for (is_yes, label) in confirm.turned_labels() {
            let member = if is_yes { "yesLabel" } else { "noLabel" };
            self.warnings.add(|| told::turned_label(is_yes, label).at(at(member)()));
        }
        confirm
    }

    fn choice(&mut self, details: &mut Details<'t>, multi: bool, place: Place<'_>) -> Choice {
        let bounds = (1, limits::OPTIONS);
        let entries = self.judge.list(std::mem::take(&mut details.options), bounds, place);
        let mut options = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let place = || place().then(index);
            let Some(entry) = self.judge.expect(entry, &place) else { continue };
            let value = self.judge.expect(entry.value, &|| place().then("value"));
            let label = self.judge.expect(entry.label, &|| place().then("label"));
            let description = self.judge.allow(entry.description, &|| place().then("description"));
            options
                .extend(value.zip(label).map(|(value, label)| Opt { description, ..Opt::new(value, label) }));
        }
        Choice { options, multi, other: true, ..Choice::default() }
    }

    fn rating(&mut self, details: &mut Details<'t>, place: Place<'_>) -> Rating {
        let judge = &mut self.judge;
        let (min, max) = SCALE;
        let at = || place().then("range");
        let range: Option<Range> = judge.expect(std::mem::take(&mut details.range), &at);
        if let Some(range) = range {
            exactly(judge, range.min, min, &|| at().then("min"));
            exactly(judge, range.max, max, &|| at().then("max"));
        }
        let emoji = judge.allow(std::mem::take(&mut details.show_emoji), &|| place().then("showEmoji"));
        let at = || place().then("annotations");
        let Record(notes) =
            judge.allow(std::mem::take(&mut details.annotations), &at).unwrap_or(Record(Vec::new()));
        let mut annotations = BTreeMap::new();
        for (step, note) in notes {
            let note = judge.expect(note, &|| at().then(step.as_ref()));
            // Any key is allowed; only keys that are steps are used.
            let named = step.parse::<i32>().ok().filter(|number| number.to_string() == step);
            if !named.is_some_and(|step| (min..=max).contains(&step)) {
                let said = || Message::NotAStep.with([told::name(&step)]);
                self.warnings.add(|| Problem::new(Code::InvalidValue, said()).at(at()));
            }
            annotations.extend(named.zip(note));
        }
        Rating { min, max, emoji: emoji.unwrap_or(false), annotations }
    }
}

/// Reads a required number that must have this value.
fn exactly(judge: &mut Judge, number: Loose<Number>, wanted: i32, place: Place<'_>) {
    if matches!(number, Loose::Missing) {
        judge.issue(&Issue::Missing { expected: "number" }, place);
    }
    if let Some(found) = judge.whole(number, place).filter(|found| *found != i64::from(wanted)) {
        let (wanted, found) = (wanted.to_string(), found.to_string());
        judge.issue(&Issue::NoneOf { allowed: &[&wanted], found: &found }, place);
    }
}

/// Builds the questionnaire from these drafts, with a warning for each `showIf` that never holds.
fn with_ids(drafts: Vec<Draft<'_>>, warnings: &mut Told) -> Questionnaire {
    let mut ids = names::ids(drafts.iter().map(|draft| draft.question.id.as_str()), 'q', 0, []);
    let compared = drafts.iter().filter_map(|draft| draft.parent.zip(draft.show_if.clone()));
    let mut compared: Vec<(usize, Words<'_>)> = compared.collect();
    compared.sort_by_key(|(parent, _)| *parent);
    let mut questions: Vec<Question> = Vec::with_capacity(drafts.len());
    let mut never = Vec::new();
    for draft in drafts {
        let mut question = draft.question;
        if let Some(id) = ids.of_next() {
            let name = std::mem::replace(&mut question.id, id.into());
            question.key = Some(name.to_string());
        }
        if let Kind::Choice(choice) = &mut question.kind {
            // No id equals a value that a `showIf` compares with.
            names::of_options(&mut choice.options, compared_with(&compared, questions.len()));
        }
        let parent = draft.parent.and_then(|at| Some((at, questions.get(at)?)));
        if let Some((parent_at, parent)) = parent {
            question.parent = Some(parent.id.clone());
            question.show_if = draft.show_if.map(|value| {
                show_if::condition(parent, &value).unwrap_or_else(|| {
                    never.push(Never { at: questions.len(), parent: parent_at, value: value.into_owned() });
                    Condition::never()
                })
            });
        }
        questions.push(question);
    }
    let questionnaire = Questionnaire { questions, rules: rules(), ..Questionnaire::default() };
    if never.is_empty() { questionnaire } else { with_never(questionnaire, never, warnings) }
}

/// A `showIf` that never holds: the indices of its question and of the parent, and its value.
struct Never {
    at: usize,
    parent: usize,
    value: String,
}

/// Warns of each of these, and stores their values with the questionnaire.
fn with_never(mut questionnaire: Questionnaire, never: Vec<Never>, warnings: &mut Told) -> Questionnaire {
    let places = questionnaire.places();
    let mut kept = Kept::default();
    let mut impossible = HashMap::new();
    for Never { at, parent: place, value } in never {
        let questions = &questionnaire.questions;
        let Some((question, parent)) = questions.get(at).zip(questions.get(place)) else { continue };
        warnings.add(|| {
            let names = [told::name(parent.key()), told::name(&value)];
            let place = places.get(at).cloned().unwrap_or_default().then("showIf").then("value");
            Problem::new(Code::BadCondition, Message::ShowIfNeverHolds.with(names)).at(place)
        });
        if value != *impossible.entry(place).or_insert_with(|| show_if::impossible(parent)) {
            kept.keep(&question.id, value);
        }
    }
    let kept = kept.as_json().map(|kept| (Dialect::Questionnaire.name().to_owned(), kept));
    questionnaire.beside.extend(kept);
    questionnaire
}

/// Returns the values that are compared with the answer to the question at this index; they are adjacent.
fn compared_with<'c>(compared: &'c [(usize, Words<'_>)], at: usize) -> impl Iterator<Item = &'c str> {
    let first = compared.partition_point(|(parent, _)| *parent < at);
    let values = compared.iter().skip(first).take_while(move |(parent, _)| *parent == at);
    values.map(|(_, value)| value.as_ref())
}

/// Translates the paths of problems in the questionnaire to paths in the request. Questions are nested as in the
/// canonical form; their members have other names.
fn as_written(
    questionnaire: &Questionnaire,
    origins: &[Vec<Option<usize>>],
    problems: Vec<Problem>,
) -> Vec<Problem> {
    let places = questionnaire.places();
    let by_place: HashMap<String, &Vec<Option<usize>>> =
        places.iter().map(Path::pointer).zip(origins).collect();
    let moved = |problem: Problem| {
        let steps = problem.path.0.as_slice();
        let is_member =
            |step: &Step| matches!(step, Step::Key(name) if name == "constraints" || name == "show_if");
        let Some((question, rest)) =
            steps.iter().position(is_member).and_then(|at| steps.split_at_checked(at))
        else {
            return problem;
        };
        let question = Path(question.to_vec());
        let path = match rest {
            [Step::Key(name), ..] if name == "show_if" => question.then("showIf").then("value"),
            [_, Step::Index(at), _] => {
                let origins = by_place.get(&question.pointer());
                match origins.and_then(|origins| origins.get(*at).copied().flatten()) {
                    Some(origin) => question.then("constraints").then(origin).then("value"),
                    None => question.then("maxSelect"),
                }
            }
            _ => return problem,
        };
        problem.at(path)
    };
    problems.into_iter().map(moved).collect()
}
