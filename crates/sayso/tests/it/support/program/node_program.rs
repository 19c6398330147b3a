//! Our programs for Node, over the packages that `package-lock.json` pins.

use crate::support::test_world::{ProgramCall, TestWorld};
use std::path::Path;

/// Returns a call of a program of `tests/node`, which needs a package.
pub(crate) fn node_call(world: &TestWorld, package: &str, program: &str, args: &[&str]) -> ProgramCall {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let package = format!("{root}/node_modules/{package}");
    assert!(Path::new(&package).is_dir(), "{package} is missing: run `cargo xtask setup`");
    plain_node_call(world, program, args)
}

/// Returns a call of a program of `tests/node`, which needs no package.
pub(crate) fn plain_node_call(world: &TestWorld, program: &str, args: &[&str]) -> ProgramCall {
    let mut call = world.sayso([""; 0]).env("PATH", std::env::var_os("PATH").unwrap());
    let program = format!("{}/tests/node/{program}", env!("CARGO_MANIFEST_DIR"));
    call.line = ["node", &program].iter().chain(args).map(Into::into).collect();
    call
}
