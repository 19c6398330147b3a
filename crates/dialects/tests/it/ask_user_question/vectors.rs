//! Recorded inputs and outputs of the original programs. Intended differences are listed here.

use crate::sample;
use crate::sample::{ask, read};
use sayso_core::Lang;
use sayso_core::{ChoiceQuestion, Pick, Question, Questionnaire, Replies, Reply};
use sayso_dialects::ask_user_question::{
    AskUserQuestionChoice, CUSTOM_PROMPT, CommandRoute, default_choice_notice, json_argument, parse_answer,
    render_question, route,
};
use sayso_dialects::{CliOutput, Dialect, DialectGuess};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The original accepts any text after the name; ours requires a space or the end.
const NAME_RUNS_ON: &str = "060";
/// Invalid input picks the first option, and ours announces it.
const FIRST_BY_DEFAULT: [&str; 9] = ["006", "007", "008", "009", "012", "019", "024", "025", "039"];
/// Two questions with one header: ours warns.
const SAME_HEADER: &str = "041";

/// Output of a prompter run: its screens, further messages, and the answers.
#[derive(Default)]
struct Run {
    screen: String,
    notices: Vec<String>,
    replies: Option<Replies>,
}

#[test]
fn vectors_pass() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/ask_user_question");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 55);
    for file in &files {
        let number = file.file_name().unwrap().to_str().unwrap().split('-').next().unwrap();
        let vector: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        match vector["kind"].as_str().unwrap() {
            "command" => command(number, &vector),
            "terminalSession" => session(number, &vector),
            kind => panic!("{number}: no test for vectors of kind {kind}"),
        }
    }
}

fn command(number: &str, vector: &Value) {
    let routed = route(vector["input"]["command"].as_str().unwrap());
    if number == NAME_RUNS_ON {
        assert_eq!(routed, CommandRoute::Native);
        return;
    }
    let CommandRoute::AgentShell { name: "AskUserQuestion", args } = routed else {
        panic!("{number}: {routed:?}")
    };
    let text = json_argument(args).unwrap_or_default();
    let expected = &vector["expect"]["zod3_docStyle"];
    match read(text) {
        Ok(read) => {
            assert_eq!(expected["data"], as_request(&read.questionnaire), "{number}");
            assert_eq!(read.warnings, [], "{number}");
            assert_eq!(Dialect::guess(text), DialectGuess::One(Dialect::AskUserQuestion), "{number}");
        }
        Err(problems) => {
            let words = expected.get("stderrDocStyle").unwrap_or(&expected["stderr"]).as_str();
            let refused = Dialect::AskUserQuestion.refuse(&problems, Lang::Zh);
            assert_eq!(words, Some(refused.stderr.as_str()), "{number}");
            assert_eq!(expected["exitCode"], refused.exit, "{number}");
            assert_eq!(refused.stdout, "", "{number}");
        }
    }
}

fn session(number: &str, vector: &Value) {
    let request = json!({ "questions": vector["input"]["questions"] }).to_string();
    let read = read(&request).unwrap();
    let lines = vector["input"]["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
    let run = run(&read.questionnaire, lines);
    let expected = &vector["expect"];
    assert_eq!(expected["screen"], run.screen, "{number}");
    assert_eq!(!run.notices.is_empty(), FIRST_BY_DEFAULT.contains(&number), "{number}: {:?}", run.notices);
    assert!(
        run.notices.iter().all(|notice| notice == "No valid choice: took 1. A"),
        "{number}: {:?}",
        run.notices
    );
    assert_eq!(!read.warnings.is_empty(), number == SAME_HEADER, "{number}: {:?}", read.warnings);
    match (run.replies, vector["input"]["eof"].as_bool()) {
        (Some(replies), None) => {
            let written =
                Dialect::AskUserQuestion.write(ask(), &read.questionnaire, &sample::answered(replies));
            let result: CliOutput = serde_json::from_value(expected["result"].clone()).unwrap();
            assert_eq!(written, result, "{number}");
        }
        // The original hangs at the end of its input; in ours the caller decides.
        (None, Some(true)) => {}
        (replies, eof) => panic!("{number}: {replies:?} at end of input {eof:?}"),
    }
}

/// Asks the questions on a simulated terminal.
fn run<'l>(questionnaire: &Questionnaire, mut lines: impl Iterator<Item = &'l str>) -> Run {
    let mut run = Run::default();
    let mut replies = Replies::new();
    for question in &questionnaire.questions {
        run.screen.push_str(&render_question(question));
        let Some(line) = lines.next() else { return run };
        let choice = choice(question);
        let picks = match parse_answer(choice, line) {
            AskUserQuestionChoice::Picked(picks) => picks,
            AskUserQuestionChoice::FirstByDefault(pick) => {
                run.notices.push(default_choice_notice(choice));
                vec![pick]
            }
            AskUserQuestionChoice::Custom => {
                run.screen.push_str(CUSTOM_PROMPT);
                let Some(line) = lines.next() else { return run };
                vec![Pick::Other(line.to_owned())]
            }
        };
        replies.insert(question.id.clone(), Reply::from_picks(picks));
    }
    run.replies = Some(replies);
    run
}

fn choice(question: &Question) -> &ChoiceQuestion {
    question.choice().unwrap()
}

/// Returns the request that a questionnaire came from.
fn as_request(questionnaire: &Questionnaire) -> Value {
    let question = |question: &Question| {
        let choice = choice(question);
        let option = |option: &sayso_core::ChoiceOption| json!({ "label": option.label, "description": option.description });
        json!({
            "question": question.prompt,
            "header": question.label,
            "options": choice.options.iter().map(option).collect::<Vec<_>>(),
            "multiSelect": choice.multi,
        })
    };
    json!({ "questions": questionnaire.questions.iter().map(question).collect::<Vec<_>>() })
}
