//! Migrations from every earlier version, made as this program made it, with its rows.

use super::*;
use crate::contract::{answer, note, open, person};
use crate::desk::Desk as _;
use crate::store::sqlite::tests::{desk, open_raw};
use crate::thread::{
    KeyedMessage, ThreadDesk as _, ThreadEventKind, TurnEntry, TurnHolder, TurnNewsKind, TurnProgress,
};
use crate::{DraftRev, Interest};
use tempfile::TempDir;

/// Makes a desk of an older version with the rows of another desk that this version can hold.
fn make_older(path: &Path, format: i32, like: &Path) {
    let file = open_raw(path);
    file.execute_batch("PRAGMA journal_mode = WAL").unwrap();
    run_migrations(&file, format).unwrap();
    file.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    file.execute("ATTACH ?1 AS newer", [like.to_str().unwrap()]).unwrap();
    let threads: &[&str] = match format {
        ..3 => &[],
        3..13 => &["thread", "said", "turn", "interrupt"],
        _ => &["thread", "said", "turn", "interrupt", "turn_log"],
    };
    for table in ["ask", "request", "change", "draft", "key", "rendering", "tombstone"].iter().chain(threads)
    {
        let columns: String = file
            .query_row("SELECT group_concat(name) FROM pragma_table_info(?1)", [table], |row| row.get(0))
            .unwrap();
        let copy = format!("INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}");
        file.execute_batch(&copy).unwrap();
    }
}

fn tables(path: &Path) -> Vec<String> {
    let file = open_raw(path);
    let mut all = file.prepare("SELECT name || sql FROM sqlite_master ORDER BY 1").unwrap();
    all.query_map([], |row| row.get(0)).unwrap().filter_map(Result::ok).collect()
}

#[test]
fn every_older_format_is_migrated() {
    let folder = TempDir::new().unwrap();
    let like = folder.path().join("like");
    let ask = open(&desk(&like), "the door");
    desk(&like).save(&person("ada"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let old_thread = desk(&like).new_thread("bob", None).unwrap().id;
    let old_turn = desk(&like).post_message(&old_thread, "Good morning.", None, None).unwrap();
    let holder = TurnHolder { secret: "s".to_owned(), worker: "w".to_owned(), lease_seconds: 60 };
    desk(&like).claim_turn(old_turn, &old_thread, "bot", holder, None, 1).unwrap();
    for insert in [
        "INSERT INTO interrupt (turn, ask) VALUES (?1, ?2)",
        "INSERT INTO turn_log (n, turn, kind, body) SELECT max(n) + 1, ?1, 'asked', ?2 FROM turn_log",
    ] {
        open_raw(&like).execute(insert, (old_turn, ask.id.as_bytes())).unwrap();
    }
    for format in 1..FORMAT {
        let path = folder.path().join(format!("of format {format}"));
        make_older(&path, format, &like);
        let place = {
            let desk = desk(&path);
            assert_eq!(desk.get(ask.id).unwrap(), ask, "{format}");
            assert_eq!(desk.draft(ask.id).unwrap().replies, [note("thick")].into(), "{format}");
            desk.watch(Interest::All, None).unwrap().cursor()
        };
        let again = desk(&path);
        assert_eq!(again.watch(Interest::All, None).unwrap().cursor(), place, "it is brought up once");
        answer(&again, &ask);
        assert_eq!(again.watch(Interest::All, Some(place)).unwrap().poll().unwrap().len(), 1);
        if format >= 3 {
            let news = again.turn_news(0).unwrap().news;
            let kinds: Vec<_> = news.into_iter().map(|news| (news.turn, news.kind)).collect();
            let expected = [TurnNewsKind::Posted, TurnNewsKind::Claimed, TurnNewsKind::Asked(ask.id)];
            assert_eq!(kinds, expected.map(|kind| (old_turn, kind)), "{format}: the turn goes on");
            let entries = vec![TurnEntry::Event(ThreadEventKind::ToolEnd("ls".to_owned()))];
            let progress = TurnProgress {
                turn: old_turn,
                thread: old_thread.clone(),
                entries,
                ..TurnProgress::default()
            };
            again.record_progress(progress).unwrap();
            let record = again.thread_record(&old_thread).unwrap();
            let message = record.messages.first().map(|message| message.content.as_str());
            assert_eq!((message, record.events.len()), (Some("Good morning."), 1), "{format}");
        }
        let thread = again.new_thread("ada", None).unwrap();
        let turn = again.post_message(&thread.id, "hello", Some("k"), None).unwrap();
        let keyed = again.find_message_by_key(&thread.id, "k").unwrap();
        assert_eq!(keyed, Some(KeyedMessage { turn, message: "hello".to_owned() }));
        assert_eq!(again.pending_turns().unwrap().last().map(|found| found.number), Some(turn));
        assert_eq!(tables(&path), tables(&like), "{format}");
    }
}
