//! Arguments of `ask` as hosts list them: the members that most questions need. A host sends the list to its model with
//! every request, and Codex drops all descriptions of a schema above 5,000 bytes. All other members of the format are
//! accepted too; [`FORMAT_URI`](crate::mcp::resources::format_guide::FORMAT_URI) and the refusals teach them.

use super::{into_object, max_wait_schema, received_schema};
use sayso_core::limits;
use serde_json::{Map, Value, json};

/// Members of a question that are not listed.
const OTHER_MEMBERS: &str = "The questions, in order. A question may also have: label, placeholder, prefill, constraints \
    (such as [{\"min\":1,\"message\":\"…\"}]), children (follow-up questions), show_if, and settings of its kind. The \
    resource sayso://format explains them all; a wrong one is refused with the right form.";
/// Forms of an act.
const ACTS: &str = "What would be done, as data and complete. One of {\"shell\":{\"command\":\"…\",\"folder\":\"…\"}}, \
    {\"run\":{\"argv\":[\"…\"],\"folder\":\"…\"}}, {\"write\":{\"path\":\"…\",\"content\":\"…\"}}, \
    {\"edit\":{\"path\":\"…\",\"diff\":\"…\"}}, {\"open\":{\"url\":\"…\"}}, \
    {\"call\":{\"arguments\":\"…\"}} with the arguments as JSON text.";

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

/// Returns the arguments.
pub(crate) fn listed_ask_input() -> Map<String, Value> {
    into_object(json!({
        "type": "object",
        "properties": {
            "title": text("The topic in one line."),
            "context": text("Why you ask, and what the person must know to answer. Markdown."),
            "questions": { "type": "array", "items": question(), "description": OTHER_MEMBERS },
            "action": {
                "type": "object",
                "description": "An act that needs consent. The person sees it apart from your words.",
                "properties": {
                    "tool": text("The tool that would do it, by its name."),
                    "act": { "type": "object", "description": ACTS },
                },
                "required": ["tool", "act"],
            },
            "key": {
                "type": "string",
                "minLength": 1,
                "maxLength": limits::IDEMPOTENCY_KEY_BYTES,
                "description": "A name of your own for this ask: with the same key and the same questions you find it \
                    again, however it ended, also from another thread.",
            },
            "timeout": text("After how long the question expires without an answer: 30m, 2h, 3 days. Without it the \
                question stays open. This is not how long the call waits: that is max_wait_s."),
            "max_wait_s": max_wait_schema(),
            "received": received_schema(),
        },
    }))
}

/// Returns a question.
fn question() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": text("Your name for the question, under which its answer returns."),
            "prompt": text("What is asked."),
            "detail": text("Details below the prompt. Markdown."),
            "kind": {
                "type": "string",
                "enum": ["choice", "text", "confirm", "rating", "number", "date", "time", "datetime"],
                "description": "What can be answered. Without it: a choice if there are options, else a text.",
            },
            "options": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": text("Your name for the option."),
                        "label": text("What the person reads."),
                        "description": text("What it means for the person."),
                        "preview": text("The result, shown beside the options."),
                        "recommended": flag("You would take this one. It is marked, never picked."),
                    },
                    "required": ["label"],
                },
            },
            "consent": flag("For a confirm: true if you act on a yes, false if it is an ordinary value."),
            "multi": flag("Several options may be picked."),
            "other": flag("An own typed answer is allowed too."),
            "required": flag("False if the person may leave it out."),
        },
        "required": ["prompt"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::arguments::schema::ask_input;
    use crate::mcp::tools::ToolSet;
    use sayso_core::wire::hints::schema_node::SchemaNode;
    use sayso_dialects::auq::{AuqCompat, AuqLimits};

    /// Largest input schema of a tool, in bytes of compact JSON. Codex keeps one of up to 5,000.
    const SCHEMA_BYTES: usize = 4_800;

    #[test]
    fn listed_schemas_are_small() {
        for tool in ToolSet::All.tools(AuqCompat::V3_4) {
            let entry = tool.list_entry(&AuqLimits::from_compat(AuqCompat::V3_4));
            let bytes = serde_json::to_string(&*entry.input_schema).unwrap().len();
            assert!(bytes <= SCHEMA_BYTES, "{}: {bytes}", entry.name);
        }
    }

    /// Returns the object that an element of this list can be.
    fn element<'s>(holder: SchemaNode<'s>, list: &str) -> SchemaNode<'s> {
        let forms = holder.property(list).unwrap().items().unwrap().forms();
        forms.into_iter().find(|form| form.type_name() == Some("object")).unwrap()
    }

    #[test]
    fn listed_members_are_accepted() {
        let (listed, whole) = (listed_ask_input(), ask_input());
        let [listed, whole] = [&listed, &**whole].map(SchemaNode::root);
        let within = |listed: SchemaNode<'_>, whole: SchemaNode<'_>| {
            listed.members().count() > 0 && listed.members().all(|name| whole.property(name).is_some())
        };
        assert!(within(listed, whole));
        let [listed, whole] = [listed, whole].map(|schema| element(schema, "questions"));
        assert!(within(listed, whole));
        let kinds: Vec<_> =
            whole.property("kind").unwrap().forms().into_iter().flat_map(SchemaNode::words).collect();
        assert_eq!(listed.property("kind").unwrap().keyword("enum"), Some(&json!(kinds)));
        let [listed, whole] = [listed, whole].map(|question| element(question, "options"));
        assert!(within(listed, whole));
    }
}
