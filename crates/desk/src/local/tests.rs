//! The suite that every desk must pass, over a desk in a file.

use super::*;
use crate::contract::{Bench, check};
use tempfile::TempDir;

struct Folder(TempDir);

impl Bench for Folder {
    fn desk(&self) -> Box<dyn Desk> {
        Box::new(LocalDesk::open(&self.0.path().join("desk")).unwrap())
    }
}

#[test]
fn a_desk_in_a_file_keeps_the_contract() {
    check(&|| Box::new(Folder(TempDir::new().unwrap())));
}
