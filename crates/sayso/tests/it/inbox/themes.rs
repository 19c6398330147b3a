//! Tests of custom themes.

use crate::inbox::person::leave_ask;
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;

/// Opens the inbox in this theme.
fn inbox_with_theme(world: &TestWorld, theme: &str, variables: &[(&str, &str)]) -> EmulatedTerminal {
    world.write("config/sayso/themes/mine.toml", theme);
    let call = world.sayso([""; 0]).env("SAYSO_THEME", "mine");
    let call = variables.iter().fold(call, |call, (name, value)| call.env(name, value));
    EmulatedTerminal::start(&call, 24, 80)
}

#[test]
fn ascii_locale_restricts_custom_theme() {
    let world = TestWorld::new();
    leave_ask(&world, &text("Story"), "x");
    let utf8 = inbox_with_theme(&world, "base = \"dark\"\n", &[("LANG", "de_DE.UTF-8")]);
    assert!(!utf8.expect_text("1 q").is_ascii());
    utf8.kill();
    let latin1 = inbox_with_theme(&world, "base = \"dark\"\n", &[("LANG", "de_DE.ISO-8859-1")]);
    assert!(latin1.expect_text("1 q").is_ascii(), "{}", latin1.contents());
    latin1.kill();
}

#[test]
fn documented_roles_are_known() {
    let world = TestWorld::new();
    let page = include_str!("../../../../../docs/inbox.md");
    let (_, rest) = page.split_once("The roles are ").unwrap();
    let (sentence, _) = rest.split_once('.').unwrap();
    let roles: Vec<_> = sentence.split('`').skip(1).step_by(2).collect();
    assert_eq!(roles.len(), 17, "{roles:?}");
    let theme: String = roles.iter().map(|role| format!("{role} = \"bold\"\n")).collect();
    let inbox = inbox_with_theme(&world, &format!("base = \"dark\"\n{theme}"), &[]);
    inbox.expect_text("No questions are waiting.");
    inbox.kill();
}

#[test]
fn theme_error_is_localized() {
    let world = TestWorld::new();
    for (theme, text) in [
        ("gutterr = \"red\"\n", "gutterr is not a role"),
        ("gutter = 3\n", "gutter is not a role, or its value is invalid"),
        ("base = \"drak\"\n", "base is not a known theme"),
        ("ascii = \"yes\"\n", "ascii is not a role"),
    ] {
        let screen = inbox_with_theme(&world, theme, &[]);
        screen.expect_text(text);
        assert_eq!(screen.wait().0, 2, "{theme}");
    }
    let missing = world.sayso([""; 0]).env("SAYSO_THEME", "../mine").env("SAYSO_LANG", "zh");
    let screen = EmulatedTerminal::start(&missing, 24, 80);
    screen.expect_text("没有此主题");
    assert_eq!(screen.wait().0, 2);
}
