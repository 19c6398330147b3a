//! Tests of settings with their sources, and of the choice of desk.

use crate::support::sample_requests::one;
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::{Value, json};

/// Returns a setting as `sayso doctor --json` reports it: its value, or that it is unset, and its source.
fn setting(call: ProgramCall, name: &str) -> (String, String) {
    let ended = call.run();
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"));
    let line = report["settings"].as_array().unwrap().iter().find(|line| line["name"] == name);
    let line = line.unwrap();
    let value = if line["value"].is_null() { "not set" } else { line["value"].as_str().unwrap() };
    (value.to_owned(), line["from"].as_str().unwrap().to_owned())
}

#[test]
fn settings_show_their_source() {
    let world = TestWorld::new();
    let doctor = || world.sayso(["doctor", "--json"]);
    let usual = format!("sqlite:{}", world.desk_file().display());
    let from = |call: ProgramCall, name: &str, value: &str, origin: &str| {
        assert_eq!(setting(call, name), (value.to_owned(), origin.to_owned()), "{name}");
    };
    from(doctor(), "desk", &usual, "default");
    from(doctor(), "language", "en", "default");
    from(doctor(), "format", "not set", "default");
    from(doctor(), "scripted_answers", "false", "default");
    from(doctor(), "retention.settled_days", "90", "default");
    from(doctor(), "retention.draft_days", "30", "default");
    from(doctor(), "hooks.kept_days", "7", "default");
    from(doctor(), "server.audience", "members", "default");
    from(doctor(), "auq", "spec, 4 × 4", "default");

    let other = format!("sqlite:{}", world.path("other.db").display());
    let config = format!(
        "desk = \"{other}\"\nlanguage = \"zh\"\nformat = \"ask_user_question\"\nfrom = \"me\"\n\
         scripted_answers = true\n[retention]\nsettled_days = 7\n\
         [auq]\ncompat = \"3.4\"\nmax_options = 10\n"
    );
    let file = world.write("config/sayso/config.toml", config);
    let file = file.to_str().unwrap();
    from(doctor(), "desk", &other, file);
    from(doctor(), "language", "zh", file);
    from(doctor(), "format", "ask_user_question", file);
    from(doctor(), "from", "me", file);
    from(doctor(), "scripted_answers", "true", file);
    from(doctor(), "retention.settled_days", "7", file);
    from(doctor(), "retention.draft_days", "30", "default");
    from(doctor(), "auq", "3.4, 5 × 10", file);

    from(doctor().env("SAYSO_LANG", "en"), "language", "en", "SAYSO_LANG");
    from(doctor().env("SAYSO_FORMAT", "sayso"), "format", "sayso", "SAYSO_FORMAT");
    from(doctor().env("SAYSO_FROM", "you"), "from", "you", "SAYSO_FROM");
    from(doctor().env("SAYSO_FROM", "-"), "from", "-", "SAYSO_FROM");
    let there = world.sayso(["doctor"]).env("SAYSO_FROM", "there").env("SAYSO_LANG", "zh").run().stdout;
    assert!(there.contains(" there  (SAYSO_FROM)"), "a name is no word of ours: {there}");
    let third = format!("sqlite:{}", world.path("third.db").display());
    from(doctor().env("SAYSO_DESK", &third), "desk", &third, "SAYSO_DESK");
    let flags = || world.sayso(["doctor", "--json", "--desk", &other, "--lang", "en"]);
    from(flags().env("SAYSO_DESK", &third), "desk", &other, "--desk");
    from(flags().env("SAYSO_LANG", "zh"), "language", "en", "--lang");
}

#[test]
fn project_file_is_restricted() {
    let world = TestWorld::new();
    let elsewhere = world.path("elsewhere.db");
    let project = format!(
        "format = \"sayso\"\nlanguage = \"zh\"\ndesk = \"sqlite:{}\"\nscripted_answers = true\nfrom = \"trust me\"\n\
         [screen]\ntheme = \"mono\"\nplain = true\n[auq]\ncompat = \"3.4\"\n",
        elsewhere.display()
    );
    let file = world.write("work/.sayso.toml", project).canonicalize().unwrap();
    let file = file.to_str().unwrap();
    std::fs::create_dir_all(world.path("work/deep/down")).unwrap();
    let doctor = || world.sayso(["doctor", "--json"]).in_folder(&world.path("work/deep/down"));
    assert_eq!(setting(doctor(), "format"), ("sayso".to_owned(), file.to_owned()));
    assert_eq!(setting(doctor(), "auq"), ("3.4, 5 × 5".to_owned(), file.to_owned()));
    let usual = format!("sqlite:{}", world.desk_file().display());
    assert_eq!(setting(doctor(), "desk"), (usual, "default".to_owned()));
    assert_eq!(setting(doctor(), "scripted_answers").0, "false");
    assert_eq!(setting(doctor(), "from").0, "not set");
    for (name, usual) in [("language", "en"), ("screen.theme", "not set"), ("screen.plain", "false")] {
        assert_eq!(
            setting(doctor(), name),
            (usual.to_owned(), "default".to_owned()),
            "a person's screen is their own"
        );
    }
    let asked = world.sayso(["ask", "--no-wait", r#"{"questions":[{"prompt":"A?"}]}"#]).run();
    assert_eq!(asked.exit, 0, "{asked:?}");
    assert!(world.desk_file().exists() && !elsewhere.exists());
}

#[test]
fn doctor_reports_desk_and_shell() {
    let world = TestWorld::new();
    world.leave_ask(&one("H"), &[]);
    let report = world.json(&["doctor", "--json"]);
    assert_eq!(report["desk"]["ok"], true);
    assert_eq!([&report["desk"]["waiting"], &report["agent"]], [&json!("1"), &Value::Null]);
    let words = world.sayso(["doctor"]).run().stdout;
    assert!(words.contains("/desk.db works; 1 ask waiting.\n"), "{words}");
    assert!(words.contains("✓ This process has no terminal"), "{words}");
    let mut at_terminal = world.sayso(["doctor"]).on_terminal();
    at_terminal.expect("✓ This shell belongs to a person");
    let agent = world.sayso(["doctor"]).env("CLAUDECODE", "1").run().stdout;
    assert!(agent.contains("✓ This shell belongs to an agent (claude)"), "{agent}");
    let broken = world.sayso(["doctor", "--desk", "sqlite:/dev/null/desk.db"]).run();
    assert_eq!(broken.exit, 7);
    assert!(broken.stdout.contains("✗ Cannot open the desk /dev/null/desk.db: "), "{broken:?}");
}

#[test]
fn desk_by_flag_or_variable() {
    let world = TestWorld::new();
    let other = format!("sqlite:{}", world.path("deep/other.db").display());
    let asked = world.sayso(["ask", "--no-wait", "--desk", &other, &one("H")]).run();
    assert_eq!(asked.exit, 0, "{asked:?}");
    assert!(!world.desk_file().exists());
    let list = world.sayso(["list", "--json"]).env("SAYSO_DESK", &other).run();
    assert!(list.stdout.contains(asked.stdout.trim_end()), "{list:?}");
    assert_eq!(world.json(&["list", "--json"])["asks"], json!([]));
}

#[test]
fn unsupported_desk_url_is_refused() {
    let world = TestWorld::new();
    for desk in ["mysql://user@host/db", "ftp://desk.example", "desk", "sqlite:"] {
        for call in [
            world.sayso(["list", "--desk", desk]),
            world.sayso(["list"]).env("SAYSO_DESK", desk),
            world.ask_user_question([one("H")]).env("SAYSO_DESK", desk),
        ] {
            let ended = call.run();
            // Nothing that may be a password is repeated.
            let shown = desk.replace("user@", "…@");
            let words = format!(
                "sayso: Unsupported kind of desk: {shown}\n  Use sqlite:PATH, a path such as /path/desk.db, https://… or postgres://…; omit it to use your own desk.\n"
            );
            assert_eq!(ended.parts(), (7, "", words.as_str()));
        }
    }
}

#[test]
fn invalid_setting_names_its_place() {
    let world = TestWorld::new();
    let ended = world.sayso(["list"]).env("SAYSO_LANG", "latin").run();
    let words = "sayso: The setting language from SAYSO_LANG is not valid: unknown language \"latin\"; use en or zh\n";
    assert_eq!(ended.parts(), (2, "", words));
    let ended = world.sayso(["list", "--lang", "latin"]).env("LANG", "zh_CN.UTF-8").run();
    let words = "sayso: 设置 language（来自 --lang）无效：未知语言 “latin”；请用 en 或 zh\n";
    assert_eq!(ended.parts(), (2, "", words));
    let file = world.write("config/sayso/config.toml", "language = \n");
    let ended = world.sayso(["list"]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.starts_with(&format!("sayso: Cannot read {}: ", file.display())), "{ended:?}");
}

#[test]
fn invalid_limits_refused_or_ignored() {
    let world = TestWorld::new();
    world.write("work/.sayso.toml", "[auq]\nmax_questions = 11\n");
    assert_eq!(
        setting(world.sayso(["doctor", "--json"]), "auq"),
        ("spec, 4 × 4".to_owned(), "default".to_owned())
    );
    for wrong in ["compat = \"2\"", "max_questions = 0", "max_options = 1", "max_options = 11"] {
        world.write("config/sayso/config.toml", format!("[auq]\n{wrong}\n"));
        let ended = world.sayso(["list"]).run();
        assert_eq!(ended.exit, 2, "{wrong}: {ended:?}");
        assert!(ended.stderr.contains("max_questions 1 to 10"), "{ended:?}");
    }
}

#[test]
fn oversize_config_refused_or_ignored() {
    let world = TestWorld::new();
    let long = format!("format = \"sayso\"\n# {}\n", "x".repeat(64 << 10));
    world.write("work/.sayso.toml", &long);
    let (format, _) = setting(world.sayso(["doctor", "--json"]), "format");
    assert_eq!(format, "not set", "it is passed over whole");
    let file = world.write("config/sayso/config.toml", &long);
    let words = format!("sayso: Cannot read {}: file too large\n", file.display());
    assert_eq!(world.sayso(["list"]).run().parts(), (2, "", words.as_str()));
}
