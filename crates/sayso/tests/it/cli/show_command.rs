//! Tests of `sayso show`, and of the names of an ask.

use crate::inbox::person::leave_ask;
use crate::support::sample_requests::{one, release, two_questions};
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn show_prints_answers_receipt_and_outcome() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    let open = world.show(&id);
    assert_eq!(open["state"], "open");
    assert!(open.get("reply").is_none(), "{open}");
    let digest = open["digest"].as_str().unwrap();
    assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("2").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let shown = world.show(&id);
    assert_eq!(shown["state"], "answered");
    let settled = &shown["phase"]["settled"];
    assert_eq!(settled["outcome"], "answered");
    assert_eq!(
        settled["replies"]["q0"],
        json!({ "state": "answered", "answer": { "picks": [{ "option": "o2" }] } })
    );
    let receipt = &settled["receipt"];
    let who = [&receipt["by"], &receipt["surface"], &receipt["assurance"], &receipt["shown"]];
    assert_eq!(who, [&json!("ada"), &json!("prompter"), &json!("terminal"), &json!(digest)]);
    assert!(receipt["at"].is_string());
    let reply = json!({ "stdout": "{\"answers\":{\"H\":\"B\"}}", "stderr": "", "exit": 0 });
    assert_eq!(shown["reply"], reply);
}

#[test]
fn show_text_matches_json() {
    let world = TestWorld::new();
    let id = world.leave_ask(&release("Release 1.0"), &["--from", "the builder"]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("Heron").expect("What is new?").expect("/help): ").line("/quit");
    assert_eq!(terminal.wait().exit, 4);
    let ended = world.sayso(["show", &id]).run();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.starts_with("| Release 1.0\nAsked by an agent in "), "{ended:?}");
    assert!(
        ended.stdout.contains(&format!("ago. {id}\nopen\nThe asker calls itself:\n| the builder\n")),
        "{ended:?}"
    );
    assert!(ended.stdout.contains("\n| What is it called?\n  (draft) Heron\n"), "{ended:?}");
    assert!(
        ended.stdout.contains("\n| When?\n  options: 1 \"Now\" · 2 \"Later\"\n  not answered\n"),
        "{ended:?}"
    );
}

/// A note on the whole form is in the record, and where the asker's format has a place for it, in what the asker gets.
#[test]
fn note_on_the_form_is_given_by_argument() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let auq = json!({ "questions": [
        { "prompt": "Which One?", "title": "One", "multiSelect": false, "options": [{ "label": "A" }, { "label": "B" }] },
        { "prompt": "Which Two?", "title": "Two", "multiSelect": false, "options": [{ "label": "C" }, { "label": "D" }] },
    ] });
    let table = [
        (
            release("R"),
            "sayso",
            r#"{"answers":{"name":"x","notes":"y","when":"Now"}}"#,
            "\"\":{\"state\":\"unanswered\",\"note\":\"only this week\"}",
        ),
        (
            auq.to_string(),
            "auq",
            r#"{"answers":[{"questionIndex":0,"selectedOption":"A"},{"questionIndex":1,"selectedOption":"D"}]}"#,
            "→ D\n→ Other: 'Note on all answers: only this week'",
        ),
        (two_questions(), "ask_user_question", r#"{"answers":{"One":"A","Two":"D"}}"#, ""),
    ];
    for (request, format, answers, received) in table {
        let id = world.leave_ask(&request, &["--format", format]);
        let given = world.sayso(["answer", &id, "--answers", answers, "--note", "only this week"]).run();
        assert_eq!(given.exit, 0, "{format}: {given:?}");
        let is_told = given.stderr.contains("This asker's format has no place for notes");
        assert_eq!(is_told, received.is_empty(), "{format}: {given:?}");
        let shown = world.sayso(["show", &id]).run();
        assert!(
            shown.stdout.contains("\nNote on the whole form:\n  only this week\n"),
            "{format}: {shown:?}"
        );
        let output = world.sayso(["wait", &id]).run().stdout;
        assert!(output.contains(received), "{format}: {output}");
        assert_eq!(output.contains("this week"), !received.is_empty(), "{format}: {output}");
    }
}

#[test]
fn lookups_name_the_act() {
    let world = TestWorld::new();
    let request = include_str!("../../../../../examples/approve-command.json");
    for (answer, state) in [("y", "approved"), ("n", "answered no")] {
        let id = world.leave_ask(request, &[]);
        let list = |states: &str| world.sayso(["list", "--state", states]).run().stdout;
        let act = r"Run rm -r -- /srv/builds/2026-06 /srv/builds/2026-07";
        assert!(list("pending").contains(act), "{}", list("pending"));
        let mut terminal = world.sayso(["answer", &id]).on_terminal();
        terminal.expect("/help): ").line(answer);
        if answer == "n" {
            terminal.expect("instead?").expect("/help): ").line("/next");
        }
        terminal.expect("Review> ").line("/submit").expect("Sent.");
        terminal.wait();
        let ended = list("answered");
        let row = ended
            .lines()
            .find(|row| row.contains(act) && row.contains(state))
            .unwrap_or_else(|| panic!("{ended}"));
        assert_eq!(row.contains("not taken by the agent"), answer == "y", "{row}");
        let shown = world.sayso(["show", &id]).run().stdout;
        assert!(shown.contains(&format!("\n{state}: ada · ")), "{shown}");
        assert!(shown.contains(" · not taken by the agent\n"), "{shown}");
        for part in [
            "| \"/srv/builds/2026-07\"\n",
            "\nThe agent says:\n| The disk is 97 % full.",
            "\n  options: Yes (\"Delete both\") · No (\"Keep them\")\n",
        ] {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
    }
}

#[test]
fn show_numbers_options_like_prompt() {
    let world = TestWorld::new();
    let shown = |request: &str, dialect: &str| {
        let id = world.leave_ask(request, &["--format", dialect]);
        world.sayso(["show", &id]).run().stdout
    };
    let first = r#"{"questions":[{"prompt":"When?","options":["Now","Later"],"other":true,"other_at":0}]}"#;
    let shown_first = shown(first, "sayso");
    assert!(
        shown_first.contains("\n  options: 1 Other, type your own. · 2 \"Now\" · 3 \"Later\"\n"),
        "{shown_first}"
    );
    let spec = r#"{"questions":[{"question":"When?","header":"When","multiSelect":false,
        "options":[{"label":"Now","description":"a"},{"label":"Later","description":"b"}]}]}"#;
    let shown_spec = shown(spec, "ask_user_question");
    assert!(
        shown_spec.contains("\n  options: 1 \"Now\" · 2 \"Later\" · Other, type your own.\n"),
        "{shown_spec}"
    );
}

#[test]
fn own_answer_is_custom_in_questionnaire() {
    let world = TestWorld::new();
    let request = r#"{"questions":[{"id":"l","type":"select","maxSelect":1,"label":"L","prompt":"Which?",
        "options":[{"value":"a","label":"a"}]}]}"#;
    let id = world.leave_ask(request, &["--format", "questionnaire"]);
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains("\n  options: 1 \"a\" · 2 Custom\n"), "{shown}");
    let chinese = world.sayso(["show", &id]).env("SAYSO_LANG", "zh").run().stdout;
    assert!(chinese.contains("2 自定义\n"), "{chinese}");
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("  2. Custom\n").expect("/help): ").line("custom").expect("Your own answer: ");
    terminal.line("Zig").expect("Recorded: own answer: \"Zig\".").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
}

#[test]
fn show_omits_missing_folder() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &release("Release 1.0"), "ci").to_string();
    let shown = world.sayso(["show", &id]).run();
    assert!(shown.stdout.starts_with("| Release 1.0\nAsked by \"ci\", "), "{shown:?}");
}

#[test]
fn ask_is_found_by_id_forms() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    for given in [id.as_str(), &id[..8], &id[id.len() - 8..], &id.to_uppercase()] {
        assert_eq!(world.show(given)["id"], id.as_str(), "{given}");
    }
    for wrong in ["ffffffff", "nothing", "", "%", "_", "' OR 1=1 --"] {
        for command in ["show", "wait", "cancel", "answer"] {
            let ended = world.sayso([command, wrong]).run();
            let words = format!(
                "sayso: This desk has no question \"{wrong}\".\n  To list all questions: sayso list --state all\n  \
                 This is the desk {}. Programs of another user, home folder or machine use a different one: see \
                 sayso help desk-location\n",
                world.desk_file().display()
            );
            assert_eq!(ended.parts(), (1, "", words.as_str()), "{command} {wrong:?}");
        }
    }
}

#[test]
fn ambiguous_id_lists_candidates() {
    let world = TestWorld::new();
    let ids = [world.leave_ask(&one("One"), &[]), world.leave_ask(&one("Two"), &[])];
    let shared = ids[0].bytes().zip(ids[1].bytes()).take_while(|(a, b)| a == b).count();
    let ended = world.sayso(["show", &ids[0][..shared]]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""));
    assert!(ids.iter().all(|id| ended.stderr.contains(id.as_str())), "{ended:?}");
}

#[test]
fn completed_view_shapes_show_and_receipt() {
    let world = TestWorld::new();
    let request = r#"{"type":"input","inputSchema":{"fields":[{"id":"name","type":"text","label":"Name"}]},
        "completedView":{"showInputs":false,"summaryTemplate":"Made {{name}}."}}"#;
    let id = world.leave_ask(request, &["--format", "interaction"]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("Heron").expect("Sent.").expect("| Made Heron.");
    assert_eq!(terminal.wait().exit, 0);
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains("\n| Made Heron.\n") && shown.contains("does not show the answers"), "{shown}");
    assert!(!shown.contains("  Heron"), "{shown}");
}

#[test]
fn draft_of_two_lines_reads_as_one() {
    let world = TestWorld::new();
    let request = r#"{"questions":[{"kind":"text","long":true,"prompt":"Say\nwhy"},{"prompt":"Who?"}]}"#;
    let id = world.leave_ask(request, &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("> ").line("one").expect("> ").line("two").expect("> ").line("/done").expect("Who?");
    terminal.expect("/help): ").line("/quit");
    assert_eq!(terminal.wait().exit, 4);
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains("why\n  (draft) one\n          two\n"), "{shown}");
    let listed = world.sayso(["list"]).run().stdout;
    assert!(listed.contains("Say why") && !listed.contains("U+000A"), "{listed}");
}
