//! Tests of `sayso list` and bare `sayso`: open and past asks, order, and search.

use crate::support::sample_requests::{one, release, text};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Returns the titles of a list, in order.
fn titles(world: &TestWorld, args: &[&str]) -> Vec<String> {
    let page = world.json(&[&["list", "--json"], args].concat());
    let title = |row: &Value| row["title"].as_str().unwrap().to_owned();
    page["asks"].as_array().unwrap().iter().map(title).collect()
}

/// Creates a desk with an ask in each state.
fn desk_with_every_state() -> TestWorld {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let leave = |title: &str| world.leave_ask(&text(title), &[]);
    leave("waiting first");
    let answered = leave("answered");
    let declined = leave("declined");
    let cancelled = leave("cancelled");
    leave("waiting last");
    let answers = r#"{"answers":{"text":"yes"}}"#;
    assert_eq!(world.sayso(["answer", &answered, "--answers", answers]).run().exit, 0);
    assert_eq!(world.sayso(["answer", &declined, "--decline"]).run().exit, 3);
    assert_eq!(world.sayso(["cancel", &cancelled]).run().exit, 0);
    assert_eq!(world.sayso(["ask", "--timeout", "1ms", &text("expired")]).run().exit, 5);
    world
}

#[test]
fn each_state_is_listed() {
    let world = desk_with_every_state();
    assert_eq!(titles(&world, &[]), ["waiting first", "waiting last"]);
    assert_eq!(titles(&world, &["--state", "pending"]), ["waiting first", "waiting last"]);
    let mut open = titles(&world, &["--state", "open"]);
    open.sort();
    assert_eq!(open, ["waiting first", "waiting last"]);
    for state in ["answered", "declined", "cancelled", "expired"] {
        assert_eq!(titles(&world, &["--state", state]), [state]);
    }
    assert_eq!(titles(&world, &["--state", "submitted"]), [""; 0]);
    let all = titles(&world, &["--state", "all"]);
    assert_eq!(all, ["expired", "waiting last", "cancelled", "declined", "answered", "waiting first"]);
}

#[test]
fn text_list_has_one_line_each() {
    let world = desk_with_every_state();
    let ended = world.sayso(["list"]).run();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains("  open ")
            && lines[0].contains("  waiting first  [\"it-")
            && lines[0].contains("\" (a guess) · "),
        "{lines:?}"
    );
    assert!(lines[0].contains(" 1 q  waiting first") && lines[0].contains("not waiting"), "{lines:?}");
    let nothing = world.sayso(["list", "--state", "submitted"]).run();
    assert_eq!(nothing.parts(), (0, "", "No matching questions. To include past ones: --state all\n"));
    let empty = TestWorld::new();
    let nothing = empty.sayso(["list"]).run();
    assert_eq!((nothing.exit, nothing.stdout.as_str()), (0, ""));
    assert!(nothing.stderr.starts_with("No questions are waiting.\n"), "{nothing:?}");
    assert_eq!(empty.sayso(["list", "--json"]).run().parts(), (0, "{\"asks\":[]}\n", ""));
}

#[test]
fn row_has_list_members() {
    let world = TestWorld::new();
    let id = world.leave_ask(&release("Release 1.0"), &["--from", "the builder", "--timeout", "2h"]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("Heron").expect("What is new?").expect("/help): ").line("/quit");
    assert_eq!(terminal.wait().exit, 4);
    let row = &world.json(&["list", "--json"])["asks"][0];
    let work = world.path("work").canonicalize().unwrap();
    let expected = [
        ("id", json!(id)),
        ("state", json!("open")),
        ("title", json!("Release 1.0")),
        ("asker", json!("the builder")),
        ("folder", json!(work)),
        ("dialect", json!("sayso")),
        ("questions", json!(3)),
        ("answered", json!(1)),
        ("seen", json!(true)),
        ("delivered", json!(false)),
        ("attached", json!(false)),
    ];
    for (name, value) in expected {
        assert_eq!(row[name], value, "{name}: {row}");
    }
    assert!(row["created_at"].is_string() && row["changed_at"].is_string() && row["deadline"].is_string());
    let line = world.sayso(["list"]).run().stdout;
    assert!(line.contains("1/3 q  Release 1.0  [\"the builder\" · "), "{line}");
    assert!(line.contains("expires in 1h") || line.contains("expires in 2h"), "{line}");
}

#[test]
fn search_covers_titles_questions_askers() {
    let world = TestWorld::new();
    world.leave_ask(&release("Release 1.0 of 苍鹭"), &["--from", "builder"]);
    world.leave_ask(&one("Colour"), &[]);
    for (words, found) in [
        ("release", &["Release 1.0 of 苍鹭"][..]),
        ("RELEASE new", &["Release 1.0 of 苍鹭"]),
        ("called", &["Release 1.0 of 苍鹭"]),
        ("builder", &["Release 1.0 of 苍鹭"]),
        ("colour", &["Which Colour?"]),
        ("nothing like that", &[]),
        ("\"", &[]),
        ("' OR 1=1 --", &[]),
        ("NEAR(", &[]),
    ] {
        assert_eq!(titles(&world, &["--search", words]), found, "{words}");
    }
}

#[test]
fn pages_are_complete_without_duplicates() {
    let world = TestWorld::new();
    let desk = world.desk();
    for number in 0..450 {
        let questionnaire = sayso_core::wire::questionnaire::read(&text(&format!("{number:03}"))).unwrap();
        let new = sayso_core::NewAsk::new(
            std::sync::Arc::new(questionnaire.questionnaire),
            "sayso",
            sayso_core::Asker { name: "many".to_owned(), folder: None, session: None, account: None },
        );
        sayso_desk::Desk::open(&desk, None, new).unwrap();
    }
    let (mut seen, mut sizes, mut after) = (Vec::new(), Vec::new(), None::<String>);
    for _ in 0..5 {
        let place: Vec<&str> = after.iter().flat_map(|after| ["--after", after.as_str()]).collect();
        let page = world.json(&[&["list", "--json"], place.as_slice()].concat());
        let rows = page["asks"].as_array().unwrap();
        sizes.push(rows.len());
        seen.extend(rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()));
        after = page["next"].as_str().map(str::to_owned);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(sizes, [200, 200, 50]);
    assert_eq!(seen, (0..450).map(|number| format!("{number:03}")).collect::<Vec<_>>());
    let text = world.sayso(["list"]).run();
    assert!(
        text.stdout.lines().count() == 200 && text.stderr.starts_with("More questions: --after "),
        "{text:?}"
    );
    let nowhere = world.sayso(["list", "--after", "nowhere"]).run();
    assert_eq!(
        nowhere.parts(),
        (2, "", "sayso: nowhere is not a list position. Use the one that the page before printed.\n")
    );
}

#[test]
fn bare_command_shows_inbox_and_hints() {
    let world = TestWorld::new();
    let ended = world.sayso([""; 0]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, ""));
    assert!(ended.stderr.starts_with("No questions are waiting.\n"), "{ended:?}");
    let words = "\nAn agent asks with: sayso ask FILE (see sayso --help)\n";
    assert!(ended.stderr.ends_with(words), "{ended:?}");
    world.leave_ask(&text("Something"), &[]);
    let ended = world.sayso([""; 0]).run();
    assert!(ended.exit == 0 && ended.stdout.contains("  Something  ["), "{ended:?}");
    assert_eq!(ended.stderr, "Answer one with: sayso answer ID\n");
}
