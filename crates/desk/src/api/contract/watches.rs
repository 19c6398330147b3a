//! Watches: each reports every change once and in order, from any handle.

use super::*;
use crate::{ChangeCursor, Interest};

pub(super) fn other_handle_sees_changes_in_order(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let mut watch = other.watch(Interest::All, None).unwrap();
    let mut wanted = Vec::new();
    for n in 0..40 {
        let ask = open(&*desk, &format!("ask {n}"));
        act(&*desk, &as_person("ada"), &ask, AskCommand::MarkSeen).unwrap();
        let end = answer(&*desk, &ask);
        let opened = AskEvent::Opened { deadline: None, presence: ask.state.presence };
        let settled = AskEvent::Settled { outcome: end.outcome().unwrap().clone() };
        wanted.extend([opened, AskEvent::Seen, settled].map(|event| (ask.id, vec![event])));
    }
    assert_eq!(collect_changes(&mut *watch, wanted.len()), wanted);
    assert_eq!(watch.poll().unwrap(), [], "and each of them once");
}

pub(super) fn single_ask_can_be_watched(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let mut watch = other.watch(Interest::Ask(wall.id), None).unwrap();
    answer(&*desk, &door);
    act(&*desk, &as_person("ada"), &wall, AskCommand::MarkSeen).unwrap();
    assert_eq!(collect_changes(&mut *watch, 1), [(wall.id, vec![AskEvent::Seen])]);
}

pub(super) fn watch_begins_now(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let door = open(&*desk, "door");
    let mut watch = other.watch(Interest::All, None).unwrap();
    let mut later = other.watch(Interest::All, None).unwrap();
    assert_eq!(watch.poll().unwrap(), []);
    let ask = act(&*desk, &as_person("ada"), &door, AskCommand::MarkSeen).unwrap();
    assert_eq!(act(&*desk, &as_person("ada"), &door, AskCommand::MarkSeen).unwrap(), ask, "once is enough");
    act(&*desk, &as_asker(), &door, AskCommand::CANCEL).unwrap();
    for watch in [&mut watch, &mut later] {
        let changes = collect_changes(&mut **watch, 2);
        assert_eq!(changes.first(), Some(&(door.id, vec![AskEvent::Seen])));
        assert_eq!(changes.len(), 2, "what changes nothing is not heard of: {changes:?}");
    }
}

pub(super) fn draft_event_has_no_text(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let mut watch = other.watch(Interest::Ask(ask.id), None).unwrap();
    let saved = desk.save(&person("ada"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let drafted = AskEvent::Drafted { rev: saved.rev.0 };
    assert_eq!(collect_changes(&mut *watch, 1), [(ask.id, vec![drafted])]);
}

pub(super) fn repeated_key_changes_nothing(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let mut watch = other.watch(Interest::All, None).unwrap();
    let yes = || submit(&door, [pick("red")]);
    let first = desk.act(&as_person("ada"), door.id, Some("k"), yes()).unwrap();
    assert_eq!(desk.act(&as_person("ada"), door.id, Some("k"), yes()).unwrap(), first);
    assert_eq!(other.act(&as_person("ada"), door.id, Some("k"), yes()).unwrap(), first);
    let attach = || AskCommand::Attach { process: None };
    desk.act(&as_asker(), door.id, Some("k"), attach()).unwrap();
    let gone = act(&*desk, &as_asker(), &door, AskCommand::Detach).unwrap();
    let late = other.act(&as_asker(), door.id, Some("k"), attach()).unwrap();
    assert_eq!(late, gone, "a repetition that comes late attaches nobody");
    assert_eq!(desk.draft(door.id).unwrap(), crate::Draft::default(), "nobody lost anything");
    act(&*desk, &as_person("ada"), &wall, AskCommand::MarkSeen).unwrap();

    let changes = collect_changes(&mut *watch, 4);
    assert_eq!(changes.last(), Some(&(wall.id, vec![AskEvent::Seen])));
    assert_eq!(changes.len(), 4, "{changes:?}");
    assert_eq!(changes.iter().filter(|(id, _)| *id == door.id).count(), 3);
}

pub(super) fn watch_resumes_at_cursor(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let earlier = other.watch(Interest::All, None).unwrap();
    let place = ChangeCursor::parse(&earlier.cursor().to_string()).unwrap();
    drop(earlier);
    act(&*desk, &as_person("ada"), &ask, AskCommand::MarkSeen).unwrap();
    act(&*desk, &as_asker(), &ask, AskCommand::Attach { process: None }).unwrap();
    let mut later = bench.desk().watch(Interest::All, Some(place)).unwrap();
    let first = later.wait(Duration::from_secs(30)).unwrap().remove(0);
    let WatchEvent::Change(AskChange { cursor, .. }) = first else { panic!("{first:?}") };
    assert_eq!(events(first).1, [AskEvent::Seen]);
    let mut last = bench.desk().watch(Interest::All, Some(cursor)).unwrap();
    let (id, events) = collect_changes(&mut *last, 1).remove(0);
    assert_eq!(id, ask.id);
    assert!(matches!(events.as_slice(), [AskEvent::Presence { .. }]), "{events:?}");
}

pub(super) fn cursor_of_another_desk_is_gap(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let here = desk.watch(Interest::All, None).unwrap().cursor();
    let ahead = here.to_string() + "00";
    for place in ["0000000000000000-0", "00000000deadbeef-1", &ahead] {
        let mut watch = desk.watch(Interest::All, ChangeCursor::parse(place)).unwrap();
        assert_eq!(watch.wait(Duration::from_secs(30)).unwrap(), [WatchEvent::Gap], "{place}");
        act(&*desk, &as_asker(), &ask, AskCommand::Attach { process: None }).unwrap();
        assert_eq!(collect_changes(&mut *watch, 1).len(), 1, "and then it goes on");
        act(&*desk, &as_asker(), &ask, AskCommand::Detach).unwrap();
    }
    assert_eq!(ChangeCursor::parse("here"), None);
}
