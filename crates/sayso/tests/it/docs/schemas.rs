//! Tests of `sayso schema`: a dialect's description for programs and models.

use crate::support::test_world::TestWorld;
use serde_json::Value;

#[test]
fn request_schema_is_json_by_default() {
    let world = TestWorld::new();
    let schema = world.json(&["schema", "ask_user_question"]);
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["title"], "AskUserQuestionInput");
    assert_eq!(schema, world.json(&["schema", "ask_user_question", "--as", "json-schema"]));
    let outcome = world.json(&["schema", "ask_user_question", "--outcome"]);
    assert_eq!(outcome["title"], "AskUserQuestionOutput");
    assert!(!world.desk_file().exists());
}

#[test]
fn each_format_is_printed() {
    let world = TestWorld::new();
    let printed = |args: &[&str]| {
        let ended = world.sayso([&["schema", "sayso", "--as"], args].concat()).run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
        ended.stdout
    };
    assert!(printed(&["typescript"]).contains("\nexport interface Questionnaire {\n"));
    assert!(printed(&["typescript", "--outcome"]).contains("\nexport type Outcome = "));
    assert!(printed(&["zod"]).contains("\nexport const QuestionnaireSchema = z.looseObject({\n"));
    let tool: Value = serde_json::from_str(&printed(&["tool"])).unwrap();
    assert_eq!((&tool["name"], &tool["input_schema"]["type"]), (&"ask".into(), &"object".into()));
}

#[test]
fn environment_limits_reach_the_schema() {
    let world = TestWorld::new();
    let ended = world.sayso(["schema", "ask_user_question"]).env("ASK_MAX_QUESTIONS", "9").run();
    let schema: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(schema["properties"]["questions"]["maxItems"], 9);
}

#[test]
fn missing_schema_lists_available_ones() {
    let world = TestWorld::new();
    let refused = |args: &[&str]| {
        let ended = world.sayso([&["schema"], args].concat()).run();
        assert_eq!(ended.stdout, "");
        (ended.exit, ended.stderr)
    };
    let output_of = |command: &str| {
        let output_of = format!("sayso: Unknown schema `{command}`.\n  `sayso schema` lists all schemas.\n");
        (1, output_of)
    };
    assert_eq!(refused(&["sayso", "--as", "openapi"]), output_of("sayso --as openapi"));
    assert_eq!(refused(&["sayso", "--as", "tool", "--outcome"]), output_of("sayso --as tool --outcome"));
    assert_eq!(refused(&["sayso", "--as", "cobol"]).0, 2);
    assert_eq!(refused(&["nothing"]).0, 2);
    assert_eq!(refused(&["--outcome"]).0, 2);
}

#[test]
fn bare_schema_lists_all() {
    let world = TestWorld::new();
    let list = world.sayso(["schema"]).run();
    assert_eq!((list.exit, list.stderr.as_str()), (0, ""));
    assert!(list.stdout.starts_with("sayso --as json-schema\nsayso --as json-schema --outcome\n"));
    for line in list.stdout.lines() {
        let ended = world.sayso(std::iter::once("schema").chain(line.split(' '))).run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{line}");
        assert!(ended.stdout.len() > 100, "{line}");
    }
}
