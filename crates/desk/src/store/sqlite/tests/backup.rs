//! Backup of a desk in use, and restore.

use super::*;
use crate::contract::{answer, deliver, open};
use crate::desk::Desk as _;
use crate::maintenance::{backup, check, restore};
use crate::own_file::sibling_path;
use crate::{Interest, WatchEvent};
use sayso_core::{AskId, ProblemCode};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

fn all(path: &Path) -> Vec<AskId> {
    desk(path).list(&AskQuery::default()).unwrap().rows.iter().map(|row| row.id).collect()
}

#[test]
fn backup_in_use_has_all_asks() {
    let folder = TempDir::new().unwrap();
    let [path, to] = ["desk", "copy"].map(|name| folder.path().join(name));
    let used = desk(&path);
    let ask = answer(&used, &open(&used, "door"));
    deliver(&used, &ask);
    let is_over = &AtomicBool::new(false);
    let reports = &AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let used = &used;
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                open(used, "wall");
            }
        });
        for number in 0..5 {
            let stored = all(&path);
            let to = sibling_path(&to, &number.to_string());
            let report = |done, total| {
                assert!(done <= total && total > 0);
                reports.fetch_add(1, Ordering::Relaxed);
            };
            let copied = backup(&path, &to, &report).unwrap();
            assert!(copied.asks > stored.len() as u64 && copied.bytes > 0, "{copied:?}");
            assert_eq!(desk(&to).notice(), None, "it is whole as it is");
            assert!(stored.iter().all(|id| all(&to).contains(id)));
            assert!(check(&to, false, &|_, _| {}).unwrap().is_sound());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(reports.load(Ordering::Relaxed) >= 5);
    let copy = sibling_path(&to, "0");
    assert_eq!(desk(&copy).get(ask.id).unwrap().request, ask.request);
    let before = fs::read(&copy).unwrap();
    assert_eq!(backup(&path, &copy, &|_, _| {}).unwrap_err().code, ProblemCode::InvalidValue);
    assert!(fs::read(&copy).unwrap() == before, "nothing is written over");
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains(".part")), "{names:?}");
}

#[test]
fn damaged_desk_makes_no_copy() {
    let folder = TempDir::new().unwrap();
    let [path, to] = ["desk", "copy"].map(|name| folder.path().join(name));
    let ask = open(&desk(&path), "door");
    open_raw(&path).execute_batch("UPDATE request SET body = replace(body, 'door', 'wall')").unwrap();
    let problem = backup(&path, &to, &|_, _| {}).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DeskDamaged);
    assert!(problem.to_string().contains(&ask.id.short_id()), "{problem}");
    assert!(!to.exists());
    assert_eq!(check(&path, false, &|_, _| {}).unwrap().damaged_asks, [ask.id]);
}

#[test]
fn restore_replaces_only_when_allowed() {
    let folder = TempDir::new().unwrap();
    let [path, copy] = ["desk", "copy"].map(|name| folder.path().join(name));
    let door = open(&desk(&path), "door").id;
    backup(&path, &copy, &|_, _| {}).unwrap();
    let used = desk(&path);
    let wall = open(&used, "wall").id;
    let cursor = used.watch(Interest::All, None).unwrap().cursor();
    assert_eq!(restore(&path, &copy, false, &|_, _| {}).unwrap_err().code, ProblemCode::InvalidValue);
    assert_eq!(all(&path), [door, wall]);
    let restored = restore(&path, &copy, true, &|_, _| {}).unwrap();
    assert_eq!((restored.asks, all(&path)), (1, vec![door]));
    let kept = restored.kept.unwrap();
    assert_eq!(all(&kept), [door, wall], "what was there is kept");
    assert_eq!(used.list(&AskQuery::default()).unwrap_err().code, ProblemCode::DeskUnreachable);
    let changes = desk(&path).watch(Interest::All, Some(cursor)).unwrap().poll().unwrap();
    assert!(changes.iter().any(|changes| matches!(changes, WatchEvent::Gap)), "{changes:?}");
    open(&desk(&path), "roof");
    assert_eq!(desk(&path).notice(), None);
}

#[test]
fn restore_recovers_damaged_desk() {
    let folder = TempDir::new().unwrap();
    let [path, copy, other] = ["desk", "copy", "other"].map(|name| folder.path().join(name));
    let door = open(&desk(&path), "door").id;
    backup(&path, &copy, &|_, _| {}).unwrap();
    fs::write(&path, []).unwrap();
    assert_eq!(restore(&path, &copy, false, &|_, _| {}).unwrap_err().code, ProblemCode::InvalidValue);
    restore(&path, &copy, true, &|_, _| {}).unwrap();
    assert_eq!(all(&path), [door]);
    // Without a desk in the way, `replace` is not needed.
    let nowhere = folder.path().join("new/desk");
    assert_eq!(restore(&nowhere, &copy, false, &|_, _| {}).unwrap().kept, None);
    assert_eq!(all(&nowhere), [door]);
    // A damaged file, or one that is no desk, replaces nothing.
    fs::write(&other, "Dear diary").unwrap();
    assert_eq!(restore(&path, &other, true, &|_, _| {}).unwrap_err().code, ProblemCode::DeskNotOurs);
    open_raw(&copy).execute_batch("UPDATE ask SET title = 'wall'").unwrap();
    assert_eq!(restore(&path, &copy, true, &|_, _| {}).unwrap_err().code, ProblemCode::DeskDamaged);
    assert_eq!(all(&path), [door]);
}
