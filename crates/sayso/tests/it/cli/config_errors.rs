//! Tests of mistakes in settings files, as `sayso doctor` reports them.

use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::program::ProgramExit;
use crate::support::test_world::TestWorld;

const CONFIG: &str = "config/sayso/config.toml";

fn doctor_output(world: &TestWorld) -> ProgramExit {
    world.sayso(["doctor"]).run()
}

#[test]
fn doctor_finds_unknown_theme() {
    let world = TestWorld::new();
    world.write(CONFIG, "[screen]\ntheme = \"solarized\"\n");
    let inbox = EmulatedTerminal::start(&world.sayso([""; 0]), 24, 80);
    assert_eq!(inbox.wait().0, 2);
    let output = doctor_output(&world);
    assert_eq!(output.exit, 2, "{output:?}");
    let faults = output.stdout.lines().filter(|line| line.starts_with('✗')).collect::<Vec<_>>();
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert!(fault.contains("themes/solarized.toml"), "{fault}");
    assert!(output.stdout.contains("\n  Available: dark, "), "{output:?}");
    let json = world.sayso(["doctor", "--json"]).run();
    assert!(json.exit == 2 && json.stdout.contains("\"screen\":{"), "{json:?}");
    world.write("config/sayso/themes/solarized.toml", "base = \"dark\"\n");
    assert_eq!(doctor_output(&world).exit, 0);
}

#[test]
fn unknown_setting_suggests_nearest() {
    let world = TestWorld::new();
    let file = world.write(
        CONFIG,
        "scriptd_answers = true\ncolour = 1\n[sreen]\nplain = true\n[screen]\nmose = false\nlanguage = \"zh\"\n",
    );
    let output = doctor_output(&world);
    assert_eq!(output.exit, 0, "other commands go on with it: {output:?}");
    for (name, meant) in [
        ("scriptd_answers", "\n  Did you mean scripted_answers?\n"),
        ("sreen", "\n  Did you mean screen?\n"),
        ("screen.mose", "\n  Did you mean screen.mouse?\n"),
        ("screen.language", "\n  Did you mean language?\n"),
        ("colour", "\n"),
    ] {
        let text = format!("! Unknown setting \"{name}\" in {}; it is ignored.{meant}", file.display());
        assert!(output.stdout.contains(&text), "{text}: {output:?}");
    }
    let known = "desk = \"sqlite:x\"\ntoken_file = []\nlanguage = \"en\"\nformat = \"sayso\"\nfrom = \"x\"\n\
                 scripted_answers = true\n[screen]\ntheme = \"mono\"\nplain = true\nmouse = true\nnotify = \"x\"\n\
                 [retention]\nsettled_days = 1\ndraft_days = 1\n\
                 [auq]\ncompat = \"spec\"\nmax_questions = 4\nmax_options = 4\n";
    world.write(CONFIG, known);
    let output = doctor_output(&world).stdout;
    assert!(!output.contains("sets nothing"), "{output}");
}

#[test]
fn ignored_project_settings_are_listed() {
    let world = TestWorld::new();
    let slip = |text: &str| {
        world.write("work/.sayso.toml", text);
        let output = doctor_output(&world);
        assert_eq!(output.exit, 0, "whoever wrote the project stops nobody's commands: {output:?}");
        let output = output.stdout.lines().filter(|line| line.starts_with("! ")).map(str::to_owned);
        output.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(slip("format = \"sayso\"\n[auq]\ncompat = \"3.4\"\n"), "");
    assert!(slip("scripted_answers = true\n").contains("a project's file can set only format and auq"));
    assert!(slip("language = \"zh\"\n").contains("can set only format and auq"));
    assert!(slip("dialct = \"sayso\"\n").contains("\"dialct\" in "));
    assert!(slip("format = \"latin\"\n").contains("latin"));
    assert!(slip("[auq]\nmax_questions = 11\n").contains("max_questions 1 to 10"));
    assert!(slip("language = \n").contains(".sayso.toml: TOML parse error"));
}
