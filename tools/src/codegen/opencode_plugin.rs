//! The plugin of OpenCode with the tool `ask_user_questions`: AUQ's schemas inline, as `tool.schema`, between the parts
//! that are written by hand.

use anyhow::Context;
use sayso_dialects::{Dialect, SchemaFormat, SchemaPart};
use serde_json::{Value, json};

use super::{ASK_AT_DESK, Generated};

/// Path of the plugin from the root.
const PLUGIN: &str = "integrations/opencode/sayso-questions.js";
const HEAD: &str = include_str!("opencode_plugin/head.js");
const TAIL: &str = include_str!("opencode_plugin/tail.js");
/// Line after which the schemas begin in the module that the program prints.
const IMPORT: &str = "import * as z from \"zod\";\n";

/// The plugin.
pub(super) fn plugin() -> anyhow::Result<Generated> {
    let generate = |form| Dialect::Auq.generate_schema(SchemaPart::Request, form).context("AUQ has a schema");
    let module = generate(SchemaFormat::Zod)?;
    let tool: Value = serde_json::from_str(&generate(SchemaFormat::Tool)?)?;
    let description = tool.get("description").context("a tool has a description")?;
    Ok(Generated { path: PLUGIN.to_owned(), text: text(&module, description)? })
}

fn text(module: &str, description: &Value) -> anyhow::Result<String> {
    let (_, schemas) = module.split_once(IMPORT).context("the module does not import Zod")?;
    let schemas = schemas.replace("export const ", "const ");
    let description = json!(description);
    let schemas = schemas.trim_end();
    Ok(format!("{HEAD}{schemas}\n\nconst DESCRIPTION = {description};\n{ASK_AT_DESK}{TAIL}"))
}

#[cfg(test)]
mod tests {
    use super::text;
    use serde_json::json;

    #[test]
    fn schemas_are_inline() {
        let module = "// x\n\nimport * as z from \"zod\";\n\nexport const A = z.string();\n";
        let text = text(module, &json!("Asks \"them\".")).unwrap();
        assert!(
            text.contains("\nconst A = z.string();\n\nconst DESCRIPTION = \"Asks \\\"them\\\".\";\n"),
            "{text}"
        );
        assert!(text.contains("const z = tool.schema;"), "{text}");
    }
}
