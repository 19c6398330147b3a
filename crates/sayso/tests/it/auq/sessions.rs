//! Tests of AUQ's sessions: naming, listing, showing and fetching.

use crate::auq::commands::one_question;
use crate::support::sample_requests;
use crate::support::served_desk::new_ask;
use crate::support::test_world::TestWorld;
use sayso_core::NewAsk;
use sayso_desk::Desk as _;
use serde_json::{Value, json};

/// Creates asks at the desk as a later-generation asker that does not wait.
fn leave_session(world: &TestWorld, prompt: &str) -> String {
    let mut request: Value = serde_json::from_str(&one_question(prompt)).unwrap();
    request["nonBlocking"] = true.into();
    let ended = world.auq(["ask", &request.to_string()]).run();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let short = ended.stdout.strip_prefix("[Session: ").unwrap().split(' ').next().unwrap().to_owned();
    world.wait_for_ask(|ask| ask.id.to_string().starts_with(&short)).id.to_string()
}

fn session_world() -> TestWorld {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "scripted_answers = true\n[auq]\ncompat = \"3.4\"\n");
    world
}

fn json_of(world: &TestWorld, args: &[&str]) -> Value {
    let ended = world.auq(args).run();
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

fn answer(world: &TestWorld, id: &str, answers: &Value) {
    let ended = world.auq(["answer", id, "--answers", &answers.to_string()]).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
}

#[test]
fn session_is_found_by_short_id() {
    let world = session_world();
    // Created in the same millisecond: ids that begin with the time would begin alike.
    let ids = ["One?", "Two?", "Three?"].map(|prompt| leave_session(&world, prompt));
    for id in &ids {
        for short in [&id[..8], &id[id.len() - 8..]] {
            assert_eq!(world.show(short)["id"], id.as_str(), "{short}");
            for command in
                [&["fetch-answers", short][..], &["history", "show", short], &["sessions", "show", short]]
            {
                let value = json_of(&world, &[command, &["--json"]].concat());
                assert_eq!(value["sessionId"], id.as_str(), "{command:?}");
            }
        }
    }
    let rejected = world.auq(["answer", &ids[1][..8], "--reject"]).run();
    assert!(rejected.stdout.starts_with(&format!("sessionId = {}\n", ids[1])), "{rejected:?}");
    assert_eq!(world.sayso(["cancel", &ids[2][..8]]).run().exit, 0);
    let standings = ids.each_ref().map(|id| world.show(id)["state"].clone());
    assert_eq!(standings, ["open", "declined", "cancelled"]);
}

#[test]
fn ambiguous_short_id_lists_candidates() {
    let world = session_world();
    let mut ids: Vec<String> = Vec::new();
    let (beginning, alike) = loop {
        ids.push(leave_session(&world, &format!("Number {}?", ids.len())));
        let beginning = ids.last().unwrap()[..2].to_owned();
        let fits = |id: &&String| id.starts_with(&beginning) || id[28..].starts_with(&beginning);
        let alike: Vec<_> = ids.iter().filter(fits).cloned().collect();
        if alike.len() > 1 {
            break (beginning, alike);
        }
    };
    for args in [["answer", &beginning, "--reject"], ["fetch-answers", &beginning, "--blocking"]] {
        let refused = world.auq(args).run();
        assert_eq!((refused.exit, refused.stdout.as_str()), (1, ""), "{refused:?}");
        assert!(
            refused.stderr.starts_with(&format!("Error: \"{beginning}\" matches several asks: ")),
            "{refused:?}"
        );
        assert!(alike.iter().all(|id| refused.stderr.contains(id.as_str())), "{refused:?}");
    }
}

#[test]
fn other_dialects_are_no_sessions() {
    let world = session_world();
    let other = world.leave_ask(&sample_requests::one("H"), &[]);
    let refused = world.auq(["answer", &other, "--reject"]).run();
    assert_eq!(refused.parts(), (1, "", format!("Error: Session not found: {other}\n").as_str()));
    assert_eq!(world.auq(["sessions", "list"]).run().parts(), (0, "No sessions found.\n", ""));
    assert_eq!(world.auq(["history"]).run().parts(), (0, "No sessions found.\n", ""));
    let unknown = world.auq(["history", "show", "abc"]).run();
    assert_eq!(unknown.parts(), (1, "", "Session not found: abc\n"));
}

#[test]
fn fetched_answers_are_marked_read() {
    let world = session_world();
    let id = leave_session(&world, "Ready?");
    let short = &id[..8];
    let pending = world.auq(["fetch-answers", short]).run();
    let words = format!("[Session: {short} | Status: pending]\n\nNo answers yet.\n");
    assert_eq!(pending.parts(), (0, words.as_str(), ""));
    let waiting = world.auq(["fetch-answers", short, "--blocking"]).start();
    world.wait_for_ask(|ask| {
        matches!(ask.state.presence, sayso_core::model::ask::AskerPresence::Attached { .. })
    });
    assert_eq!(world.auq(["fetch-answers"]).run().stdout, "No unread sessions.\n");
    answer(&world, &id, &json!({ "0": { "selectedOption": "Yes", "customText": "now" } }));
    let text = format!(
        "[Session: {short} | Questions: 1]\n\nHere are the user's answers:\n\n1. Ready?\n→ Yes\n→ Other: 'now'\n"
    );
    assert_eq!(waiting.wait().parts(), (0, text.as_str(), ""));
    assert_eq!(world.auq(["fetch-answers", short]).run().stdout, text, "as often as it is wanted");
    let fetched = json_of(&world, &["fetch-answers", short, "--json"]);
    assert_eq!([&fetched["sessionId"], &fetched["status"]], [id.as_str(), "completed"]);
    let value = &fetched["answers"][0];
    let value = [&value["questionIndex"], &value["selectedOption"], &value["customText"]];
    assert_eq!(value, [&json!(0), &json!("Yes"), &json!("now")]);
    assert!(fetched["lastReadAt"].is_string(), "{fetched}");
    assert_eq!(json_of(&world, &["fetch-answers", "--json"]), json!([]));
    let nobody = world.auq(["fetch-answers", "--blocking"]).run();
    assert!(nobody.exit == 1 && nobody.stderr.starts_with("Error: --blocking requires a session ID."));
}

#[test]
fn unfetched_answers_are_listed() {
    let world = session_world();
    let ids = ["One?", "Two?"].map(|prompt| leave_session(&world, prompt));
    for id in &ids {
        answer(&world, id, &json!({ "0": { "selectedOption": "No" } }));
    }
    let listed = world.auq(["fetch-answers"]).run().stdout;
    let mut lines = listed.lines();
    assert_eq!(lines.next(), Some("Unread sessions:"));
    assert_eq!(lines.nth(1), Some("ID        Status     Age     Questions"));
    for id in ids.iter().rev() {
        let line = lines.next().unwrap();
        assert!(line.starts_with(&format!("{}  completed  ", &id[..8])) && line.ends_with('1'), "{line}");
    }
    world.auq(["fetch-answers", &ids[0]]).run();
    for command in [&["fetch-answers", "--json"][..], &["history", "--unread", "--json"]] {
        let listed = json_of(&world, command);
        let unread = listed.get("items").unwrap_or(&listed);
        assert_eq!(unread.as_array().unwrap().len(), 1, "{unread}");
        assert_eq!(unread[0]["sessionId"], ids[1].as_str());
    }
}

#[test]
fn rejected_or_dismissed_session_is_reported() {
    let world = session_world();
    let ids = ["One?", "Two?"].map(|prompt| leave_session(&world, prompt));
    world.auq(["answer", &ids[0], "--reject", "--reason", "not now"]).run();
    world.auq(["sessions", "dismiss", &ids[1], "--force"]).run();
    let texts = ids.each_ref().map(|id| world.auq(["fetch-answers", id]).run().stdout);
    let [first, second] = ids.each_ref().map(|id| &id[..8]);
    let rejected = format!(
        "[Session: {first} | Status: rejected]\n\nUser rejected this question set. Reason: \"not now\"\n"
    );
    let over = format!("[Session: {second} | Status: abandoned]\n\nSession status: abandoned\n");
    assert_eq!(texts, [rejected, over]);
    let value = json_of(&world, &["fetch-answers", &ids[0], "--json"]);
    let reason = json!({ "sessionId": ids[0], "status": "rejected", "answers": null, "lastReadAt": null,
        "rejectionReason": "not now" });
    assert_eq!(value, reason);
    let history = world.auq(["history"]).run().stdout;
    assert!(history.contains("✗ rejected") && !history.contains(second), "{history}");
    assert!(history.ends_with("\n\n1 sessions shown (1 abandoned hidden, use --all)\n"), "{history}");
    let all = json_of(&world, &["history", "--all", "--json"])["items"].take();
    assert_eq!([&all[0]["status"], &all[1]["status"]], ["abandoned", "rejected"]);
    let empty = json!({ "items": [], "pagination": { "page": 1, "limit": 20, "total": 0, "totalPages": 1,
        "hasNextPage": false, "hasPrevPage": false } });
    assert_eq!(json_of(&world, &["sessions", "list", "--json"]), empty);
    assert_eq!(json_of(&world, &["history", "--json", "--search", "nothing"]), empty);
    assert_eq!(
        json_of(&world, &["sessions", "list", "--all", "--json"])["items"].as_array().unwrap().len(),
        2
    );
    let second = json_of(&world, &["sessions", "list", "--all", "--json", "--limit", "1", "--page", "2"]);
    assert_eq!(second["items"].as_array().unwrap().len(), 1);
    let pagination = json!({ "page": 2, "limit": 1, "total": 2, "totalPages": 2, "hasNextPage": false,
        "hasPrevPage": true });
    assert_eq!(second["pagination"], pagination);
    let paged = json_of(&world, &["history", "--all", "--json", "--limit", "1"]);
    assert_eq!(paged["pagination"]["hasNextPage"], true);
    assert_eq!(
        json_of(&world, &["history", "--all", "--json", "--limit", "1", "--page", "2"])["pagination"],
        pagination
    );
}

#[test]
fn sessions_are_listed_newest_first() {
    let world = session_world();
    let ids = ["One?", "Two?"].map(|prompt| leave_session(&world, prompt));
    let listed = world.auq(["sessions", "list"]).run().stdout;
    let lines: Vec<_> = listed.lines().collect();
    for (line, id) in lines.iter().zip(ids.iter().rev()) {
        assert!(
            line.starts_with(&format!("{id}  pending  ")) && line.ends_with(" ago  questions: 1"),
            "{line}"
        );
    }
    assert_eq!(lines.len(), 2, "{listed}");
    let listed = json_of(&world, &["sessions", "list", "--json"])["items"].clone();
    assert_eq!([&listed[0]["stale"], &listed[0]["questionCount"]], [&json!(false), &json!(1)]);
    assert!(listed[0]["createdAt"].as_str().unwrap().ends_with('Z'), "{listed}");
    assert_eq!(world.auq(["sessions", "list", "--stale"]).run().stdout, "No sessions found.\n");
    let usage = world.auq(["sessions"]).run();
    assert!(usage.exit == 0 && usage.stdout.starts_with("Usage: auq sessions <subcommand>\n"), "{usage:?}");
    assert_eq!(world.auq(["sessions", "lst"]).run().exit, 1);
}

#[test]
fn session_is_shown_with_answers() {
    let world = session_world();
    let id = leave_session(&world, "Is \u{1b}[31mred\u{1b}[0m fine?");
    answer(&world, &id, &json!({ "0": { "selectedOption": "Yes", "customText": "deep" } }));
    let shown = world.auq(["sessions", "show", &id]).run().stdout;
    assert!(shown.starts_with(&format!("Session: {id}\nStatus: completed | Created: ")), "{shown}");
    assert!(shown.contains("     ✓ Yes\n     → No\n     ✎ Custom: deep\n\n"), "{shown}");
    assert!(shown.ends_with("  (User answered: Yes)\n"), "{shown}");
    let record = world.auq(["history", "show", &id]).run().stdout;
    assert!(record.contains("Status: ✓ completed\n") && record.contains("\nRead: unread\n"), "{record}");
    assert!(record.contains("\n   (selected) Yes\n   No\n   (selected) Other: 'deep'\n\n"), "{record}");
    assert!(!shown.contains('\u{1b}') && !record.contains('\u{1b}'));
    let shown = json_of(&world, &["sessions", "show", &id, "--json"]);
    assert_eq!(shown["questions"][0]["prompt"], "Is \u{1b}[31mred\u{1b}[0m fine?");
    assert_eq!(shown["answers"][0]["selectedOptions"], Value::Null);
    let record = json_of(&world, &["history", "show", &id, "--json"]);
    let selected: Vec<_> =
        record["questions"][0]["options"].as_array().unwrap().iter().map(|o| o["selected"].clone()).collect();
    assert_eq!(selected, [true, false]);
    assert_eq!(
        [&record["answeredCount"], &record["questions"][0]["customText"]],
        [&json!(1), &json!("deep")]
    );
}

#[test]
fn history_is_searched_and_truncated() {
    let world = session_world();
    let ids = ["Which apple?", "Which pear?", "A question that is much longer than the line has room for?"]
        .map(|prompt| leave_session(&world, prompt));
    let found = json_of(&world, &["history", "--json", "--search", "pear"])["items"].take();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["sessionId"], ids[1].as_str());
    let newest = json_of(&world, &["history", "--json", "--limit", "1"])["items"].take();
    assert_eq!(newest.as_array().unwrap().len(), 1);
    assert_eq!(newest[0]["preview"], "A question that is much longer than the…");
    let one = world.auq(["history", "--session", &ids[0][..8]]).run().stdout;
    let by_its_end = world.auq(["history", "--session", &ids[0][28..]]).run().stdout;
    let rows = |text: &str| text.lines().map(|line| line[..8].to_owned()).collect::<Vec<_>>();
    assert_eq!(rows(&by_its_end), rows(&one));
    let mut lines = one.lines();
    assert_eq!(lines.next(), Some("ID        Status          Time      Read   Q     Preview"));
    let line = lines.next().unwrap();
    assert!(line.starts_with(&format!("{}  ⏳ pending       ", &ids[0][..8])), "{line}");
    assert!(line.ends_with("─      0/1   Which apple?"), "{line}");
    assert_eq!(world.auq(["history", "--session", "zz"]).run().parts(), (1, "", "Session not found: zz\n"));
    let desk = world.desk();
    for number in 0..18 {
        let new = NewAsk { dialect: "auq".to_owned(), ..new_ask("ci", &number.to_string()) };
        desk.open(None, new).unwrap();
    }
    let count = |args: &[&str]| json_of(&world, args)["items"].as_array().unwrap().len();
    assert_eq!((count(&["history", "--json"]), count(&["history", "--json", "--limit", "30"])), (20, 21));
}
