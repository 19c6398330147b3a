//! Parsing of requests: a schema alone, the operation's arguments, or an interaction request.

use super::fixed::{ARGUMENTS, SCHEMA};
use super::loose_wire::{InteractionEnvelopeInput, InteractionSchemaInput, InteractionViewInput, Request};
use super::wire::{CompletedView, FieldErrors, InteractionRequest, OnTimeout};
use super::{Invalid, shape};
use crate::javascript;
use crate::judge::{self, Judge};
use crate::loose::{Loose, Record, Words};
use sayso_core::message::Text;
use sayso_core::{Code, Path, Problem, limits};
use serde::Deserialize as _;
use serde_json::{Number, Value};

/// Places in which a request may be shown.
pub(super) const PRESENTATIONS: [&str; 2] = ["questionnaire", "tool"];

/// Longest time limit of an ask, in milliseconds.
pub(super) const TIME_LIMIT_MS_MAX: i64 = limits::TIME_LIMIT_SECONDS * 1_000;

const NO_TIME_LIMIT: &str = "timeoutMs must be a positive number";

/// Returns the tool's message for an invalid time limit: no ask waits for less than a millisecond, or for ever.
#[expect(clippy::cast_precision_loss, reason = "the limit is far below where whole numbers lose digits")]
pub(super) fn wrong_time_limit(limit: &Number) -> Option<String> {
    match limit.as_f64().filter(|limit| *limit > 0.0) {
        None => Some(NO_TIME_LIMIT.to_owned()),
        Some(limit) if limit < 1.0 => Some("timeoutMs must be at least 1".to_owned()),
        Some(limit) if limit > TIME_LIMIT_MS_MAX as f64 => {
            Some(format!("timeoutMs must be at most {TIME_LIMIT_MS_MAX}"))
        }
        Some(_) => None,
    }
}

/// Member of a request that holds the schema; `None` if the request is the schema itself.
#[derive(Clone, Copy)]
pub(super) struct SchemaAt(Option<&'static str>);

impl SchemaAt {
    /// Returns the path of the schema in the request.
    pub(super) fn place(self) -> Path {
        self.0.map_or_else(Path::root, |member| Path::root().then(member))
    }
}

/// Parsed request, and the location of its schema.
pub(super) struct Understood {
    pub(super) request: InteractionRequest,
    pub(super) schema_at: SchemaAt,
}

/// Parses a request in any of its forms.
///
/// # Errors
/// Returns all problems of the request, each with its path.
pub(super) fn any_form(request: Loose<Request<'_>>) -> Result<Understood, Vec<Problem>> {
    let Loose::Value(request) = request else { return Err(vec![alone(Code::MissingRequest, ARGUMENTS)]) };
    let Request { around, bare, is_bare } = request;
    let is_bare = is_bare && !around.schema.is_there() && !around.input_schema.is_there();
    let (schema, schema_at) = match (is_bare, around.input_schema.is_there()) {
        (true, _) => (Loose::Value(bare), SchemaAt(None)),
        (false, true) => (Loose::Missing, SchemaAt(Some("inputSchema"))),
        (false, false) => (Loose::Missing, SchemaAt(Some("schema"))),
    };
    understand(around, schema, schema_at)
}

/// Parses the operation's arguments. Issues of the schema have paths within the schema.
///
/// # Errors
/// Returns the first problem, in the tool's words.
pub(super) fn arguments(arguments: &Value) -> Result<InteractionRequest, Invalid> {
    let request = Loose::<Request<'_>>::deserialize(arguments).unwrap_or(Loose::Wrong("unknown"));
    let Loose::Value(Request { around, .. }) = request else {
        return Err(Invalid::of(&[alone(Code::MissingRequest, ARGUMENTS)]));
    };
    // The operation ignores all other members of a request.
    let around = InteractionEnvelopeInput {
        schema: around.schema,
        prompt: around.prompt,
        completed_view: around.completed_view,
        validate: around.validate,
        timeout_ms: around.timeout_ms,
        on_timeout: around.on_timeout,
        mode: around.mode,
        strict: around.strict,
        require_client: around.require_client,
        ..InteractionEnvelopeInput::default()
    };
    let understood = understand(around, Loose::Missing, SchemaAt(Some("schema")));
    understood.map(|understood| understood.request).map_err(|problems| Invalid::of(&problems))
}

fn understand(
    mut around: InteractionEnvelopeInput<'_>,
    bare: Loose<InteractionSchemaInput<'_>>,
    schema_at: SchemaAt,
) -> Result<Understood, Vec<Problem>> {
    let place = || schema_at.place();
    let schema = match (bare, std::mem::take(&mut around.input_schema)) {
        (Loose::Value(schema), _) | (Loose::Missing | Loose::Wrong(_), Loose::Value(schema)) => Some(schema),
        (_, Loose::Missing) => match std::mem::take(&mut around.schema) {
            Loose::Value(schema) => Some(schema),
            Loose::Missing | Loose::Wrong(_) => None,
        },
        (_, Loose::Wrong(_)) => None,
    };
    let Some(schema) = schema else {
        return Err(vec![alone(Code::MissingRequest, SCHEMA).at(place())]);
    };
    let mut judge = Judge::new(judge::zod3);
    let input_schema = shape::schema(&mut judge, schema, &place);
    let mut problems = judge.verdict().err().unwrap_or_default();
    if problems.is_empty() {
        problems = shape::across(&input_schema, &place);
    }
    let mut settings = Settings { problems };
    let request = settings.request(around, input_schema);
    if settings.problems.is_empty() { Ok(Understood { request, schema_at }) } else { Err(settings.problems) }
}

fn alone(code: Code, words: &str) -> Problem {
    Problem::new(code, Text::Verbatim(words.to_owned()))
}

/// Reader of the members around the schema, each with its own error message.
struct Settings {
    problems: Vec<Problem>,
}

impl Settings {
    fn request(
        &mut self,
        around: InteractionEnvelopeInput<'_>,
        input_schema: super::QuestionnaireSchema,
    ) -> InteractionRequest {
        let prompt = self.value(around.prompt, "prompt", "prompt must be a string");
        let prompt = prompt.map(|prompt| javascript::trim(&prompt).to_owned());
        let timeout_ms = self.value(around.timeout_ms, "timeoutMs", NO_TIME_LIMIT);
        if let Some(words) = timeout_ms.as_ref().and_then(wrong_time_limit) {
            self.tell("timeoutMs", &words);
        }
        let validate = self.value(around.validate, "validate", "validate must be a boolean").unwrap_or(true);
        let modes = [("sync", true), ("async", false)];
        let waits = self.named(around.mode, &modes, "mode", "mode must be \"sync\" or \"async\"");
        let on_timeout =
            [("error", OnTimeout::Error), ("async", OnTimeout::Async), ("cancel", OnTimeout::Cancel)];
        let words = "onTimeout must be \"error\", \"async\", or \"cancel\"";
        let on_timeout = self.named(around.on_timeout, &on_timeout, "onTimeout", words).unwrap_or_default();
        self.named(around.kind, &[("input", ())], "type", "type must be \"input\"");
        let presentations = PRESENTATIONS.map(|name| (name, name));
        let words = "presentation must be \"tool\" or \"questionnaire\"";
        let presentation = self.named(around.presentation, &presentations, "presentation", words);
        let completed_view = self.completed_view(around.completed_view);
        let field_errors = self.field_errors(around.field_errors);
        InteractionRequest {
            presentation: presentation.map(str::to_owned),
            prompt: prompt.filter(|prompt| !prompt.is_empty()),
            input_schema,
            completed_view,
            timeout_ms,
            on_timeout,
            validate,
            strict: self.value(around.strict, "strict", "strict must be a boolean").unwrap_or_default(),
            waits: waits.unwrap_or(true),
            require_client: self
                .value(around.require_client, "require_client", "require_client must be a boolean")
                .unwrap_or_default(),
            error_summary: self.value(around.error_summary, "errorSummary", "errorSummary must be a string"),
            field_errors,
        }
    }

    fn tell(&mut self, member: &str, words: &str) {
        self.problems.push(alone(Code::InvalidSetting, words).at(Path::root().then(member)));
    }

    fn value<T>(&mut self, found: Loose<T>, member: &str, words: &str) -> Option<T> {
        match found {
            Loose::Value(value) => Some(value),
            Loose::Missing => None,
            Loose::Wrong(_) => {
                self.tell(member, words);
                None
            }
        }
    }

    fn completed_view(&mut self, found: Loose<InteractionViewInput>) -> Option<CompletedView> {
        let view = self.value(found, "completedView", "completedView must be an object")?;
        let words = ["showInputs must be a boolean", "summaryTemplate must be a string"];
        let [shows, template] = words.map(|words| format!("completedView.{words}"));
        Some(CompletedView {
            show_inputs: self.value(view.show_inputs, "completedView", &shows),
            summary_template: self.value(view.summary_template, "completedView", &template),
        })
    }

    fn field_errors(&mut self, found: Loose<Record<'_, String>>) -> FieldErrors {
        let words = "fieldErrors must be an object of strings";
        let members = self.value(found, "fieldErrors", words).map(|record| record.0).unwrap_or_default();
        let message = |(name, message): (Words<'_>, Loose<String>)| {
            Some((name.into_owned(), self.value(message, "fieldErrors", words)?))
        };
        FieldErrors(members.into_iter().filter_map(message).collect())
    }

    fn named<T: Copy>(
        &mut self,
        found: Loose<Words<'_>>,
        names: &[(&str, T)],
        member: &str,
        words: &str,
    ) -> Option<T> {
        let name = self.value(found, member, words)?;
        let named = names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        if named.is_none() {
            self.tell(member, words);
        }
        named
    }
}
