//! Lost confirmed commits, and copies that lack files: the desk reports them and never starts over.

use super::*;
use crate::StoreDesk;
use crate::contract::{act, as_asker, new_ask, open, person};
use crate::desk::Desk as _;
use crate::own_file::sibling_path;
use crate::store::sqlite::files::commit_mark::{CommitMark, CommitProgress};
use crate::store_desk::DeskLoss;
use sayso_core::{AskCommand, Lang, ProblemCode};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Makes a desk with one ask in its file and five in its WAL.
fn desk_with_wal() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    open(&desk(&path), "first");
    open_raw(&path).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let desk = desk(&path);
    for number in 0..5 {
        open(&desk, &format!("door {number}"));
    }
    drop(desk);
    (folder, path)
}

fn open_error(path: &Path) -> String {
    let problem = StoreDesk::open(path).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DeskIncomplete, "{problem}");
    problem.render_lines(Lang::En).join("\n")
}

fn count_asks(path: &Path) -> usize {
    desk(path).list(&AskQuery::default()).unwrap().rows.len()
}

#[test]
fn broken_log_is_reported_until_accepted() {
    let (_folder, path) = desk_with_wal();
    let log = sibling_path(&path, "-wal");
    let mut bytes = fs::read(&log).unwrap();
    bytes[32 + 24 + 100] ^= 1;
    fs::write(&log, &bytes).unwrap();
    for _ in 0..2 {
        let text = open_error(&path);
        assert!(text.contains("is missing 5 confirmed changes, including 5 questions"), "{text}");
        assert!(text.contains("sayso desk check --accept"), "{text}");
    }
    drop(SqliteStore::open_with(&path, MissingCommits::Ignore).unwrap());
    open_error(&path);
    let report = maintenance::check(&path, true, &|_, _| {}).unwrap();
    assert_eq!(fs::read(report.kept_log.unwrap()).unwrap(), bytes, "others may read what is in it");
    assert_eq!(count_asks(&path), 1);
    open(&desk(&path), "after");
    assert_eq!(count_asks(&path), 2);
    assert_eq!(maintenance::check(&path, true, &|_, _| {}).unwrap().kept_log, None);
}

#[test]
fn removed_log_is_noticed_at_the_next_write() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let ask = open(&desk, "door");
    fs::remove_file(sibling_path(&path, "-wal")).unwrap();
    let problem = desk.open(None, new_ask("wall")).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DeskUnreachable);
    assert!(problem.to_string().contains("desk-wal was removed"), "{problem}");
    assert_eq!(desk.get(ask.id).unwrap(), ask, "it can still be read here");
}

#[test]
fn replaced_desk_is_a_loss() {
    let folder = TempDir::new().unwrap();
    let [path, copy] = ["desk", "copy"].map(|name| folder.path().join(name));
    let desk = desk(&path);
    open(&desk, "door");
    maintenance::backup(&path, &copy, &|_, _| {}).unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    desk.on_loss(move |loss| tell.send(loss).unwrap());
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&path, &elsewhere).unwrap();
    assert!(desk.run_due(Duration::MAX).is_err());
    fs::rename(&elsewhere, &path).unwrap();
    open(&desk, "it was away for a moment");
    assert!(told.try_recv().is_err());
    maintenance::restore(&path, &copy, true, &|_, _| {}).unwrap();
    assert!(desk.run_due(Duration::MAX).is_err(), "a server does this each second");
    assert_eq!(told.recv_timeout(Duration::from_secs(60)).unwrap(), DeskLoss::Replaced);
}

#[test]
fn cut_file_shows_what_is_left() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let first = {
        let desk = desk(&path);
        let new = |n| (format!("{n}"), new_ask(&format!("door {n}")));
        desk.open_all((0..200).map(new).collect()).unwrap().remove(0).into_ask()
    };
    open_raw(&path).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let whole = fs::metadata(&path).unwrap().len();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(whole - 4_096).unwrap();
    let desk = desk(&path);
    let rows = desk.list(&AskQuery::default()).unwrap().rows;
    let readable = rows.iter().filter(|row| desk.get(row.id).is_ok()).count();
    assert!((190..=200).contains(&readable), "{readable} of {} rows", rows.len());
    let problem = desk.act(&as_asker(), first.id, None, AskCommand::CANCEL).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DeskDamaged);
    assert!(problem.to_string().contains("was cut short"), "{problem}");
    assert!(!maintenance::check(&path, false, &|_, _| {}).unwrap().is_sound());
    assert_eq!(fs::metadata(&path).unwrap().len(), whole - 4_096, "nothing was written to it");
}

#[test]
fn missing_log_is_reported() {
    let (_folder, path) = desk_with_wal();
    let log = sibling_path(&path, "-wal");
    let aside = sibling_path(&path, "-aside");
    fs::rename(&log, &aside).unwrap();
    assert!(open_error(&path).contains("5 questions"));
    for ending in ["-wal", "-shm"] {
        // Each exists only if the refused opening made it.
        let _ = fs::remove_file(sibling_path(&path, ending));
    }
    fs::rename(&aside, &log).unwrap();
    assert_eq!(count_asks(&path), 6, "put back, it is whole");
}

#[test]
fn incomplete_copy_is_reported_once() {
    let (folder, path) = desk_with_wal();
    open_raw(&path).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let copy = folder.path().join("copy");
    fs::copy(&path, &copy).unwrap();
    let notice = |path: &Path| desk(path).notice().map(|notice| notice.render(Lang::En));
    let text = notice(&copy).unwrap();
    assert!(text.contains("copy.mark, ") && text.contains("copy-wal") && text.contains("newest"), "{text}");
    assert_eq!(notice(&copy), None);
    fs::remove_file(sibling_path(&copy, ".mark")).unwrap();
    assert!(!notice(&copy).unwrap().contains("copy-wal"));
    fs::remove_file(sibling_path(&copy, "-wal")).unwrap();
    assert!(!notice(&copy).unwrap().contains("copy.mark"));
    assert_eq!(notice(&copy), None);
    let fresh = folder.path().join("fresh");
    assert_eq!([notice(&fresh), notice(&fresh)], [None, None]);
}

#[test]
fn blank_mark_is_written_again() {
    let (_folder, path) = desk_with_wal();
    let mark = sibling_path(&path, ".mark");
    // A power cut may leave this of a mark that was never synced.
    fs::write(&mark, []).unwrap();
    assert_eq!(desk(&path).notice(), None);
    assert_eq!(CommitMark::new(&path).read(), Some(CommitProgress::read(&open_raw(&path)).unwrap()));
}

#[test]
fn truncated_file_is_no_new_desk() {
    let (_folder, path) = desk_with_wal();
    let [mark, log] = [".mark", "-wal"].map(|ending| sibling_path(&path, ending));
    let (mark_bytes, log_bytes) = (fs::read(&mark).unwrap(), fs::read(&log).unwrap());
    fs::write(&path, []).unwrap();
    let is_damaged = || {
        let problem = StoreDesk::open(&path).unwrap_err();
        assert_eq!(problem.code, ProblemCode::DeskDamaged, "{problem}");
        assert!(problem.hint.is_some());
        assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    };
    is_damaged();
    assert_eq!((fs::read(&mark).unwrap(), fs::read(&log).unwrap()), (mark_bytes, log_bytes));
    fs::remove_file(&mark).unwrap();
    is_damaged();
    fs::remove_file(&log).unwrap();
    assert_eq!(count_asks(&path), 0, "an empty file alone becomes a desk");
}

#[test]
fn wal_header_without_tables_is_damage() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    // The file of a desk whose tables are still in its WAL, which was not copied.
    let file = open_raw(&path);
    file.execute_batch("PRAGMA journal_mode = WAL").unwrap();
    drop(file);
    let before = fs::read(&path).unwrap();
    let problem = StoreDesk::open(&path).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DeskDamaged, "{problem}");
    assert!(problem.to_string().contains("-wal"), "{problem}");
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn removed_file_makes_reported_new_desk() {
    let (_folder, path) = desk_with_wal();
    let log = fs::read(sibling_path(&path, "-wal")).unwrap();
    fs::remove_file(&path).unwrap();
    let desk = StoreDesk::open(&path).unwrap();
    assert!(desk.notice().unwrap().render(Lang::En).contains("a new, empty desk was created"));
    assert!(desk.list(&AskQuery::default()).unwrap().rows.is_empty());
    assert_eq!(fs::read(sibling_path(&path, "-wal.orphan")).unwrap(), log, "what the log held is kept");
}

#[test]
fn mark_is_never_newer_than_desk() {
    let folder = TempDir::new().unwrap();
    let path = &folder.path().join("desk");
    let first = desk(path);
    let is_over = &AtomicBool::new(false);
    let compare = move || {
        let mark = CommitMark::new(path).read().unwrap();
        let now = CommitProgress::read(&open_raw(path)).unwrap();
        assert!(mark.desk == now.desk && mark.commits <= now.commits, "{mark:?} {now:?}");
        (mark, now)
    };
    open(&first, "door");
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|number| {
                scope.spawn(move || {
                    let desk = desk(path);
                    (0..60).for_each(|ask| drop(open(&desk, &format!("{number} {ask}"))));
                })
            })
            .collect();
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                compare();
            }
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        is_over.store(true, Ordering::Relaxed);
    });
    let ask = open(&first, "wall");
    let (mark, now) = compare();
    assert_eq!(mark, now);
    // A commit without a sync is not confirmed, so a power cut may undo it.
    act(&first, &as_asker(), &ask, AskCommand::Attach { process: Some(crate::process::current_process()) })
        .unwrap();
    let (mark, later) = compare();
    assert!(mark == now && later.commits > now.commits, "{mark:?} {later:?}");
    // A commit without an entry in the change log has a number, too.
    let before = CommitProgress::read(&open_raw(path)).unwrap();
    first.new_thread("ada", None).unwrap();
    let (mark, now) = compare();
    assert!(mark == now && now.commits == before.commits + 1, "{before:?} {now:?}");
    first.save(&person("ada"), ask.id, DraftRev(0), Vec::new()).unwrap();
    assert_eq!(compare().1, now, "nothing was written");
}
