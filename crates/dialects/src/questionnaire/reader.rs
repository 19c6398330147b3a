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
    ChoiceOption, ChoiceQuestion, ConfirmQuestion, DocumentPath, Problem, ProblemCode, Question,
    QuestionInput, QuestionKind, RatingQuestion, TextQuestion, limits,
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
pub fn read<'t>(json: impl Into<JsonSource<'t>>) -> Result<ParsedRequest, Vec<Problem>> {
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
    let origins: Vec<_> = drafts.iter_mut().map(|draft| std::mem::take(&mut draft.origins)).collect();
    let questionnaire = assign_ids(drafts, &mut warnings);
    let problems = questionnaire.problems();
    if !problems.is_empty() {
        return Err(to_request_paths(&questionnaire, &origins, problems));
    }
    let costly = to_request_paths(&questionnaire, &origins, questionnaire.costly_patterns());
    costly.into_iter().for_each(|warning| warnings.add(|| warning));
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
        let Some(request) = self.judge.required(request, &DocumentPath::root) else { return };
        let place = || DocumentPath::root().join("questions");
        let items = self.judge.required_list(request.questions, (1, limits::QUESTIONS), &place);
        self.drafts.reserve(items.len());
        for (index, item) in items.into_iter().enumerate() {
            self.read_question(item, None, &|| place().join(index));
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
        let name = self.read_name(item.id, &|| place().join("id"));
        let label = self.judge.required(item.label, &|| place().join("label")).unwrap_or_default();
        let prompt = self.judge.required(item.prompt, &|| place().join("prompt")).unwrap_or_default();
        let mut most = None;
        let kind = self.judge.required(item.kind, &|| place().join("type"));
        let kind = kind.and_then(|kind| self.read_kind(&kind, &mut details, &mut most, place));
        let placeholder = match kind.as_ref().map(|kind| kind.input()) {
            Some(QuestionInput::Line(_)) => {
                self.judge.optional(details.placeholder, &|| place().join("placeholder"))
            }
            _ => None,
        };
        let at = || place().join("constraints");
        let declared = constraints::read_constraints(
            &mut self.judge,
            &mut self.warnings,
            details.constraints,
            kind.as_ref(),
            &at,
        );
        let declared = declared.with_max_select(most);
        let show_if = self.read_show_if(details.show_if, parent, &|| place().join("showIf"));
        let here = self.drafts.len();
        let kind = kind.unwrap_or_else(|| TextQuestion::default().into());
        let question = Question {
            label: Some(label),
            placeholder,
            constraints: declared.constraints,
            ..Question::new(name, prompt, kind)
        };
        self.drafts.push(QuestionDraft { question, parent, show_if, origins: declared.origins });
        if matches!(details.children, Lenient::Missing) {
            return;
        }
        let place = || place().join("children");
        let children = self.judge.required_list(details.children, (0, limits::QUESTIONS), &place);
        for (index, child) in children.into_iter().enumerate() {
            self.read_question(child, Some(here), &|| place().join(index));
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
        let value = self.judge.required(show_if.value, &|| place().join("value"))?;
        if parent.is_none() {
            self.warnings.add(|| Problem::new(ProblemCode::BadCondition, Message::ShowIfAtTop).at(place()));
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
        let at = |member: &'static str| move || place().join(member);
        Some(match name {
            "select" => {
                expect_exactly(judge, std::mem::take(&mut details.max_select), 1, &at("maxSelect"));
                self.read_choice(details, false, &at("options")).into()
            }
            "multiSelect" => {
                let max_select = std::mem::take(&mut details.max_select);
                let own = constraints::read_at_least(judge, max_select, MIN_MAX_SELECT, &at("maxSelect"));
                let choice = self.read_choice(details, true, &at("options"));
                let own = own?;
                if let Some(warning) = constraints::above_options_warning(&choice, own) {
                    self.warnings.add(|| warning.at(at("maxSelect")()));
                }
                *most = constraints::effective_max_select(&choice, own);
                choice.into()
            }
            "text" => {
                let long = judge.optional(std::mem::take(&mut details.multiline), &at("multiline"));
                TextQuestion { long: long.unwrap_or(false) }.into()
            }
            "confirm" => self.read_confirm(details, place).into(),
            "rating" => self.read_rating(details, place).into(),
            found => {
                judge.report_issue(&RequestIssue::NoneOf { allowed: &QUESTION_TYPES, found }, &at("type"));
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
        let at = |member: &'static str| move || place().join(member);
        let yes = self.judge.optional(std::mem::take(&mut details.yes_label), &at("yesLabel"));
        let no = self.judge.optional(std::mem::take(&mut details.no_label), &at("noLabel"));
        let confirm = ConfirmQuestion {
            yes: Some(yes.unwrap_or_else(|| YES_LABEL.to_owned())),
            no: Some(no.unwrap_or_else(|| NO_LABEL.to_owned())),
            consent: None,
        };
        for (is_yes, label) in confirm.contrary_labels() {
            let member = if is_yes { "yesLabel" } else { "noLabel" };
            self.warnings.add(|| problem_list::contradicting_label(is_yes, label).at(at(member)()));
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
            let place = || place().join(index);
            let Some(entry) = self.judge.required(entry, &place) else { continue };
            let value = self.judge.required(entry.value, &|| place().join("value"));
            let label = self.judge.required(entry.label, &|| place().join("label"));
            let description = self.judge.optional(entry.description, &|| place().join("description"));
            options.extend(
                value
                    .zip(label)
                    .map(|(value, label)| ChoiceOption { description, ..ChoiceOption::new(value, label) }),
            );
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
        let at = || place().join("range");
        let range: Option<QuestionnaireRangeInput> = judge.required(std::mem::take(&mut details.range), &at);
        if let Some(range) = range {
            expect_exactly(judge, range.min, min, &|| at().join("min"));
            expect_exactly(judge, range.max, max, &|| at().join("max"));
        }
        let emoji = judge.optional(std::mem::take(&mut details.show_emoji), &|| place().join("showEmoji"));
        let at = || place().join("annotations");
        let LenientRecord(notes) = judge
            .optional(std::mem::take(&mut details.annotations), &at)
            .unwrap_or(LenientRecord(Vec::new()));
        let mut annotations = BTreeMap::new();
        for (step, note) in notes {
            let note = judge.required(note, &|| at().join(step.as_ref()));
            // Any key is allowed; only keys that are steps are used.
            let named = step.parse::<i32>().ok().filter(|number| number.to_string() == step);
            if !named.is_some_and(|step| (min..=max).contains(&step)) {
                let message = || Message::NotAStep.with([foreign(problem_list::short_name(&step))]);
                self.warnings.add(|| Problem::new(ProblemCode::InvalidValue, message()).at(at()));
            }
            annotations.extend(named.zip(note));
        }
        RatingQuestion { min, max, emoji: emoji.unwrap_or(false), annotations }
    }
}

/// Reads a required number that must have this value.
fn expect_exactly(judge: &mut RequestValidator, number: Lenient<Number>, wanted: i32, place: LazyPlace<'_>) {
    if matches!(number, Lenient::Missing) {
        judge.report_issue(&RequestIssue::Missing { expected: "number" }, place);
    }
    if let Some(found) = judge.optional_integer(number, place).filter(|found| *found != i64::from(wanted)) {
        let (wanted, found) = (wanted.to_string(), found.to_string());
        judge.report_issue(&RequestIssue::NoneOf { allowed: &[&wanted], found: &found }, place);
    }
}
