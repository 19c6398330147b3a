//! A questionnaire as JSON. Members with a default may be left out when it is written by hand: ids are then numbered.
//! The kind is a choice if there are options, else a text.

mod canonical_form;
mod condition;
mod constraint;
mod labels;
mod lints;
pub(crate) mod option;
pub(crate) mod question;
pub(crate) mod text;

pub use canonical_form::CanonicalForm;
pub use lints::lint_problems;

use super::hints::example;
use super::json::{self, JsonSource};
use super::version_problem;
use crate::i18n::{LocalizedText, Message};
use crate::limits;
use crate::model::action::ProposedAction;
use crate::model::document_path::DocumentPath;
use crate::model::id::{QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::questionnaire::{CompletionView, FormatExtensions, Questionnaire};
use crate::model::section::Section;
use crate::model::validation_rules::{Rules, UncheckedAnswers};
use crate::problem::{Problem, ProblemCode};
use crate::rules::consent;
use question::{Entries, QuestionPosition, is_false, question_entry};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use text::WireText;

/// Questions for a person, in Sayso's own format.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Questionnaire")]
pub(super) struct CanonicalQuestionnaire<'q> {
    /// The version of this format: 1.
    #[serde(default, skip_serializing)]
    #[schemars(range(min = 1, max = 1))]
    sayso: Option<u64>,
    /// Accepts, as intended, empty questions and labels, constraints that no answer meets, and a request without
    /// questions.
    #[serde(default, skip_serializing)]
    as_is: bool,
    /// Subject in one line.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    title: Option<WireText<'q>>,
    /// Reason for asking: all that a person must know to answer. May be Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<WireText<'q>>,
    /// Exactly what you would do if the person agrees, as data. It is shown apart from your words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<Cow<'q, ProposedAction>>,
    /// The questions, in the order asked. Give either these or sections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    questions: Entries<'q>,
    /// Groups of questions, in the order asked. Give either these or questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    sections: Vec<SectionEntry<'q>>,
    /// Label of the button that sends the answers. A terminal shows it next to its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    submit: Option<WireText<'q>>,
    /// Label of the button that declines. A terminal shows it next to its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancel: Option<WireText<'q>>,
    /// Text shown once it is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    completed: Option<CompletedEntry<'q>>,
    /// Rules by which answers are checked.
    #[serde(default, skip_serializing_if = "is_usual")]
    rules: Cow<'q, Rules>,
    /// Treatment of an answer whose pattern takes too many steps to check. If consent is asked for, it is refused.
    #[serde(default, skip_serializing_if = "UncheckedAnswers::is_usual")]
    unchecked: UncheckedAnswers,
    /// Members of other formats that this one cannot express, by the name of the format. They are kept for the way
    /// back, and neither shown nor checked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    beside: Cow<'q, FormatExtensions>,
}

/// The member that every version has.
#[derive(Deserialize)]
struct VersionEnvelope {
    sayso: Option<u64>,
}

/// Questions that belong together.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Section")]
struct SectionEntry<'q> {
    /// Identifies it; numbered where it is left out.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    id: Option<WireText<'q>>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<WireText<'q>>,
    /// More about it, shown under the heading. May be Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<WireText<'q>>,
    /// May be skipped as a whole: as long as it is empty, nothing in it is required.
    #[serde(default, skip_serializing_if = "is_false")]
    optional: bool,
    /// Label of the button that leads to the next section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    submit: Option<WireText<'q>>,
    /// Condition under which its questions are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    show_if: Option<condition::ConditionEntry<'q>>,
    /// Its questions, in the order asked.
    #[schemars(length(min = 1, max = 1000))]
    questions: Entries<'q>,
}

/// Text shown once a questionnaire is answered.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CompletionText")]
struct CompletedEntry<'q> {
    /// Shows the answers.
    #[serde(default)]
    answers: bool,
    /// A sentence with `{{question id}}` as placeholders for answers.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    summary: Option<WireText<'q>>,
}

fn is_usual(rules: &Rules) -> bool {
    *rules == Rules::default()
}

/// A parsed questionnaire, with warnings for its writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedQuestionnaire {
    /// The questionnaire.
    pub questionnaire: Questionnaire,
    /// Unknown members, each with its place.
    pub ignored: Vec<Problem>,
}

/// Reads a questionnaire from JSON and checks it.
///
/// # Errors
/// Returns every problem found: either the one that stopped the reader, or all problems of the result.
pub fn read<'t>(json: impl Into<JsonSource<'t>>) -> Result<ParsedQuestionnaire, Vec<Problem>> {
    let json = json.into();
    let mut ignored = Vec::new();
    // Serde reads structures from arrays too, and all members of this one are optional.
    if json.is_array() {
        json::check(json)?;
        let words = LocalizedText::Verbatim("invalid type: array, expected a questionnaire".to_owned());
        return Err(vec![Problem::new(ProblemCode::InvalidType, words)]);
    }
    let document = json::read_reporting_unknown::<CanonicalQuestionnaire<'_>>(json, &mut ignored);
    // This version cannot judge the content of a newer one.
    let version = match &document {
        Ok(document) => document.sayso,
        Err(_) => match json::read::<VersionEnvelope>(json) {
            Ok(envelope) => envelope.sayso,
            Err(_) => None,
        },
    };
    if let Some(problem) = version_problem(version) {
        return Err(vec![problem]);
    }
    let document = match document {
        Ok(document) => document,
        Err(mut problem) => {
            example::add_example(&mut problem);
            // An unknown member may explain a missing one.
            return Err([vec![problem], as_errors(ignored)].concat());
        }
    };
    let is_as_intended = document.as_is;
    let (mut questionnaire, mut problems) = build(document);
    labels::resolve(&mut questionnaire);
    problems.extend(questionnaire.problems());
    // Deceptive labels are never intended.
    problems.extend(consent_problems(&questionnaire));
    if !is_as_intended {
        problems.extend(lint_problems(&questionnaire));
    }
    if problems.is_empty() {
        return Ok(ParsedQuestionnaire { questionnaire, ignored });
    }
    for problem in &mut problems {
        example::add_example(problem);
    }
    problems.extend(as_errors(ignored));
    let excess = problems.len().saturating_sub(limits::PROBLEMS);
    if excess > 0 {
        problems.truncate(limits::PROBLEMS);
        problems.push(Problem::new(ProblemCode::TooBig, Message::MoreProblems.with([excess])));
    }
    Err(problems)
}

/// Returns the problems with consent that our own format rejects: labels that contradict their answers, and consent
/// preset by the asker. Other formats allow both.
pub fn consent_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = consent::contrary_label_problems(questionnaire);
    problems.extend(consent::preset_consent_problems(questionnaire));
    problems
}

/// Turns warnings about ignored members into errors, for a request that is rejected as a whole.
fn as_errors(mut ignored: Vec<Problem>) -> Vec<Problem> {
    for problem in &mut ignored {
        if let LocalizedText::Message(text @ Message::MemberIgnored, _) = &mut problem.message {
            *text = Message::MemberUnknown;
        }
    }
    ignored
}

/// Writes the canonical JSON: input of the digest, and the form that a store keeps.
pub fn write(questionnaire: &Questionnaire) -> String {
    json::write(questionnaire)
}

impl Serialize for Questionnaire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut questions = self.questions.iter().peekable();
        let mut sections: Vec<SectionEntry<'_>> = Vec::with_capacity(self.sections.len());
        let unsectioned = nested_entries(&mut questions, None, None);
        for section in &self.sections {
            sections.push(section_entry(section, nested_entries(&mut questions, Some(&section.id), None)));
        }
        CanonicalQuestionnaire {
            sayso: None,
            as_is: false,
            title: WireText::from_option(self.title.as_ref()),
            context: WireText::from_option(self.context.as_ref()),
            action: self.action.as_ref().map(Cow::Borrowed),
            questions: unsectioned,
            sections,
            submit: WireText::from_option(self.submit.as_ref()),
            cancel: WireText::from_option(self.cancel.as_ref()),
            completed: self.completed.as_ref().map(|completed| CompletedEntry {
                answers: completed.answers,
                summary: WireText::from_option(completed.summary.as_ref()),
            }),
            rules: Cow::Borrowed(&self.rules),
            unchecked: self.unchecked,
            beside: Cow::Borrowed(&self.extensions),
        }
        .serialize(serializer)
    }
}

/// Returns the entries of the next questions in this section below this parent.
fn nested_entries<'q>(
    questions: &mut std::iter::Peekable<std::slice::Iter<'q, Question>>,
    section: Option<&SectionId>,
    parent: Option<&QuestionId>,
) -> Entries<'q> {
    let mut entries = Vec::new();
    while let Some(question) =
        questions.next_if(|next| next.section.as_ref() == section && next.parent.as_ref() == parent)
    {
        let mut entry = Box::new(question_entry(question));
        entry.children = nested_entries(questions, section, Some(&question.id));
        entries.push(entry);
    }
    entries
}

fn section_entry<'q>(section: &'q Section, questions: Entries<'q>) -> SectionEntry<'q> {
    SectionEntry {
        id: Some(section.id.as_str().into()),
        title: WireText::from_option(section.title.as_ref()),
        detail: WireText::from_option(section.detail.as_ref()),
        optional: section.optional,
        submit: WireText::from_option(section.submit.as_ref()),
        show_if: section.show_if.as_ref().map(condition::ConditionEntry::from_condition),
        questions,
    }
}

impl JsonSchema for Questionnaire {
    fn schema_name() -> Cow<'static, str> {
        CanonicalQuestionnaire::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        CanonicalQuestionnaire::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Questionnaire {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (questionnaire, problems) = build(CanonicalQuestionnaire::deserialize(deserializer)?);
        match problems.first() {
            None => Ok(questionnaire),
            Some(problem) => Err(serde::de::Error::custom(problem)),
        }
    }
}

/// Builds the questionnaire of a document, and returns the problems of its form.
fn build(document: CanonicalQuestionnaire<'_>) -> (Questionnaire, Vec<Problem>) {
    let mut count = document.questions.len();
    for section in &document.sections {
        count += section.questions.len();
    }
    let mut building = QuestionnaireBuilder { questions: Vec::with_capacity(count), problems: Vec::new() };
    if !document.questions.is_empty() && !document.sections.is_empty() {
        let problem = Problem::new(ProblemCode::InvalidValue, Message::QuestionsOrSections);
        building.problems.push(problem.at(DocumentPath::root().join("sections")));
    } else {
        building.questions(document.questions, None, None, &DocumentPath::root);
    }
    let mut sections = Vec::with_capacity(document.sections.len());
    for (index, entry) in document.sections.into_iter().enumerate() {
        sections.push(building.section(index, entry));
    }
    let questionnaire = Questionnaire {
        title: document.title.map(WireText::into_owned),
        context: document.context.map(WireText::into_owned),
        action: document.action.map(Cow::into_owned),
        sections,
        questions: building.questions,
        submit: document.submit.map(WireText::into_owned),
        cancel: document.cancel.map(WireText::into_owned),
        completed: document.completed.map(|completed| CompletionView {
            answers: completed.answers,
            summary: completed.summary.map(WireText::into_owned),
        }),
        rules: document.rules.into_owned(),
        unchecked: document.unchecked,
        extensions: document.beside.into_owned(),
    };
    (questionnaire, building.problems)
}

/// Flattens nested questions into the order asked.
struct QuestionnaireBuilder {
    questions: Vec<Question>,
    problems: Vec<Problem>,
}

impl QuestionnaireBuilder {
    fn section(&mut self, index: usize, entry: SectionEntry<'_>) -> Section {
        let place = || DocumentPath::root().join("sections").join(index);
        let id = match entry.id {
            Some(id) => SectionId::new(id),
            None => SectionId::numbered('s', index),
        };
        let mut show_if = None;
        if let Some(condition) = entry.show_if {
            let place = || place().join("show_if");
            show_if = Some(condition.into_condition(None, &place, &mut self.problems));
        }
        self.questions(entry.questions, Some(&id), None, &place);
        Section {
            id,
            title: entry.title.map(WireText::into_owned),
            detail: entry.detail.map(WireText::into_owned),
            optional: entry.optional,
            submit: entry.submit.map(WireText::into_owned),
            show_if,
        }
    }

    fn questions(
        &mut self,
        entries: Entries<'_>,
        section: Option<&SectionId>,
        parent: Option<&QuestionId>,
        above: &dyn Fn() -> DocumentPath,
    ) {
        let member = if parent.is_some() { "children" } else { "questions" };
        for (index, entry) in entries.into_iter().enumerate() {
            let place = || above().join(member).join(index);
            let placed = QuestionPosition { number: self.questions.len(), section, parent, place: &place };
            let (question, children) = entry.into_question(&placed, &mut self.problems);
            let id = question.id.clone();
            self.questions.push(question);
            self.questions(children, section, Some(&id), &place);
        }
    }
}
