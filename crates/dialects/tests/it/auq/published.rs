//! Published texts and names of AUQ: those of the spec.

use super::read;
use sayso_core::Lang;
use sayso_dialects::Dialect;
use sayso_dialects::auq::{
    AskUserQuestionsParametersSchema, AuqLimits, OptionSchema, QuestionInput, QuestionSchema,
    QuestionsSchema, tool,
};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// Texts that the spec quotes for descriptions.
const QUOTED: [&str; 4] = [
    "The complete question to ask the user. Should be clear, specific, and end with a question mark.",
    "Very short label displayed as a chip/tag (max 12 chars).",
    "Must have 2-4 options. There should be no 'Other' option, that will be provided automatically.",
    "Set to true to allow the user to select multiple options. Default: false (single-select)",
];

fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn quoted_texts_are_unbroken() {
    let sources = [
        file("src/auq/schema.rs"),
        file("../../schemas/auq/request.zod.mjs"),
        file("../../schemas/auq/request.ts"),
        tool(&AuqLimits::default()).to_string(),
    ];
    for (source, quoted) in sources.iter().flat_map(|source| QUOTED.map(|quoted| (source, quoted))) {
        assert!(source.lines().any(|line| line.contains(quoted)), "{quoted} in {source}");
    }
}

#[test]
fn spec_names_are_exported() {
    let question = |_: &QuestionInput| {};
    let _: (fn(&QuestionSchema), Option<QuestionsSchema>, Option<OptionSchema>) = (question, None, None);
    let _: Option<AskUserQuestionsParametersSchema> = None;
    let zod = file("../../schemas/auq/request.zod.mjs");
    for name in [
        "OptionSchema",
        "QuestionSchema",
        "QuestionsSchema",
        "AskUserQuestionsParametersSchema",
        "QuestionInput",
    ] {
        assert!(zod.contains(&format!("export const {name} = ")), "{name}");
    }
    assert!(
        zod.contains("} QuestionInput */")
            && file("../../schemas/auq/request.ts").contains("export type QuestionInput")
    );
    assert!(
        zod.contains("Question title is required. Provide a short summary like 'Language' or 'Framework'.")
    );
}

#[test]
fn wrong_label_is_the_only_problem() {
    let option = |label: &str| json!({ "label": label });
    let request = json!({ "questions": [{ "prompt": "Which?", "title": "T", "multiSelect": false,
        "options": [option("A"), option("B")] }] });
    let limits = AuqLimits::default();
    let asked = Arc::new(read(&request.to_string(), &limits).unwrap().questionnaire);
    let answers = json!({ "answers": [{ "questionIndex": 0, "selectedOption": "C" }] });
    let given = Dialect::Auq.read_answers(&asked, &answers.to_string()).unwrap();
    let problems = given.validate(&asked).unwrap_err();
    let messages: Vec<_> = problems.iter().map(|problem| problem.message.render(Lang::En)).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("non-existent option"), "{messages:?}");
}
