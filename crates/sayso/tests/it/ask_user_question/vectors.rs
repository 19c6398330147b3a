//! Recorded inputs and outputs of the original command, replayed against the real program; deviations are listed here.

use crate::support::terminal::{TerminalExit, TestTerminal};
use crate::support::test_vector::{self, TestVector};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const DIALECT: &str = "ask_user_question";
/// The original takes any text after the name; a program is called by its whole name.
const NAME_RUNS_ON: &str = "060";
/// Invalid input: the first option is taken, and our program says so.
const FIRST_BY_DEFAULT: [&str; 9] = ["006", "007", "008", "009", "012", "019", "024", "025", "039"];
/// Two questions with one header: our program warns before asking.
const SAME_HEADER: &str = "041";

/// Places in a transcript where a line is typed.
const HINTS: [&str; 3] =
    ["Enter number or 0 for custom: ", "Enter numbers (e.g., 1,3) or 0 for custom: ", "Enter your answer: "];

impl TestVector {
    fn request(&self) -> String {
        json!({ "questions": self.body["input"]["questions"] }).to_string()
    }

    fn lines(&self) -> Vec<&str> {
        let lines = self.body["input"]["lines"].as_array().unwrap();
        lines.iter().map(|line| line.as_str().unwrap()).collect()
    }

    fn ends_early(&self) -> bool {
        self.body["input"]["eof"] == true
    }

    /// Returns the expected screen, split where a line is typed.
    fn split_screen(&self) -> Vec<&str> {
        let mut rest = self.body["expect"]["screen"].as_str().unwrap();
        let mut pages = Vec::new();
        while !rest.is_empty() {
            let end = HINTS.iter().filter_map(|hint| rest.find(hint).map(|at| at + hint.len())).min();
            let (page, after) = rest.split_at(end.unwrap());
            pages.push(page);
            rest = after;
        }
        pages
    }

    /// Returns the full terminal output: the original's screen, the echo of typed lines, and our own additions.
    fn transcript(&self) -> String {
        let mut shown = String::new();
        if self.number == SAME_HEADER {
            shown.push_str(
                "sayso: An earlier question also has the header \"Same\": the asker gets only the later answer.\n",
            );
        }
        let mut lines = self.lines().into_iter();
        for page in self.split_screen() {
            shown.push_str(page);
            match lines.next() {
                Some(line) => shown.push_str(&format!("{line}\n")),
                None => shown.push_str("\nCommand execution interrupted.\n"),
            }
            if FIRST_BY_DEFAULT.contains(&self.number.as_str()) {
                shown.push_str("No valid choice: took 1. A\n");
            }
        }
        shown.replace('\n', "\r\n")
    }

    fn judge(&self, seen: &TerminalExit, world: &TestWorld) {
        if self.ends_early() {
            assert_eq!((seen.exit, seen.stdout.as_str()), (130, ""), "{}: {seen:?}", self.number);
            let draft = &world.show(&world.first_ask().1)["draft"]["replies"];
            let answered = self.split_screen().iter().filter(|page| page.starts_with('\n')).count() - 1;
            assert_eq!(draft.as_object().unwrap().len(), answered, "{}: {draft}", self.number);
            return;
        }
        let result = &self.body["expect"]["result"];
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(json(&seen.stdout), json(result["stdout"].as_str().unwrap()), "{}", self.number);
        assert_eq!(seen.stdout.lines().count(), 1, "{}: {seen:?}", self.number);
        assert_eq!(result["exitCode"], seen.exit, "{}: {seen:?}", self.number);
    }
}

fn run_vector(world: &TestWorld, vector: &TestVector) -> TestTerminal {
    world.ask_user_question([vector.request()]).on_terminal_with_stdout_file()
}

#[test]
fn sessions_typed_line_by_line() {
    let vectors = test_vector::vectors_of(DIALECT, "terminalSession");
    assert_eq!(vectors.len(), 32);
    for vector in &vectors {
        let world = TestWorld::new();
        let mut terminal = run_vector(&world, vector);
        let mut lines = vector.lines().into_iter();
        for page in vector.split_screen() {
            terminal.expect(page);
            match lines.next() {
                Some(line) => terminal.line(line),
                None => terminal.keys("\u{4}"),
            };
        }
        assert_eq!(lines.next(), None, "{}", vector.number);
        let seen = terminal.wait();
        assert_eq!(seen.screen, vector.transcript(), "{}", vector.number);
        vector.judge(&seen, &world);
    }
}

#[test]
fn sessions_on_a_pipe() {
    for vector in test_vector::vectors_of(DIALECT, "terminalSession") {
        let world = TestWorld::new();
        let typed: String = vector.lines().iter().map(|line| format!("{line}\n")).collect();
        let ended = world.ask_user_question([vector.request()]).run_with(typed);
        let warns = vector.number == SAME_HEADER;
        let mut ended = if warns { ended } else { ended.without_wait_lines() };
        for page in vector.split_screen() {
            let page = format!("{}\n", page.trim_end());
            assert!(ended.stderr.contains(&page), "{}: {page}: {ended:?}", vector.number);
            ended.stderr = ended.stderr.replacen(&page, "", 1);
        }
        let seen =
            TerminalExit { screen: ended.stderr, stdout: ended.stdout, exit: ended.exit.cast_unsigned() };
        // The original does this silently.
        let report = [
            "No valid choice: took 1. ",
            "sayso: An earlier question also has the header ",
            "The question is waiting at the desk ",
            "Ctrl-C only stops waiting.",
        ];
        let is_told = |line: &str| report.iter().any(|words| line.starts_with(words));
        let ends_early = vector.ends_early() && seen.screen == "Command execution interrupted.\n";
        assert!(ends_early || seen.screen.lines().all(is_told), "{}: {seen:?}", vector.number);
        vector.judge(&seen, &world);
    }
}

#[test]
fn command_lines() {
    let (mut refused, mut valid) = (0, 0);
    for vector in test_vector::vectors_of(DIALECT, "command") {
        let command = vector.body["input"]["command"].as_str().unwrap();
        let Some(argument) =
            command.strip_prefix("AskUserQuestion ").or(command.strip_prefix("AskUserQuestion"))
        else {
            panic!("{}: {command}", vector.number)
        };
        let expected = &vector.body["expect"]["zod3_docStyle"];
        if vector.number == NAME_RUNS_ON {
            continue;
        }
        if expected["valid"] == true {
            valid += 1;
            judge_valid(&vector, argument);
        } else {
            refused += 1;
            judge_refused(&vector, argument);
        }
    }
    assert_eq!((refused, valid), (18, 4));
}

fn judge_refused(vector: &TestVector, argument: &str) {
    let world = TestWorld::new();
    let expected = &vector.body["expect"]["zod3_docStyle"];
    let words = expected.get("stderrDocStyle").unwrap_or(&expected["stderr"]).as_str().unwrap();
    let ended = world.ask_user_question([argument]).run();
    let code = i32::try_from(expected["exitCode"].as_i64().unwrap()).unwrap();
    assert_eq!(ended.parts(), (code, "", format!("{words}\n").as_str()), "{}", vector.number);
    assert!(!world.desk_file().exists(), "{}: a refused request leaves nothing", vector.number);
}

fn judge_valid(vector: &TestVector, argument: &str) {
    let world = TestWorld::new();
    let expected = &vector.body["expect"]["zod3_docStyle"]["data"]["questions"];
    let unquoted = argument.trim().trim_matches('\'').trim_matches('"');
    let check = world.sayso(["check", "--format", "ask_user_question", "--json", "-"]).run_with(unquoted);
    assert_eq!((check.exit, check.stderr.as_str()), (0, ""), "{}: {check:?}", vector.number);
    let check: Value = serde_json::from_str(&check.stdout).unwrap();
    let valid =
        json!({ "ok": true, "dialect": "ask_user_question", "problems": [], "warnings": [], "reply": null });
    assert_eq!(check, valid, "{}", vector.number);

    let asking = world.ask_user_question([argument]).start();
    let (_, id) = world.first_ask();
    let asks = &world.json(&["list", "--json"])["asks"];
    assert_eq!(asks.as_array().unwrap().len(), 1, "{}", vector.number);
    let row = &asks[0];
    let listed = [&row["id"], &row["dialect"], &row["state"], &row["title"], &row["attached"]];
    let title = &expected[0]["question"];
    assert_eq!(listed, [&json!(id), &json!("ask_user_question"), &json!("open"), title, &json!(true)]);
    let shown = world.show(&id)["questionnaire"]["questions"].clone();
    assert_eq!(shown.as_array().unwrap().len(), expected.as_array().unwrap().len());
    for (shown, expected) in shown.as_array().unwrap().iter().zip(expected.as_array().unwrap()) {
        assert_eq!((&shown["prompt"], &shown["label"]), (&expected["question"], &expected["header"]));
        assert_eq!(shown["multi"] == true, expected["multiSelect"] == true);
        let texts = |options: &Value| -> Vec<_> {
            let texts = |option: &Value| (option["label"].clone(), option["description"].clone());
            options.as_array().unwrap().iter().map(texts).collect()
        };
        assert_eq!(texts(&shown["options"]), texts(&expected["options"]));
    }
    asking.kill_9();
}
