//! Tests of `sayso run`: what is shown is what runs, once for one yes, and never without one.

use crate::support::program::{TestProgram, signal};
use crate::support::test_world::TestWorld;
use serde_json::json;

/// Writes `$0 $@` and the folder to the file `ran`, then exits with 7.
const SCRIPT: &str = "#!/bin/sh\nprintf '%s|' \"$PWD\" \"$TINT\" \"$@\" >> ran\nexit 7\n";

fn world_with_script() -> TestWorld {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let script = world.write("work/paint", SCRIPT);
    std::process::Command::new("/bin/chmod").arg("+x").arg(script).status().unwrap();
    world
}

fn start(world: &TestWorld, args: &[&str]) -> (TestProgram, String) {
    let program = world.sayso([&["run", "--"], args].concat()).start();
    let pid = program.pid.to_string();
    let ask = world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&pid));
    (program, ask.id.to_string())
}

fn answer(world: &TestWorld, id: &str, yes: bool) {
    let answers = json!({ "answers": { "run": yes } }).to_string();
    assert_eq!(world.sayso(["answer", id, "--answers", &answers]).run().exit, 0);
}

fn ran(world: &TestWorld) -> String {
    std::fs::read_to_string(world.path("work/ran")).unwrap_or_default()
}

#[test]
fn yes_runs_exactly_the_shown_command() {
    let world = world_with_script();
    let folder = world.path("work").canonicalize().unwrap().display().to_string();
    let rows: [(&[&str], &str); 2] = [
        (&["./paint", "a b", "$HOME; ls", "", "--plain"], "|a b|$HOME; ls||--plain|"),
        (&["TINT=red", "./paint", "x"], "red|x|"),
    ];
    for (argv, expected) in rows {
        let (program, id) = start(&world, argv);
        let shown = world.show(&id)["questionnaire"]["action"]["act"]["run"].clone();
        let first: &[&str] = if argv[0].contains('=') { &["env"] } else { &[] };
        let all = [first, argv].concat();
        assert_eq!(shown, json!({ "argv": all, "folder": folder }));
        assert_eq!(ran(&world), "", "nothing runs before the yes");
        answer(&world, &id, true);
        let ended = program.wait();
        assert_eq!((ended.exit, ended.stdout.as_str()), (7, ""), "{ended:?}");
        assert_eq!(ran(&world), format!("{folder}|{expected}"));
        std::fs::remove_file(world.path("work/ran")).unwrap();
    }
}

#[test]
fn nothing_runs_without_a_yes() {
    let world = world_with_script();
    let (program, id) = start(&world, &["./paint"]);
    answer(&world, &id, false);
    let ended = program.wait();
    assert_eq!(ended.exit, 3, "{ended:?}");
    assert!(ended.stderr.contains("The command was not run."), "{ended:?}");

    let (program, id) = start(&world, &["./paint"]);
    assert_eq!(world.sayso(["answer", &id, "--decline"]).run().exit, 3);
    assert_eq!(program.wait().exit, 3);

    let (program, id) = start(&world, &["./paint"]);
    program.stderr.wait_for("Ctrl-C withdraws it.", 0);
    signal(program.pid, "INT");
    assert_eq!(program.wait().exit, 130);
    assert_eq!(world.show(&id)["state"], "cancelled");

    let expired = world.sayso(["run", "--timeout", "1ms", "--", "./paint"]).run();
    assert_eq!(expired.exit, 5, "{expired:?}");
    for (program, words) in [("./nothing", "There is no program \"./nothing\"."), ("nosuch", "\"nosuch\"")] {
        let ended = world.sayso(["run", "--", program]).run();
        assert!(ended.exit == 127 && ended.stderr.contains(words), "{ended:?}");
    }
    assert_eq!(ran(&world), "");
}

#[test]
fn unusable_program_exits_with_126() {
    let world = world_with_script();
    let (program, id) = start(&world, &["./paint"]);
    std::process::Command::new("/bin/chmod").arg("-x").arg(world.path("work/paint")).status().unwrap();
    answer(&world, &id, true);
    let ended = program.wait();
    assert_eq!((ended.exit, ran(&world).as_str()), (126, ""), "{ended:?}");
}

#[test]
fn each_yes_runs_one_command() {
    let world = world_with_script();
    let (one, first) = start(&world, &["./paint"]);
    let (two, second) = start(&world, &["./paint"]);
    assert_ne!(first, second);
    answer(&world, &first, true);
    assert_eq!(one.wait().exit, 7);
    assert_eq!(world.show(&second)["state"], "open");
    assert!(two.kill_9());
    let (three, third) = start(&world, &["./paint"]);
    answer(&world, &second, true);
    assert_eq!(world.show(&third)["state"], "open", "a yes for another process is not used");
    assert!(three.kill_9());
    assert_eq!(ran(&world).matches('|').count(), 2);
}

#[test]
fn command_gets_the_terminal() {
    let world = world_with_script();
    let script = "read -r line; printf 'got %s\\n' \"$line\"; kill -s TERM $$";
    let mut terminal = world.sayso(["run", "--", "sh", "-c", script]).on_terminal();
    terminal.expect("the tool \"sayso\"").expect("\"sh\"").expect("/help): ").line("y");
    // Keys that are typed once the end is announced are for the command, even while it starts.
    terminal.expect("/submit").line("/submit").expect("Sent.").line("typed").expect("got typed");
    assert_ne!(terminal.wait().exit, 0);
}
