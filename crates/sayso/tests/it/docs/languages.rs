//! Tests of languages, help, completions and usage errors.

use crate::support::sample_requests::{one, release};
use crate::support::test_world::TestWorld;

#[test]
fn chinese_by_locale_or_variable() {
    for (name, value) in [("LANG", "zh_CN.UTF-8"), ("LC_ALL", "zh_TW.UTF-8"), ("SAYSO_LANG", "zh")] {
        let world = TestWorld::new();
        let id = world.leave_ask(&release("发布"), &[]);
        let mut terminal = world.sayso(["answer", &id]).env(name, value).on_terminal();
        terminal.expect("| 发布\n提问方：“it-").expect("”（推测）（“").expect("，刚刚。共 3 题。\n");
        terminal.expect("第 1 题，共 3 题。请输入一行文字。必答。\n| What is it called?\n");
        terminal.expect("回答（文字或 /help）：").line("苍鹭").expect("已记录：“苍鹭”。\n");
        terminal.expect("回答（文字或 /help）：").line("/quit").expect("未提交任何内容。");
        assert_eq!(terminal.wait().exit, 4);
        let wrong = world.sayso(["show", "nothing"]).env(name, value).run();
        let words = "sayso: 此服务台没有提问 “nothing”。\n  查看全部：sayso list --state all\n";
        assert!(wrong.exit == 1 && wrong.stderr.starts_with(words), "{wrong:?}");
        assert!(wrong.stderr.contains("\n  当前服务台是 "), "{wrong:?}");
        let list = world.sayso(["list", "--state", "expired"]).env(name, value).run();
        assert_eq!(list.parts(), (0, "", "没有符合的提问。要包括过去的提问：--state all\n"));
    }
}

#[test]
fn explicit_language_beats_locale() {
    let world = TestWorld::new();
    let call = || world.sayso(["list"]).env("LANG", "zh_CN.UTF-8");
    let flag = world.sayso(["list", "--lang", "en"]).env("SAYSO_LANG", "zh").run();
    for text in [call().env("SAYSO_LANG", "en").run(), call().env("LC_ALL", "C").run(), flag] {
        assert!(text.stderr.starts_with("No questions are waiting.\n"), "{text:?}");
    }
}

#[test]
fn spec_words_stay_english() {
    let world = TestWorld::new();
    let refused = world.ask_user_question(["{"]).env("SAYSO_LANG", "zh").run();
    let words = "Error: Invalid JSON format\nUsage: AskUserQuestion '{\"questions\":[...]}'\n";
    assert_eq!(refused.parts(), (1, "", words));
    let answered = world.ask_user_question([one("H")]).env("SAYSO_LANG", "zh").run_with("9\n");
    assert_eq!(answered.stdout, "{\"answers\":{\"H\":\"A\"}}\n");
    assert!(answered.stderr.ends_with("custom:\nNo valid choice: took 1. A\n"), "{answered:?}");
}

#[test]
fn help_and_version_go_to_stdout() {
    let world = TestWorld::new();
    let help = world.sayso(["--help"]).run();
    assert_eq!((help.exit, help.stderr.as_str()), (0, ""));
    let commands = ["ask", "wait", "cancel", "answer", "list", "show", "check", "doctor", "completions"];
    for command in commands.into_iter().chain(["AskUserQuestion"]) {
        assert!(help.stdout.contains(&format!("\n  {command}")), "{command}");
    }
    assert!(help.stdout.contains("Exit codes: 0 answered, 1 invalid request, 2 usage error, 3 declined"));
    for command in commands {
        let help = world.sayso([command, "--help"]).run();
        assert_eq!((help.exit, help.stderr.as_str()), (0, ""), "{command}");
        assert!(help.stdout.contains(&format!("Usage: sayso {command}")), "{command}");
    }
    let version = world.sayso(["--version"]).run();
    assert_eq!(version.parts(), (0, concat!("sayso ", env!("CARGO_PKG_VERSION"), "\n"), ""));
}

#[test]
fn completions_for_each_shell() {
    let world = TestWorld::new();
    for (shell, mark) in [("bash", "complete -F"), ("zsh", "#compdef sayso"), ("fish", "complete -c sayso")] {
        let ended = world.sayso(["completions", shell]).run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
        assert!(ended.stdout.contains(mark) && ended.stdout.contains("no-wait"), "{shell}");
        assert!(ended.stdout.contains("ask_user_question"), "{shell}: what a dialect can be");
    }
    let script = world.path("sayso.bash");
    std::fs::write(&script, world.sayso(["completions", "bash"]).run().stdout).unwrap();
    let offered = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        let (last, before) = (words.len() - 1, words[words.len() - 2]);
        let asked = format!(
            "source {}; COMP_WORDS=({line}''); COMP_CWORD={last}; _sayso sayso '{}' {before}; echo ${{COMPREPLY[@]}}",
            script.display(),
            words[last]
        );
        let output = std::process::Command::new("bash").args(["-c", &asked]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(offered("sayso --lang "), "en zh\n");
    assert_eq!(offered("sayso ask --format inte"), "interaction interrupt\n");
    assert_eq!(offered("sayso wait --timeout "), "\n", "no files where none is meant");
    assert_eq!(world.sayso(["completions", "tcl"]).run().exit, 2);
}

#[test]
fn wrong_command_line_is_usage_error() {
    let world = TestWorld::new();
    let wrong: [&[&str]; 12] = [
        &["frobnicate"],
        &["--nonsense"],
        &["ask", "--nonsense"],
        &["ask", "--here", "--elsewhere", "{}"],
        &["ask", "--here", "--no-wait", "{}"],
        &["wait"],
        &["cancel"],
        &["show"],
        &["list", "--state", "confused"],
        &["answer", "x", "--reason", "why"],
        &["answer", "x", "--answers", "{}", "--decline"],
        &["list", "extra"],
    ];
    for line in wrong {
        let ended = world.sayso(line).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""), "{line:?}");
        assert!(ended.stderr.starts_with("sayso: "), "{line:?}: {ended:?}");
    }
    assert!(!world.desk_file().exists());
}

#[test]
fn missing_request_is_reported() {
    let world = TestWorld::new();
    let words = "sayso: The request is missing: give a file, - for standard input, or the JSON itself.\n  For example: '{\"questions\":[{\"prompt\":\"Which?\",\"options\":[\"red\",\"blue\"]}]}'\n";
    for command in ["ask", "check"] {
        assert_eq!(world.sayso([command]).run().parts(), (1, "", words));
    }
}
