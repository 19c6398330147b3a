//! Purges delete old asks with everything that belongs to them, and leave all else intact.

use super::*;
use crate::clock;
use crate::contract::{act, answer, as_asker, code, deliver, events, new_ask, note, open, person, pick};
use crate::desk::{Desk as _, OpenedAsk};
use crate::query::AskQuery;
use crate::server_desk::{RetentionPolicy, ServerDesk as _};
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::tests::{copy_only_ask, count_rows, desk, far_future, open_raw, search, titles};
use crate::store::sqlite::writer::job::WriteJob;
use crate::{DraftRev, Interest};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskCommand, AskReader, NewAsk, ProblemCode};
use std::path::Path;
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

#[test]
fn long_purge_lets_others_write() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    make_answered(&path, 3 * STEP_ASKS + 10, 2);
    let store = SqliteStore::open(&path).unwrap();
    let other = desk(&path);
    let begin = clock::now();
    let old = PurgeLimits { settled_before: begin, drafts_before: begin, hooks_before: begin };
    let (mut step, mut steps) = (PurgeStep::FIRST, Vec::new());
    while step != PurgeStep::Done {
        let (gone, next) = store.writer.run(WriteJob::Purge { old, step }).unwrap().into_purged().unwrap();
        assert!(gone <= usize::try_from(STEP_ASKS).unwrap());
        // Other callers need not wait for the rest, and the desk is consistent between two steps.
        let title = format!("asked after {step:?}");
        open(&other, &title);
        assert_eq!(titles(&other, &search(&title)), [title]);
        steps.push(gone);
        step = next;
    }
    assert_eq!(steps.iter().sum::<usize>(), usize::try_from(3 * STEP_ASKS + 10).unwrap());
    let asked = i64::try_from(steps.len()).unwrap();
    let left = ["ask", "request", "change", "key"].map(|table| count_rows(&path, table));
    assert_eq!(left, [asked, asked, asked, 0]);
    assert_eq!(count_rows(&path, "tombstone"), 3 * STEP_ASKS + 10);
}

#[test]
fn interrupted_purge_is_resumed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    make_answered(&path, STEP_ASKS + 10, 1);
    let store = SqliteStore::open(&path).unwrap();
    let begin = clock::now();
    let old = PurgeLimits { settled_before: begin, drafts_before: begin, hooks_before: begin };
    store.writer.run(WriteJob::Purge { old, step: PurgeStep::FIRST }).ok().unwrap();
    drop(store);
    desk(&path).run_maintenance(RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 }).unwrap();
    assert_eq!([count_rows(&path, "ask"), count_rows(&path, "key"), count_rows(&path, "change")], [0, 0, 1]);
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
fn purged_changes_are_a_gap() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let start = desk.watch(Interest::All, None).unwrap().cursor();
    answer(&desk, &open(&desk, "the door"));
    open(&desk, "the wall");
    assert_eq!(desk.watch(Interest::All, Some(start)).unwrap().poll().unwrap().len(), 3);
    SqliteStore::open(&path).unwrap().purge(far_future(), far_future()).unwrap();
    assert_eq!(desk.watch(Interest::All, Some(start)).unwrap().poll().unwrap(), [crate::WatchEvent::Gap]);
}

#[test]
fn old_ask_leaves_tombstone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let store = SqliteStore::open(&path).unwrap();
    let begin = clock::now();
    let old = desk.open(Some("k"), new_ask("old harbour")).unwrap().ask().clone();
    desk.save(&person("ada"), old.id, DraftRev(0), vec![pick("red"), note("thick")]).unwrap();
    let old = answer(&desk, &old);
    deliver(&desk, &old);
    let pending = open(&desk, "pending harbour");
    desk.save(&person("ada"), pending.id, DraftRev(0), vec![note("thin")]).unwrap();
    let judged = desk.open(None, NewAsk { needs_verdict: true, ..new_ask("judged") }).unwrap().ask().clone();
    let judged = answer(&desk, &judged);
    let settled = desk.get(old.id).unwrap();
    assert_eq!(titles(&desk, &search("harbour")), ["pending harbour", "old harbour"]);

    assert_eq!(store.purge(begin, begin).unwrap(), 0, "nothing is old enough");
    assert_eq!(desk.get(old.id).unwrap(), settled);
    assert_eq!(desk.draft(old.id).unwrap().replies.len(), 2);
    assert_eq!(store.purge(far_future(), far_future()).unwrap(), 1);

    assert_eq!(code(desk.get(old.id)), ProblemCode::AskNotFound);
    assert_eq!(desk.get(judged.id).unwrap(), judged, "what still waits is kept");
    assert_eq!(desk.draft(pending.id).unwrap().replies.len(), 1, "with what was typed");
    assert_eq!(titles(&desk, &search("harbour")), ["pending harbour"]);
    assert_eq!(desk.history(old.id).unwrap(), []);
    assert_eq!(desk.history(judged.id).unwrap().len(), 3);
    let rows = ["ask", "request", "draft", "key", "rendering"].map(|table| count_rows(&path, table));
    assert_eq!(rows, [2, 2, 3, 0, 0], "whatever hung on it went with it");
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
    assert!(matches!(desk.open(Some("k"), new_ask("old harbour")).unwrap(), OpenedAsk::New(_)));
}

#[test]
fn tombstones_last_for_years() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let output_of = |ask: &sayso_core::Ask| desk.find(&ask.id.to_string()).unwrap_err().to_string();
    let answered = answer(&desk, &open(&desk, "door"));
    let taken_back = act(&desk, &as_asker(), &open(&desk, "wall"), AskCommand::CANCEL).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    store.purge(far_future(), far_future()).unwrap();
    let at = answered.outcome().unwrap().ended_at();
    let text = format!("The ask {} was answered at {at} and has since been deleted.", answered.id);
    assert!(output_of(&answered).ends_with(&text), "{}", output_of(&answered));
    assert!(output_of(&taken_back).contains("was cancelled at"), "{}", output_of(&taken_back));
    let other = desk
        .find_for(&AskReader::Asker { account: "ci".to_owned() }, &answered.id.to_string())
        .unwrap_err()
        .to_string();
    assert!(other.contains("This desk has no ask"), "nobody knows whose it was: {other}");

    let years = |years: i64| clock::now() + SignedDuration::from_hours(365 * 24 * years);
    store.purge(years(4), far_future()).unwrap();
    assert!(output_of(&answered).contains("was answered at"));
    store.purge(years(6), far_future()).unwrap();
    assert!(output_of(&answered).contains("This desk has no ask"));
}

#[test]
fn old_drafts_are_purged_first() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let ask = open(&desk, "door");
    desk.save(&person("bob"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let end = answer(&desk, &ask);
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.purge(Timestamp::UNIX_EPOCH, far_future()).unwrap(), 0);
    assert_eq!(desk.get(ask.id).unwrap(), end);
    assert_eq!(desk.draft(ask.id).unwrap().replies.len(), 0);
    let all = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
    assert_eq!(desk.list(&all).unwrap().rows.iter().map(|row| row.answered).collect::<Vec<_>>(), [0]);
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
fn purge_runs_once_a_day() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let (all, none) =
        (RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 }, RetentionPolicy::default());
    let old = answer(&desk, &open(&desk, "old"));
    desk.run_maintenance(none).unwrap();
    assert_eq!(desk.get(old.id).unwrap(), old);
    desk.run_maintenance(all).unwrap();
    assert_eq!(desk.get(old.id).unwrap(), old, "today it was done already");
    open_raw(&path)
        .execute_batch("UPDATE chore SET value = value - 86400000001 WHERE name = 'purged'")
        .unwrap();
    desk.run_maintenance(all).unwrap();
    assert_eq!(code(desk.get(old.id)), ProblemCode::AskNotFound);
}

#[test]
fn hook_asks_are_purged_earlier() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let hook = NewAsk { dialect: AskRequest::HOOK_DIALECT.to_owned(), ..new_ask("a command") };
    let hook = desk.open(None, hook).unwrap().into_ask();
    for ask in [hook.clone(), open(&desk, "a question")] {
        deliver(&desk, &answer(&desk, &ask));
    }
    let policy = RetentionPolicy { hook_days: 0, ..RetentionPolicy::default() };
    open_raw(&path).execute("UPDATE chore SET value = 0 WHERE name = 'purged'", []).unwrap();
    desk.run_maintenance(policy).unwrap();
    assert_eq!(code(desk.get(hook.id)), ProblemCode::AskNotFound);
    assert_eq!(
        titles(&desk, &AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() }),
        ["a question"]
    );
    assert_eq!(count_rows(&path, "tombstone"), 1);
}
