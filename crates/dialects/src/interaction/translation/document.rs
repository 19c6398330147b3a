//! Request as JSON, in the smallest of its three forms that holds all of it.

use crate::interaction::extensions::WaitMode;
use crate::interaction::wire::{
    CompletedView, FieldErrors, InteractionRequest, OnTimeout, QuestionnaireSchema,
};
use serde::Serialize;
use serde_json::Number;

/// Request in one of its forms.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum InteractionDocument<'r> {
    Bare(&'r QuestionnaireSchema),
    Arguments(InteractionArgumentsDocument<'r>),
    Request(InteractionRequestDocument<'r>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InteractionArgumentsDocument<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'r str>,
    schema: &'r QuestionnaireSchema,
    #[serde(flatten)]
    settings: InteractionSettingsDocument,
}

#[derive(Serialize, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct InteractionSettingsDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    validate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_timeout: Option<OnTimeout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<WaitMode>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InteractionRequestDocument<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    presentation: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'r str>,
    input_schema: &'r QuestionnaireSchema,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_view: Option<&'r CompletedView>,
    #[serde(rename = "require_client", skip_serializing_if = "std::ops::Not::not")]
    require_client: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_summary: Option<&'r str>,
    #[serde(skip_serializing_if = "FieldErrors::is_empty")]
    field_errors: &'r FieldErrors,
    #[serde(flatten)]
    settings: InteractionSettingsDocument,
}

impl<'r> InteractionDocument<'r> {
    /// Chooses the smallest form that holds all of a request.
    pub(crate) fn from_request(request: &'r InteractionRequest) -> Self {
        let settings = InteractionSettingsDocument {
            validate: (!request.validate).then_some(false),
            strict: request.strict.then_some(true),
            timeout_ms: request.timeout_ms.clone(),
            mode: (!request.waits).then_some(WaitMode::Async),
            on_timeout: (request.on_timeout != OnTimeout::Error).then_some(request.on_timeout),
        };
        let (prompt, schema) = (request.prompt.as_deref(), &request.input_schema);
        let is_whole = request.completed_view.is_some()
            || request.presentation.is_some()
            || request.require_client
            || request.error_summary.is_some()
            || !request.field_errors.is_empty();
        if is_whole {
            return Self::Request(InteractionRequestDocument {
                kind: "input",
                presentation: request.presentation.as_deref(),
                prompt,
                input_schema: schema,
                completed_view: request.completed_view.as_ref(),
                require_client: request.require_client,
                error_summary: request.error_summary.as_deref(),
                field_errors: &request.field_errors,
                settings,
            });
        }
        if prompt.is_none() && settings == InteractionSettingsDocument::default() {
            return Self::Bare(schema);
        }
        Self::Arguments(InteractionArgumentsDocument { prompt, schema, settings })
    }
}
