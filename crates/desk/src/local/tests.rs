//! The suite that every desk must pass, over a desk in a file.

use super::*;
use crate::contract::{Bench, check};
use tempfile::TempDir;

struct Folder(TempDir, Callers);

impl Bench for Folder {
    fn desk(&self) -> Box<dyn Desk> {
        Box::new(LocalDesk::open_for(&self.0.path().join("desk"), self.1).unwrap())
    }
}

#[test]
fn a_desk_in_a_file_keeps_the_contract() {
    check(&|| Box::new(Folder(TempDir::new().unwrap(), Callers::Many)));
}

#[test]
fn a_desk_for_one_caller_keeps_the_contract_also_where_there_are_several() {
    check(&|| Box::new(Folder(TempDir::new().unwrap(), Callers::One)));
}
