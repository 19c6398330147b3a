//! Group commit: each job of a batch has its own result, and none waits longer than it must.

use super::*;
use crate::contract::{act, as_asker, as_person, note, open, person};
use crate::own_file;
use crate::store::api::DecideFn;
use crate::store::logic::asks::{ask_change, drafts};
use crate::store::sqlite::writer::job::WriteJob;
use sayso_core::{AskCommand, AskId, Digest, ProblemCode};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use tempfile::TempDir;

/// Makes a store with two asks, in which saving the word "boom" fails inside SQLite.
fn store_with_trap(path: &Path) -> (SqliteStore, [AskId; 2]) {
    let desk = desk(path);
    let ids = [open(&desk, "door").id, open(&desk, "wall").id];
    let trap = "CREATE TRIGGER trap BEFORE INSERT ON draft WHEN new.reply LIKE '%boom%' \
                BEGIN SELECT raise(ABORT, 'boom'); END";
    open_raw(path).execute_batch(trap).unwrap();
    (SqliteStore::open(path).unwrap(), ids)
}

pub(crate) fn draft_job(id: AskId, text: &str) -> WriteJob {
    let replies = vec![note(text)];
    let base = (DraftRev(0), OnConflict::Overwrite);
    let (job, _) =
        WriteJob::new(WriteNeeds::DURABLE, move |tx| drafts::save(tx, id, base, &person("ada"), &replies));
    job
}

/// Returns a job that runs a decision on an ask.
fn change_job(id: AskId, needs: WriteNeeds, mut decide: DecideFn) -> WriteJob {
    let (job, _) = WriteJob::new(needs, move |tx| {
        let target = ChangeTarget::Ask(id);
        ask_change::change(tx, &target, None, &ChangeOptions::default(), &mut decide)
    });
    job
}

/// Commits jobs together, and returns their results.
fn commit(store: &SqliteStore, mut jobs: Vec<WriteJob>) -> Vec<Result<(), ProblemCode>> {
    outcomes(store.writer.commit(&mut jobs, &mut |_, _| {}))
}

fn outcomes(results: Vec<Result<(), Problem>>) -> Vec<Result<(), ProblemCode>> {
    results.into_iter().map(|result| result.map_err(|problem| problem.code)).collect()
}

#[test]
fn batched_jobs_fail_alone() {
    let folder = TempDir::new().unwrap();
    let (store, [door, wall]) = store_with_trap(&folder.path().join("desk"));
    let gone = AskId::new(uuid::Uuid::nil());
    let jobs = vec![draft_job(door, "a"), draft_job(gone, "b"), draft_job(wall, "c"), draft_job(door, "d")];
    assert_eq!(commit(&store, jobs), [Ok(()), Err(ProblemCode::AskNotFound), Ok(()), Ok(())]);

    let jobs = vec![draft_job(door, "e"), draft_job(wall, "boom"), draft_job(door, "f")];
    assert_eq!(commit(&store, jobs), [Ok(()), Err(ProblemCode::DeskFailed), Ok(())]);
    let text = |id| store.draft(id).unwrap();
    assert_eq!((text(door).replies, text(door).rev), ([note("f")].into(), DraftRev(4)));
    assert_eq!((text(wall).replies, text(wall).rev), ([note("c")].into(), DraftRev(1)));
    let saves = |id| store.history(id).unwrap().len() - 1;
    assert_eq!((saves(door), saves(wall)), (4, 1), "nothing was done twice");
    assert_eq!(commit(&store, vec![draft_job(wall, "boom")]), [Err(ProblemCode::DeskFailed)]);
    assert_eq!(commit(&store, vec![draft_job(wall, "g")]), [Ok(())], "and all goes on after it");
}

#[test]
fn failed_decision_stores_no_key() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let (store, [door, _]) = store_with_trap(&path);
    let key = || Some(KeyUse { owner: "o".to_owned(), key: "k".to_owned(), request: Digest::compute(b"r") });
    let refuse: DecideFn = Box::new(|_, _| Err(error::desk_failed("no")));
    assert!(store.change(ChangeTarget::Ask(door), key(), ChangeOptions::default(), refuse).is_err());
    assert_eq!(count_rows(&path, "key"), 0);
    let runs = Arc::new(std::sync::atomic::AtomicU32::new(0));
    for _ in 0..3 {
        let runs = runs.clone();
        let see: DecideFn = Box::new(move |ask, now| {
            runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            sayso_core::apply_command(ask.unwrap(), &as_person("ada"), AskCommand::MarkSeen, now)
        });
        store.change(ChangeTarget::Ask(door), key(), ChangeOptions::default(), see).unwrap();
    }
    assert_eq!(count_rows(&path, "key"), 1);
    assert_eq!(runs.load(std::sync::atomic::Ordering::Relaxed), 1, "the key says that it was done");
}

/// Returns a change that tells when it has begun, and goes on once it is told to.
fn held_change() -> (DecideFn, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (begun, is_begun) = mpsc::channel();
    let (go_on, goes_on) = mpsc::channel::<()>();
    let see: DecideFn = Box::new(move |ask, now| {
        begun.send(()).unwrap();
        goes_on.recv().unwrap();
        sayso_core::apply_command(ask.unwrap(), &as_person("ada"), AskCommand::MarkSeen, now)
    });
    (see, is_begun, go_on)
}

#[test]
fn panicking_change_leaves_desk_usable() {
    let folder = TempDir::new().unwrap();
    let (store, [door, wall]) = store_with_trap(&folder.path().join("desk"));
    let breaks: DecideFn = Box::new(|_, _| panic!("as a test has it"));
    assert!(store.change(ChangeTarget::Ask(door), None, ChangeOptions::default(), breaks).is_err());
    assert!(store.writer.run(draft_job(wall, "typed")).is_ok());
    let other = desk(&folder.path().join("desk"));
    assert!(
        act(&other, &as_person("ada"), &AskStore::read(&store, door).unwrap().unwrap(), AskCommand::MarkSeen)
            .is_ok()
    );
}

#[test]
fn panicking_change_fails_its_whole_batch() {
    let folder = TempDir::new().unwrap();
    let (store, [door, wall]) = store_with_trap(&folder.path().join("desk"));
    let (see, is_begun, go_on) = held_change();
    let seeing = change_job(door, WriteNeeds::DURABLE, see);
    let breaks: DecideFn = Box::new(|_, _| panic!("as a test has it"));
    let joining = [draft_job(wall, "boom"), change_job(door, WriteNeeds::DURABLE, breaks)];
    let results = thread::scope(|scope| {
        let mut callers = vec![scope.spawn(|| store.writer.run(seeing))];
        is_begun.recv().unwrap();
        for (place, job) in joining.into_iter().enumerate() {
            callers.push(scope.spawn(|| store.writer.run(job)));
            while store.writer.queue_len() <= place {
                thread::yield_now();
            }
        }
        // After the failure of the second job each runs alone, so the first runs twice.
        go_on.send(()).unwrap();
        go_on.send(()).unwrap();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    });
    assert_eq!(outcomes(results), vec![Err(ProblemCode::DeskFailed); 3], "no one waits forever");
    assert!(store.writer.run(draft_job(wall, "typed")).is_ok());
}

/// Returns SQLite's `synchronous` setting: 2 syncs each commit, 1 does not.
fn sync_setting(store: &SqliteStore) -> i64 {
    let conn = store.writer.try_connection().unwrap();
    conn.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap()
}

#[test]
fn only_promised_changes_are_synced() {
    let folder = TempDir::new().unwrap();
    let (store, [id, _]) = store_with_trap(&folder.path().join("desk"));
    assert_eq!(sync_setting(&store), 2);
    let note = || {
        let attach: DecideFn = Box::new(|ask, now| {
            let attach = AskCommand::Attach { process: Some(crate::process::current_process()) };
            sayso_core::apply_command(ask.unwrap(), &as_asker(), attach, now)
        });
        change_job(id, WriteNeeds::RELAXED, attach)
    };
    for _ in 0..2 {
        assert!(store.writer.run(note()).is_ok());
        assert_eq!(sync_setting(&store), 1);
        assert!(store.writer.run(draft_job(id, "typed")).is_ok());
        assert_eq!(sync_setting(&store), 2);
    }
    let mut both = vec![note(), draft_job(id, "a promise beside a note")];
    let together = store.writer.commit(&mut both, &mut |_, _| {});
    assert!(together.iter().all(Result::is_ok));
    assert_eq!(sync_setting(&store), 2);
}

/// Counts the commits in the WAL of a desk that was never checkpointed.
fn count_wal_commits(path: &Path) -> usize {
    let log = fs::read(own_file::sibling_path(path, "-wal")).unwrap();
    let (frames, _) = log.get(32..).unwrap().as_chunks::<{ 24 + 4096 }>();
    // The last frame of each commit holds the size of the database.
    frames.iter().filter(|frame| frame.get(4..8) != Some(&[0; 4])).count()
}

#[test]
fn late_jobs_join_synced_commit() {
    for (fleeting, commits_of_both) in [(false, 1), (true, 2)] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let (store, [door, wall]) = store_with_trap(&path);
        assert!(store.writer.run(draft_job(door, "the first one knows the clocks")).is_ok());
        let before = count_wal_commits(&path);
        let (see, is_begun, go_on) = held_change();
        let needs = if fleeting { WriteNeeds::RELAXED } else { WriteNeeds::DURABLE };
        let writing = change_job(door, needs, see);
        thread::scope(|scope| {
            let first = scope.spawn(|| store.writer.run(writing).map(drop));
            is_begun.recv().unwrap();
            let second = scope.spawn(|| store.writer.run(draft_job(wall, "typed")).map(drop));
            while store.writer.queue_len() == 0 {
                thread::yield_now();
            }
            go_on.send(()).unwrap();
            assert_eq!([first, second].map(|thread| thread.join().unwrap()), [Ok(()), Ok(())]);
        });
        assert_eq!(count_wal_commits(&path) - before, commits_of_both);
        assert_eq!(store.draft(wall).unwrap().replies, [note("typed")].into());
        assert_eq!(sync_setting(&store), 2, "what was typed is on the disk");
    }
}

#[test]
fn joined_jobs_fail_alone() {
    let folder = TempDir::new().unwrap();
    let (store, [door, wall]) = store_with_trap(&folder.path().join("desk"));
    let gone = AskId::new(uuid::Uuid::nil());
    let mut coming = vec![draft_job(wall, "c"), draft_job(wall, "boom"), draft_job(gone, "b")];
    let mut jobs = vec![draft_job(door, "a")];
    let results = store.writer.commit(&mut jobs, &mut |jobs, _| jobs.extend(coming.pop()));
    assert_eq!(outcomes(results), [Ok(()), Err(ProblemCode::AskNotFound), Err(ProblemCode::DeskFailed)]);
    assert_eq!(coming.len(), 1, "who did not come yet is not lost");
    assert_eq!(store.draft(door).unwrap().replies, [note("a")].into());
}

#[test]
fn refused_batch_keeps_other_jobs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let (store, [door, wall]) = store_with_trap(&path);
    let see = |id| BatchChange {
        target: ChangeTarget::Ask(id),
        key: None,
        decide: Box::new(|ask, now| {
            sayso_core::apply_command(ask.unwrap(), &as_person("ada"), AskCommand::MarkSeen, now)
        }),
    };
    let gone = AskId::new(uuid::Uuid::nil());
    let mut changes = vec![see(door), see(gone)];
    let (refused, output) =
        WriteJob::new(WriteNeeds::DURABLE, move |tx| ask_change::change_all(tx, &mut changes));
    let mut jobs = vec![draft_job(wall, "a"), refused, draft_job(wall, "b")];
    let results = store.writer.commit(&mut jobs, &mut |_, _| {});
    let of_both = output.take().unwrap();
    assert_eq!(
        of_both.map(drop).map_err(|refused| (refused.0, refused.1.code)),
        Err((1, ProblemCode::AskNotFound))
    );
    assert_eq!(outcomes(results), [Ok(()), Ok(()), Ok(())]);
    let events = |id| store.history(id).unwrap().len();
    assert_eq!((events(door), store.draft(wall).unwrap().replies), (1, [note("b")].into()));
    let both = store.change_all(vec![see(door), see(wall)]).unwrap();
    assert_eq!((both.map(|both| both.len()).ok(), events(door)), (Some(2), 2));
}
