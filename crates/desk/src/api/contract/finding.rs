//! Lookup of asks by the few characters that people type.

use super::*;

pub(super) fn ask_is_found_by_id_prefix(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let (id, handle) = (ask.id.to_string(), ask.id.short_id());
    let beginnings = [id.as_str(), &id[..13], &id[..9], &id[..2], &handle, &handle[..4], &handle[..2]];
    for given in beginnings {
        assert_eq!(desk.find(given).unwrap(), ask.id, "{given}");
        assert_eq!(desk.find(&given.to_uppercase()).unwrap(), ask.id, "{given} in capitals");
    }
    assert_eq!(desk.find(&id.replace('-', "")).unwrap(), ask.id);
    answer(&*desk, &ask);
    assert_eq!(bench.desk().find(&handle).unwrap(), ask.id, "also when it has ended");
}

pub(super) fn pending_asks_win_ambiguous_lookups(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let (door, wall) = (open(&*desk, "door"), open(&*desk, "wall"));
    let (a, b) = (door.id.to_string(), wall.id.to_string());
    // Ids begin with the time, so these two share their first digits.
    let alike: String = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let ambiguous = || {
        let problem = desk.find(&alike).unwrap_err();
        assert_eq!(problem.code, ProblemCode::AmbiguousId);
        let text = problem.to_string();
        assert!(text.contains(&a) && text.contains(&b), "{text}");
    };
    ambiguous();
    assert_eq!(desk.find(&a).unwrap(), door.id, "a full id is never ambiguous");
    answer(&*desk, &door);
    assert_eq!(desk.find(&alike).unwrap(), wall.id);
    assert_eq!(desk.find(&a).unwrap(), door.id);
    answer(&*desk, &wall);
    ambiguous();
}

pub(super) fn random_id_is_found_by_prefix(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let asked = ["door", "wall", "roof"].map(|title| {
        let new = NewAsk { is_waiting: false, quota: None, random_id: true, ..new_ask(title) };
        desk.open(None, new).unwrap().ask().id
    });
    for id in asked {
        let text = id.to_string();
        assert_eq!(text.get(14..15), Some("4"), "{text} is of version 4");
        for short in [&text[..8], &id.short_id()] {
            assert_eq!(desk.find(short).unwrap(), id, "{short}");
        }
    }
    let again = NewAsk { is_waiting: false, quota: None, random_id: true, ..new_ask("door") };
    assert_eq!(
        desk.open(None, again).unwrap().ask().id,
        asked[0],
        "what was asked finds its ask all the same"
    );
}

pub(super) fn unmatched_text_is_not_found(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let id = ask.id.to_string();
    let last = if id.ends_with('0') { '1' } else { '0' };
    let almost = format!("{}{last}", &id[..35]);
    let much = "0".repeat(100_000);
    let unknown =
        ["", "-", "%", "_", "' OR 1=1 --", "zz", "door", "\u{0}", "字", "no ask", &id[1..], &almost, &much];
    for given in unknown {
        let problem = desk.find(given).unwrap_err();
        assert_eq!(problem.code, ProblemCode::AskNotFound, "{given:?}");
        assert!(problem.hint.is_some());
    }
}
