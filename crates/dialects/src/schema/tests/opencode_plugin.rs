//! The generated plugin of OpenCode: it compiles, and its inline schemas judge requests as AUQ's own do.

use super::node::{self, ZodJob};
use super::requests::{examples, of_vectors};
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use crate::schema::formats::{SchemaFormat, SchemaPart};
use std::path::Path;

const NAME: &str = "sayso-questions.mjs";

fn plugin() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/opencode/sayso-questions.js");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn opencode_plugin_compiles() {
    let ambient = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/opencode-plugin/node.d.ts");
    let ambient = std::fs::read_to_string(ambient).unwrap();
    let files = [(NAME.to_owned(), plugin()), ("node.d.ts".to_owned(), ambient.clone())];
    assert_eq!(node::compile(&files), "");
    // The compiler does look at it.
    let broken = plugin().replace("execute: (args,", "execute: (args, other,");
    let files = [(NAME.to_owned(), broken), ("node.d.ts".to_owned(), ambient)];
    assert!(node::compile(&files).contains(NAME));
}

#[test]
fn opencode_plugin_judges_like_auq() {
    let requests: Vec<_> = examples(Dialect::Auq).into_iter().chain(of_vectors(Dialect::Auq)).collect();
    let texts: Vec<_> = requests.iter().map(|(_, request)| request.clone()).collect();
    let limits = DialectLimits::default();
    let schema = "AskUserQuestionsParametersSchema".to_owned();
    let own = ZodJob {
        source: Dialect::Auq.schema(SchemaPart::Request, SchemaFormat::Zod, &limits).unwrap(),
        schema: schema.clone(),
        texts: texts.clone(),
        files: Vec::new(),
    };
    // As OpenCode makes the schema of a tool from its arguments.
    let source = format!(
        "import {{ tool }} from \"@opencode-ai/plugin\";\n\
         import {{ SaysoQuestions }} from \"./{NAME}\";\n\
         const plugin = await SaysoQuestions({{}});\n\
         export const {schema} = tool.schema.looseObject(plugin.tool.ask_user_questions.args);\n"
    );
    let inline = ZodJob { source, schema, texts, files: vec![(NAME.to_owned(), plugin())] };
    let verdicts = node::verdicts(&[own, inline]);
    assert!(verdicts[0].contains(&true) && verdicts[0].contains(&false));
    for ((name, _), (own, inline)) in requests.iter().zip(verdicts[0].iter().zip(&verdicts[1])) {
        assert_eq!(own, inline, "{name}");
    }
}
