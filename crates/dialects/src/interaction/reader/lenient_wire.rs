//! Wire types of the spec as they are read: each member may have any type.

use crate::lenient::{CowText, LenientList, LenientRecord, ObjectMembers, lenient_objects};
use serde::de::MapAccess;
use serde_json::{Number, Value};

lenient_objects! {
    InteractionSchemaInput<'t> {
        title: "title" => String,
        description: "description" => String,
        fields: "fields" => LenientList<Box<InteractionFieldInput<'t>>>,
        sections: "sections" => LenientList<InteractionSectionInput<'t>>,
        submit_label: "submitLabel" => String,
        cancel_label: "cancelLabel" => String,
        initial_values: "initialValues" => LenientRecord<'t, Value>,
    }

    InteractionSectionInput<'t> {
        id: "id" => CowText<'t>,
        title: "title" => String,
        description: "description" => String,
        fields: "fields" => LenientList<Box<InteractionFieldInput<'t>>>,
        optional: "optional" => bool,
        submit_label: "submitLabel" => String,
    }

    InteractionFieldInput<'t> {
        id: "id" => CowText<'t>,
        kind: "type" => CowText<'t>,
        label: "label" => String,
        description: "description" => String,
        required: "required" => bool,
        placeholder: "placeholder" => String,
        default_value: "defaultValue" => Value,
        validate_on_client: "validateOnClient" => bool,
        options: "options" => LenientList<InteractionOptionInput<'t>>,
        min: "min" => Number,
        max: "max" => Number,
        step: "step" => Number,
        min_length: "minLength" => Number,
        max_length: "maxLength" => Number,
        pattern: "pattern" => String,
    }

    InteractionOptionInput<'t> {
        label: "label" => String,
        value: "value" => CowText<'t>,
    }

    InteractionViewInput {
        show_inputs: "showInputs" => bool,
        summary_template: "summaryTemplate" => String,
    }

    /// Members of a request around its schema.
    InteractionEnvelopeInput<'t> {
        kind: "type" => CowText<'t>,
        presentation: "presentation" => CowText<'t>,
        prompt: "prompt" => String,
        schema: "schema" => InteractionSchemaInput<'t>,
        input_schema: "inputSchema" => InteractionSchemaInput<'t>,
        completed_view: "completedView" => InteractionViewInput,
        timeout_ms: "timeoutMs" => Number,
        on_timeout: "onTimeout" => CowText<'t>,
        validate: "validate" => bool,
        strict: "strict" => bool,
        mode: "mode" => CowText<'t>,
        require_client: "require_client" => bool,
        error_summary: "errorSummary" => String,
        field_errors: "fieldErrors" => LenientRecord<'t, String>,
    }
}

/// Request in any of its three forms: a schema alone, an operation's arguments, or an interaction request.
#[derive(Default)]
pub(crate) struct InteractionRequestInput<'t> {
    pub(crate) envelope: InteractionEnvelopeInput<'t>,
    pub(crate) bare: InteractionSchemaInput<'t>,
    /// Set if the top level has a member of a schema.
    pub(crate) is_bare: bool,
}

impl<'t> ObjectMembers<'t> for InteractionRequestInput<'t> {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        if self.envelope.member(name, object)? {
            return Ok(true);
        }
        let known = self.bare.member(name, object)?;
        self.is_bare |= known;
        Ok(known)
    }
}
