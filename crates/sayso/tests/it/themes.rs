//! Tests of custom themes.

use crate::emulated::Emulated;
use crate::inbox_person::asks;
use crate::sample::text;
use crate::world::World;

/// Opens the inbox in this theme.
fn inbox_in(world: &World, theme: &str, variables: &[(&str, &str)]) -> Emulated {
    world.write("config/sayso/themes/mine.toml", theme);
    let call = world.sayso([""; 0]).env("SAYSO_THEME", "mine");
    let call = variables.iter().fold(call, |call, (name, value)| call.env(name, value));
    Emulated::start(&call, 24, 80)
}

#[test]
fn ascii_locale_restricts_custom_theme() {
    let world = World::new();
    asks(&world, &text("Story"), "x");
    let utf8 = inbox_in(&world, "base = \"dark\"\n", &[("LANG", "de_DE.UTF-8")]);
    assert!(!utf8.expect("1 q").is_ascii());
    utf8.kill();
    let latin1 = inbox_in(&world, "base = \"dark\"\n", &[("LANG", "de_DE.ISO-8859-1")]);
    assert!(latin1.expect("1 q").is_ascii(), "{}", latin1.contents());
    latin1.kill();
}

#[test]
fn theme_error_is_localized() {
    let world = World::new();
    for (theme, said) in [
        ("gutterr = \"red\"\n", "gutterr is no role"),
        ("gutter = 3\n", "gutter is no role, or not written as one"),
        ("base = \"drak\"\n", "base is none of the themes"),
        ("ascii = \"yes\"\n", "ascii is no role"),
    ] {
        let screen = inbox_in(&world, theme, &[]);
        screen.expect(said);
        assert_eq!(screen.wait().0, 2, "{theme}");
    }
    let missing = world.sayso([""; 0]).env("SAYSO_THEME", "../mine").env("SAYSO_LANG", "zh");
    let screen = Emulated::start(&missing, 24, 80);
    screen.expect("没有此主题");
    assert_eq!(screen.wait().0, 2);
}
