//! Full disk: nothing is lost, nothing is half done, and a later repetition happens once.
#![cfg(unix)]

use crate::asks::{answer_of, as_person, count_final_events, desk, new_ask, open, reply, submit};
use crate::child::ChildDesk;
use sayso_core::AskId;
use sayso_desk::{AskQuery, Desk, OpenedAsk};
use std::collections::BTreeMap;
use tempfile::TempDir;

/// Reads the asks and the drafts that a child stored before its disk was full.
fn fill(child: &mut ChildDesk) -> (BTreeMap<u64, AskId>, BTreeMap<u64, AskId>) {
    let (mut asked, mut saved) = (BTreeMap::new(), BTreeMap::new());
    child.order("fill f");
    loop {
        let line = child.reply().unwrap();
        let words: Vec<_> = line.split(' ').collect();
        let [word @ ("asked" | "saved"), number, id] = words[..] else {
            assert!(line.starts_with("desk_full"), "{line}");
            return (asked, saved);
        };
        let (number, id) = (number.parse().unwrap(), AskId::parse(id).unwrap());
        match word {
            "asked" => asked.insert(number, id),
            _ => saved.insert(number, id),
        };
    }
}

#[test]
fn full_disk_keeps_data_and_retries() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let door = open(&desk(&path), "door");
    let mut child = ChildDesk::start_with_file_limit(&path, 1_000);
    let (asked, saved) = fill(&mut child);
    assert!(asked.len() > 5 && saved.len() + 1 >= asked.len(), "{asked:?} {saved:?}");

    // The remaining space is too small for an ask; now it is too small for a line as well.
    let save = format!("save {}", door.id);
    assert!((0..100).any(|_| child.ask(&save).starts_with("desk_full")), "the disk never gets full");

    let pending = asked.len() + 1;
    assert_eq!(child.ask("count"), pending.to_string(), "it can still be read");
    let (n, first) = saved.iter().next().unwrap();
    assert!(child.ask(&format!("draft {first}")).contains(&format!("draft {n}")));
    for _ in 0..3 {
        assert_eq!(child.ask(&format!("submit {} ada once", door.id)), "desk_full");
    }
    assert_eq!(child.ask("count"), pending.to_string(), "what failed left nothing behind");
    child.kill();

    // There is space again.
    let here = desk(&path);
    assert_eq!(here.list(&AskQuery::default()).unwrap().rows.len(), pending);
    for (n, id) in &asked {
        assert!(here.get(*id).unwrap().request.questionnaire.display_name().starts_with(&format!("f {n} ")));
    }
    for (n, id) in &saved {
        assert_eq!(here.draft(*id).unwrap().replies, [reply(&format!("draft {n}"))].into());
    }
    let answer = || here.act(&as_person("ada"), door.id, Some("once"), submit(&door, "ada")).unwrap();
    let first = answer();
    assert_eq!(answer(), first);
    assert_eq!(answer_of(&first), Some(("ada", &reply("ada").1)));
    assert_eq!(count_final_events(&here, door.id), 1);

    let next = u64::try_from(asked.len()).unwrap();
    let key = format!("f {next}");
    let again = || here.open(Some(&key), new_ask(&format!("{key} {}", "x".repeat(2_000)))).unwrap();
    assert!(matches!(again(), OpenedAsk::New(_)));
    assert!(matches!(again(), OpenedAsk::Existing(_)));
    assert_eq!(here.list(&AskQuery::default()).unwrap().rows.len(), pending);
}
