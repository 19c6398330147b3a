//! What the chores of `xtask` and of `tools` share: command lines, and the programs that they run.

pub mod process;
pub mod usage;
