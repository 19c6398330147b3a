//! Costs of an ask that must not grow with the size of the desk.

use super::*;
use crate::RetentionPolicy;
use crate::contract::{answer, asker, new_ask, note, person};
use crate::desk::{Desk, OpenedAsk};
use crate::draft::DraftRev;
use crate::store_desk::StoreDesk;
use sayso_core::{Actor, Ask, AskCommand, Asker, NewAsk, limits};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Opens a desk that counts SQLite's virtual machine steps of its writer.
fn open_counting(path: &Path) -> (StoreDesk, Arc<AtomicUsize>) {
    let store = SqliteStore::open(path).unwrap();
    let steps = Arc::new(AtomicUsize::new(0));
    let seen = steps.clone();
    let count = move || {
        seen.fetch_add(1, Ordering::Relaxed);
        false
    };
    store.writer.try_connection().unwrap().progress_handler(1, Some(count)).unwrap();
    (StoreDesk::with_store(store), steps)
}

fn new_keyed_ask(title: &str) -> NewAsk {
    NewAsk { draft_key: Some("form".to_owned()), ..new_ask(title) }
}

fn cancel(desk: &dyn Desk, ask: &Ask) {
    desk.act(&Actor::Asker(ask.request.asker.clone()), ask.id, None, AskCommand::CANCEL).unwrap();
}

/// Returns the steps of one ask among this many open ones, the last of them with a row number of a million.
fn steps_with_open(asks: i64) -> usize {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    StoreDesk::open(&path).unwrap().open(None, new_ask("door")).unwrap();
    copy_only_ask(&path, asks);
    let last = i64::try_from(limits::OPEN_ASKS).unwrap();
    let renumber = format!("PRAGMA foreign_keys = OFF; UPDATE ask SET seq = {last} WHERE seq = {asks}");
    open_raw(&path).execute_batch(&renumber).unwrap();
    let (desk, steps) = open_counting(&path);
    assert!(matches!(desk.open(None, new_ask("wall")).unwrap(), OpenedAsk::New(_)));
    steps.load(Ordering::Relaxed)
}

#[test]
fn ask_cost_ignores_open_asks() {
    let [few, lots] = [20, 2_000].map(steps_with_open);
    assert!(lots < few + 100, "{few} {lots}");
}

/// Returns the steps of one ask that continues earlier drafts, after this many answered or cancelled ones with its
/// key.
fn steps_with_past(asks: i64, is_answered: bool) -> usize {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    {
        let desk = StoreDesk::open(&path).unwrap();
        let ask = desk.open(None, new_keyed_ask("door")).unwrap().into_ask();
        if is_answered {
            answer(&desk, &ask);
        } else {
            cancel(&desk, &ask);
        }
    }
    copy_only_ask(&path, asks);
    let (desk, steps) = open_counting(&path);
    desk.open(None, new_keyed_ask("wall")).unwrap();
    steps.load(Ordering::Relaxed)
}

#[test]
fn draft_lookup_cost_ignores_past_asks() {
    for is_answered in [true, false] {
        let [few, lots] = [20, 2_000].map(|asks| steps_with_past(asks, is_answered));
        assert!(lots < few + 100, "{few} {lots} {is_answered}");
    }
}

#[test]
fn left_draft_stays_with_its_asker() {
    let folder = TempDir::new().unwrap();
    let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
    let of = |account: &str| Asker { account: Some(account.to_owned()), ..asker() };
    let open = |account: &str, title: &str| {
        desk.open(None, NewAsk { asker: of(account), ..new_keyed_ask(title) }).unwrap().into_ask()
    };
    let left = open("ci", "door");
    desk.save(&person("ada"), left.id, DraftRev(0), vec![note("half a thought")]).unwrap();
    cancel(&desk, &left);
    assert_eq!(desk.draft(open("others", "door").id).unwrap().rev, DraftRev(0));
    let next = open("ci", "wall");
    assert_eq!(desk.draft(next.id).unwrap().replies, [note("half a thought")].into());
    answer(&desk, &next);
    assert_eq!(desk.draft(open("ci", "roof").id).unwrap().rev, DraftRev(0), "an answer is a fresh start");
}

#[test]
fn every_write_counts_open_asks() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = StoreDesk::open(&path).unwrap();
    let pending = || -> i64 {
        open_raw(&path)
            .query_row("SELECT value FROM chore WHERE name = 'pending'", [], |row| row.get(0))
            .unwrap()
    };
    let first = desk.open(None, new_ask("door")).unwrap().into_ask();
    let second = desk.open(None, new_ask("wall")).unwrap().into_ask();
    assert_eq!(pending(), 2);
    answer(&desk, &first);
    cancel(&desk, &second);
    assert_eq!(pending(), 0);
    desk.run_maintenance(RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 }, Duration::MAX);
    assert_eq!((count_rows(&path, "ask"), pending()), (0, 0));
    desk.open(None, new_ask("roof")).unwrap();
    copy_only_ask(&path, 10);
    assert_eq!(pending(), 10);
    open_raw(&path).execute("DELETE FROM ask WHERE seq > 4", []).unwrap();
    assert_eq!(pending(), 4);
}
