//! Watching: every change is heard, once and in order, by whoever watches from wherever.

use super::*;
use crate::Interest;

pub(super) fn another_handle_hears_every_change_in_order(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let mut watch = other.watch(Interest::All).unwrap();
    let mut wanted = Vec::new();
    for n in 0..40 {
        let ask = open(&*desk, &format!("ask {n}"));
        act(&*desk, &as_person("ada"), &ask, Command::See).unwrap();
        let end = answer(&*desk, &ask);
        let opened = Event::Opened { deadline: None, presence: ask.state.presence };
        let settled = Event::Settled { outcome: end.outcome().unwrap().clone() };
        wanted
            .extend([opened, Event::Seen, settled].map(|event| Changed { id: ask.id, events: vec![event] }));
    }
    assert_eq!(hear(&mut *watch, wanted.len()), wanted);
    assert_eq!(watch.poll().unwrap(), [], "and each of them once");
}

pub(super) fn one_ask_can_be_watched_by_itself(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let mut watch = other.watch(Interest::Ask(wall.id)).unwrap();
    answer(&*desk, &door);
    act(&*desk, &as_person("ada"), &wall, Command::See).unwrap();
    assert_eq!(hear(&mut *watch, 1), [Changed { id: wall.id, events: vec![Event::Seen] }]);
}

pub(super) fn a_watch_begins_now(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let door = open(&*desk, "door");
    let mut watch = other.watch(Interest::All).unwrap();
    let mut later = other.watch(Interest::All).unwrap();
    assert_eq!(watch.poll().unwrap(), []);
    let ask = act(&*desk, &as_person("ada"), &door, Command::See).unwrap();
    assert_eq!(act(&*desk, &as_person("ada"), &door, Command::See).unwrap(), ask, "once is enough");
    act(&*desk, &as_asker(), &door, Command::Cancel).unwrap();
    for watch in [&mut watch, &mut later] {
        let heard = hear(&mut **watch, 2);
        assert_eq!(heard.first(), Some(&Changed { id: door.id, events: vec![Event::Seen] }));
        assert_eq!(heard.len(), 2, "what changes nothing is not heard of: {heard:?}");
    }
}

pub(super) fn a_draft_is_heard_of_without_its_text(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let mut watch = other.watch(Interest::Ask(ask.id)).unwrap();
    let saved = desk.save(&person("ada"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let drafted = Event::Drafted { rev: saved.rev.0 };
    assert_eq!(hear(&mut *watch, 1), [Changed { id: ask.id, events: vec![drafted] }]);
}

pub(super) fn a_repetition_with_the_same_key_changes_nothing(bench: &dyn Bench) {
    let (desk, other) = (bench.desk(), bench.desk());
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let mut watch = other.watch(Interest::All).unwrap();
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
    assert_eq!(heard.last(), Some(&Changed { id: wall.id, events: vec![Event::Seen] }));
    assert_eq!(heard.len(), 4, "{heard:?}");
    assert_eq!(heard.iter().filter(|changed| changed.id == door.id).count(), 3);
}
