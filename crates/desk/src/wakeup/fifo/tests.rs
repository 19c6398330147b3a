//! FIFOs of waiters that come, go and die.

use super::*;
use sayso_core::AskId;
use std::os::unix::fs::PermissionsExt as _;
use tempfile::TempDir;

fn ask(number: u128) -> AskId {
    AskId::new(uuid::Uuid::from_u128(number))
}

fn new_wakeup() -> (TempDir, FifoWakeup) {
    let folder = TempDir::new().unwrap();
    let wakeup = FifoWakeup::new(&folder.path().join("desk"));
    (folder, wakeup)
}

fn listen(wakeup: &FifoWakeup, interest: &Interest) -> FifoListener {
    wakeup.register(interest).unwrap()
}

fn is_woken(listener: &FifoListener) -> bool {
    let woken = poll(&mut [PollFd::new(&listener.fifo, PollFlags::IN)], Some(&Timespec::default()));
    listener.drain();
    woken.unwrap() > 0
}

/// Counts the files in all folders of the desk.
fn count_files(wakeup: &FifoWakeup) -> usize {
    let root = open_root(&wakeup.root).unwrap();
    names_in(&root).len()
}

/// Leaves what a killed process leaves: a FIFO without its reader.
fn leave_dead_fifo(wakeup: &FifoWakeup, number: u128) {
    let root = open_root(&wakeup.root).unwrap();
    drop(register_in(&root, &ask(number).to_string()).unwrap());
}

#[test]
fn only_waiters_for_changed_asks_wake() {
    let (_folder, wakeup) = new_wakeup();
    let [first, again, second] = [ask(1), ask(1), ask(2)].map(|id| listen(&wakeup, &Interest::Ask(id)));
    let every = listen(&wakeup, &Interest::All);
    let all = [&first, &again, &second, &every];
    wakeup.wake(&WakeScope::Asks(vec![ask(1)]));
    assert_eq!(all.map(is_woken), [true, true, false, true]);
    wakeup.wake(&WakeScope::Asks(Vec::new()));
    assert_eq!(all.map(is_woken), [false, false, false, true]);
    wakeup.wake(&WakeScope::Everyone);
    assert_eq!(all.map(is_woken), [true; 4]);
    assert_eq!(all.map(is_woken), [false; 4]);
}

#[test]
fn leaving_removes_the_fifo() {
    let (_folder, wakeup) = new_wakeup();
    let first = listen(&wakeup, &Interest::Ask(ask(1)));
    let second = listen(&wakeup, &Interest::Ask(ask(1)));
    drop(first);
    assert_eq!(count_files(&wakeup), 1);
    wakeup.wake(&WakeScope::Asks(vec![ask(1)]));
    assert!(is_woken(&second));
    drop(second);
    assert_eq!(count_files(&wakeup), 0);
}

#[test]
fn fifo_of_killed_waiter_is_removed() {
    let (_folder, wakeup) = new_wakeup();
    let live = listen(&wakeup, &Interest::All);
    leave_dead_fifo(&wakeup, 1);
    wakeup.wake(&WakeScope::Asks(vec![ask(1)]));
    assert_eq!(count_files(&wakeup), 1, "by whoever commits");
    (0..300).for_each(|number| leave_dead_fifo(&wakeup, number));
    assert_eq!(count_files(&wakeup), 301);
    assert_eq!(live.check_interval(), Duration::from_secs(1));
    // A process that another test starts has the readers for a moment.
    let are_removed = (0..10_000).any(|_| live.check_interval().is_zero() || count_files(&wakeup) == 1);
    assert!(are_removed, "by the safety check");
}

#[test]
fn safety_check_counts_waiters() {
    let (_folder, wakeup) = new_wakeup();
    let mut waiters: Vec<_> = (0..300).map(|number| listen(&wakeup, &Interest::Ask(ask(number)))).collect();
    waiters.extend((0..100).map(|_| listen(&wakeup, &Interest::All)));
    assert_eq!(waiters.pop().unwrap().check_interval(), Duration::from_millis(4_000));
    waiters.extend((0..100).map(|_| listen(&wakeup, &Interest::Ask(ask(7)))));
    assert_eq!(waiters.pop().unwrap().check_interval(), Duration::from_millis(4_990));
}

#[test]
fn unnamed_fifo_is_kept() {
    let (_folder, wakeup) = new_wakeup();
    let live = listen(&wakeup, &Interest::All);
    let folder = wakeup.root.join(ask(1).to_string());
    std::fs::create_dir(&folder).unwrap();
    let [fresh, stale] = ["new.1", "new.2"].map(|name| folder.join(name));
    for path in [&fresh, &stale] {
        mkfifoat(rustix::fs::CWD, path, Mode::RUSR | Mode::WUSR).unwrap();
    }
    let long_ago = Timespec { tv_sec: 1_000, tv_nsec: 0 };
    let times = rustix::fs::Timestamps { last_access: long_ago, last_modification: long_ago };
    rustix::fs::utimensat(rustix::fs::CWD, &stale, &times, AtFlags::empty()).unwrap();
    wakeup.wake(&WakeScope::Everyone);
    assert!(fresh.exists() && stale.exists());
    live.check_interval();
    assert!(fresh.exists() && !stale.exists());
}

#[test]
fn waiters_come_and_go_at_once() {
    let (_folder, wakeup) = new_wakeup();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let listener = listen(&wakeup, &Interest::Ask(ask(1)));
                    wakeup.wake(&WakeScope::Asks(vec![ask(1)]));
                    assert!(is_woken(&listener));
                }
            });
        }
        scope.spawn(|| {
            let every = listen(&wakeup, &Interest::All);
            for _ in 0..200 {
                every.check_interval();
            }
        });
    });
    assert_eq!(count_files(&wakeup), 0);
}

#[test]
fn fifos_are_their_owners_alone() {
    let (folder, wakeup) = new_wakeup();
    let listener = listen(&wakeup, &Interest::Ask(ask(1)));
    let own = wakeup.root.join(&listener.own);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!([&wakeup.root, &own, &own.join(&listener.name)].map(|path| mode(path)), [0o700, 0o700, 0o600]);
    let linked = FifoWakeup::new(&folder.path().join("linked"));
    std::os::unix::fs::symlink(&wakeup.root, &linked.root).unwrap();
    assert!(linked.register(&Interest::All).is_err(), "a link may lead anywhere");
}
