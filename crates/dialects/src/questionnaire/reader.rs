//! Reading of requests (the spec's `QuestionnaireParams`): one pass over the tree of questions, then assignment of ids.

pub(super) mod lenient_wire;
mod question_ids;
mod request_paths;

use super::constraints;
use super::messages::{NO_LABEL, YES_LABEL};
use super::spec::{MIN_MAX_SELECT, SCALE};
use crate::format::parsed_request::ParsedRequest;
use crate::format::problem_list::{self, ProblemList};
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording::{self, RequestIssue};
use crate::lenient::{self, CowText, Lenient, LenientList, LenientRecord};
use crate::names;
use lenient_wire::{
    QuestionnaireDetailsInput, QuestionnaireItemInput, QuestionnaireOptionInput, QuestionnaireRangeInput,
    QuestionnaireRequestInput, QuestionnaireShowIfInput,
};
use question_ids::{QuestionDraft, assign_ids};
use request_paths::to_request_paths;
use sayso_core::Message;
use sayso_core::i18n::foreign;
use sayso_core::wire::json::JsonSource;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, ConfirmQuestion, Problem, ProblemCode, Question, QuestionInput,
    QuestionKind, RatingQuestion, TextQuestion, limits,
};
use serde_json::Number;
use std::collections::BTreeMap;

const _: () = assert!(
    limits::QUESTIONS <= LenientList::<QuestionnaireItemInput<'_>>::MAX_KEPT
        && limits::OPTIONS <= LenientList::<QuestionnaireOptionInput<'_>>::MAX_KEPT
);

/// Types of question, in the spec's order.
const QUESTION_TYPES: [&str; 5] = ["select", "multiSelect", "text", "confirm", "rating"];

/// Reads a request (the spec's `QuestionnaireParams`). The following are warnings: constraints that never fail, a
/// `showIf` without a parent, one that never holds, an annotation of no step, and a costly pattern. The first hundred
/// are reported in full.
///
/// # Errors
/// Returns all problems of the request, each with its path in it.
pub(crate) fn read<'t>(json: impl Into<JsonSource<'t>>) -> Result<ParsedRequest, Vec<Problem>> {
    let request = lenient::read_request::<QuestionnaireRequestInput<'_>>(json)?;
    let mut reading = QuestionnaireReader {
        judge: RequestValidator::new(wording::own_wording),
        names: names::SeenNames::default(),
        drafts: Vec::new(),
        warnings: ProblemList::default(),
    };
    reading.read_request(request);
    let QuestionnaireReader { judge, mut drafts, mut warnings, .. } = reading;
    judge.finish()?;
    let mut origins = Vec::with_capacity(drafts.len());
    for draft in &mut drafts {
        origins.push(std::mem::take(&mut draft.origins));
    }
    let questionnaire = assign_ids(drafts, &mut warnings);
    let problems = questionnaire.problems();
    if !problems.is_empty() {
        return Err(to_request_paths(&questionnaire, &origins, problems));
    }
    for warning in to_request_paths(&questionnaire, &origins, questionnaire.costly_patterns()) {
        warnings.add(|| warning);
    }
    Ok(ParsedRequest {
        warnings: warnings.into_problems(),
        ..ParsedRequest::from_questionnaire(questionnaire)
    })
}

/// Reader of a request.
struct QuestionnaireReader<'t> {
    judge: RequestValidator,
    names: names::SeenNames<CowText<'t>>,
    drafts: Vec<QuestionDraft<'t>>,
    warnings: ProblemList,
}

impl<'t> QuestionnaireReader<'t> {
    fn read_request(&mut self, request: Lenient<QuestionnaireRequestInput<'t>>) {
        let Some(request) = self.judge.required(request, LazyPlace::Root) else { return };
        let place = LazyPlace::Root.member("questions");
        let items = self.judge.required_list(request.questions, (1, limits::QUESTIONS), place);
        self.drafts.reserve(items.len());
        for (index, item) in items.into_iter().enumerate() {
            self.read_question(item, None, place.element(index));
        }
    }

    fn read_question(
        &mut self,
        item: Lenient<QuestionnaireItemInput<'t>>,
        parent: Option<usize>,
        place: LazyPlace<'_>,
    ) {
        let Some(item) = self.judge.required(item, place) else { return };
        let mut details = item.details.unwrap_or_default();
        let name = self.read_name(item.id, place.member("id"));
        let label = self.judge.required(item.label, place.member("label")).unwrap_or_default();
        let prompt = self.judge.required(item.prompt, place.member("prompt")).unwrap_or_default();
        let mut most = None;
        let kind = self.judge.required(item.kind, place.member("type"));
        let kind = match kind {
            Some(kind) => self.read_kind(&kind, &mut details, &mut most, place),
            None => None,
        };
        let mut placeholder = None;
        if let Some(kind) = &kind
            && let QuestionInput::Line(_) = kind.input()
        {
            placeholder = self.judge.optional(details.placeholder, place.member("placeholder"));
        }
        let own_constraints = constraints::read_constraints(
            &mut self.judge,
            &mut self.warnings,
            details.constraints,
            kind.as_ref(),
            place.member("constraints"),
        );
        let own_constraints = own_constraints.with_max_select(most);
        let show_if = self.read_show_if(details.show_if, parent, place.member("showIf"));
        let index = self.drafts.len();
        // A question of an invalid kind is read on, for its other problems.
        let kind = match kind {
            Some(kind) => kind,
            None => TextQuestion::default().into(),
        };
        let question = Question {
            label: Some(label),
            placeholder,
            constraints: own_constraints.constraints,
            ..Question::new(name, prompt, kind)
        };
        self.drafts.push(QuestionDraft { question, parent, show_if, origins: own_constraints.origins });
        if matches!(details.children, Lenient::Missing) {
            return;
        }
        let place = place.member("children");
        let children = self.judge.required_list(details.children, (0, limits::QUESTIONS), place);
        for (child_index, child) in children.into_iter().enumerate() {
            self.read_question(child, Some(index), place.element(child_index));
        }
    }

    fn read_name(&mut self, id: Lenient<CowText<'t>>, place: LazyPlace<'_>) -> CowText<'t> {
        let Some(name) = self.judge.required(id, place) else { return CowText::default() };
        if !self.names.insert(name.clone()) {
            self.judge.report(ProblemCode::DuplicateId, Message::DuplicateId.with([foreign(&name)]), place);
        }
        name
    }

    fn read_show_if(
        &mut self,
        show_if: Lenient<QuestionnaireShowIfInput<'t>>,
        parent: Option<usize>,
        place: LazyPlace<'_>,
    ) -> Option<CowText<'t>> {
        let show_if = self.judge.optional(show_if, place)?;
        let value = self.judge.required(show_if.value, place.member("value"))?;
        if parent.is_none() {
            self.warnings
                .add(|| Problem::new(ProblemCode::BadCondition, Message::ShowIfAtTop).at(place.path()));
            return None;
        }
        Some(value)
    }

    /// Reads the kind of a question, and the maximum of picks that the question itself sets.
    fn read_kind(
        &mut self,
        name: &str,
        details: &mut QuestionnaireDetailsInput<'t>,
        most: &mut Option<u32>,
        place: LazyPlace<'_>,
    ) -> Option<QuestionKind> {
        let Self { judge, .. } = self;
        Some(match name {
            "select" => {
                expect_exactly(judge, std::mem::take(&mut details.max_select), 1, place.member("maxSelect"));
                self.read_choice(details, false, place.member("options")).into()
            }
            "multiSelect" => {
                let max_select = std::mem::take(&mut details.max_select);
                let own =
                    constraints::read_at_least(judge, max_select, MIN_MAX_SELECT, place.member("maxSelect"));
                let choice = self.read_choice(details, true, place.member("options"));
                let own = own?;
                if let Some(warning) = constraints::above_options_warning(&choice, own) {
                    self.warnings.add(|| warning.at(place.member("maxSelect").path()));
                }
                *most = constraints::effective_max_select(&choice, own);
                choice.into()
            }
            "text" => {
                let long = judge.optional(std::mem::take(&mut details.multiline), place.member("multiline"));
                TextQuestion { long: long.unwrap_or(false) }.into()
            }
            "confirm" => self.read_confirm(details, place).into(),
            "rating" => self.read_rating(details, place).into(),
            found => {
                judge.report_issue(
                    &RequestIssue::NoneOf { allowed: &QUESTION_TYPES, found },
                    place.member("type"),
                );
                return None;
            }
        })
    }

    /// Reads a confirmation. Default labels are sent like others, so a person sees them.
    fn read_confirm(
        &mut self,
        details: &mut QuestionnaireDetailsInput<'t>,
        place: LazyPlace<'_>,
    ) -> ConfirmQuestion {
        let yes = self.judge.optional(std::mem::take(&mut details.yes_label), place.member("yesLabel"));
        let no = self.judge.optional(std::mem::take(&mut details.no_label), place.member("noLabel"));
        let confirm = ConfirmQuestion {
            yes: Some(yes.unwrap_or_else(|| YES_LABEL.to_owned())),
            no: Some(no.unwrap_or_else(|| NO_LABEL.to_owned())),
            consent: None,
        };
        for (is_yes, label) in confirm.contrary_labels() {
            let member = if is_yes { "yesLabel" } else { "noLabel" };
            self.warnings
                .add(|| problem_list::contradicting_label(is_yes, label).at(place.member(member).path()));
        }
        confirm
    }

    fn read_choice(
        &mut self,
        details: &mut QuestionnaireDetailsInput<'t>,
        multi: bool,
        place: LazyPlace<'_>,
    ) -> ChoiceQuestion {
        let bounds = (1, limits::OPTIONS);
        let entries = self.judge.required_list(std::mem::take(&mut details.options), bounds, place);
        let mut options = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let place = place.element(index);
            let Some(entry) = self.judge.required(entry, place) else { continue };
            let value = self.judge.required(entry.value, place.member("value"));
            let label = self.judge.required(entry.label, place.member("label"));
            let description = self.judge.optional(entry.description, place.member("description"));
            if let (Some(value), Some(label)) = (value, label) {
                options.push(ChoiceOption { description, ..ChoiceOption::new(value, label) });
            }
        }
        ChoiceQuestion { options, multi, other: true, ..ChoiceQuestion::default() }
    }

    fn read_rating(
        &mut self,
        details: &mut QuestionnaireDetailsInput<'t>,
        place: LazyPlace<'_>,
    ) -> RatingQuestion {
        let judge = &mut self.judge;
        let (min, max) = SCALE;
        let range_place = place.member("range");
        let range: Option<QuestionnaireRangeInput> =
            judge.required(std::mem::take(&mut details.range), range_place);
        if let Some(range) = range {
            expect_exactly(judge, range.min, min, range_place.member("min"));
            expect_exactly(judge, range.max, max, range_place.member("max"));
        }
        let emoji = judge.optional(std::mem::take(&mut details.show_emoji), place.member("showEmoji"));
        let place = place.member("annotations");
        let LenientRecord(notes) = judge
            .optional(std::mem::take(&mut details.annotations), place)
            .unwrap_or(LenientRecord(Vec::new()));
        let mut annotations = BTreeMap::new();
        for (name, note) in notes {
            let note = judge.required(note, place.member(&name));
            // Any key is allowed; only keys that are steps are used.
            let step = parse_step(&name);
            if step.is_none_or(|step| !(min..=max).contains(&step)) {
                self.warnings.add(|| {
                    let message = Message::NotAStep.with([foreign(problem_list::short_name(&name))]);
                    Problem::new(ProblemCode::InvalidValue, message).at(place.path())
                });
            }
            annotations.extend(step.zip(note));
        }
        RatingQuestion { min, max, emoji: emoji.unwrap_or(false), annotations }
    }
}

/// Parses a number that is written as JavaScript writes it.
fn parse_step(name: &str) -> Option<i32> {
    let number: i32 = name.parse().ok()?;
    if number.to_string() == name { Some(number) } else { None }
}

/// Reads a required number that must have this value.
fn expect_exactly(
    judge: &mut RequestValidator,
    number: Lenient<Number>,
    expected: i32,
    place: LazyPlace<'_>,
) {
    if matches!(number, Lenient::Missing) {
        judge.report_issue(&RequestIssue::Missing { expected: "number" }, place);
    }
    if let Some(number) = judge.optional_integer(number, place)
        && number != i64::from(expected)
    {
        let allowed = expected.to_string();
        let issue = RequestIssue::NoneOf { allowed: &[&allowed], found: &number.to_string() };
        judge.report_issue(&issue, place);
    }
}
