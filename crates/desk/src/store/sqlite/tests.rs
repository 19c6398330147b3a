//! Properties of the desk file: foreign files, newer versions, modes and concurrency.

mod backup;
mod batch;
mod bit_flips;
mod damage;
mod lost_commits;
#[cfg(target_os = "linux")]
mod power_cut;
mod scaling;
#[cfg(target_os = "linux")]
mod sync_failure;
#[cfg(target_os = "linux")]
mod sync_trace;

use super::asks::request_cache::RequestCache;
use super::files::reserve::DiskReserve;
use super::integrity::salvage;
use super::transaction::SqliteTransaction;
use super::writer::job::JobContext;
use super::*;
use crate::RetentionPolicy;
use crate::contract::{as_person, new_ask, note, open, person, submit};
use crate::desk::Desk;
use crate::draft::{DraftRev, OnConflict};
use crate::query::AskQuery;
use crate::store::api::IdScope;
use crate::store::api::{
    AskStore, BatchChange, ChangeOptions, ChangeStore, ChangeTarget, DraftStore, KeyUse,
};
use crate::store_desk::DeskLoss;
use crate::wakeup::WakeScope;
use crate::{Interest, StoreDesk, clock, maintenance};
pub(crate) use batch::draft_job;
use jiff::{SignedDuration, Timestamp};
pub(crate) use rusqlite::Connection;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskReader, Lang, NewAsk, ProblemCode};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) fn desk(path: &Path) -> StoreDesk {
    StoreDesk::open(path).unwrap()
}

/// Makes a desk, closes it, and opens its tables.
pub(crate) fn tables() -> (TempDir, Connection) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    drop(desk(&path));
    let conn = open_raw(&path);
    (folder, conn)
}

/// Returns a transaction at a time. It commits each statement.
pub(crate) fn transaction(conn: &Connection, now: Timestamp) -> SqliteTransaction<'_> {
    static REQUESTS: LazyLock<RequestCache> = LazyLock::new(RequestCache::default);
    static RESERVE: LazyLock<DiskReserve> = LazyLock::new(|| DiskReserve::new(Path::new("")));
    SqliteTransaction::new(conn, JobContext { reserve: &RESERVE, requests: &REQUESTS }, now)
}

/// Opens the file as any other program would.
pub(crate) fn open_raw(path: &Path) -> Connection {
    Connection::open(path).unwrap()
}

pub(crate) fn count_rows(path: &Path, table: &str) -> i64 {
    open_raw(path).query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn file_names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

pub(crate) fn titles(desk: &dyn Desk, query: &AskQuery) -> Vec<String> {
    desk.list(query).unwrap().rows.into_iter().map(|row| row.title).collect()
}

pub(crate) fn search(words: &str) -> AskQuery {
    AskQuery { search: Some(words.to_owned()), states: AskStatus::ALL.to_vec(), ..AskQuery::default() }
}

/// Copies the only ask of a desk this many times.
pub(crate) fn copy_only_ask(path: &Path, asks: i64) {
    let file = open_raw(path);
    let columns = |table: &str| -> String {
        let sql = "SELECT group_concat(name) FROM pragma_table_info(?1) WHERE name NOT IN ('seq', 'id', 'content') \
             AND name NOT LIKE '%sum'";
        file.query_row(sql, [table], |row| row.get(0)).unwrap()
    };
    let [ask, request] = ["ask", "request"].map(columns);
    let fill = format!(
        "BEGIN; CREATE TEMP TABLE more AS WITH RECURSIVE more (n) \
         AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < {asks}) SELECT n FROM more; \
         INSERT INTO ask (seq, id, {ask}) SELECT n, randomblob(16), {ask} FROM ask, more WHERE seq = 1; \
         INSERT INTO request (seq, {request}) SELECT n, {request} FROM request, more WHERE seq = 1; \
         INSERT INTO change (seq, id, at, events) SELECT seq, id, created_at, '[]' FROM ask WHERE seq > 1; COMMIT"
    );
    file.execute_batch(&fill).unwrap();
}

/// Opens a file that is not our desk. It must be refused and stay unchanged.
fn open_error(path: &Path) -> ProblemCode {
    let before = fs::read(path).unwrap();
    let problem = StoreDesk::open(path).unwrap_err();
    assert!(fs::read(path).unwrap() == before, "{problem}: not a byte of it may be changed");
    assert!(problem.hint.is_some(), "{problem:?}");
    assert!(problem.to_string().contains(&path.display().to_string()), "{problem}");
    problem.code
}

#[test]
fn non_database_file_is_unchanged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let text = b"Dear diary, ".repeat(1_000);
    let header = [b"SQLite format 3\0".as_slice(), &text].concat();
    for content in [b"x".as_slice(), b"hello\n", &[0; 512], &[0xff; 8_192], &text, &header, &header[..100]] {
        fs::write(&path, content).unwrap();
        assert_eq!(open_error(&path), ProblemCode::DeskNotOurs, "{:?}", &content[..1]);
        assert_eq!(file_names(folder.path()), ["desk"], "and nothing is put beside it");
    }
}

#[test]
fn foreign_database_is_unchanged() {
    let marks = [
        "CREATE TABLE note (text)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 1",
        "PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE ask (id)",
        "PRAGMA journal_mode = WAL; CREATE TABLE note (text); PRAGMA wal_checkpoint(TRUNCATE)",
    ];
    for sql in marks {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("theirs");
        let theirs = open_raw(&path);
        theirs.execute_batch(sql).unwrap();
        drop(theirs);
        assert_eq!(open_error(&path), ProblemCode::DeskNotOurs, "{sql}");
        let ok: String = open_raw(&path).query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(ok, "ok");
    }
}

#[test]
fn other_format_is_refused_unchanged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let ask = open(&desk(&path), "door");
    let mark = |format: i32| {
        let sql = format!("PRAGMA user_version = {format}; PRAGMA wal_checkpoint(TRUNCATE)");
        open_raw(&path).execute_batch(&sql).unwrap();
    };
    mark(99);
    assert_eq!(open_error(&path), ProblemCode::DeskTooNew);
    assert!(StoreDesk::open(&path).unwrap_err().to_string().contains("99"));
    for format in [1, schema::FORMAT - 1] {
        mark(format);
        let problem = StoreDesk::open(&path).unwrap_err();
        assert_eq!(problem.code, ProblemCode::DeskTooOld);
        let hint = problem.hint.as_ref().unwrap().render(Lang::En);
        assert!(hint.contains("version of Sayso that wrote it") && hint.contains("elsewhere"), "{hint}");
        let copy = folder.path().join("copy");
        let refused = maintenance::restore(&copy, &path, true, &|_, _| {}).unwrap_err();
        assert_eq!((refused.code, copy.exists()), (ProblemCode::DeskTooOld, false));
    }
    mark(0);
    assert_eq!(open_error(&path), ProblemCode::DeskNotOurs);
    mark(schema::FORMAT);
    assert_eq!(desk(&path).get(ask.id).unwrap(), ask);
}

#[test]
fn empty_file_becomes_a_desk() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    fs::write(&path, "").unwrap();
    let ask = open(&desk(&path), "door");
    assert_eq!(desk(&path).get(ask.id).unwrap(), ask);
    let mode: String = open_raw(&path).query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn impossible_path_is_reported() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    for path in [folder.path().to_owned(), file.join("desk"), file.join("deep/desk")] {
        let problem = StoreDesk::open(&path).unwrap_err();
        assert_eq!(problem.code, ProblemCode::DeskUnreachable, "{problem}");
        assert!(problem.to_string().contains(&path.display().to_string()), "{problem}");
        assert!(problem.hint.is_some());
    }
    assert_eq!(file_names(folder.path()), ["file"]);
}

#[test]
#[cfg(unix)]
fn all_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = TempDir::new().unwrap();
    let given = folder.path().join("given");
    fs::create_dir(&given).unwrap();
    fs::set_permissions(&given, fs::Permissions::from_mode(0o755)).unwrap();
    let inner = given.join("outer").join("inner");
    let path = inner.join("desk");
    let desk = desk(&path);
    open(&desk, "door");
    assert_eq!(
        file_names(&inner),
        ["desk", "desk-shm", "desk-wal", "desk.lock", "desk.mark", "desk.reserve"]
    );
    for name in file_names(&inner) {
        assert_eq!(mode(&inner.join(&name)), 0o600, "{name}");
    }
    assert_eq!((mode(&inner), mode(&given.join("outer"))), (0o700, 0o700));
    assert_eq!(mode(&given), 0o755, "a folder that was there is not ours to change");
}

/// Returns a time far in the future.
pub(crate) fn far_future() -> Timestamp {
    clock::now() + SignedDuration::from_hours(1)
}

#[test]
fn maintenance_checkpoints_large_wal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let size = || fs::metadata(&path).unwrap().len();
    let ask = open(&desk, "door");
    let before = size();
    desk.run_maintenance(RetentionPolicy::default(), Duration::MAX);
    assert_eq!(size(), before, "a short one is not worth it");
    for n in 0..6 {
        desk.save(&person("ada"), ask.id, DraftRev(n), vec![note(&"x".repeat(1 << 20))]).unwrap();
    }
    desk.run_maintenance(RetentionPolicy::default(), Duration::MAX);
    assert!(size() > before + (1 << 20), "{before} {}", size());
}

#[test]
fn readers_never_wait_for_writers() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let ask = open(&desk, "door");
    let writer = open_raw(&path);
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM change").unwrap();
    assert_eq!(desk.get(ask.id).unwrap(), ask);
    assert_eq!(titles(&desk, &AskQuery::default()), ["door"]);
    assert_eq!(desk.draft(ask.id).unwrap().replies.len(), 0);
    assert_eq!(desk.find(&ask.id.short_id()).unwrap(), ask.id);
    let store = SqliteStore::open(&path).unwrap();
    let busy = store.writer.try_connection().unwrap();
    assert_eq!(AskStore::read(&store, ask.id).unwrap(), Some(ask), "nor for those of the same process");
    drop(busy);
    writer.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn list_runs_during_commit() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let ask = open(&desk(&path), "door");
    for callers in [CallerCount::One, CallerCount::Many] {
        let store = SqliteStore::open(&path).unwrap().with_callers(callers);
        let read = || {
            assert_eq!(store.list(&AskQuery::default(), None).unwrap().rows.len(), 1);
            let among = IdScope { pending_only: true, reader: &AskReader::Desk };
            assert_eq!(store.find(&ask.id.short_id(), among).unwrap(), [ask.id]);
        };
        read();
        assert_eq!(store.scanner.get().is_none(), callers == CallerCount::One);
        let busy = store.writer.try_connection().unwrap();
        read();
        drop(busy);
    }
}

#[test]
fn damaged_ask_is_desk_failure() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let door = open(&desk(&path), "door").id;
    for broken in ["UPDATE request SET body = '{'", "UPDATE ask SET status = '{'"] {
        open_raw(&path).execute(broken, []).unwrap();
        let problem = desk(&path).get(door).unwrap_err();
        assert_eq!(problem.code, ProblemCode::AskDamaged);
        assert!(problem.to_string().contains(&door.short_id()), "{problem}");
    }
}

#[test]
fn late_text_survives_failed_state_update() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let ask = desk.open(None, NewAsk { time_limit_ms: Some(1), ..new_ask("door") }).unwrap().into_ask();
    let trap = "CREATE TRIGGER trap BEFORE UPDATE OF state ON ask BEGIN SELECT raise(ABORT, 'boom'); END";
    open_raw(&path).execute_batch(trap).unwrap();
    let mut watch = desk.watch(Interest::All, None).unwrap();
    while !ask.is_due(clock::now()) {
        watch.wait(Duration::from_millis(10)).unwrap();
    }
    let late = desk.act(&as_person("ada"), ask.id, None, submit(&ask, [note("thick")]));
    assert_eq!(late.unwrap_err().code, ProblemCode::AskExpired);
    assert_eq!(desk.draft(ask.id).unwrap().replies, [note("thick")].into());
}

#[test]
fn writers_never_wait_for_long_list() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let ask = open(&desk(&path), "door");
    let store = SqliteStore::open(&path).unwrap();
    let (tell, receiver) = std::sync::mpsc::channel();
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    // The listing thread stops in the middle.
    let stand = move || {
        tell.send(()).unwrap();
        wait.recv().is_err()
    };
    store.connection(&store.scanner).unwrap().progress_handler(10, Some(stand)).unwrap();
    std::thread::scope(|scope| {
        let list = scope.spawn(|| AskStore::list(&store, &AskQuery::default(), None));
        receiver.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(store.writer.run(draft_job(ask.id, "typed")).is_ok());
        assert_eq!(AskStore::read(&store, ask.id).unwrap().map(|ask| ask.id), Some(ask.id));
        drop(go_on);
        assert!(list.join().unwrap().is_err(), "it was let go of");
    });
}

#[test]
fn search_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    open(&desk(&path), "the harbour");
    let store = SqliteStore::open(&path).unwrap();
    store.sync_health().mark_lost(DeskLoss::Unconfirmed);
    assert_eq!(titles(&StoreDesk::with_store(store), &search("harbour")), ["the harbour"]);
}

#[test]
fn account_finds_its_asks() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let mut new = new_ask("door");
    new.asker.account = Some("release-bot".to_owned());
    desk.open(None, new).unwrap();
    open(&desk, "wall");
    let found = |words: &str| titles(&desk, &search(words));
    for words in ["release-bot", "RELEASE", "re", "door bot"] {
        assert_eq!(found(words), ["door"], "{words}");
    }
    assert_eq!(found("wall bot"), [""; 0]);
    // The same for a desk that lists ask by ask.
    let query = AskQuery { states: vec![AskStatus::Open], ..search("release-bot") };
    let page = salvage::read_page(&open_raw(&path), &query);
    assert_eq!(page.rows.iter().map(|row| row.title.as_str()).collect::<Vec<_>>(), ["door"]);
}

#[test]
fn wake_scope_has_all_but_new_asks() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let [door, wall] = ["door", "wall"].map(|title| open(&desk, title));
    let file = open_raw(&path);
    let scope = |number| change_log::wake_scope_after(&file, number).unwrap();
    assert_eq!(scope(0), WakeScope::Asks(Vec::new()), "no one can wait for an ask that was only opened");
    desk.save(&person("ada"), wall.id, DraftRev(0), vec![note("thick")]).unwrap();
    assert_eq!(scope(0), WakeScope::Asks(vec![wall.id]));
    // A damaged entry wakes its waiters.
    file.execute_batch("UPDATE change SET events = '[{\"event\":\"opened' WHERE n = 1").unwrap();
    assert_eq!(scope(0), WakeScope::Asks(vec![door.id, wall.id]));
}
