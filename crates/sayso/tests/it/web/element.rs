//! Tests of the element: its rules in Node, its screens in a browser.

use crate::support::browser::page_browser::{sees_everything, shared_browser};
use crate::support::program::node_program::node_call;
use crate::support::test_world::TestWorld;
use std::process::Command;
use std::time::Duration;

/// Largest size of each bundle, in bytes after gzip.
const SIZES: [(&str, usize); 3] =
    [("sayso-questionnaire", 30_000), ("interaction", 3_500), ("interrupt", 2_300)];

/// Longest time of a program that sees dozens of screens, on a busy machine.
const SAMPLE_LIMIT: Duration = Duration::from_secs(180);

/// Runs a program of `tests/browser`, and returns what it prints.
fn run(program: &str, package: &str) -> String {
    let world = TestWorld::new();
    let call = node_call(&world, package, &format!("../browser/{program}"), &[]);
    let exit = call.env("SAYSO_TEST_BROWSER", shared_browser()).start().wait_for(SAMPLE_LIMIT);
    assert_eq!(exit.exit, 0, "{}{}", exit.stdout, exit.stderr);
    exit.stdout
}

/// Runs a program that can see more than a sample: all that it knows in the long set.
fn run_sample(program: &str, package: &str, sample: &str, all: &str) {
    let world = TestWorld::new();
    let is_whole = sees_everything();
    let args: &[&str] = if is_whole { &["all"] } else { &[] };
    let call = node_call(&world, package, &format!("../browser/{program}"), args);
    let exit = call.env("SAYSO_TEST_BROWSER", shared_browser()).start().wait_for(SAMPLE_LIMIT);
    assert_eq!(
        (exit.exit, exit.stdout.as_str()),
        (0, if is_whole { all } else { sample }),
        "{}",
        exit.stderr
    );
}

#[test]
fn element_follows_shared_cases() {
    let report = run("rules.mjs", "esbuild");
    assert!(report.ends_with(" compared\n") && report.lines().count() == 1, "{report}");
}

#[test]
fn mouse_answers_every_kind() {
    assert_eq!(run("kinds.mjs", "playwright-core"), "12 checks\n");
}

#[test]
fn interaction_forms_follow_spec() {
    assert_eq!(run("forms.mjs", "playwright-core"), "16 checks\n");
}

#[test]
fn keyboard_and_frames_suffice() {
    assert_eq!(run("reach.mjs", "playwright-core"), "9 checks\n");
}

#[test]
fn every_way_answers_every_kind() {
    run_sample("ways.mjs", "playwright-core", "3 checks\n", "7 checks\n");
}

#[test]
fn assistive_technology_reads_element() {
    run_sample("access.mjs", "axe-core", "3 checks\n", "10 checks\n");
}

#[test]
fn element_fits_small_screens() {
    run_sample("narrow.mjs", "playwright-core", "3 checks\n", "6 checks\n");
}

#[test]
fn harmful_texts_stay_text() {
    run_sample("harm.mjs", "playwright-core", "3 checks\n", "3 checks\n");
}

#[test]
fn bundles_stay_small() {
    for (name, most) in SIZES {
        let file = format!("{}/../../web/dist/{name}.js", env!("CARGO_MANIFEST_DIR"));
        let output = Command::new("gzip").args(["-9", "-c", &file]).output().unwrap();
        assert!(output.status.success() && output.stdout.len() <= most, "{name}: {}", output.stdout.len());
    }
}

#[test]
fn element_sources_pass_type_check() {
    let world = TestWorld::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let compiler = "../../../../node_modules/typescript/bin/tsc";
    let exit = node_call(&world, "typescript", compiler, &["-p", &format!("{root}/web")]).start();
    let exit = exit.wait_for(SAMPLE_LIMIT);
    assert_eq!(exit.parts(), (0, "", ""));
}
