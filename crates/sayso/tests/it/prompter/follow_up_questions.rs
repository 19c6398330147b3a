//! Tests of questions that depend on other answers, and of skipped sections.

use crate::prompter::question_kinds::{AskedExample, answered, type_valid};
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn inactive_follow_up_keeps_answer() {
    let asked = AskedExample::example("approve-command");
    let mut terminal = asked.open();
    terminal.expect("Question 1 of 1.").expect("/help): ");
    type_valid(&mut terminal, "2", "No (\"Keep them\")");
    terminal.expect("A follow-up question was added.\n").expect("/help): ");
    type_valid(&mut terminal, "Compress them", "\"Compress them\"");

    terminal.expect("Review. 2 of 2 answered.\n").expect("Review> ").line("1").expect("/help): ");
    type_valid(&mut terminal, "1", "Yes (\"Delete both\")");
    terminal.expect("1 question is no longer asked; your answer to it is kept.\n");
    terminal.expect("Review. 1 of 1 answered.\n  1. Go ahead: Yes (\"Delete both\")\n");
    let dormant = "Not sent, because your other answers rule these questions out:\n  \
                   - \"What to keep\": Compress them (depends on \"Go ahead\")\n";
    terminal.expect(dormant).expect("Review> ");
    // Neither its number nor `/next` reaches it.
    terminal.line("2").expect("Type a number from 1 to 1, ").expect("Review> ");

    let mut terminal = asked.reopen(terminal);
    // Consent is given where it is sent; the other answers are there.
    terminal.expect("Question 1 of 1. Yes or no.").expect("/help): ");
    type_valid(&mut terminal, "2", "No (\"Keep them\")");
    terminal.expect("A follow-up question was added.\n");
    terminal.expect(
        "Review. 2 of 2 answered.\n  1. Go ahead: No (\"Keep them\")\n  2. What to keep: Compress them\n",
    );
    terminal.expect("Type a number").expect("Review> ");
    let (outcome, _) = asked.submit(terminal);
    let replies = json!({
        "go": answered(json!({ "confirm": false })),
        "keep": answered(json!({ "text": "Compress them" })),
    });
    assert_eq!(outcome["replies"], replies);
    assert_eq!(outcome["receipt"]["dropped"], json!(null));
}

#[test]
fn inactive_answer_is_not_sent() {
    let asked = AskedExample::example("approve-command");
    let mut terminal = asked.open();
    terminal.expect("/help): ");
    type_valid(&mut terminal, "no", "No (\"Keep them\")");
    terminal.expect("/help): ");
    type_valid(&mut terminal, "SECRET", "\"SECRET\"");
    terminal.expect("Review> ").line("1").expect("/help): ");
    type_valid(&mut terminal, "yes", "Yes (\"Delete both\")");
    terminal.expect("Not sent").expect("Review> ");
    let (outcome, _) = asked.submit(terminal);
    let replies = json!({
        "go": answered(json!({ "confirm": true })),
        "keep": { "state": "not_asked", "because": "go" },
    });
    assert_eq!([&outcome["replies"], &outcome["receipt"]["dropped"]], [&replies, &json!(["keep"])]);
    assert!(!outcome.to_string().contains("SECRET"), "{outcome}");
}

#[test]
fn changed_answer_opens_new_follow_up() {
    let asked = AskedExample::example("onboard-service");
    let mut terminal = asked.open();
    terminal.expect("Section 1 of 3.\n| The basics\n").expect("Question 1 of 5.").expect("/help): ");
    type_valid(&mut terminal, "order-events", "\"order-events\"");
    terminal
        .expect("Question 2 of 5.")
        .expect("/help): ")
        .line("type")
        .expect("type\nUnderstood: 2. \"TypeScript\"\n");
    terminal.expect("Recorded: \"TypeScript\".\nA follow-up question was added.\n");
    terminal.expect("Question 3 of 6. Follow-up.").expect("/help): ");
    type_valid(&mut terminal, "2", "\"Hono\"");
    terminal.expect("Section 2 of 3. \"Traffic\"\n| Rough figures will do.\n").expect("/help): ");
    type_valid(&mut terminal, "yes", "Yes");
    terminal
        .expect("A follow-up question was added.\n")
        .expect("Question 5 of 7. A number.")
        .expect("/help): ");
    type_valid(&mut terminal, "200", "200");
    terminal.expect("Section 3 of 3. \"Alerts\"\nYou can skip this section").expect("/help): ");
    terminal
        .line("/review")
        .expect("Review. 5 of 7 answered.\n")
        .expect("Review> ")
        .line("2")
        .expect("/help): ");
    type_valid(&mut terminal, "3", "\"Python\"");
    terminal.expect("A follow-up question was added.\n1 question is no longer asked");
    terminal.expect("Question 3 of 7. Follow-up.").expect("| Which version of Python?\n").expect("/help): ");
    terminal.line("3.14").expect("Understood: 2. \"3.14\"\nRecorded: \"3.14\".\n");
    terminal.expect("Review. 5 of 7 answered.\n").expect("  3. Python: 3.14\n");
    terminal.expect("  - \"Framework\": Hono (depends on \"Language\")\n").expect("Review> ");
    let (outcome, _) = asked.submit(terminal);
    let replies = json!({
        "name": answered(json!({ "text": "order-events" })),
        "language": answered(json!({ "picks": [{ "option": "python" }] })),
        "framework": { "state": "not_asked", "because": "language" },
        "python_version": answered(json!({ "picks": [{ "option": "3.14" }] })),
        "public": answered(json!({ "confirm": true })),
        "rate": answered(json!({ "number": 200 })),
        "channel": { "state": "unanswered" },
        "hours": { "state": "unanswered" },
    });
    assert_eq!([&outcome["replies"], &outcome["receipt"]["dropped"]], [&replies, &json!(["framework"])]);
}

#[test]
fn optional_section_is_all_or_nothing() {
    let asked = AskedExample::example("onboard-service");
    let mut terminal = asked.open();
    terminal.expect("/help): ");
    type_valid(&mut terminal, "a", "\"a\"");
    terminal.expect("/help): ");
    type_valid(&mut terminal, "1", "\"Rust\"");
    terminal.expect("/help): ");
    type_valid(&mut terminal, "no", "No");
    terminal
        .expect("Question 4 of 5. One line of text. Required if you fill in this section.\n")
        .expect("/help): ");
    type_valid(&mut terminal, "#alerts", "\"#alerts\"");
    terminal.expect("Question 5 of 5.").expect("/help): ").line("/next");
    terminal
        .expect("Review. 4 of 5 answered. 1 problem: question 5, \"Hours\": This question needs an answer\n");
    terminal.expect("Alerts:\n  4. Channel: #alerts\n  5. Hours: not answered\n").expect("Review> ");
    terminal.line("/submit").expect("1 answer needs attention.\n- question 5, \"Hours\": ");
    terminal.expect("| When may they wake someone?\n").expect("/help): ").line("/back");
    terminal.expect("Your answer so far: \"#alerts\"\n").expect("/help): ").line("/clear");
    terminal.expect("/clear\nCleared.\n").expect("/help): ").line("/review");
    terminal.expect("Review. 3 of 5 answered.\n").expect("  4. Channel: not answered\n").expect("Review> ");
    let replies = asked.replies(terminal);
    assert_eq!(replies["public"], answered(json!({ "confirm": false })));
    assert_eq!(replies["rate"], json!({ "state": "not_asked", "because": "public" }));
    let left_out = json!({ "state": "unanswered" });
    assert_eq!([&replies["channel"], &replies["hours"]], [&left_out, &left_out]);
}

#[test]
fn back_skips_inactive_questions() {
    let asked = AskedExample::example("onboard-service");
    let mut terminal = asked.open();
    terminal.expect("/help): ");
    type_valid(&mut terminal, "a", "\"a\"");
    terminal.expect("/help): ");
    type_valid(&mut terminal, "1", "\"Rust\"");
    terminal.expect("| Is it reachable from the internet?\n").expect("/help): ").line("/back");
    terminal.expect("/back\n\nQuestion 2 of 5.").expect("| Which language?\n").expect("/help): ");
    terminal.line("/back").expect("Question 1 of 5.").expect("/help): ");
    terminal.line("/back").expect("/back\nThis is the first question.\n").expect("/help): ");
    terminal.line("/next").expect("Question 2 of 5.").expect("/help): ");
    terminal.line("/next").expect("| Is it reachable from the internet?\n").expect("/help): ");
    type_valid(&mut terminal, "no", "No");
    terminal.expect("| Which channel gets the alerts?\n").expect("/help): ").line("/back");
    terminal
        .expect("/back\n\nSection 2 of 3.")
        .expect("| Is it reachable from the internet?\n")
        .expect("/help): ");
    terminal.line("/quit").expect("Nothing was sent.");
    let seen = terminal.wait();
    assert_eq!(seen.exit, 4);
    for hidden in ["Which framework?", "Which version of Python?", "How many requests"] {
        assert!(!seen.screen.contains(hidden), "{}", seen.screen);
    }
}

#[test]
fn removed_and_added_questions_are_announced() {
    let world = TestWorld::new();
    let follow_up = |id: &str, choice: &str| json!({ "id": id, "prompt": id, "show_if": { "is": choice } });
    let children = [follow_up("c", "x"), follow_up("d", "y"), follow_up("e", "y")];
    let first = json!({ "id": "a", "prompt": "A?", "options": ["x", "y", "z"], "children": children });
    let id =
        world.leave_ask(&json!({ "questions": [first, { "id": "b", "prompt": "B?" }] }).to_string(), &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ");
    type_valid(&mut terminal, "2", "\"y\"");
    terminal.expect("2 questions were added.\n\nQuestion 2 of 4.").expect("/help): ").line("/back");
    terminal.expect("/help): ");
    type_valid(&mut terminal, "1", "\"x\"");
    terminal.expect("A follow-up question was added.\n2 questions are no longer asked.\n\nQuestion 2 of 3.");
    terminal.expect("/help): ").line("/back").expect("/help): ");
    type_valid(&mut terminal, "3", "\"z\"");
    terminal.expect("1 question is no longer asked.\n\nQuestion 2 of 2.").expect("/help): ");
    terminal.line("/quit").expect("Nothing was sent.");
}
