//! Our own dialect: the canonical questionnaire and outcome of [`sayso_core::wire`], with a leading version.

pub mod command_consent;
pub mod plain_answer;
pub mod plain_words;

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::schema::committed::{CommittedFiles, committed_files};
use crate::schema::{PublishedSchemas, ToolDefinition, ZodCheck};
use sayso_core::wire;
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Outcome, PreparedQuestionnaire, Problem, ProblemCode, Questionnaire, Rules};
use sayso_core::{Lang, Message};
use serde_json::Value;
use std::sync::Arc;

/// Name of the format on the command line and in a stored ask.
pub(crate) const NAME: &str = "sayso";

/// The format.
pub(crate) struct SaysoFormat;

impl WireFormat for SaysoFormat {
    /// Reads a questionnaire, with or without a leading version.
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>> {
        if json.is_empty() {
            return Err(vec![Problem::new(ProblemCode::MissingRequest, Message::RequestEmpty)]);
        }
        let read = wire::questionnaire::read(json)?;
        Ok(ParsedRequest { warnings: read.ignored, ..ParsedRequest::from_questionnaire(read.questionnaire) })
    }

    fn refuse(&self, problems: &[Problem], lang: Lang) -> CliOutput {
        CliOutput::from_problems(NAME, problems, lang)
    }

    /// Writes one line of JSON. Refused consent exits like a decline: the command after `&&` must not run then.
    fn write(&self, ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        let mut output = CliOutput::from_outcome(outcome);
        output.stdout = wire::outcome::write(ask, questionnaire, outcome);
        if let Outcome::Answered { replies, .. } = outcome
            && questionnaire.approval(replies) == Some(false)
        {
            output.exit = CliOutput::DECLINED;
        }
        output
    }

    /// Reads `{"answers":{question id: answer}}`, or the JSON of an outcome that is an answer.
    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        let form = PreparedQuestionnaire::new(Arc::new(questionnaire.clone()));
        wire::answers::read(&form, text).map(SubmittedAnswers::from_replies)
    }

    fn published(&self) -> PublishedSchemas {
        published()
    }

    fn committed(&self) -> Option<&'static CommittedFiles> {
        Some(committed_files!("sayso", None))
    }
}

/// Returns the schemas, generated from the types that read and write the format.
fn published() -> PublishedSchemas {
    let tool = ToolDefinition {
        name: "ask",
        description: "Ask a person, and wait for the answers. Use it for what only a person can decide: a choice \
            between ways to go, a preference, a missing fact, or consent to an action with consequences, which goes \
            into `action` as data. Ask everything you need to know in one call. Give a choice its `options`; without \
            them a question is answered by a text. Do not ask what you can find out yourself.",
    };
    let [request, outcome] = [wire::schema::request(), wire::schema::outcome()].map(Value::from);
    let length_unit = Rules::default().length_unit;
    PublishedSchemas {
        request,
        outcome,
        tool,
        checks: CHECKS.into(),
        length_unit,
        strips_unknown: false,
        openapi: None,
    }
}

/// Checks of the reader across members. Some need our engine and are left out: whether patterns compile, yes labels
/// refuse, conditions can hold, and constraints or prefills suit their questions.
const CHECKS: [ZodCheck; 4] = [
    ZodCheck {
        definition: "",
        zod: r#"
const issue = (path, message) => ctx.addIssue({ code: "custom", path, message });
const [questions, sections] = [value.questions ?? [], value.sections ?? []];
if (questions.length > 0 && sections.length > 0) issue(["sections"], "Give either questions or sections.");
if (questions.length + sections.length === 0) issue(["questions"], "At least one question is needed.");
const [ofQuestions, ofSections] = [new Set(), new Set()];
const note = (ids, id, path) => {
  if (ids.has(id)) issue([...path, "id"], `Duplicate id "${id}".`);
  ids.add(id);
};
let number = 0;
const asked = [];
const visit = (list, path) => list.forEach((question, index) => {
  note(ofQuestions, question.id ?? `q${number}`, [...path, index]);
  number += 1;
  const kind = question.kind ?? (question.options === undefined ? "text" : "choice");
  asked.push({ question, kind, path: [...path, index] });
  visit(question.children ?? [], [...path, index, "children"]);
});
visit(questions, ["questions"]);
sections.forEach((section, index) => {
  note(ofSections, section.id ?? `s${index}`, ["sections", index]);
  visit(section.questions, ["sections", index, "questions"]);
});
const isConfirm = ({ question, kind }) => kind === "confirm" && question.consent !== false;
const confirms = asked.filter(isConfirm);
const required = asked.filter(({ question }) => question.required !== false);
const decisive = required.length > 0 ? required : asked;
const isOver = value.action !== undefined;
const marked = asked.filter(({ question }) => question.consent === true);
const choices = asked.filter(({ kind }) => kind === "choice");
const isAll = confirms.length > 0 && (isOver || decisive.every(isConfirm));
const consent = isAll ? confirms : isOver ? choices : marked;
if (isOver && consent.length === 0) asked.filter(({ kind }) => kind === "confirm").forEach(({ path }) => {
  issue([...path, "consent"], "With an action, a yes or no is consent.");
});
consent.forEach(({ question, path }) => {
  if (question.prefill !== undefined) issue([...path, "prefill"], "Consent cannot be filled in.");
  (question.options ?? []).forEach((option, at) => {
    const place = [...path, "options", at, "recommended"];
    if (option.recommended === true) issue(place, "Consent cannot be suggested.");
  });
});
"#,
    },
    ZodCheck {
        definition: "Question",
        zod: r#"
const issue = (name, message) => ctx.addIssue({ code: "custom", path: [name], message });
const kind = value.kind ?? (value.options === undefined ? "text" : "choice");
const suitable = {
  choice: ["options", "multi", "other", "other_label", "other_at"],
  text: ["long"],
  confirm: ["yes", "no", "consent"],
  rating: ["min", "max", "emoji", "annotations"],
  number: ["step"],
};
for (const name of Object.entries(suitable).flatMap(([owner, names]) => (owner === kind ? [] : names))) {
  // A member that is false means the same as a missing one.
  const isSaid = value[name] !== undefined && value[name] !== false;
  if (isSaid) issue(name, `${name} does not apply to questions of the kind ${kind}.`);
}
if (kind === "choice") {
  const options = value.options ?? [];
  const other = value.other === true || value.other_label !== undefined || value.other_at !== undefined;
  if (options.length === 0 && !other) issue("options", "At least one option is needed.");
  if (value.other_at > options.length) issue("other_at", "There are not as many options.");
  const ids = new Set(options.map((option, index) => option.id ?? `o${index + 1}`));
  if (ids.size < options.length) issue("options", "Duplicate id of an option.");
}
if (kind === "rating") {
  const steps = (value.max ?? 5) - (value.min ?? 1) + 1;
  if (steps < 2 || steps > 100) issue("max", "A rating has 2 to 100 steps.");
}
if (kind === "number" && Number(value.step ?? 1) <= 0) issue("step", "The step must be above 0.");
"#,
    },
    ZodCheck {
        definition: "Constraint",
        zod: r#"
const demands = ["min_picks", "max_picks", "min_length", "max_length", "pattern", "min", "max", "multiple_of"];
const demanded = demands.some((name) => value[name] !== undefined) || value.required === true || value.fits === true;
if (!demanded) ctx.addIssue({ code: "custom", message: "A constraint must demand something." });
"#,
    },
    ZodCheck {
        definition: "Condition",
        zod: r#"
const count = (names) => names.filter((name) => value[name] !== undefined).length;
const checks = count(["is", "any_of", "all_of", "none_of", "at_least", "at_most", "answered", "own_answer"]);
const groups = count(["all", "any", "not"]);
const isOne = checks + groups === 1 && (groups === 0 || value.question === undefined);
if (!isOne) ctx.addIssue({ code: "custom", message: "A condition is one check, or one of all, any and not." });
"#,
    },
];
