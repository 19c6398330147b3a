//! Tests that an agent's text never steers a terminal, and is stored and returned unchanged.

use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Returns the texts of these classes that try to steer terminals and readers, each with its case id. The file has
/// this many.
pub(crate) fn texts_of(classes: &[&str], count: usize) -> Vec<(String, String)> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("../../../../core/tests/vectors/hostile-text.json")).unwrap();
    let cases: Vec<_> =
        all.iter().filter(|case| classes.contains(&case["class"].as_str().unwrap())).collect();
    assert_eq!(cases.len(), count);
    let texts = |case: &&Value| -> Vec<_> {
        let id = case["id"].as_str().unwrap();
        let inputs = case["input"].as_array().unwrap().iter();
        inputs.map(|input| (id.to_owned(), input.as_str().unwrap().to_owned())).collect()
    };
    cases.iter().flat_map(texts).collect()
}

fn hostile() -> Vec<(String, String)> {
    texts_of(&["terminal", "unicode"], 44)
}

/// Characters that steer a terminal, change the writing direction, or are invisible.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}')
}

/// Asserts that a screen hides nothing but our own line breaks, and the joiner within an emoji.
fn assert_clean(id: &str, screen: &str) {
    let text = screen.replace("\r\n", "\n").replace("👨\u{200d}👩\u{200d}👧", "");
    if let Some(bad) = text.chars().find(|c| is_hidden(*c) && *c != '\n') {
        panic!("{id}: {bad:?} in {text:?}");
    }
}

/// Asserts that hidden characters of a text show as tokens.
fn assert_shows_tokens(id: &str, text: &str, screen: &str) {
    let plain = text.replace("👨\u{200d}👩\u{200d}👧", "");
    for hidden in plain.chars().filter(|c| is_hidden(*c) && !"\n\t".contains(*c)) {
        let token = format!("⟦U+{:04X}⟧", u32::from(hidden));
        assert!(screen.contains(&token), "{id}: no {token} in {screen}");
    }
}

#[test]
fn hostile_text_in_questionnaire_is_escaped() {
    let world = TestWorld::new();
    for (id, text) in hostile() {
        let questions = json!([
            { "prompt": text, "detail": text, "options": [{ "label": text, "description": text }, { "label": "B" }] },
            { "prompt": "End?", "placeholder": text },
        ]);
        let request = json!({ "sayso": 1, "title": text, "context": text, "questions": questions });
        let mut args = vec!["--format", "sayso"];
        if !text.contains('\0') && text.len() <= 200 {
            args.extend(["--from", &text]);
        }
        let ask = world.leave_ask(&request.to_string(), &args);
        let mut terminal = world.sayso(["answer", &ask]).on_terminal();
        terminal.expect("Question 1 of 2.").expect("/help): ").line("1").expect("Recorded:");
        terminal.expect("Question 2 of 2.").expect("/help): ").line("x");
        terminal.expect("Review> ").line("/submit").expect("Sent.");
        let seen = terminal.wait();
        assert_eq!(seen.exit, 0, "{id}: {seen:?}");
        assert_clean(&id, &seen.screen);
        assert_shows_tokens(&id, &text, &seen.screen);
        for command in [&["show", &ask][..], &["show", "--json", &ask], &["list", "--state", "all"]] {
            assert_clean(&id, &world.sayso(command).on_terminal().wait().screen);
        }

        let stored = &world.show(&ask)["questionnaire"];
        let first = &stored["questions"][0];
        let option = &first["options"][0];
        let places = [&stored["title"], &stored["context"], &first["prompt"], &first["detail"]];
        for place in places.into_iter().chain([&option["label"], &option["description"]]) {
            assert_eq!(*place, text.as_str(), "{id}");
        }
    }
}

#[test]
fn hostile_text_in_auq_is_escaped() {
    let world = TestWorld::new();
    for (id, text) in hostile() {
        // The spec limits the length of labels.
        let label: String = text.chars().take(25).collect();
        let options = json!([{ "label": label, "description": label }, { "label": "B", "description": "b" }]);
        let question = json!({ "question": text, "header": text, "options": options, "multiSelect": false });
        let request = json!({ "questions": [question] }).to_string();
        let call = world.sayso(["AskUserQuestion", &request]).env("ASK_HEADER_MAX_LENGTH", "10000");
        let call = call.env("ASK_QUESTION_MAX_LENGTH", "10000");
        let mut terminal = call.on_terminal_with_stdout_file();
        terminal.expect("Enter number or 0 for custom: ").line("");
        let seen = terminal.wait();
        assert_eq!(seen.exit, 0, "{id}: {seen:?}");
        assert_clean(&id, &seen.screen);
        assert_shows_tokens(&id, &text, &seen.screen);
        let answers: Value = serde_json::from_str(&seen.stdout).unwrap();
        assert_eq!(answers, json!({ "answers": { text: label } }), "{id}");
    }
}

#[test]
fn typed_text_is_escaped_for_asker() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let request = json!({ "questions": [{ "id": "text", "prompt": "Say it." }] }).to_string();
    let asking = world.sayso(["ask", "--elsewhere", &request]).on_terminal();
    let (_, id) = world.first_ask();
    let answers = json!({ "answers": { "text": "\u{1b}[2J\u{9b}2J\u{202e}" } }).to_string();
    assert_eq!(world.sayso(["answer", &id, "--answers", &answers]).run().exit, 0);
    let seen = asking.wait();
    assert_clean("answer", &seen.screen);
    let json = seen.screen.lines().last().unwrap();
    let outcome: Value = serde_json::from_str(json).unwrap();
    assert_eq!(outcome["replies"]["text"]["answer"]["text"], "\u{1b}[2J\u{9b}2J\u{202e}");
    let declined =
        world.sayso(["ask", "--elsewhere", &crate::support::sample_requests::one("H")]).on_terminal();
    let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
    let decline = ["answer", &ask.id.to_string(), "--decline", "--reason", "\u{1b}[2J\u{9b}2J"];
    assert_eq!(world.sayso(decline).run().exit, 3);
    assert_clean("reason", &declined.wait().screen);
}

#[test]
fn folder_names_are_escaped() {
    let world = TestWorld::new();
    let folder = world.path("work/\u{1b}[2J\u{9b}2J");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join(".sayso.toml"), "format = \"sayso\"\n").unwrap();
    for command in [
        &["doctor"][..],
        &["doctor", "--json"],
        &["ask", "--no-wait", &crate::support::sample_requests::one("H")],
    ] {
        let seen = world.sayso(command).in_folder(&folder).on_terminal().wait();
        assert_eq!(seen.exit, 0, "{seen:?}");
        assert_clean("folder", &seen.screen);
    }
    std::fs::write(folder.join(".sayso.toml"), "format = 5\n").unwrap();
    let seen = world.sayso(["list"]).in_folder(&folder).on_terminal().wait();
    assert_eq!(seen.exit, 0, "what is wrong with a project's file stops nobody: {seen:?}");
    assert_clean("setting", &seen.screen);
}
