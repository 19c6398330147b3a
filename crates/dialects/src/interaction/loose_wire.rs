//! The spec's shapes as they are read: anything may stand anywhere.

use crate::loose::{List, Loose, Members, Record, members};
use serde::de::MapAccess;
use serde_json::{Number, Value};

macro_rules! shape {
    ($(#[$doc:meta])* $shape:ident { $($field:ident: $name:literal => $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(super) struct $shape { $(pub(super) $field: Loose<$kind>,)* }

        members!($shape { $($name => $field),* });
    };
}

shape! {
    Schema {
        title: "title" => String,
        description: "description" => String,
        fields: "fields" => List<Field>,
        sections: "sections" => List<Section>,
        submit_label: "submitLabel" => String,
        cancel_label: "cancelLabel" => String,
        initial_values: "initialValues" => Record<Value>,
    }
}

shape! {
    Section {
        id: "id" => String,
        title: "title" => String,
        description: "description" => String,
        fields: "fields" => List<Field>,
        optional: "optional" => bool,
        submit_label: "submitLabel" => String,
    }
}

shape! {
    Field {
        id: "id" => String,
        kind: "type" => String,
        label: "label" => String,
        description: "description" => String,
        required: "required" => bool,
        placeholder: "placeholder" => String,
        default_value: "defaultValue" => Value,
        validate_on_client: "validateOnClient" => bool,
        options: "options" => List<Entry>,
        min: "min" => Number,
        max: "max" => Number,
        step: "step" => Number,
        min_length: "minLength" => Number,
        max_length: "maxLength" => Number,
        pattern: "pattern" => String,
    }
}

shape! {
    Entry {
        label: "label" => String,
        value: "value" => String,
    }
}

shape! {
    View {
        show_inputs: "showInputs" => bool,
        summary_template: "summaryTemplate" => String,
    }
}

shape! {
    /// What stands around a schema.
    Around {
        kind: "type" => String,
        presentation: "presentation" => String,
        prompt: "prompt" => String,
        schema: "schema" => Schema,
        input_schema: "inputSchema" => Schema,
        completed_view: "completedView" => View,
        timeout_ms: "timeoutMs" => Number,
        on_timeout: "onTimeout" => String,
        validate: "validate" => bool,
        strict: "strict" => bool,
        mode: "mode" => String,
        require_client: "require_client" => bool,
        error_summary: "errorSummary" => String,
        field_errors: "fieldErrors" => Record<String>,
    }
}

/// A request in any of its three forms: a schema alone, an operation's arguments, or an interaction request.
#[derive(Default)]
pub(super) struct Request {
    pub(super) around: Around,
    pub(super) bare: Schema,
    /// Whether a member of a schema stands at the top.
    pub(super) is_bare: bool,
}

impl Members for Request {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        if self.around.member(name, object)? {
            return Ok(true);
        }
        let known = self.bare.member(name, object)?;
        self.is_bare |= known;
        Ok(known)
    }
}

impl<T> Loose<T> {
    /// Whether anything stands there.
    pub(super) const fn is_there(&self) -> bool {
        !matches!(self, Self::Missing)
    }
}
