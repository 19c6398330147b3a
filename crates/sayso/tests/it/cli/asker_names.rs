//! Tests of the asker's name: verified before claimed, and a guess marked as one.

use crate::inbox::person::press_until;
use crate::mcp::host::McpHost;
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Claims of an asker that has the token of `ci`.
fn ask_as_jane(world: &TestWorld, served: &ServedDesk) -> String {
    let body = json!({ "from": { "name": "Jane (CTO)", "folder": "/home/jane" }, "request": {
        "title": "Release", "questions": [{ "id": "a", "prompt": "Go?" }, { "id": "b", "prompt": "Why?" }] } });
    served.asker(world).post("/v1/asks", &body).json(201)["id"].as_str().unwrap().to_owned()
}

#[test]
fn verified_account_is_shown_first() {
    const ASKER: &str = r#"ci (says it is "Jane (CTO)")"#;
    const FOLDER: &str = r#""/home/jane""#;
    let mut world = TestWorld::new();
    world.set_var("HOME", "/home/jane");
    let served = ServedDesk::start(&world);
    let id = ask_as_jane(&world, &served);
    let listed = world.sayso(["list"]).run().stdout;
    assert!(listed.contains(&format!("[{ASKER} · {FOLDER}")), "{listed}");
    let row = &world.json(&["list", "--json"])["asks"][0];
    assert_eq!([&row["account"], &row["asker"]], ["ci", "Jane (CTO)"]);
    let shown = world.sayso(["show", &id]).run().stdout;
    let claim = "The asker calls itself:\n| Jane (CTO)\n";
    assert!(shown.contains(&format!("Asked by ci in {FOLDER}, ")) && shown.contains(claim), "{shown}");
    let mut lines = world.sayso(["answer", &id]).on_terminal();
    lines.expect(&format!("Asked by ci in {FOLDER}, just now.")).expect(claim);
    lines.kill_9();
    let screen = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 120);
    screen.expect_text(&format!("{ASKER} · {FOLDER}"));
    screen.kill();
    let list = EmulatedTerminal::start(&world.sayso([""; 0]), 24, 160);
    list.expect_text("ci (says it is \"Jane (CTO)\")");
    list.kill();
    let mut review = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    press_until(&mut review, "\x1b0", |screen| screen.contents().contains("Check your answers"));
    press_until(&mut review, "d", |screen| screen.contents().contains("Decline this request?"));
    review.expect_text("ci will learn");
    review.kill();
}

#[test]
fn unnamed_asker_is_marked_guessed() {
    let world = TestWorld::new();
    let question = json!({ "questions": [{ "id": "a", "prompt": "Go?" }] }).to_string();
    let script = world.write("work/deploy.sh", "\"$@\"\n");
    let run = format!("sh {} \"$0\" \"$@\"", script.display());
    let asked = world.sayso(["ask", "--no-wait", &question]).by_shell(&run).run();
    assert_eq!(asked.exit, 0, "{asked:?}");
    let id = asked.stdout.trim_end();
    let shown = world.sayso(["show", id]).run().stdout;
    assert!(shown.contains("Asked by \"deploy.sh\" (a guess) in "), "{shown}");
    let listed = world.sayso(["list"]).run().stdout;
    assert!(listed.contains("[\"deploy.sh\" (a guess) · "), "{listed}");
    // The options of its interpreter do not hide it.
    let other = json!({ "questions": [{ "id": "a", "prompt": "And now?" }] }).to_string();
    let strict = run.replacen("sh ", "bash -e ", 1);
    let asked = world.sayso(["ask", "--no-wait", &other]).by_shell(&strict).run();
    let shown = world.sayso(["show", asked.stdout.trim_end()]).run().stdout;
    assert!(shown.contains("Asked by \"deploy.sh\" (a guess) in "), "{shown}");
    // The name does not identify the asker: the same request from another program finds the same ask.
    assert_eq!(world.show(id)["asker"]["name"], "a program");
    let again = world.sayso(["ask", "--no-wait", &question]).run();
    assert_eq!(again.stdout.trim_end(), id);
    let named = world.leave_ask(&question, &["--from", "bot"]);
    assert_eq!(world.show(&named)["program"], Value::Null);
    assert!(world.sayso(["show", &named]).run().stdout.contains("Asked by \"bot\" in "));
}

#[test]
fn option_replaces_the_name_of_an_mcp_client() {
    let world = TestWorld::new();
    for (options, name) in [(&[][..], "test-host"), (&["--from", "bot"], "bot")] {
        let call = world.sayso(["mcp", "--hold", "60s"].iter().chain(options));
        let mut host = McpHost::with_session(call, "2025-06-18", &json!({}));
        let question = json!({ "questions": [{ "id": "a", "prompt": format!("Go, {name}?") }] });
        let id = host.leave_ask(&question);
        assert_eq!(world.show(&id)["asker"]["name"], name);
    }
}
