//! Tests of asks whose last account has gone: they go to the admins.

use super::walls::{asker_for, text_for};
use crate::support::served_desk::{ServedDesk, answer_ask, ask_path, id_of};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

#[test]
fn asks_of_the_gone_reach_admins() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "ci", &["ada", "bob"]);
    let (ada, _) = world.desk().new_token(TokenRole::Person, "ada", None).unwrap();
    let bob = served.caller(&world, TokenRole::Person, "bob");
    let admin = served.admin(&world);
    let ask = |title: &str, names: &[&str]| asker.post("/v1/asks", &text_for(title, names)).json(201);
    let (hers, later) = (ask("Hers", &["ada"]), ask("Later", &["ada"]));
    let both = ask("Of both", &["ada", "bob"]);
    admin.get(&ask_path(&hers, "")).problem(404, "ask_not_found");
    let mut live = admin.events();
    live.expect("hello");
    world.desk().revoke_token(&ada.id).unwrap();
    live.expect("gap");
    let listed = |page: Value| {
        let rows = page["asks"].as_array().unwrap().clone();
        rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed(admin.get("/v1/asks").json(200)), [hers["id"].clone(), later["id"].clone()]);
    admin.get(&ask_path(&both, "")).problem(404, "ask_not_found");
    bob.get(&ask_path(&hers, "")).problem(404, "ask_not_found");
    let receipt = answer_ask(&admin, &hers, "yes")["phase"]["settled"]["receipt"].clone();
    assert_eq!((&receipt["audience"], receipt.get("access")), (&json!({ "accounts": ["ada"] }), None));
    live.change_of(id_of(&hers));
    // An account with a valid token is there again. Another change of her ask may come before.
    let back = served.caller(&world, TokenRole::Person, "ada");
    while live.next().unwrap().name != "gap" {}
    admin.get(&ask_path(&later, "")).problem(404, "ask_not_found");
    assert_eq!(listed(back.get("/v1/asks").json(200)), [later["id"].clone(), both["id"].clone()]);
}
