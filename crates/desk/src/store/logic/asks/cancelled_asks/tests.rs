use crate::contract::{act, as_asker, asker, new_ask, note, open, person};
use crate::desk::{Desk as _, OpenedAsk};
use crate::draft::DraftRev;
use crate::store::api::StoreUpkeep as _;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::tests::{count_rows, desk, far_future, search, titles};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, AskCommand, Outcome};
use tempfile::TempDir;

#[test]
fn pruned_ask_is_found_by_key() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let ask = desk.open(Some("deploy"), new_ask("the door")).unwrap().into_ask();
    let cancelled = act(&desk, &as_asker(), &ask, AskCommand::CANCEL).unwrap();
    assert_eq!(titles(&desk, &search("door")), ["the door"]);
    let store = SqliteStore::open(&path).unwrap();
    store.prune_cancelled(ask.request.created_at).unwrap();
    assert_eq!(desk.get(ask.id).unwrap(), cancelled, "it was cancelled after that");
    store.prune_cancelled(far_future()).unwrap();

    let desk = crate::store::sqlite::tests::desk(&path);
    let emptied = desk.get(ask.id).unwrap();
    assert!(emptied.request.questionnaire.questions.is_empty());
    assert_eq!(
        (emptied.request.questionnaire.display_name(), &emptied.state, emptied.request.digest),
        ("the door", &cancelled.state, ask.request.digest)
    );
    let OpenedAsk::Existing(again) = desk.open(Some("deploy"), new_ask("the door")).unwrap() else {
        panic!("the key is used")
    };
    assert_eq!(again.id, ask.id);
    assert!(matches!(again.outcome(), Some(Outcome::Cancelled { .. })));
    let bytes = desk.offer(&asker(), &again, "form", &|_| b"cancelled".to_vec()).unwrap();
    assert_eq!(bytes, b"cancelled");
    assert_eq!(AskStatus::from_phase(&emptied.state.phase), AskStatus::Cancelled);
    assert_eq!(count_rows(&path, "ask"), 1);
}

#[test]
fn seen_asks_keep_their_questions() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let [seen, typed, open] = ["seen", "typed", "open"].map(|title| open(&desk, title));
    act(&desk, &Actor::Person(person("ada")), &seen, AskCommand::MarkSeen).unwrap();
    desk.save(&person("ada"), typed.id, DraftRev(0), vec![note("thick")]).unwrap();
    for ask in [&seen, &typed] {
        act(&desk, &as_asker(), ask, AskCommand::CANCEL).unwrap();
    }
    SqliteStore::open(&path).unwrap().prune_cancelled(far_future()).unwrap();
    for ask in [seen, typed, open] {
        assert_eq!(desk.get(ask.id).unwrap().request, ask.request);
    }
}
