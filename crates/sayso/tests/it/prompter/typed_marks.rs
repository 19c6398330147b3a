//! Tests that no text of an agent can be taken for a mark of ours, and that each surface shows it escaped once.

use crate::inbox::person::{is_open, leave_ask, open_inbox};
use crate::mcp::host::{LEGACY, McpHost, server};
use crate::support::test_world::TestWorld;
use serde_json::json;

/// A count and a token as an agent types them, and a control character.
const TYPED: &str = "⋮ 9 ⋮⟦U+1⟧\u{1b}";
const SHOWN: &str = "⟦U+22EE⟧ 9 ⟦U+22EE⟧⟦U+27E6⟧U+1⟦U+27E7⟧⟦U+001B⟧";

/// Asserts that the text is there this often, and nowhere else in another form.
#[track_caller]
fn assert_shown(surface: &str, screen: &str, count: usize) {
    // Rows wrap within a token.
    let screen = screen.replace(['\r', '\n', ' ', '|', '┃', '│'], "");
    let shown = SHOWN.replace(' ', "");
    assert!(screen.matches(&shown).count() >= count, "{surface}: {screen}");
    assert!(!screen.replace(&shown, "").contains("U+27E6"), "{surface}: {screen}");
    assert!(!screen.contains("U+27E6⟧U+0") && !screen.contains("U+27E6⟧U+2"), "{surface}: {screen}");
}

fn request() -> String {
    let text = |more: &str| format!("{TYPED}{more}");
    json!({ "sayso": 1, "title": TYPED, "questions": [
        { "prompt": text("?"), "label": TYPED, "detail": TYPED, "options": [
            { "label": TYPED, "value": "other", "description": TYPED }, { "label": "B" },
        ] },
        { "prompt": text("!"), "kind": "confirm", "yes": TYPED },
    ] })
    .to_string()
}

#[test]
fn typed_marks_are_tokens_in_prompter_and_commands() {
    let world = TestWorld::new();
    let ask = world.leave_ask(&request(), &[]);
    assert_shown("list", &world.sayso(["list"]).on_terminal().wait().screen, 1);
    assert_shown("show", &world.sayso(["show", &ask]).on_terminal().wait().screen, 4);
    let mut terminal = world.sayso(["answer", &ask]).on_terminal();
    terminal.expect("Question 1 of 2.").expect("/help): ").line("1").expect("Recorded:");
    terminal.expect("Question 2 of 2.").expect("/help): ").line("yes").expect("Recorded:");
    terminal.expect("Review> ").line("/submit").expect("Sent.");
    assert_shown("prompter", &terminal.wait().screen, 8);
    assert_shown("show", &world.sayso(["show", &ask]).on_terminal().wait().screen, 5);
}

#[test]
fn typed_marks_are_tokens_on_full_screen() {
    let world = TestWorld::new();
    leave_ask(&world, &request(), "claude");
    let mut screen = open_inbox(&world);
    let list = screen.wait_for(|screen| screen.contents().contains("1 waiting"));
    assert!(list.contains("⟦U+22EE⟧ 9 ⟦U+22EE⟧⟦U+27E6⟧U+1⟦U+27E7⟧"), "{list}");
    let question = screen.type_bytes("\r").wait_for(is_open);
    assert_shown("question", &question, 4);
    screen.type_bytes("1").wait_for(|screen| screen.contents().contains("(•) 1"));
    let review = screen.type_bytes("\x1b0").expect_text("Check your answers");
    assert_shown("review", &review, 2);
    screen.kill();
}

#[test]
fn typed_marks_are_tokens_in_host_form() {
    let world = TestWorld::new();
    let mut host = McpHost::with_session(server(&world), LEGACY[0], &json!({ "elicitation": {} }));
    let asked = json!({ "title": TYPED, "questions": [
        { "prompt": format!("{TYPED}?"), "detail": TYPED, "options": [
            { "label": TYPED, "description": TYPED }, { "label": "B" },
        ] },
    ] });
    host.begin("ask", &asked);
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    assert_shown("form", &form["params"].to_string(), 5);
}
