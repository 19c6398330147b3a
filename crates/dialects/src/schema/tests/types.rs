//! TypeScript types of all dialects.

use super::node::{self, ZodJob};
use super::requests::examples;
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use crate::schema::formats::{SchemaFormat, SchemaPart};
use crate::schema::reader;
use std::fmt::Write as _;

#[test]
fn typescript_types_fit_the_examples() {
    let limits = DialectLimits::default();
    let mut files = Vec::new();
    for dialect in Dialect::ALL {
        let published = dialect.usual_format().published();
        for part in SchemaPart::ALL {
            let types = dialect.schema(part, SchemaFormat::TypeScript, &limits).unwrap();
            files.push((format!("{}-{}.ts", dialect.name(), part.default_name()), types));
        }
        let name = reader::read(&published.request, "Request").unwrap().name;
        let mut used = format!("import type {{ {name} }} from \"./{}-Request.js\";\n", dialect.name());
        for (index, (_, example)) in examples(dialect).iter().enumerate() {
            writeln!(used, "export const example{index}: {name} = {example};").unwrap();
        }
        files.push((format!("{}-used.ts", dialect.name()), used));
    }
    assert!(files.len() >= 6);
    assert_eq!(node::compile(&files), "");
}

/// The spec's `z.object` removes unknown members, and its `QuestionInput` is a type that has none.
#[test]
fn auq_types_and_zod_have_no_unknown_members() {
    let limits = DialectLimits::default();
    let generate = |form| Dialect::Auq.schema(SchemaPart::Request, form, &limits).unwrap();
    let question =
        r#"{ prompt: "Which?", title: "T", options: [{ label: "A" }, { label: "B" }], multiSelect: false"#;
    let used = format!(
        "import type {{ QuestionInput }} from \"./request.js\";\n\
         import * as z from \"zod\";\n\
         import {{ QuestionSchema }} from \"./request.zod.mjs\";\n\
         export const asked: QuestionInput = {question} }};\n\
         export const parsed: z.infer<typeof QuestionSchema> = asked;\n\
         // @ts-expect-error\n\
         export const misspelt: QuestionInput = {question}, multiselect: true }};\n\
         // @ts-expect-error\n\
         export const slip: z.infer<typeof QuestionSchema> = {question}, multiselect: true }};\n"
    );
    let files = [
        ("request.ts".to_owned(), generate(SchemaFormat::TypeScript)),
        ("request.zod.mjs".to_owned(), generate(SchemaFormat::Zod)),
        ("used.ts".to_owned(), used),
    ];
    assert_eq!(node::compile(&files), "");
    for (dialect, whole) in [
        (Dialect::Auq, "AskUserQuestionsParametersSchema"),
        (Dialect::AskUserQuestion, "AskUserQuestionInputSchema"),
    ] {
        let (_, example) = &examples(dialect)[0];
        let source = dialect.schema(SchemaPart::Request, SchemaFormat::Zod, &limits).unwrap();
        let source = format!(
            "{source}\nexport const Strips = z.custom((value) => !JSON.stringify({whole}.parse(value)).includes(\"extra\"));\n"
        );
        let extra = example.replacen(r#""multiSelect""#, r#""extra":1,"multiSelect""#, 1);
        assert_ne!(&extra, example);
        let job = ZodJob { source, schema: "Strips".to_owned(), texts: vec![extra], files: Vec::new() };
        assert_eq!(node::verdicts(&[job]), [[true]], "{whole}");
    }
}
