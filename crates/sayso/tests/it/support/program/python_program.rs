//! Third-party programs in Python, from the packages that `requirements.txt` pins.

use crate::support::test_world::{ProgramCall, TestWorld};
use std::path::Path;

/// Returns a call of Python with these arguments, of which the first is a file of `tests/python` or a module.
pub(crate) fn python(world: &TestWorld, args: &[&str]) -> ProgramCall {
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.venv/bin/python");
    assert!(Path::new(python).exists(), "{python} is missing: run `cargo xtask setup`");
    let mut call = world.sayso(args);
    call.line[0] = python.into();
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python");
    call.env("PYTHONPATH", programs).env("PYTHONDONTWRITEBYTECODE", "1").env("NO_COLOR", "1")
}

/// Changes the desk of a world without going through the program.
pub(crate) fn change_desk(world: &TestWorld, sql: &str) {
    let ended = python(world, &[&program("at_desk.py"), world.desk_file().to_str().unwrap(), sql]).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
}

/// Returns the path of a program of `tests/python`.
pub(crate) fn program(name: &str) -> String {
    format!("{}/tests/python/{name}", env!("CARGO_MANIFEST_DIR"))
}
