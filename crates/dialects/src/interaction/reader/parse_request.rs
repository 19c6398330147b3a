//! Parsing of requests: a schema alone, the operation's arguments, or an interaction request.

use super::lenient_wire::{
    InteractionEnvelopeInput, InteractionRequestInput, InteractionSchemaInput, InteractionViewInput,
};
use super::schema_validation;
use crate::format::problem_list::verbatim;
use crate::interaction::messages::{self, ARGUMENTS_NOT_OBJECT, SCHEMA_REQUIRED, TIME_LIMIT_NOT_POSITIVE};
use crate::interaction::tool::refusal::InteractionArgumentsError;
use crate::interaction::wire::{CompletedView, FieldErrors, InteractionRequest, OnTimeout};
use crate::javascript;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording;
use crate::lenient::{CowText, Lenient, LenientRecord};
use sayso_core::{DocumentPath, Problem, ProblemCode, limits};
use serde::Deserialize as _;
use serde_json::{Number, Value};

/// Places in which a request may be shown.
pub(crate) const PRESENTATIONS: [&str; 2] = ["questionnaire", "tool"];

/// Longest time limit of an ask, in milliseconds.
pub(crate) const TIME_LIMIT_MS_MAX: i64 = limits::TIME_LIMIT_SECONDS * 1_000;

/// Returns the tool's message for an invalid time limit: no ask waits for less than a millisecond, or for ever.
#[expect(clippy::cast_precision_loss, reason = "the limit is far below where whole numbers lose digits")]
pub(crate) fn time_limit_error(limit: &Number) -> Option<String> {
    let limit_ms = limit.as_f64().unwrap_or_default();
    if limit_ms <= 0.0 {
        Some(TIME_LIMIT_NOT_POSITIVE.to_owned())
    } else if limit_ms < 1.0 {
        Some(messages::TIME_LIMIT_BELOW.to_owned())
    } else if limit_ms > TIME_LIMIT_MS_MAX as f64 {
        Some(messages::time_limit_above(TIME_LIMIT_MS_MAX))
    } else {
        None
    }
}

/// Member of a request that holds the schema; `None` if the request is the schema itself.
#[derive(Clone, Copy)]
pub(crate) struct SchemaLocation(Option<&'static str>);

impl SchemaLocation {
    /// Returns the place of the schema in the request.
    pub(crate) const fn place(self) -> LazyPlace<'static> {
        match self.0 {
            Some(member) => LazyPlace::Root.member(member),
            None => LazyPlace::Root,
        }
    }
}

/// Parsed request, and the location of its schema.
pub(crate) struct ParsedInteraction {
    pub(crate) request: InteractionRequest,
    pub(crate) schema_at: SchemaLocation,
}

/// Parses a request in any of its forms.
///
/// # Errors
/// Returns all problems of the request, each with its path.
pub(crate) fn parse_any_form(
    request: Lenient<InteractionRequestInput<'_>>,
) -> Result<ParsedInteraction, Vec<Problem>> {
    let Lenient::Value(request) = request else {
        return Err(vec![verbatim(ProblemCode::MissingRequest, ARGUMENTS_NOT_OBJECT)]);
    };
    let InteractionRequestInput { envelope: around, bare, is_bare } = request;
    let is_bare = is_bare && !around.schema.is_present() && !around.input_schema.is_present();
    let (schema, schema_at) = match (is_bare, around.input_schema.is_present()) {
        (true, _) => (Lenient::Value(bare), SchemaLocation(None)),
        (false, true) => (Lenient::Missing, SchemaLocation(Some("inputSchema"))),
        (false, false) => (Lenient::Missing, SchemaLocation(Some("schema"))),
    };
    parse_envelope(around, schema, schema_at)
}

/// Parses the operation's arguments. Issues of the schema have paths within the schema.
///
/// # Errors
/// Returns the first problem, in the tool's words.
pub(crate) fn parse_arguments(arguments: &Value) -> Result<InteractionRequest, InteractionArgumentsError> {
    let request = Lenient::<InteractionRequestInput<'_>>::deserialize(arguments)
        .unwrap_or(Lenient::WrongType("unknown"));
    let Lenient::Value(InteractionRequestInput { envelope: around, .. }) = request else {
        return Err(InteractionArgumentsError::from_problems(&[verbatim(
            ProblemCode::MissingRequest,
            ARGUMENTS_NOT_OBJECT,
        )]));
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
    match parse_envelope(around, Lenient::Missing, SchemaLocation(Some("schema"))) {
        Ok(parsed) => Ok(parsed.request),
        Err(problems) => Err(InteractionArgumentsError::from_problems(&problems)),
    }
}

fn parse_envelope(
    mut around: InteractionEnvelopeInput<'_>,
    bare: Lenient<InteractionSchemaInput<'_>>,
    schema_at: SchemaLocation,
) -> Result<ParsedInteraction, Vec<Problem>> {
    let place = schema_at.place();
    let schema = match (bare, std::mem::take(&mut around.input_schema)) {
        (Lenient::Value(schema), _) | (Lenient::Missing | Lenient::WrongType(_), Lenient::Value(schema)) => {
            Some(schema)
        }
        (_, Lenient::Missing) => match std::mem::take(&mut around.schema) {
            Lenient::Value(schema) => Some(schema),
            Lenient::Missing | Lenient::WrongType(_) => None,
        },
        (_, Lenient::WrongType(_)) => None,
    };
    let Some(schema) = schema else {
        return Err(vec![verbatim(ProblemCode::MissingRequest, SCHEMA_REQUIRED).at(place.path())]);
    };
    let mut judge = RequestValidator::new(wording::zod3);
    let input_schema = schema_validation::validate_schema(&mut judge, schema, place);
    let mut problems = judge.finish().err().unwrap_or_default();
    if problems.is_empty() {
        problems = schema_validation::validate_across_members(&input_schema, place);
    }
    let mut settings = EnvelopeReader { problems };
    let request = settings.read_request(around, input_schema);
    if settings.problems.is_empty() {
        Ok(ParsedInteraction { request, schema_at })
    } else {
        Err(settings.problems)
    }
}

/// Reader of the members around the schema, each with its own error message.
struct EnvelopeReader {
    problems: Vec<Problem>,
}

impl EnvelopeReader {
    fn read_request(
        &mut self,
        around: InteractionEnvelopeInput<'_>,
        input_schema: crate::interaction::QuestionnaireSchema,
    ) -> InteractionRequest {
        let prompt = self.read_value(around.prompt, "prompt", messages::PROMPT_NOT_TEXT);
        let prompt = javascript::trim(prompt.as_deref().unwrap_or_default());
        let timeout_ms = self.read_value(around.timeout_ms, "timeoutMs", TIME_LIMIT_NOT_POSITIVE);
        if let Some(words) = timeout_ms.as_ref().and_then(time_limit_error) {
            self.add_problem("timeoutMs", &words);
        }
        let validate =
            self.read_value(around.validate, "validate", messages::VALIDATE_NOT_BOOLEAN).unwrap_or(true);
        let modes = [("sync", true), ("async", false)];
        let waits = self.read_name(around.mode, &modes, "mode", messages::NO_SUCH_MODE);
        let on_timeout =
            [("error", OnTimeout::Error), ("async", OnTimeout::Async), ("cancel", OnTimeout::Cancel)];
        let words = messages::NO_SUCH_EFFECT;
        let on_timeout =
            self.read_name(around.on_timeout, &on_timeout, "onTimeout", words).unwrap_or_default();
        self.read_name(around.kind, &[("input", ())], "type", messages::NOT_INPUT);
        let presentations = PRESENTATIONS.map(|name| (name, name));
        let words = messages::NO_SUCH_PRESENTATION;
        let presentation = self.read_name(around.presentation, &presentations, "presentation", words);
        let completed_view = self.read_completed_view(around.completed_view);
        let field_errors = self.read_field_errors(around.field_errors);
        InteractionRequest {
            presentation: presentation.map(str::to_owned),
            prompt: if prompt.is_empty() { None } else { Some(prompt.to_owned()) },
            input_schema,
            completed_view,
            timeout_ms,
            on_timeout,
            validate,
            strict: self
                .read_value(around.strict, "strict", messages::STRICT_NOT_BOOLEAN)
                .unwrap_or_default(),
            waits: waits.unwrap_or(true),
            require_client: self
                .read_value(around.require_client, "require_client", messages::REQUIRE_CLIENT_NOT_BOOLEAN)
                .unwrap_or_default(),
            error_summary: self.read_value(
                around.error_summary,
                "errorSummary",
                messages::ERROR_SUMMARY_NOT_TEXT,
            ),
            field_errors,
        }
    }

    fn add_problem(&mut self, member: &str, words: &str) {
        self.problems
            .push(verbatim(ProblemCode::InvalidSetting, words).at(DocumentPath::root().join(member)));
    }

    fn read_value<T>(&mut self, found: Lenient<T>, member: &str, words: &str) -> Option<T> {
        match found {
            Lenient::Value(value) => Some(value),
            Lenient::Missing => None,
            Lenient::WrongType(_) => {
                self.add_problem(member, words);
                None
            }
        }
    }

    fn read_completed_view(&mut self, found: Lenient<InteractionViewInput>) -> Option<CompletedView> {
        let view = self.read_value(found, "completedView", messages::VIEW_NOT_OBJECT)?;
        Some(CompletedView {
            show_inputs: self.read_value(
                view.show_inputs,
                "completedView",
                messages::SHOW_INPUTS_NOT_BOOLEAN,
            ),
            summary_template: self.read_value(
                view.summary_template,
                "completedView",
                messages::TEMPLATE_NOT_TEXT,
            ),
        })
    }

    fn read_field_errors(&mut self, found: Lenient<LenientRecord<'_, String>>) -> FieldErrors {
        let words = messages::FIELD_ERRORS_NOT_TEXTS;
        let mut errors = FieldErrors::default();
        if let Some(LenientRecord(members)) = self.read_value(found, "fieldErrors", words) {
            for (name, message) in members {
                if let Some(message) = self.read_value(message, "fieldErrors", words) {
                    errors.0.push((name.into_owned(), message));
                }
            }
        }
        errors
    }

    fn read_name<T: Copy>(
        &mut self,
        found: Lenient<CowText<'_>>,
        names: &[(&str, T)],
        member: &str,
        words: &str,
    ) -> Option<T> {
        let name = self.read_value(found, member, words)?;
        for (known_name, value) in names {
            if *known_name == name {
                return Some(*value);
            }
        }
        self.add_problem(member, words);
        None
    }
}
