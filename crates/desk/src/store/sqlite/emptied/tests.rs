use super::super::SqliteStore;
use super::super::tests::{count, desk, later, search, titles};
use crate::contract::{act, as_asker, asker, new_ask, note, open, person};
use crate::desk::{Desk as _, Opened};
use crate::draft::DraftRev;
use sayso_core::row::Standing;
use sayso_core::{Command, Outcome, Who};
use tempfile::TempDir;

#[test]
fn pruned_ask_is_found_by_key() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let ask = desk.open(Some("deploy"), new_ask("the door")).unwrap().into_ask();
    let cancelled = act(&desk, &as_asker(), &ask, Command::Cancel).unwrap();
    assert_eq!(titles(&desk, &search("door")), ["the door"]);
    let store = SqliteStore::open(&path).unwrap();
    store.empty_cancelled(ask.request.created_at).unwrap();
    assert_eq!(desk.get(ask.id).unwrap(), cancelled, "it was cancelled after that");
    store.empty_cancelled(later()).unwrap();

    let desk = super::super::tests::desk(&path);
    let emptied = desk.get(ask.id).unwrap();
    assert!(emptied.request.questionnaire.questions.is_empty());
    assert_eq!(
        (emptied.request.questionnaire.name(), &emptied.state, emptied.request.digest),
        ("the door", &cancelled.state, ask.request.digest)
    );
    let Opened::Same(again) = desk.open(Some("deploy"), new_ask("the door")).unwrap() else {
        panic!("the key is used")
    };
    assert_eq!(again.id, ask.id);
    assert!(matches!(again.outcome(), Some(Outcome::Cancelled { .. })));
    let bytes = desk.offer(&asker(), &again, "form", &|_| b"cancelled".to_vec()).unwrap();
    assert_eq!(bytes, b"cancelled");
    assert_eq!(Standing::of(&emptied.state.phase), Standing::Cancelled);
    assert_eq!(count(&path, "ask"), 1);
}

#[test]
fn seen_asks_keep_their_questions() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let [seen, typed, open] = ["seen", "typed", "open"].map(|title| open(&desk, title));
    act(&desk, &Who::Person(person("ada")), &seen, Command::See).unwrap();
    desk.save(&person("ada"), typed.id, DraftRev(0), vec![note("thick")]).unwrap();
    for ask in [&seen, &typed] {
        act(&desk, &as_asker(), ask, Command::Cancel).unwrap();
    }
    SqliteStore::open(&path).unwrap().empty_cancelled(later()).unwrap();
    for ask in [seen, typed, open] {
        assert_eq!(desk.get(ask.id).unwrap().request, ask.request);
    }
}
