//! Tests of every kind of question, from the asker's file to the asker's answer. Invalid answers are reported and not
//! recorded, valid ones survive `kill -9`, and the reviewed answers arrive. The questionnaires are the examples.

use crate::support::program::TestProgram;
use crate::support::terminal::{TerminalExit, TestTerminal};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Asked example with a waiting asker.
pub(crate) struct AskedExample {
    pub(crate) world: TestWorld,
    pub(crate) id: String,
    asking: TestProgram,
}

impl AskedExample {
    pub(crate) fn example(name: &str) -> Self {
        let world = TestWorld::new();
        let file = format!("{}/../../examples/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let asking = world.sayso(["ask", &file]).start();
        let (_, id) = world.first_ask();
        Self { world, id, asking }
    }

    /// Opens it as a person.
    pub(crate) fn open(&self) -> TestTerminal {
        self.world.sayso(["answer", &self.id]).on_terminal()
    }

    /// Kills the person's program, and opens the ask again.
    pub(crate) fn reopen(&self, terminal: TestTerminal) -> TestTerminal {
        terminal.kill_9();
        self.open()
    }

    /// Returns the draft's reply to a question.
    pub(crate) fn draft_reply(&self, question: &str) -> Value {
        self.world.show(&self.id)["draft"]["replies"][question].clone()
    }

    /// Returns the asker's output once it was sent, and the screen until then.
    pub(crate) fn submit(self, mut terminal: TestTerminal) -> (Value, TerminalExit) {
        terminal.line("/submit").expect("/submit\n").expect("Sent.\n");
        let seen = terminal.wait();
        assert_eq!(seen.exit, 0, "{seen:?}");
        let ended = self.asking.wait();
        let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
        // A command after `&&` must not run if the person said no.
        let is_no = outcome["replies"]["go"]["answer"]["confirm"] == false;
        assert_eq!(ended.exit, if is_no { 3 } else { 0 }, "{ended:?}");
        assert_eq!([&outcome["ask"], &outcome["outcome"]], [&json!(self.id), &json!("answered")]);
        (outcome, seen)
    }

    /// Returns the asker's replies once they were sent.
    pub(crate) fn replies(self, terminal: TestTerminal) -> Value {
        self.submit(terminal).0["replies"].clone()
    }
}

/// Returns an answer as the asker gets it.
pub(crate) fn answered(answer: impl Into<Value>) -> Value {
    json!({ "state": "answered", "answer": answer.into() })
}

/// Types an invalid answer, and asserts this error and that the question is asked again.
pub(crate) fn type_invalid(terminal: &mut TestTerminal, line: &str, text: &str) {
    terminal.line(line).expect(&format!("{line}\n{text}\n")).expect("/help): ");
}

/// Types an answer, and asserts this record.
pub(crate) fn type_valid(terminal: &mut TestTerminal, line: &str, recorded: &str) {
    terminal.line(line).expect(&format!("{line}\nRecorded: {recorded}.\n"));
}

#[test]
fn single_choice_or_other_by_name() {
    let asked = AskedExample::example("choose-database");
    let mut terminal = asked.open();
    terminal.expect("  3. DynamoDB\n").expect("  4. Another one\n").expect("/help): ");
    let text = "\"5\" is not one of the options. Type a number from 1 to 4, or the start of a label.";
    type_invalid(&mut terminal, "5", text);
    type_invalid(&mut terminal, "1,2", "Only one option can be picked. Type one number.");
    terminal.line("4").expect("4\nYour own answer: ");
    type_invalid(&mut terminal, " ", "An answer of your own cannot be empty. Nothing was recorded.");
    assert_eq!(asked.draft_reply("database"), Value::Null);
    terminal.line("anoth").expect("Your own answer: ");
    type_valid(&mut terminal, "MariaDB, 11", "own answer: \"MariaDB, 11\"");
    terminal.expect("Review. 1 of 1 answered.\n");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 1 of 1 answered.\n\nReview. 1 of 1 answered.\n");
    terminal.expect("  1. Database: own answer: \"MariaDB, 11\"\n").expect("Review> ");
    let replies = json!({
        "database": answered(json!({ "picks": [{ "other": "MariaDB, 11" }] })),
        "replica": { "state": "not_asked", "because": "database" },
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn multiple_choice_within_limits() {
    let asked = AskedExample::example("pick-checks");
    let mut terminal = asked.open();
    terminal.expect("Question 1 of 2. Choose one or more. Required.").expect("/help): ");
    type_invalid(&mut terminal, "1-4", "| More than three make a merge wait too long.");
    type_invalid(&mut terminal, "all", "| More than three make a merge wait too long.");
    type_invalid(&mut terminal, "none", "Nothing is picked.");
    assert_eq!(asked.draft_reply("checks")["answer"], Value::Null);
    type_valid(&mut terminal, "5, 1-2", "\"Benchmarks\", \"Unit tests\", \"Linter\"");
    terminal.expect("Question 2 of 2.");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 1 of 2 answered. Continuing with question 2. /review shows them.\n");
    terminal.expect("  3. Other, type your own.\n").expect("/help): ");
    terminal.line("3,2").expect("Your own answer: ");
    type_valid(&mut terminal, "legal", "own answer: \"legal\", \"security team\"");
    terminal.expect("  1. Checks: Benchmarks, Unit tests, Linter\n");
    terminal.expect("  2. Owners: own answer: \"legal\", security team\n").expect("Review> ");
    let replies = json!({
        "checks": answered(json!({ "picks": [{ "option": "bench" }, { "option": "tests" }, { "option": "lint" }] })),
        "owners": answered(json!({ "picks": [{ "other": "legal" }, { "option": "security" }] })),
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn short_and_long_text_formats() {
    let asked = AskedExample::example("release-notes");
    let mut terminal = asked.open();
    terminal.expect("| 2.4.0 Heron\n").expect("/help): ");
    type_invalid(&mut terminal, "Heron", "| It starts with the version, like 2.4.0.");
    let long = format!("2.4.0 {}", "x".repeat(40));
    type_invalid(&mut terminal, &long, "Write at most 40 characters.");
    type_valid(&mut terminal, "2.4.0 鹭", "\"2.4.0 鹭\"");
    terminal.expect("Type lines. End with /done on a line of its own.\n> ");
    terminal.line("short").expect("> ").line("/done").expect("/done\n| A few words more, please.\n");
    terminal.expect("> ");
    terminal.line("").expect("> ").line("//done is a command here").expect("> ");
    asked.world.wait_for_draft_where(&asked.id, |draft| format!("{draft:?}").contains("short\\n\\n/done"));
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 2 of 2 answered.\n").expect("  1. Name: 2.4.0 鹭\n");
    terminal.expect("  2. Notes: short… (3 lines, 30 characters)\n").expect("Review> ");
    terminal.line("2").expect("| short\n| \n| /done is a command here\n").expect("> ");
    terminal.line("last").expect("> ").line("/done").expect("Recorded: 4 lines, 35 characters.\n");
    terminal.expect("Review> ");
    let replies = json!({
        "name": answered(json!({ "text": "2.4.0 鹭" })),
        "notes": answered(json!({ "text": "short\n\n/done is a command here\nlast" })),
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn action_consent_yes_or_no() {
    let asked = AskedExample::example("approve-command");
    let mut terminal = asked.open();
    terminal.expect("If you agree, the tool \"execute\" does exactly this:\n");
    terminal.expect("| \"rm\"\n| \"-r\"\n| \"--\"\n| \"/srv/builds/2026-06\"\n| \"/srv/builds/2026-07\"\n");
    terminal.expect("In this folder:\n| /srv/builds\n");
    terminal.expect("  1. Yes (\"Delete both\")\n  2. No (\"Keep them\")\n").expect("/help): ");
    type_invalid(&mut terminal, "maybe", "\"maybe\" is neither yes nor no here. Type 1 or 2.");
    type_invalid(&mut terminal, "3", "\"3\" is neither yes nor no here. Type 1 or 2.");
    assert_eq!(asked.draft_reply("go"), Value::Null);
    terminal
        .line("keep")
        .expect("keep\nUnderstood: 2. \"No ('Keep them')\"\nRecorded: No (\"Keep them\").\n");
    terminal.expect("A follow-up question was added.\n").expect("Question 2 of 2. Follow-up.");
    let mut terminal = asked.reopen(terminal);
    // Consent is given where it is sent.
    terminal.expect("| \"rm\"\n").expect("Question 1 of 1. Yes or no.").expect("/help): ");
    type_valid(&mut terminal, "2", "No (\"Keep them\")");
    terminal.expect("Question 2 of 2. Follow-up.").expect("/help): ");
    type_valid(&mut terminal, "Ask me again on Monday", "\"Ask me again on Monday\"");
    terminal.expect("  1. Go ahead: No (\"Keep them\")\n").expect("Review> ");
    let replies = json!({
        "go": answered(json!({ "confirm": false })),
        "keep": answered(json!({ "text": "Ask me again on Monday" })),
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn rating_shows_faces_and_words() {
    let asked = AskedExample::example("rate-review");
    let mut terminal = asked.open();
    terminal.expect("  1. 😡 in the way\n  2. 😟\n  3. 😐 some of them\n  4. 😊\n  5. 😍 all of them\n");
    terminal.expect("/help): ");
    for line in ["6", "4.5", "😍"] {
        type_invalid(&mut terminal, line, "The answer must be a whole number from 1 to 5.");
    }
    assert_eq!(asked.draft_reply("useful"), Value::Null);
    type_valid(&mut terminal, "３", "3 (\"some of them\")");
    terminal.expect("| And the tone?\n");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 1 of 2 answered.").expect("/help): ");
    type_invalid(&mut terminal, "11", "The answer must be a whole number from 0 to 10.");
    type_valid(&mut terminal, "0", "0 (\"rude\")");
    terminal
        .expect("A follow-up question was added.\n")
        .expect("> ")
        .line("/skip")
        .expect("/skip\nSkipped.\n");
    terminal
        .expect("  1. Useful: 3 (\"some of them\")\n  2. Tone: 0 (\"rude\")\n  3. What jarred: skipped\n");
    terminal.expect("Review> ");
    let replies = json!({
        "useful": answered(json!({ "rating": 3 })),
        "tone": answered(json!({ "rating": 0 })),
        "why": { "state": "skipped" },
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn numbers_are_exact_and_bounded() {
    let asked = AskedExample::example("set-limits");
    let mut terminal = asked.open();
    terminal.expect("Filled in by the asker: 4. /next keeps it.\n").expect("/help): ");
    type_invalid(&mut terminal, "2.5", "| Whole workers only.");
    type_invalid(&mut terminal, "17", "It must be at most 16.");
    type_invalid(&mut terminal, "many", "The answer must be a number, such as 12.5.");
    assert_eq!(asked.draft_reply("workers"), Value::Null);
    type_valid(&mut terminal, "８", "8");
    terminal.expect("Question 2 of 2.");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 1 of 2 answered. Continuing with question 2.").expect("/help): ");
    type_invalid(&mut terminal, "12.505", "It must be a multiple of 0.01.");
    type_invalid(&mut terminal, "-0.01", "It must be at least 0.");
    type_valid(&mut terminal, "0.30", "0.3");
    terminal.expect("  1. Workers: 8\n  2. Budget: 0.3\n").expect("Review> ");
    let replies = json!({
        "workers": answered(json!({ "number": 8 })),
        "budget": answered(json!({ "number": 0.3 })),
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn seen_default_is_sent() {
    let asked = AskedExample::example("set-limits");
    let mut terminal = asked.open();
    terminal.expect("Filled in by the asker: 4. /next keeps it.\n").expect("/help): ");
    terminal.line("").expect("Filled in by the asker: 4. /next keeps it.\n").expect("/help): ");
    terminal.line("/next").expect("| What may it cost at most, in euros?\n").expect("/help): ");
    terminal.line("/skip").expect("Skipped.\n");
    terminal.expect("  1. Workers: 4\n  2. Budget: skipped\n").expect("Review> ");
    let replies = json!({ "workers": answered(json!({ "number": 4 })), "budget": { "state": "skipped" } });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn dates_and_times_are_bounded() {
    let asked = AskedExample::example("plan-maintenance");
    let mut terminal = asked.open();
    terminal.expect("| On which day?\n").expect("/help): ");
    type_invalid(&mut terminal, "1.12.2026", "The answer must be a date, such as 2026-03-01.");
    type_invalid(&mut terminal, "2026-12-24", "| Between the 1st and the 20th of December 2026.");
    type_invalid(&mut terminal, "2026-02-30", "This date does not exist: \"2026-02-30\"");
    assert_eq!(asked.draft_reply("day"), Value::Null);
    type_valid(&mut terminal, "2026-12-20", "2026-12-20");
    terminal.expect("| From what time?\n").expect("/help): ");
    type_invalid(&mut terminal, "soonish", "The answer must be a time of day, such as 14:30.");
    type_invalid(&mut terminal, "17:59", "| Not in working hours.");
    assert_eq!(asked.draft_reply("start"), Value::Null);
    terminal.line("18：00").expect("Recorded: 18:00").expect("| When should I announce it?\n");
    let mut terminal = asked.reopen(terminal);
    terminal.expect("Draft found: 2 of 3 answered. Continuing with question 3.").expect("/help): ");
    type_invalid(
        &mut terminal,
        "2026-12-01",
        "The answer must be a date with a time, such as 2026-03-01 14:30.",
    );
    terminal.line("2026-12-01 09:30+08:00").expect("Recorded: 2026-12-01").expect("  1. Day: 2026-12-20\n");
    terminal.expect("Review> ");
    let replies = json!({
        "day": answered(json!({ "date": "2026-12-20" })),
        "start": answered(json!({ "time": "18:00:00" })),
        "announce": answered(json!({ "datetime": "2026-12-01T09:30:00+08:00" })),
    });
    assert_eq!(asked.replies(terminal), replies);
}

#[test]
fn all_kinds_in_chinese() {
    let asked = AskedExample::example("project-setup");
    let open = || asked.world.sayso(["answer", &asked.id]).env("SAYSO_LANG", "zh").on_terminal();
    let mut terminal = open();
    terminal.expect("第 1 题，共 4 题。").expect("  4. 其他，自行输入。\n").expect("/help）：");
    terminal
        .line("５")
        .expect("５\n“５”不在选项之中。请输入 1 到 4 的编号，或选项文字的开头。\n")
        .expect("/help）：");
    terminal
        .line("其他")
        .expect("其他\n您的答案：")
        .line("仓颉")
        .expect("仓颉\n已记录：自定义答案：“仓颉”。\n");
    terminal
        .expect("第 2 题，共 4 题。")
        .expect("/help）：")
        .line("1、3")
        .expect("已记录：“Formatting”, “Dependency audit”。\n");
    terminal.expect("第 3 题，共 4 题。");
    terminal.kill_9();
    let mut terminal = open();
    terminal.expect("找到草稿：已答 2 题，共 4 题。从第 3 题继续，/review 可查看。\n").expect("/help）：");
    terminal
        .line("账单")
        .expect("账单\n已记录：“账单”。\n")
        .expect("> ")
        .line("/skip")
        .expect("/skip\n已跳过。\n");
    terminal
        .expect("确认：已答 3 题，共 4 题。\n")
        .expect("确认> ")
        .line("/submit")
        .expect("/submit\n已提交。\n");
    assert_eq!(terminal.wait().exit, 0);
    let outcome: Value = serde_json::from_str(&asked.asking.wait().stdout).unwrap();
    let replies = json!({
        "language": answered(json!({ "picks": [{ "other": "仓颉" }] })),
        "checks": answered(json!({ "picks": [{ "option": "format" }, { "option": "audit" }] })),
        "name": answered(json!({ "text": "账单" })),
        "notes": { "state": "skipped" },
    });
    assert_eq!(outcome["replies"], replies);
}
