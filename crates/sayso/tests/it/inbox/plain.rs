//! Tests of places without a full screen, and of what `sayso ask` shows on one.

use crate::inbox::person::{leave_ask, press_until, send_answers, send_until};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const SCREEN: &[u8] = b"\x1b[?1049h";

fn has_screen(emulated: &EmulatedTerminal) -> bool {
    emulated.raw().windows(SCREEN.len()).any(|window| window == SCREEN)
}

#[test]
fn plain_setting_gives_lines() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x").to_string();
    let ways = [
        ("TERM", "dumb", None),
        ("SAYSO_PLAIN", "1", None),
        ("ACCESSIBLE", "1", None),
        ("LANG", "C", Some(["inbox", "--plain"])),
    ];
    for (name, value, flag) in ways {
        let mut inbox = vec![];
        let mut answer = vec!["answer", &id];
        inbox.extend(flag.into_iter().flatten());
        answer.extend(flag.map(|words| words[1]));
        let listed = EmulatedTerminal::start(&world.sayso(inbox).env(name, value), 24, 80);
        let screen = listed.expect_text("sayso answer ID");
        assert!(screen.contains("Story"), "{screen}");
        assert!(!listed.raw().contains(&0x1b), "{name}");
        assert_eq!(listed.wait().0, 0);
        let lines = EmulatedTerminal::start(&world.sayso(answer).env(name, value), 24, 80);
        lines.expect_text("Question 1 of 1");
        assert!(!has_screen(&lines) && !lines.raw().contains(&0x1b), "{name}");
        lines.kill();
    }
    let listed = EmulatedTerminal::start(&world.sayso(["--plain"]), 24, 80);
    listed.expect_text("sayso answer ID");
    assert!(!has_screen(&listed));
    assert_eq!(listed.wait().0, 0);
    let lines = EmulatedTerminal::start(&world.sayso(["--plain", "answer", &id]), 24, 80);
    lines.expect_text("Question 1 of 1");
    assert!(!has_screen(&lines));
    lines.kill();
    world.write("config/sayso/config.toml", "[screen]\nplain = true\n");
    let lines = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    lines.expect_text("Question 1 of 1");
    assert!(!has_screen(&lines));
    lines.kill();
}

#[test]
fn piped_output_is_a_list() {
    let world = TestWorld::new();
    leave_ask(&world, &text("Story"), "x");
    let terminal = world.sayso([""; 0]).on_terminal_with_stdout_file();
    let seen = terminal.wait();
    assert!(seen.exit == 0 && seen.stdout.contains("Story") && !seen.stdout.contains('\x1b'), "{seen:?}");
    assert!(!seen.screen.contains('\x1b'), "{seen:?}");
}

#[test]
fn agent_shell_never_gets_screen() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x").to_string();
    for args in [&[][..], &["inbox"], &["answer", &id]] {
        let agent = EmulatedTerminal::start(&world.sayso(args).env("CLAUDECODE", "1"), 24, 80);
        agent.wait_for(|screen| !screen.contents().trim().is_empty());
        let raw = has_screen(&agent);
        let ended = agent.wait();
        assert!(!raw && !ended.1.contains("Say it."), "{args:?} {ended:?}");
    }
    let asking =
        EmulatedTerminal::start(&world.sayso(["ask", &text("Another")]).env("CLAUDECODE", "1"), 24, 80);
    world.wait_for_ask(|ask| ask.request.questionnaire.title.as_deref() == Some("Another"));
    asking.wait_for(|screen| !screen.contents().trim().is_empty());
    assert!(!has_screen(&asking));
    assert_eq!(world.show(&id)["state"], "open");
    asking.kill();
}

#[test]
fn ask_on_terminal_opens_screen() {
    let world = TestWorld::new();
    let request = serde_json::json!({ "sayso": 1, "title": "Way", "questions": [
        { "id": "way", "prompt": "Which way?", "options": [{ "label": "North" }, { "label": "South" }] },
    ]});
    let mut screen = EmulatedTerminal::start(&world.sayso(["ask", &request.to_string()]), 24, 80);
    // Early input was meant for something else: it answers nothing and leaves nothing.
    screen.type_bytes("2\rqx\r");
    screen.expect_text("Which way?");
    assert!(!screen.contents().contains("(•)"), "{}", screen.contents());
    press_until(&mut screen, "1", |screen| screen.contents().contains("(•) 1"));
    screen.type_bytes("\x1b0").expect_text("[ Submit");
    send_until(&mut screen, |screen| !screen.alternate_screen());
    let screen_after = screen.expect_text("\"picks\"");
    assert!(screen_after.contains("Way: Sent."), "{screen_after}");
    screen.assert_restored();
    screen.assert_only_own_sequences();
    assert_eq!(screen.wait().0, 0);
    let outcome: Value = world.json(&["list", "--state", "answered", "--json"]);
    assert_eq!(outcome["asks"][0]["title"], "Way");
}

#[test]
fn leaving_own_ask_keeps_draft() {
    let world = TestWorld::new();
    let mut screen = EmulatedTerminal::start(&world.sayso(["ask", &text("Story")]), 24, 80);
    screen.expect_text("Say it.");
    // Letters that occur in no name of a parent folder.
    press_until(&mut screen, "ä", |screen| screen.contents().contains("ää"));
    let (id, _) = world.first_ask();
    screen.type_bytes("\x1b[27u\x1b[27u").expect_text("Press Esc again to leave.");
    screen.type_bytes("\x1b[27u").wait_for(|screen| !screen.alternate_screen());
    let ended = screen.wait();
    assert_eq!(ended.0, 4, "{ended:?}");
    world.wait_for_draft(id, 1);
    let mut again = crate::inbox::person::open_only_ask(&world);
    again.expect_text("ää");
    again.type_bytes("\x1b0").expect_text("[ Submit");
    send_answers(&mut again);
}

#[test]
fn auq_uses_screen_and_prints_text() {
    let world = TestWorld::new();
    let request = json!({"questions": [{"title": "Database", "prompt": "Which database?",
        "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}]}]});
    let mut screen = EmulatedTerminal::start(&world.auq(["ask", &request.to_string()]), 24, 80);
    screen.expect_text("Choose one. Required.");
    assert!(has_screen(&screen));
    press_until(&mut screen, "2", |screen| screen.contents().contains("(•) 2"));
    screen.type_bytes("\x1b0").expect_text("[ Submit");
    send_until(&mut screen, |screen| !screen.alternate_screen());
    screen.expect_text("→ SQLite");
    assert_eq!(screen.wait().0, 0);
}
