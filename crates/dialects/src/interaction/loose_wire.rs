//! The spec's shapes as they are read: anything may stand anywhere.

use crate::loose::{List, Loose, Members, Record, Words, members};
use serde::de::MapAccess;
use serde_json::{Number, Value};

macro_rules! shape {
    ($(#[$doc:meta])* $shape:ident $(<$life:lifetime>)? { $($field:ident: $name:literal => $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(super) struct $shape $(<$life>)? { $(pub(super) $field: Loose<$kind>,)* }

        members!($shape $(<$life>)? { $($name => $field),* });
    };
}

shape! {
    Schema<'t> {
        title: "title" => String,
        description: "description" => String,
        fields: "fields" => List<Box<Field<'t>>>,
        sections: "sections" => List<Section<'t>>,
        submit_label: "submitLabel" => String,
        cancel_label: "cancelLabel" => String,
        initial_values: "initialValues" => Record<'t, Value>,
    }
}

shape! {
    Section<'t> {
        id: "id" => Words<'t>,
        title: "title" => String,
        description: "description" => String,
        fields: "fields" => List<Box<Field<'t>>>,
        optional: "optional" => bool,
        submit_label: "submitLabel" => String,
    }
}

shape! {
    Field<'t> {
        id: "id" => Words<'t>,
        kind: "type" => Words<'t>,
        label: "label" => String,
        description: "description" => String,
        required: "required" => bool,
        placeholder: "placeholder" => String,
        default_value: "defaultValue" => Value,
        validate_on_client: "validateOnClient" => bool,
        options: "options" => List<Entry<'t>>,
        min: "min" => Number,
        max: "max" => Number,
        step: "step" => Number,
        min_length: "minLength" => Number,
        max_length: "maxLength" => Number,
        pattern: "pattern" => String,
    }
}

shape! {
    Entry<'t> {
        label: "label" => String,
        value: "value" => Words<'t>,
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
    Around<'t> {
        kind: "type" => Words<'t>,
        presentation: "presentation" => Words<'t>,
        prompt: "prompt" => String,
        schema: "schema" => Schema<'t>,
        input_schema: "inputSchema" => Schema<'t>,
        completed_view: "completedView" => View,
        timeout_ms: "timeoutMs" => Number,
        on_timeout: "onTimeout" => Words<'t>,
        validate: "validate" => bool,
        strict: "strict" => bool,
        mode: "mode" => Words<'t>,
        require_client: "require_client" => bool,
        error_summary: "errorSummary" => String,
        field_errors: "fieldErrors" => Record<'t, String>,
    }
}

/// A request in any of its three forms: a schema alone, an operation's arguments, or an interaction request.
#[derive(Default)]
pub(super) struct Request<'t> {
    pub(super) around: Around<'t>,
    pub(super) bare: Schema<'t>,
    /// Whether a member of a schema stands at the top.
    pub(super) is_bare: bool,
}

impl<'t> Members<'t> for Request<'t> {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
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
