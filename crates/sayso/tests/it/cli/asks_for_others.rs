//! Tests of commands at a desk's file that has asks for several persons: lists show those for the person at it.

use crate::inbox::person::open_inbox_by;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use sayso_desk::GroupChange;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

/// Titles of the asks of [`desk_of_many`], each named after whom it is for.
const FOR_ADA: [&str; 4] = ["everyone", "members", "ada", "ada or ops"];
const FOR_OTHERS: [&str; 2] = ["bob", "ops"];

/// Returns the desk of ada with asks for her and for others, and the ids of the others.
fn desk_of_many() -> (TestWorld, Vec<String>) {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let join = GroupChange { group: "ops".to_owned(), account: "bob".to_owned(), joins: true };
    assert!(world.desk().change_group(join).unwrap());
    let ask = |title: &str| world.leave_ask(&text(title), &["--for", &title.replace(" or ", ",")]);
    let others = FOR_OTHERS.map(ask);
    world.leave_ask(&text(FOR_ADA[0]), &[]);
    FOR_ADA[1..].iter().for_each(|title| drop(ask(title)));
    (world, others.to_vec())
}

fn titles(page: &Value) -> Vec<&str> {
    page["asks"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap()).collect()
}

#[test]
fn list_shows_asks_for_you() {
    let (world, _) = desk_of_many();
    let listed = world.sayso(["list"]).run();
    assert_eq!(listed.stderr, "2 more are for others; to list them too: --all\n");
    assert_eq!(listed.stdout.lines().count(), FOR_ADA.len(), "{listed:?}");
    let page = world.json(&["list", "--json"]);
    assert_eq!((titles(&page), &page["for_others"]), (FOR_ADA.to_vec(), &json!(2)));
    assert_eq!(titles(&world.json(&["list", "--json", "--limit", "1"])), ["everyone"]);
    assert_eq!(titles(&world.json(&["list", "--json", "--search", "ops"])), ["ada or ops"]);
    let overview = world.sayso(["inbox", "--plain"]).run();
    assert_eq!(overview.stdout, listed.stdout);
    assert!(overview.stderr.starts_with(&listed.stderr), "{overview:?}");
    let bob = world.sayso(["list"]).env("USER", "bob").run();
    assert_eq!(bob.stderr, "1 more is for others; to list it too: --all\n", "{bob:?}");
}

#[test]
fn all_marks_asks_for_others() {
    let (world, others) = desk_of_many();
    let listed = world.sayso(["list", "--all"]).run();
    assert_eq!((listed.exit, listed.stderr.as_str()), (0, ""));
    let marked: Vec<_> = listed.stdout.lines().filter(|line| line.contains(", not for you")).collect();
    assert_eq!(listed.stdout.lines().count(), 6, "{listed:?}");
    assert!(marked.len() == 2 && marked[0].contains("for bob, not for you · "), "{marked:?}");
    let page = world.json(&["list", "--all", "--json"]);
    let marked = page["asks"].as_array().unwrap().iter().filter(|row| row["for_others"] == true);
    assert_eq!(marked.map(|row| row["title"].as_str().unwrap()).collect::<Vec<_>>(), FOR_OTHERS);
    let shown = world.sayso(["show", &others[1]]).run();
    assert!(shown.stdout.contains("\nfor ops, not for you\n"), "{shown:?}");
}

#[test]
fn answer_passes_asks_for_others() {
    let (world, others) = desk_of_many();
    let declined = world.sayso(["answer", "--decline"]).run();
    assert_eq!(declined.exit, 3, "{declined:?}");
    assert_eq!(titles(&world.json(&["list", "--state", "declined", "--json"])), ["everyone"]);
    // Whoever opens the file may answer it all the same, and the receipt says how.
    let answered = world.sayso(["answer", &others[0], "--answers", r#"{"answers":{"text":"yes"}}"#]).run();
    assert_eq!(answered.exit, 0, "{answered:?}");
    let shown = world.show(&others[0]);
    assert_eq!(shown["phase"]["settled"]["receipt"]["access"], "desk_file", "{shown}");
}

#[test]
fn inbox_leaves_others_out() {
    let (world, _) = desk_of_many();
    let mut inbox = open_inbox_by(&world.sayso(["inbox"]));
    inbox.expect_text("4 waiting");
    inbox.expect_text("2 for others");
    inbox.type_bytes("q");
    let mut inbox = open_inbox_by(&world.sayso(["inbox", "--all"]));
    inbox.expect_text("6 waiting");
    inbox.expect_text("for bob · bob");
    inbox.type_bytes("q");
}

#[test]
fn user_of_service_has_one_name() {
    let world = TestWorld::new();
    world.desk().new_token(TokenRole::Service, "shop", None).unwrap();
    for spelling in ["shop/a@b", "shop/a%40b"] {
        let id = world.leave_ask(&text(spelling), &["--for", spelling]);
        assert_eq!(world.show(&id)["audience"], json!({ "accounts": ["shop/a%40b"] }), "{spelling}");
    }
    let refused = world.sayso(["ask", "--no-wait", &text("x"), "--for", "shop/100%"]).run();
    assert!(refused.exit == 1 && refused.stdout.is_empty(), "{refused:?}");
    let id = world.leave_ask(&text("x"), &["--for", "mill/a@b"]);
    assert_eq!(world.show(&id)["audience"], json!({ "accounts": ["mill/a@b"] }), "no such service");
}
