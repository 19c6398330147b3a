//! Tests of commands at a question: notes, previews, the editor, clearing, skipping, and of keys and pastes that are
//! no answers.

use crate::prompter::question_kinds::{AskedExample, answered, type_valid};
use crate::support::program::signal;
use crate::support::terminal::TestTerminal;
use serde_json::{Value, json};

/// Opens an example with this shell script as the editor. Its side effects stay in the world.
fn open_with_editor(asked: &AskedExample, script: &str) -> TestTerminal {
    let script = asked.world.write("editor.sh", script);
    let editor = format!("/bin/sh {}", script.display());
    let call = asked.world.sayso(["answer", &asked.id]).env("EDITOR", editor);
    call.env("TMPDIR", asked.world.path("work")).on_terminal()
}

/// Pastes lines at once, the last of which is echoed last. The program reads none before all have arrived.
fn paste(terminal: &mut TestTerminal, lines: &[&str]) {
    signal(terminal.pid, "STOP");
    terminal.keys(&lines.iter().map(|line| format!("{line}\r")).collect::<String>());
    terminal.expect(&format!("{}\n", lines.last().unwrap()));
    signal(terminal.pid, "CONT");
}

/// Opens the release notes at the long text.
fn open_at_notes(asked: &AskedExample, mut terminal: TestTerminal) -> TestTerminal {
    terminal.expect("/help): ");
    type_valid(&mut terminal, "2.4.0", "\"2.4.0\"");
    terminal.expect("End with /done on a line of its own.\n> ");
    assert_eq!(asked.draft_reply("notes"), Value::Null);
    terminal
}

/// Returns the notes that the asker gets.
fn notes(asked: AskedExample, mut terminal: TestTerminal) -> Value {
    terminal.expect("Review> ");
    asked.replies(terminal)["notes"]["answer"]["text"].clone()
}

#[test]
fn note_stays_until_cleared() {
    let asked = AskedExample::example("pick-checks");
    let mut terminal = asked.open();
    terminal
        .expect("/help): ")
        .line("/note the linter is slow, 很慢")
        .expect("Note kept: \"the linter is slow, 很慢\"\n");
    terminal.expect("Your note: \"the linter is slow, 很慢\"\n").expect("/help): ");
    type_valid(&mut terminal, "1", "\"Unit tests\"");
    terminal.expect("Question 2 of 2.");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 1 of 2 answered.").expect("/help): ").line("/note");
    terminal
        .expect("Note to the asker (one line, or just Enter for none): ")
        .line("ask me")
        .expect("Note kept: \"ask me\"\n");
    terminal.expect("/help): ").line("/note").expect("for none): ").line("");
    terminal.expect("\nThe note is removed.\n").expect("Question 2 of 2.").expect("/help): ");
    type_valid(&mut terminal, "1", "\"core team\"");
    terminal.expect("  1. Checks: Unit tests; note: \"the linter is slow, 很慢\"\n  2. Owners: core team\n");
    terminal.expect("Review> ").line("1").expect("/help): ");
    type_valid(&mut terminal, "2", "\"Linter\"");
    terminal.expect("  1. Checks: Linter; note: \"the linter is slow, 很慢\"\n").expect("Review> ");
    terminal.line("/note x").expect("Note on the whole form: \"x\"\n").expect("Review> ");
    terminal.line("/skip").expect("Type the number of a question first.\n").expect("Review> ");
    let mut checks = answered(json!({ "picks": [{ "option": "lint" }] }));
    checks["note"] = json!("the linter is slow, 很慢");
    let owners = answered(json!({ "picks": [{ "option": "core" }] }));
    let form = json!({ "state": "unanswered", "note": "x" });
    assert_eq!(asked.replies(terminal), json!({ "": form, "checks": checks, "owners": owners }));
}

#[test]
fn previews_show_one_or_all() {
    let asked = AskedExample::example("choose-database");
    let mut terminal = asked.open();
    terminal.expect("/preview NUMBER previews an option.\n").expect("/help): ");
    terminal
        .line("/preview 2")
        .expect("/preview 2\nPreview of 2, \"SQLite\":\n| DATABASE_URL=sqlite:///var/lib/orders/orders.db\n");
    terminal.expect("/help): ").line("/preview 3").expect("/preview 3\n3, \"DynamoDB\", has no preview.\n");
    terminal.expect("/help): ").line("/preview 9").expect("/preview 9\nThere is nothing to preview here.");
    terminal
        .expect("/help): ")
        .line("/preview")
        .expect("/preview\nPreview of 1, \"PostgreSQL\":\n| services:\n|   db:\n");
    terminal
        .expect("|     volumes: [orders:/var/lib/postgresql]\nPreview of 2, \"SQLite\":\n")
        .expect("/help): ");
    assert_eq!(asked.draft_reply("database"), Value::Null);
    type_valid(&mut terminal, "1", "\"PostgreSQL\"");
    terminal.expect("Should there be a read replica").expect("/help): ").line("/preview 1");
    terminal.expect("/preview 1\nThere is nothing to preview here.").expect("/help): ").line("/skip");
    terminal.expect("Skipped.\n").expect("Review> ");
    let picked = answered(json!({ "picks": [{ "option": "postgres" }] }));
    assert_eq!(asked.replies(terminal), json!({ "database": picked, "replica": { "state": "skipped" } }));
}

#[test]
fn editor_round_trips_text() {
    let asked = AskedExample::example("release-notes");
    let terminal = open_with_editor(&asked, "printf '\\nfrom the editor, 都行\\n' >> \"$1\"\n");
    let mut terminal = open_at_notes(&asked, terminal);
    terminal
        .line("typed by hand")
        .expect("> ")
        .line("/edit")
        .expect("/edit\nRecorded: 2 lines, 33 characters.\n");
    assert_eq!(notes(asked, terminal), "typed by hand\nfrom the editor, 都行");
}

#[test]
fn failed_editor_keeps_text() {
    let asked = AskedExample::example("release-notes");
    let terminal = open_with_editor(&asked, "echo ruined > \"$1\"\nexit 1\n");
    let mut terminal = open_at_notes(&asked, terminal);
    terminal
        .line("typed by hand")
        .expect("> ")
        .line("/edit")
        .expect("/edit\nThe text from the editor cannot be used ");
    terminal.expect("(exit status: 1); the answer is unchanged.\nYour text from the editor is in ");
    terminal.expect("| typed by hand\n").expect("> ");
    let kept: Vec<_> = std::fs::read_dir(asked.world.path("work")).unwrap().collect();
    let [Ok(kept)] = kept.as_slice() else { panic!("{kept:?}") };
    assert_eq!(std::fs::read_to_string(kept.path()).unwrap(), "ruined\n");
    terminal.line("/done").expect("Recorded: 1 line, 13 characters.\n");
    assert_eq!(notes(asked, terminal), "typed by hand");
}

#[test]
fn unsaved_editor_changes_nothing() {
    let asked = AskedExample::example("release-notes");
    let mut terminal = open_at_notes(&asked, open_with_editor(&asked, "exit 1\n"));
    terminal.line("typed by hand").expect("> ").line("/edit").expect("> ").line("/review");
    terminal.expect("/review\n\nReview. 2 of 2 answered.\n").expect("  2. Notes: typed by hand\n");
    assert_eq!(std::fs::read_dir(asked.world.path("work")).unwrap().count(), 0);
    assert_eq!(notes(asked, terminal), "typed by hand");
}

#[test]
fn empty_or_short_edit_is_ignored() {
    let asked = AskedExample::example("release-notes");
    let script = "if grep -q one \"$1\"; then : > \"$1\"; else echo one > \"$1\"; fi\n";
    let mut terminal = open_at_notes(&asked, open_with_editor(&asked, script));
    terminal.line("/edit").expect("/edit\n| A few words more, please.\n").expect("| one\n").expect("> ");
    terminal
        .line("/edit")
        .expect("/edit\nThe editor's text was empty; the answer is unchanged.\n")
        .expect("| one\n")
        .expect("> ");
    terminal.line("and two, three").expect("> ").line("/done").expect("Recorded: 2 lines, 18 characters.\n");
    assert_eq!(notes(asked, terminal), "one\nand two, three");
}

#[test]
fn editor_must_be_set_for_text() {
    let asked = AskedExample::example("pick-checks");
    let mut terminal = open_with_editor(&asked, "exit 1\n");
    terminal.expect("/help): ").line("/edit").expect("/edit\n/edit opens the answer to a text question.\n");
    terminal.expect("/help): ").line("/quit").expect("Nothing was sent.");
    assert_eq!(terminal.wait().exit, 4);
    let asked = AskedExample::example("release-notes");
    let mut terminal = open_at_notes(&asked, asked.open());
    terminal.line("/edit").expect("/edit\nNo editor is set: set VISUAL or EDITOR.\n").expect("> ");
    terminal.line("/quit").expect("Nothing was sent.");
    assert_eq!(terminal.wait().exit, 4);
}

#[test]
fn clear_and_skip_leave_no_answer() {
    let asked = AskedExample::example("set-limits");
    let mut terminal = asked.open();
    terminal.expect("/help): ").line("/skip");
    terminal.expect("/skip\nThis question is required and cannot be skipped. /next leaves it for later.\n");
    terminal.expect("/help): ");
    type_valid(&mut terminal, "8", "8");
    terminal.expect("Question 2 of 2.").expect("/help): ");
    type_valid(&mut terminal, "5", "5");
    terminal.expect("Review> ").line("2").expect("Your answer so far: 5\n").expect("/help): ").line("/clear");
    terminal.expect("/clear\nCleared.\n").expect("| 12.50\nAnswer (number, or /help): ");
    assert_eq!(asked.draft_reply("budget")["answer"], Value::Null);
    terminal.line("/skip").expect("/skip\nSkipped.\n").expect("  2. Budget: skipped\n").expect("Review> ");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("  1. Workers: 8\n  2. Budget: skipped\n").expect("Review> ");
    terminal
        .line("1")
        .expect("/help): ")
        .line("/clear")
        .expect("Cleared.\n")
        .expect("/help): ")
        .line("/review");
    terminal.expect(
        "Review. 0 of 2 answered. 1 problem: question 1, \"Workers\": This question needs an answer\n",
    );
    terminal.expect("Review> ").line("/submit").expect("1 answer needs attention.\n").expect("/help): ");
    type_valid(&mut terminal, "2", "2");
    terminal.expect("Review> ");
    let replies = json!({ "workers": answered(json!({ "number": 2 })), "budget": { "state": "skipped" } });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn line_with_control_keys_is_retyped() {
    let asked = AskedExample::example("release-notes");
    let mut terminal = asked.open();
    terminal.expect("/help): ").keys("\u{1b}[A2.4.0\u{1b}[D \u{1}He\u{7}ron\u{1b}OP\r");
    terminal.expect("The line contained keys that are not text: \"⟦U+001B⟧[A2.4.0");
    terminal.expect("/help): ").line("2.4.0 Heron").expect("Recorded: \"2.4.0 Heron\".\n");
    terminal.expect("> ").line("/note \u{1b}[Chm").expect("Note kept: \"hm\"\n");
    terminal.expect("> ").keys("one\tand \u{1b}[200~two\u{1b}[201~ words\r").expect("> ");
    terminal.line("/done").expect("Recorded: 1 line, 17 characters.\n").expect("Review> ");
    let replies = asked.replies(terminal);
    assert_eq!(replies["name"], answered(json!({ "text": "2.4.0 Heron" })));
    let mut notes = answered(json!({ "text": "one\tand two words" }));
    notes["note"] = json!("hm");
    assert_eq!(replies["notes"], notes);
}

#[test]
fn arrow_before_command_still_commands() {
    let asked = AskedExample::example("rate-review");
    let mut terminal = asked.open();
    terminal.expect("/help): ").keys("\u{1b}[B\u{1b}[B4\r").expect("that are not text");
    terminal.expect("/help): ").keys("\u{1b}[A/quit\r");
    assert_eq!(terminal.wait().exit, 4);
}

#[test]
fn pasted_slash_lines_stay_text() {
    let asked = AskedExample::example("release-notes");
    let mut terminal = open_at_notes(&asked, asked.open());
    let lines = ["Moved:", "/etc/hosts is read", "/usr/bin too", "//", "done"];
    paste(&mut terminal, &lines);
    lines.iter().for_each(|_| {
        terminal.expect("> ");
    });
    terminal
        .line("/tmp by hand")
        .expect("There is no command \"/tmp\": /help lists them, and // starts a literal slash.\n")
        .expect("> ");
    terminal.line("/done").expect("/done\nRecorded: 5 lines, 45 characters.\n");
    assert_eq!(notes(asked, terminal), "Moved:\n/etc/hosts is read\n/usr/bin too\n/\ndone");
}

#[test]
fn command_inside_paste_is_text() {
    for command in ["/submit", "/decline never", "/quit", "/done", "/skip"] {
        let asked = AskedExample::example("release-notes");
        let mut terminal = open_at_notes(&asked, asked.open());
        paste(&mut terminal, &["one line of text", command, "another"]);
        terminal.expect("> ").expect("> ").expect("> ");
        terminal.line("/done").expect("Recorded: 3 lines, ");
        assert_eq!(notes(asked, terminal), format!("one line of text\n{command}\nanother"));
    }
}

#[test]
fn command_ending_paste_is_confirmed() {
    let asked = AskedExample::example("release-notes");
    let mut terminal = open_at_notes(&asked, asked.open());
    paste(&mut terminal, &["one line of text", "another", "/decline never"]);
    terminal.expect("\"/decline never\" was not run, because more lines came with it.").expect("> ");
    terminal.line("/done").expect("Recorded: 2 lines, ");
    assert_eq!(notes(asked, terminal), "one line of text\nanother");
}

#[test]
fn accepted_paste_extends_other_answer() {
    let asked = AskedExample::example("choose-database");
    let mut terminal = asked.open();
    terminal.expect("/help): ").line("4").expect("Your own answer: ");
    paste(&mut terminal, &["MariaDB", "with a replica", "in Bonn"]);
    terminal.expect("2 more lines were pasted. Keep them in this answer? yes or no: ").line("what?");
    terminal.expect("what?\n3 more lines were pasted. Keep them in this answer? yes or no: ").line("yes");
    terminal.expect("yes\nRecorded: own answer: \"MariaDB…\" (4 lines, 36 characters).\n").expect("Review> ");
    let text = "MariaDB\nwith a replica\nin Bonn\nwhat?";
    assert_eq!(asked.replies(terminal)["database"], answered(json!({ "picks": [{ "other": text }] })));
}

#[test]
fn extra_lines_need_confirmation() {
    let asked = AskedExample::example("onboard-service");
    let mut terminal = asked.open();
    terminal.expect("/help): ");
    paste(&mut terminal, &["orders", "/submit", "events"]);
    terminal.expect("2 more lines were pasted. Keep them in this answer? yes or no: ").line("no");
    terminal
        .expect("no\nThe pasted lines were ignored: 2.\nRecorded: \"orders\".\n")
        .expect("| Which language?\n");
    assert_eq!(asked.draft_reply("name")["answer"]["text"], "orders");
    terminal.expect("/help): ").line("/quit").expect("Nothing was sent.");
    assert_eq!(terminal.wait().exit, 4);
}
