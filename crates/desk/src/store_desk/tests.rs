//! Contract suite over a desk in a file.

use super::*;
use crate::contract::{
    DeskFixture, asker, check_departures, check_service_sessions, check_sign_ins, check_turn_log, new_ask,
    open, run_contract, run_upkeep_contract,
};
use crate::{AskQuery, Desk, OpenedAsk};
use sayso_core::AccountQuota;
use sayso_core::{Asker, NewAsk, ProblemCode};
use std::sync::Mutex;
use tempfile::TempDir;

struct FileFixture(TempDir, CallerCount);

impl DeskFixture for FileFixture {
    fn desk(&self) -> Box<dyn Desk> {
        Box::new(StoreDesk::open_for(&self.0.path().join("desk"), self.1).unwrap())
    }
}

#[test]
fn file_desk_passes_contract() {
    run_contract(&|| Box::new(FileFixture(TempDir::new().unwrap(), CallerCount::Many)));
}

#[test]
fn single_caller_desk_passes_contract() {
    run_contract(&|| Box::new(FileFixture(TempDir::new().unwrap(), CallerCount::One)));
}

#[test]
fn file_desk_lets_service_users_in() {
    let folder = TempDir::new().unwrap();
    check_service_sessions(&StoreDesk::open(&folder.path().join("desk")).unwrap());
}

#[test]
fn file_desk_knows_the_gone() {
    let folder = TempDir::new().unwrap();
    check_departures(&StoreDesk::open(&folder.path().join("desk")).unwrap());
}

#[test]
fn file_desk_forgets_old_sign_ins() {
    let folder = TempDir::new().unwrap();
    check_sign_ins(&StoreDesk::open(&folder.path().join("desk")).unwrap());
}

#[test]
fn file_desk_keeps_turns() {
    let folder = TempDir::new().unwrap();
    let desk = || StoreDesk::open(&folder.path().join("desk")).unwrap();
    check_turn_log(&desk(), &desk());
}

#[test]
fn file_desk_is_kept_up() {
    let folder = TempDir::new().unwrap();
    let desks = std::sync::atomic::AtomicUsize::new(0);
    run_upkeep_contract(&|| {
        let number = desks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = folder.path().join(format!("desk{number}"));
        [(); 2].map(|()| StoreDesk::open(&path).unwrap())
    });
}

#[test]
fn open_all_is_atomic() {
    let folder = TempDir::new().unwrap();
    let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
    let quota = AccountQuota { open_asks: 2, stored_bytes: None, asks_per_hour: None, retention_days: 90 };
    let of_account = |title: &str| {
        let asker = Asker { account: Some("ci".to_owned()), ..asker() };
        NewAsk { asker, quota: Some(quota), ..new_ask(title) }
    };
    let all = |asks: &[(&str, &str)]| {
        let new = asks.iter().map(|(key, title)| ((*key).to_owned(), of_account(title)));
        let opened = desk.open_all(new.collect()).map_err(|refused| (refused.0, refused.1.code))?;
        Ok(opened.iter().map(|opened| matches!(opened, OpenedAsk::New(_))).collect::<Vec<_>>())
    };
    let count = || desk.list(&AskQuery::default()).unwrap().rows.len();
    assert_eq!(all(&[("a", "door"), ("b", "wall"), ("c", "roof")]), Err((2, ProblemCode::DeskCrowded)));
    assert_eq!(count(), 0);
    assert_eq!(all(&[("b", "door")]), Ok(vec![true]), "a key that was refused with others is free");
    assert_eq!(all(&[("a", "door"), ("b", "wall")]), Err((1, ProblemCode::KeyReused)));
    assert_eq!(all(&[("", "door")]), Err((0, ProblemCode::InvalidValue)));
    assert_eq!((all(&[("a", "door"), ("b", "door")]), count()), (Ok(vec![true, false]), 2));
    // A found ask is not undone with the refused ones.
    assert_eq!((all(&[("a", "door"), ("d", "roof")]), count()), (Err((1, ProblemCode::DeskCrowded)), 2));
}

#[test]
fn every_commit_hook_runs() {
    let folder = TempDir::new().unwrap();
    let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
    let runs = Arc::new(Mutex::new(Vec::new()));
    for name in ["first", "second"] {
        let runs = runs.clone();
        desk.add_commit_hook(Arc::new(move || runs.lock().unwrap().push(name)));
    }
    open(&desk, "door");
    open(&desk, "wall");
    desk.list(&AskQuery::default()).unwrap();
    assert_eq!(*runs.lock().unwrap(), ["first", "second", "first", "second"]);
}
