//! Tests of dates and times as people type them, line by line.

use crate::prompter::question_kinds::type_invalid;
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn relative_dates_are_read_by_line() {
    let world = TestWorld::new();
    let kinds = ["date", "datetime", "time"];
    let questions = kinds.map(|kind| json!({ "id": kind, "kind": kind, "prompt": "When?" }));
    let id = world.leave_ask(&json!({ "questions": questions }).to_string(), &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ");
    type_invalid(&mut terminal, "2026-02-30", "This date does not exist: \"2026-02-30\"");
    type_invalid(&mut terminal, "whenever", "The answer must be a date, such as 2026-03-01.");
    terminal.line("fri").expect("Recorded: 20").expect("/help): ");
    type_invalid(&mut terminal, "2026-03-01 25:00", "This time does not exist: \"2026-03-01 25:00\"");
    terminal.line("明天 9am").expect("9:00").expect("/help): ");
    type_invalid(&mut terminal, "25:00", "This time does not exist: \"25:00\"");
    terminal.line("noon").expect("Recorded: 12:00").expect("Review> ");
    terminal.line("/quit").expect("Nothing was sent.");
    let replies = &world.show(&id)["draft"]["replies"];
    assert!(replies["datetime"].to_string().contains("T09:00:00"), "{replies}");
}
