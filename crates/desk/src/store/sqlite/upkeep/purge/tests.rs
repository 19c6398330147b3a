//! Purges delete old asks with everything that belongs to them, and leave all else intact.

use crate::DraftRev;
use crate::RetentionPolicy;
use crate::contract::{act, answer, as_asker, code, deliver, events, new_ask, note, open, person, pick};
use crate::desk::Desk as _;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::tests::{copy_only_ask, count_rows, desk, far_future, open_raw, search, titles};
use crate::watch::Interest;
use sayso_core::{AskCommand, ProblemCode};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Makes a desk with this many answered asks, each with this many keys.
fn make_answered(path: &Path, asks: i64, keys: i64) {
    let desk = desk(path);
    let first = answer(&desk, &open(&desk, "the first"));
    deliver(&desk, &first);
    copy_only_ask(path, asks);
    let keys = format!(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {keys}) \
         INSERT INTO key (owner, key, request, seq) SELECT 'o', seq || ' ' || n, x'00', seq FROM ask, n"
    );
    open_raw(path).execute_batch(&keys).unwrap();
}

/// Returns SQLite's virtual machine steps to delete one ask.
fn delete_steps(path: &Path) -> i32 {
    let conn = open_raw(path);
    let mut delete = conn.prepare("DELETE FROM ask WHERE seq = 5").unwrap();
    delete.execute([]).unwrap();
    delete.get_status(rusqlite::StatementStatus::VmStep)
}

#[test]
fn delete_cost_is_independent_of_asks() {
    let folder = TempDir::new().unwrap();
    let [few, lots] = [(20, "few"), (2_000, "lots")].map(|(asks, name)| {
        let path = folder.path().join(name);
        make_answered(&path, asks, 3);
        delete_steps(&path)
    });
    assert!(lots < few + 100, "{few} {lots}");
}

#[test]
fn desk_works_after_purge() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let mut watch = desk.watch(Interest::All, None).unwrap();
    for n in 0..3 {
        let title = format!("harbour {n}");
        let ask = answer(&desk, &open(&desk, &title));
        assert_eq!(titles(&desk, &search("harbour")), [title]);
        assert_eq!(SqliteStore::open(&path).unwrap().purge(far_future(), far_future()).unwrap(), 1);
        assert_eq!(titles(&desk, &search("harbour")), [""; 0]);
        // At least the last entry of the log is left, so that its numbering continues.
        let changes = watch.poll().unwrap();
        assert_eq!(
            changes.last().cloned().map(|changes| events(changes).0),
            Some(ask.id),
            "{n}: {changes:?}"
        );
        let next = open(&desk, "the next");
        let changes: Vec<_> = watch.poll().unwrap().into_iter().map(|changes| events(changes).0).collect();
        assert_eq!(changes, [next.id]);
        assert_eq!(titles(&desk, &search("the next")), ["the next"]);
        act(&desk, &as_asker(), &next, AskCommand::CANCEL).unwrap();
        deliver(&desk, &next);
        watch.poll().unwrap();
        SqliteStore::open(&path).unwrap().purge(far_future(), far_future()).unwrap();
    }
}

#[test]
fn nothing_of_an_old_ask_is_left() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let old = desk.open(Some("k"), new_ask("old harbour")).unwrap().into_ask();
    desk.save(&person("ada"), old.id, DraftRev(0), vec![pick("red"), note("thick")]).unwrap();
    let old = answer(&desk, &old);
    deliver(&desk, &old);
    assert_eq!(titles(&desk, &search("harbour")), ["old harbour"]);
    let settled = desk.get(old.id).unwrap();
    assert_eq!(SqliteStore::open(&path).unwrap().purge(far_future(), far_future()).unwrap(), 1);
    let rows =
        ["ask", "request", "draft", "key", "rendering", "change"].map(|table| count_rows(&path, table));
    assert_eq!(rows, [0, 0, 0, 0, 0, 1], "the numbers of changes go on");
    let tombstone = open_raw(&path)
        .query_row("SELECT id, outcome, digest, created_at, settled_at FROM tombstone", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        })
        .unwrap();
    let wanted: (Vec<u8>, String, Vec<u8>, i64, i64) = (
        old.id.as_bytes().to_vec(),
        "answered".to_owned(),
        old.request.digest.as_bytes().to_vec(),
        old.request.created_at.as_microsecond(),
        settled.state.changed_at.as_microsecond(),
    );
    assert_eq!(tombstone, wanted);
}

#[test]
fn purge_is_due_after_a_day() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let all = RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 };
    desk.run_maintenance(all, Duration::MAX);
    let old = answer(&desk, &open(&desk, "old"));
    desk.run_maintenance(all, Duration::MAX);
    assert_eq!(desk.get(old.id).unwrap(), old);
    open_raw(&path)
        .execute_batch("UPDATE chore SET value = value - 86400000001 WHERE name = 'purged'")
        .unwrap();
    desk.run_maintenance(all, Duration::MAX);
    assert_eq!(code(desk.get(old.id)), ProblemCode::AskNotFound);
}

#[test]
fn large_purge_gives_the_disk_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    make_answered(&path, 10, 1);
    let bodies = "UPDATE request SET body = body || printf('%1000000s', ' ') WHERE seq > 1";
    open_raw(&path).execute_batch(bodies).unwrap();
    let desk = desk(&path);
    let waiting = open(&desk, "waiting");
    let size = || std::fs::metadata(&path).unwrap().len();
    let checkpoint = || open_raw(&path).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    checkpoint();
    let before = size();
    desk.run_maintenance(RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 }, Duration::MAX);
    checkpoint();
    assert!(before > 9_000_000 && size() < 1 << 20, "{before} {}", size());
    assert_eq!(desk.get(waiting.id).unwrap(), waiting);
}
