//! Events are recorded at their place, counted, checked, and deleted with their thread.

use crate::StoreDesk;
use crate::contract::{act, answer, as_person, open};
use crate::desk::Desk as _;
use crate::maintenance;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::tests::{count_rows, desk, far_future, open_raw};
use crate::thread::{ThreadEvent, ThreadEventKind, TurnEntry, TurnHolder, TurnProgress};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskCommand, ProblemCode};
use std::path::PathBuf;
use tempfile::TempDir;

/// Desk with a thread whose turn is pending.
struct ThreadFixture {
    _folder: TempDir,
    path: PathBuf,
    desk: StoreDesk,
    thread: String,
    turn: i64,
}

fn say(text: &str) -> TurnEntry {
    TurnEntry::Message(text.to_owned())
}

fn start(tool: &str) -> TurnEntry {
    TurnEntry::Event(ThreadEventKind::ToolStart(tool.to_owned()))
}

fn end(tool: &str) -> TurnEntry {
    TurnEntry::Event(ThreadEventKind::ToolEnd(tool.to_owned()))
}

fn ask_entry(ask: &Ask, tool: &str, opens_request: bool) -> TurnEntry {
    let (ask, tool) = (ask.id, tool.to_owned());
    TurnEntry::Event(ThreadEventKind::Ask { ask, is_approval: tool == "execute", tool, opens_request })
}

impl ThreadFixture {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        let thread = desk.new_thread("ada", None).unwrap().id;
        let turn = desk.post_message(&thread, "hello", None, None).unwrap();
        Self { _folder: folder, path, desk, thread, turn }
    }

    fn record(&self, entries: Vec<TurnEntry>) {
        let (turn, thread) = (self.turn, self.thread.clone());
        self.desk.record_progress(TurnProgress { turn, thread, entries, ..TurnProgress::default() }).unwrap();
    }

    fn count(&self) -> u32 {
        self.desk.message_count(&self.thread).unwrap()
    }

    fn decline(&self, ask: &Ask) {
        let no = AskCommand::Decline { reason: None, shown: ask.request.digest };
        act(&self.desk, &as_person("ada"), ask, no).unwrap();
    }
}

#[test]
fn events_keep_their_place() {
    let thread = ThreadFixture::new();
    let ask = open(&thread.desk, "door");
    thread.record(vec![start("ls"), end("ls"), say("one"), ask_entry(&ask, "execute", true)]);
    thread.record(vec![say("two"), end("rm")]);
    // An ask that is sent again is asked once.
    thread.record(vec![ask_entry(&ask, "execute", true)]);
    let record = desk(&thread.path).thread_record(&thread.thread).unwrap();
    let messages: Vec<_> = record.messages.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(messages, ["hello", "one", "two"]);
    let event = |after, entry: TurnEntry, state| match entry {
        TurnEntry::Event(kind) => ThreadEvent { after, kind, state },
        TurnEntry::Message(_) => unreachable!("not an event"),
    };
    let open = Some(AskStatus::Open);
    let events = [
        event(1, start("ls"), None),
        event(1, end("ls"), None),
        event(2, ask_entry(&ask, "execute", true), open),
        event(3, end("rm"), None),
    ];
    assert_eq!(record.events, events);
    answer(&thread.desk, &ask);
    let state =
        thread.desk.thread_record(&thread.thread).unwrap().events.get(2).and_then(|event| event.state);
    assert_eq!(state, Some(AskStatus::Answered));
}

#[test]
fn calls_and_results_are_counted() {
    let thread = ThreadFixture::new();
    assert_eq!(thread.count(), 1);
    // Two calls of one message, which only calls: it counts itself, and each result.
    let [one, two] = ["one", "two"].map(|title| open(&thread.desk, title));
    thread.record(vec![ask_entry(&one, "execute", true), ask_entry(&two, "ask_user", false)]);
    assert_eq!(thread.count(), 2);
    answer(&thread.desk, &one);
    assert_eq!(thread.count(), 3);
    thread.decline(&two);
    assert_eq!(thread.count(), 4);
    // The approved call runs: it was counted.
    thread.record(vec![start("execute"), end("execute"), say("Well.")]);
    assert_eq!(thread.count(), 5);
    // A call of the message "Well.", then one of a message of its own, and two at once.
    thread.record(vec![start("ls"), end("ls")]);
    assert_eq!(thread.count(), 6);
    thread.record(vec![start("ls"), end("ls")]);
    assert_eq!(thread.count(), 8);
    thread.record(vec![start("a"), start("b"), end("a"), end("b")]);
    assert_eq!(thread.count(), 11);
    // The next request is another message.
    let three = open(&thread.desk, "three");
    thread.record(vec![ask_entry(&three, "execute", true)]);
    assert_eq!(thread.count(), 12);
    thread.decline(&three);
    thread.record(vec![start("execute"), end("execute")]);
    assert_eq!(thread.count(), 15, "what was declined does not run: this is another call");
}

#[test]
fn damaged_event_is_reported() {
    for change in ["tool = 'rm'", "said = said + 1", "kind = 'tool_start'", "ask = zeroblob(16)", "opens = 1"]
    {
        let thread = ThreadFixture::new();
        thread.record(vec![end("ls")]);
        let other = thread.desk.new_thread("ada", None).unwrap().id;
        open_raw(&thread.path).execute_batch(&format!("UPDATE thread_event SET {change}")).unwrap();
        let problem = thread.desk.thread_record(&thread.thread).unwrap_err();
        assert_eq!(problem.code, ProblemCode::DeskDamaged, "{change}");
        assert!(problem.to_string().contains(&thread.thread), "{problem}");
        assert!(thread.desk.message_count(&thread.thread).is_err(), "{change}");
        assert!(thread.desk.thread_record(&other).unwrap().messages.is_empty());
        let found = maintenance::check(&thread.path, false, &|_, _| {}).unwrap();
        assert!(found.other.iter().any(|damage| damage.contains(&thread.thread)), "{change}: {found:?}");
        let copy = thread.path.with_extension("copy");
        assert!(maintenance::backup(&thread.path, &copy, &|_, _| {}).is_err(), "{change}");
    }
}

#[test]
fn backup_has_events() {
    let thread = ThreadFixture::new();
    thread.record(vec![end("ls")]);
    let copy = thread.path.with_extension("copy");
    maintenance::backup(&thread.path, &copy, &|_, _| {}).unwrap();
    let record = thread.desk.thread_record(&thread.thread).unwrap();
    assert_eq!(desk(&copy).thread_record(&thread.thread).unwrap(), record);
}

#[test]
fn events_go_with_their_thread() {
    let thread = ThreadFixture::new();
    let other = thread.desk.new_thread("ada", None).unwrap().id;
    let turn = thread.desk.post_message(&other, "hello", None, None).unwrap();
    let (entries, progress) = (vec![end("ls")], TurnProgress::default());
    thread
        .desk
        .record_progress(TurnProgress { turn, thread: other, entries, has_ended: true, ..progress })
        .unwrap();
    thread.record(vec![end("ls")]);
    thread.desk.delete_thread(&thread.thread).unwrap();
    assert_eq!(count_rows(&thread.path, "thread_event"), 1);
    SqliteStore::open(&thread.path).unwrap().purge(far_future(), far_future()).unwrap();
    assert_eq!(count_rows(&thread.path, "thread_event"), 0);
}

#[test]
fn purged_ask_leaves_its_state() {
    let thread = ThreadFixture::new();
    let ask = open(&thread.desk, "door");
    thread.record(vec![ask_entry(&ask, "execute", true)]);
    thread.decline(&ask);
    SqliteStore::open(&thread.path).unwrap().purge(far_future(), far_future()).unwrap();
    assert_eq!(thread.desk.get(ask.id).unwrap_err().code, ProblemCode::AskNotFound);
    let record = thread.desk.thread_record(&thread.thread).unwrap();
    assert_eq!(record.events.first().and_then(|event| event.state), Some(AskStatus::Declined));
    assert_eq!(thread.count(), 3);
}

#[test]
fn attempts_survive_reopening() {
    let thread = ThreadFixture::new();
    let claim = |attempts| {
        let [secret, worker] = ["s", "w"].map(str::to_owned);
        let holder = TurnHolder { secret, worker, lease_seconds: 7 };
        thread.desk.claim_turn(thread.turn, &thread.thread, "bot", holder, None, attempts).unwrap();
    };
    let stored = || {
        let turn = desk(&thread.path).pending_turns().unwrap().remove(0);
        (turn.attempts, turn.holder.map(|holder| holder.lease_seconds))
    };
    assert_eq!(stored(), (0, None));
    claim(3);
    assert_eq!(stored(), (3, Some(7)));
    // A question is progress, a text is none.
    thread.record(vec![say("Well.")]);
    assert_eq!(stored(), (3, Some(7)));
    thread.record(vec![ask_entry(&open(&thread.desk, "door"), "execute", true)]);
    assert_eq!(stored(), (1, Some(7)));
}
