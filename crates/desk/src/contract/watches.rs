//! Watches: each reports every change once and in order, from any handle.

use super::*;
use crate::{Cursor, Interest};

pub(super) fn other_handle_sees_changes_in_order(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let mut watch = other.watch(Interest::All, None).unwrap();
    let mut wanted = Vec::new();
    for n in 0..40 {
        let ask = open(&*desk, &format!("ask {n}"));
        act(&*desk, &as_person("ada"), &ask, Command::See).unwrap();
        let end = answer(&*desk, &ask);
        let opened = Event::Opened { deadline: None, presence: ask.state.presence };
        let settled = Event::Settled { outcome: end.outcome().unwrap().clone() };
        wanted.extend([opened, Event::Seen, settled].map(|event| (ask.id, vec![event])));
    }
    assert_eq!(hear(&mut *watch, wanted.len()), wanted);
    assert_eq!(watch.poll().unwrap(), [], "and each of them once");
}

pub(super) fn single_ask_can_be_watched(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let mut watch = other.watch(Interest::Ask(wall.id), None).unwrap();
    answer(&*desk, &door);
    act(&*desk, &as_person("ada"), &wall, Command::See).unwrap();
    assert_eq!(hear(&mut *watch, 1), [(wall.id, vec![Event::Seen])]);
}

pub(super) fn watch_begins_now(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let door = open(&*desk, "door");
    let mut watch = other.watch(Interest::All, None).unwrap();
    let mut later = other.watch(Interest::All, None).unwrap();
    assert_eq!(watch.poll().unwrap(), []);
    let ask = act(&*desk, &as_person("ada"), &door, Command::See).unwrap();
    assert_eq!(act(&*desk, &as_person("ada"), &door, Command::See).unwrap(), ask, "once is enough");
    act(&*desk, &as_asker(), &door, Command::Cancel).unwrap();
    for watch in [&mut watch, &mut later] {
        let heard = hear(&mut **watch, 2);
        assert_eq!(heard.first(), Some(&(door.id, vec![Event::Seen])));
        assert_eq!(heard.len(), 2, "what changes nothing is not heard of: {heard:?}");
    }
}

pub(super) fn draft_event_has_no_text(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let mut watch = other.watch(Interest::Ask(ask.id), None).unwrap();
    let saved = desk.save(&person("ada"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let drafted = Event::Drafted { rev: saved.rev.0 };
    assert_eq!(hear(&mut *watch, 1), [(ask.id, vec![drafted])]);
}

pub(super) fn repeated_key_changes_nothing(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let mut watch = other.watch(Interest::All, None).unwrap();
    let yes = || submit(&door, [pick("red")]);
    let first = desk.act(&as_person("ada"), door.id, Some("k"), yes()).unwrap();
    assert_eq!(desk.act(&as_person("ada"), door.id, Some("k"), yes()).unwrap(), first);
    assert_eq!(other.act(&as_person("ada"), door.id, Some("k"), yes()).unwrap(), first);
    let attach = || Command::Attach { process: None };
    desk.act(&as_asker(), door.id, Some("k"), attach()).unwrap();
    let gone = act(&*desk, &as_asker(), &door, Command::Detach).unwrap();
    let late = other.act(&as_asker(), door.id, Some("k"), attach()).unwrap();
    assert_eq!(late, gone, "a repetition that comes late attaches nobody");
    assert_eq!(desk.draft(door.id).unwrap(), crate::Draft::default(), "nobody lost anything");
    act(&*desk, &as_person("ada"), &wall, Command::See).unwrap();

    let heard = hear(&mut *watch, 4);
    assert_eq!(heard.last(), Some(&(wall.id, vec![Event::Seen])));
    assert_eq!(heard.len(), 4, "{heard:?}");
    assert_eq!(heard.iter().filter(|(id, _)| *id == door.id).count(), 3);
}

pub(super) fn watch_resumes_at_cursor(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let earlier = other.watch(Interest::All, None).unwrap();
    let place = Cursor::parse(&earlier.cursor().to_string()).unwrap();
    drop(earlier);
    act(&*desk, &as_person("ada"), &ask, Command::See).unwrap();
    act(&*desk, &as_asker(), &ask, Command::Attach { process: None }).unwrap();
    let mut later = bench.desk().watch(Interest::All, Some(place)).unwrap();
    let first = later.wait(Duration::from_secs(30)).unwrap().remove(0);
    let Heard::Changed(Changed { cursor, .. }) = first else { panic!("{first:?}") };
    assert_eq!(events(first).1, [Event::Seen]);
    let mut last = bench.desk().watch(Interest::All, Some(cursor)).unwrap();
    let (id, events) = hear(&mut *last, 1).remove(0);
    assert_eq!(id, ask.id);
    assert!(matches!(events.as_slice(), [Event::Presence { .. }]), "{events:?}");
}

pub(super) fn cursor_of_another_desk_is_gap(bench: &dyn Bench) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let here = desk.watch(Interest::All, None).unwrap().cursor();
    let ahead = here.to_string() + "00";
    for place in ["0000000000000000-0", "00000000deadbeef-1", &ahead] {
        let mut watch = desk.watch(Interest::All, Cursor::parse(place)).unwrap();
        assert_eq!(watch.wait(Duration::from_secs(30)).unwrap(), [Heard::Gap], "{place}");
        act(&*desk, &as_asker(), &ask, Command::Attach { process: None }).unwrap();
        assert_eq!(hear(&mut *watch, 1).len(), 1, "and then it goes on");
        act(&*desk, &as_asker(), &ask, Command::Detach).unwrap();
    }
    assert_eq!(Cursor::parse("here"), None);
}
