//! Tests of places without a full screen, and of what `sayso ask` shows on one.

use crate::emulated::Emulated;
use crate::inbox_person::{asks, press_until, send, send_until};
use crate::sample::text;
use crate::world::World;
use serde_json::{Value, json};

const SCREEN: &[u8] = b"\x1b[?1049h";

fn has_screen(emulated: &Emulated) -> bool {
    emulated.raw().windows(SCREEN.len()).any(|window| window == SCREEN)
}

#[test]
fn plain_setting_gives_lines() {
    let world = World::new();
    let id = asks(&world, &text("Story"), "x").to_string();
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
        let listed = Emulated::start(&world.sayso(inbox).env(name, value), 24, 80);
        let screen = listed.expect("sayso answer ID");
        assert!(screen.contains("Story"), "{screen}");
        assert!(!listed.raw().contains(&0x1b), "{name}");
        assert_eq!(listed.wait().0, 0);
        let lines = Emulated::start(&world.sayso(answer).env(name, value), 24, 80);
        lines.expect("Question 1 of 1");
        assert!(!has_screen(&lines) && !lines.raw().contains(&0x1b), "{name}");
        lines.kill();
    }
    let listed = Emulated::start(&world.sayso(["--plain"]), 24, 80);
    listed.expect("sayso answer ID");
    assert!(!has_screen(&listed));
    assert_eq!(listed.wait().0, 0);
    let lines = Emulated::start(&world.sayso(["--plain", "answer", &id]), 24, 80);
    lines.expect("Question 1 of 1");
    assert!(!has_screen(&lines));
    lines.kill();
    world.write("config/sayso/config.toml", "[screen]\nplain = true\n");
    let lines = Emulated::start(&world.sayso(["answer", &id]), 24, 80);
    lines.expect("Question 1 of 1");
    assert!(!has_screen(&lines));
    lines.kill();
}

#[test]
fn piped_output_is_a_list() {
    let world = World::new();
    asks(&world, &text("Story"), "x");
    let terminal = world.sayso([""; 0]).on_terminal_with_stdout_aside();
    let seen = terminal.wait();
    assert!(seen.exit == 0 && seen.stdout.contains("Story") && !seen.stdout.contains('\x1b'), "{seen:?}");
    assert!(!seen.screen.contains('\x1b'), "{seen:?}");
}

#[test]
fn agent_shell_never_gets_screen() {
    let world = World::new();
    let id = asks(&world, &text("Story"), "x").to_string();
    for args in [&[][..], &["inbox"], &["answer", &id]] {
        let agent = Emulated::start(&world.sayso(args).env("CLAUDECODE", "1"), 24, 80);
        agent.wait_for(|screen| !screen.contents().trim().is_empty());
        let raw = has_screen(&agent);
        let ended = agent.wait();
        assert!(!raw && !ended.1.contains("Say it."), "{args:?} {ended:?}");
    }
    let asking = Emulated::start(&world.sayso(["ask", &text("Another")]).env("CLAUDECODE", "1"), 24, 80);
    world.ask_where(|ask| ask.request.questionnaire.title.as_deref() == Some("Another"));
    asking.wait_for(|screen| !screen.contents().trim().is_empty());
    assert!(!has_screen(&asking));
    assert_eq!(world.show(&id)["state"], "open");
    asking.kill();
}

#[test]
fn ask_on_terminal_opens_screen() {
    let world = World::new();
    let request = serde_json::json!({ "sayso": 1, "title": "Way", "questions": [
        { "id": "way", "prompt": "Which way?", "options": [{ "label": "North" }, { "label": "South" }] },
    ]});
    let mut screen = Emulated::start(&world.sayso(["ask", &request.to_string()]), 24, 80);
    // Early input was meant for something else: it answers nothing and leaves nothing.
    screen.type_("2\rqx\r");
    screen.expect("Which way?");
    assert!(!screen.contents().contains("(•)"), "{}", screen.contents());
    press_until(&mut screen, "1", |screen| screen.contents().contains("(•) 1"));
    screen.type_("\x1b0").expect("[ Submit");
    send_until(&mut screen, |screen| !screen.alternate_screen());
    let screen_after = screen.expect("\"picks\"");
    assert!(screen_after.contains("Way: Sent."), "{screen_after}");
    screen.assert_given_back();
    screen.assert_says_only_ours();
    assert_eq!(screen.wait().0, 0);
    let outcome: Value = world.json(&["list", "--state", "answered", "--json"]);
    assert_eq!(outcome["asks"][0]["title"], "Way");
}

#[test]
fn leaving_own_ask_keeps_draft() {
    let world = World::new();
    let mut screen = Emulated::start(&world.sayso(["ask", &text("Story")]), 24, 80);
    screen.expect("Say it.");
    // Letters that occur in no name of a parent folder.
    press_until(&mut screen, "ä", |screen| screen.contents().contains("ää"));
    let (id, _) = world.first_ask();
    screen.type_("\x1b[27u\x1b[27u").expect("Leave these questions?");
    screen.type_("\t").expect("▸ Leave");
    screen.type_("\r").wait_for(|screen| !screen.alternate_screen());
    let ended = screen.wait();
    assert_eq!(ended.0, 4, "{ended:?}");
    world.wait_for_draft(id, 1);
    let mut again = crate::inbox_person::opened(&world);
    again.expect("ää");
    again.type_("\x1b0").expect("[ Submit");
    send(&mut again);
}

#[test]
fn auq_uses_screen_and_prints_text() {
    let world = World::new();
    let request = json!({"questions": [{"title": "Database", "prompt": "Which database?",
        "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}]}]});
    let mut screen = Emulated::start(&world.auq(["ask", &request.to_string()]), 24, 80);
    screen.expect("Question 1 of 1. Choose one.");
    assert!(has_screen(&screen));
    press_until(&mut screen, "2", |screen| screen.contents().contains("(•) 2"));
    screen.type_("\x1b0").expect("[ Submit");
    send_until(&mut screen, |screen| !screen.alternate_screen());
    screen.expect("→ SQLite");
    assert_eq!(screen.wait().0, 0);
}
