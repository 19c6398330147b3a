//! Several processes at one desk file: mutual exclusion, wake-ups and sudden deaths.

use crate::asks::{answer_of, as_asker, asker, count_final_events, desk, new_ask, open, reply};
use crate::child::ChildDesk;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{AskCommand, AskId, Asker};
use sayso_desk::{Desk, Interest, OpenedAsk, Watch, WatchEvent};
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn one_process_wins_the_answer() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let here = desk(&path);
    let mut children: Vec<_> = (0..3).map(|_| ChildDesk::start(&path)).collect();
    for round in 0..10 {
        let ask = open(&here, &format!("ask {round}"));
        for (n, child) in children.iter_mut().enumerate() {
            child.order(&format!("submit {} p{n}", ask.id));
        }
        let replies: Vec<_> = children.iter_mut().map(|child| child.reply().unwrap()).collect();
        let winners: Vec<_> = (0..3).filter(|n| replies[*n] == "won").collect();
        let [winner] = winners[..] else { panic!("{replies:?}") };
        assert_eq!(replies.iter().filter(|reply| *reply == "ask_answered").count(), 2, "{replies:?}");
        let name = format!("p{winner}");
        assert_eq!(answer_of(&here.get(ask.id).unwrap()), Some((name.as_str(), &reply(&name).1)));
        assert_eq!(count_final_events(&here, ask.id), 1);
    }
}

#[test]
fn key_is_private_to_its_asker() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let here = desk(&path);
    let ask = open(&here, "door");
    assert_eq!(here.find_by_key(&asker(), "call:1").unwrap(), None);
    let attach = AskCommand::Attach { process: None };
    here.act(&as_asker(), ask.id, Some("call:1"), attach).unwrap();
    here.act(&as_asker(), ask.id, None, AskCommand::CANCEL).unwrap();
    let another = desk(&path);
    assert_eq!(another.find_by_key(&asker(), "call:1").unwrap(), Some(ask.id));
    let stranger = Asker { name: "stranger".to_owned(), ..asker() };
    assert_eq!(another.find_by_key(&stranger, "call:1").unwrap(), None);
}

/// Parses an acknowledgement of a child: a word, a number and an ask.
fn parse_acknowledgement(line: &str) -> (String, u64, AskId) {
    let words: Vec<_> = line.split(' ').collect();
    let [word, number, id] = words[..] else { panic!("{line}") };
    (word.to_owned(), number.parse().unwrap(), AskId::parse(id).unwrap())
}

#[test]
fn acknowledged_writes_survive_kill() {
    for (round, acknowledgements) in [1, 10, 41, 100].into_iter().enumerate() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let mut survivor = ChildDesk::start(&path);
        let mut child = ChildDesk::start(&path);
        child.order(&format!("write k{round}"));
        survivor.order("write s");
        let mut lines: Vec<_> = (0..acknowledgements).map(|_| child.reply().unwrap()).collect();
        child.kill();
        lines.extend(std::iter::from_fn(|| child.reply()));
        assert!(lines.len() >= acknowledgements);
        let mut next = Vec::new();
        while next.len() < 10 {
            let line = survivor.reply().unwrap();
            assert!(line.starts_with("asked ") || line.starts_with("saved "), "it cannot go on: {line}");
            next.push(line);
        }
        survivor.kill();

        let here = desk(&path);
        for line in lines.iter().chain(&next) {
            let (word, n, id) = parse_acknowledgement(line);
            let ask = here.get(id).unwrap();
            assert!(ask.request.questionnaire.display_name().contains(&format!(" {n} ")), "{ask:?}");
            if word == "saved" {
                let draft = here.draft(id).unwrap();
                assert_eq!(draft.replies, [reply(&format!("draft {n}"))].into(), "{line}");
            }
        }
        for line in lines.iter().filter(|line| line.starts_with("asked")) {
            let (_, n, id) = parse_acknowledgement(line);
            let key = format!("k{round} {n}");
            let opened = here.open(Some(&key), new_ask(&format!("{key} "))).unwrap();
            assert!(matches!(opened, OpenedAsk::Existing(ask) if ask.id == id), "the key finds it: {line}");
        }
    }
}

/// Waits until the bell is readable, for half a minute at most, without the safety check.
#[cfg(target_os = "linux")]
fn is_bell_readable(watch: &dyn Watch) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let bell = watch.wakeup_fd().unwrap();
    let limit = Timespec { tv_sec: 30, tv_nsec: 0 };
    poll(&mut [PollFd::new(&bell, PollFlags::IN)], Some(&limit)).unwrap() == 1
}

#[test]
#[cfg(target_os = "linux")]
fn bell_rings_for_other_processes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let here = desk(&path);
    assert!(here.has_wakeup());
    let mut child = ChildDesk::start(&path);
    for n in 0..20 {
        let ask = open(&here, &format!("ask {n}"));
        let mut watch = here.watch(Interest::All, None).unwrap();
        let (order, event) = match n % 2 {
            0 => ("see", AskEvent::Seen),
            _ => ("save", AskEvent::Drafted { rev: 1 }),
        };
        child.order(&format!("{order} {}", ask.id));
        assert!(is_bell_readable(&*watch), "{order}");
        let changes: Vec<_> = watch.poll().unwrap().into_iter().filter_map(WatchEvent::into_change).collect();
        assert!(changes.iter().map(|changed| (changed.id, &changed.events)).eq([(ask.id, &vec![event])]));
        child.reply().unwrap();
    }
}

#[test]
fn waiter_sleeps_until_other_process_commits() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let here = desk(&path);
    let asks: Vec<_> = (0..50).map(|n| open(&here, &format!("ask {n}"))).collect();
    let mut watch = here.watch(Interest::All, None).unwrap();
    let mut child = ChildDesk::start(&path);
    let (mut waits, mut event) = (0, Vec::new());
    for ask in &asks {
        child.order(&format!("see {}", ask.id));
        while event.last() != Some(&ask.id) {
            // One wait for each; a slow machine may need more.
            assert!(waits < 2 * asks.len(), "{waits} waits for {} changes", event.len());
            waits += 1;
            event.extend(
                watch
                    .wait(Duration::from_secs(30))
                    .unwrap()
                    .into_iter()
                    .filter_map(WatchEvent::into_change)
                    .map(|changed| changed.id),
            );
        }
        assert_eq!(child.reply().as_deref(), Some("seen"));
    }
    assert!(event.iter().eq(asks.iter().map(|ask| &ask.id)), "each once, in order");
}

#[test]
fn concurrent_processes_create_one_desk() {
    const PROCESSES: usize = 8;
    for round in 0..6 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("new folder").join("desk");
        let mut children: Vec<_> = (0..PROCESSES).map(|_| ChildDesk::start_gated(&path)).collect();
        children.iter_mut().for_each(|child| child.order("open"));
        let replies: Vec<_> = children.iter_mut().map(|child| child.reply().unwrap()).collect();
        assert_eq!(replies, ["ready"; PROCESSES], "round {round}");
        // All of them opened the same desk.
        let ask = open(&desk(&path), "door");
        for child in &mut children {
            assert_eq!(child.ask(&format!("see {}", ask.id)), "seen", "round {round}");
        }
    }
}
