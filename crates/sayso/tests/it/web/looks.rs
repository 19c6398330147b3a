//! Tests of the page's looks: small screens, both schemes and languages, and what axe-core finds.

use crate::support::served_desk::{ask_path, id_of};
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Keeps a picture of the page if `SAYSO_SHOTS` names a folder.
fn shoot(signed: &mut SignedInPage, name: &str) {
    if let Some(folder) = std::env::var_os("SAYSO_SHOTS") {
        let file = PathBuf::from(folder).join(format!("{name}.png"));
        signed.page.run_step("shot", json!({ "file": file.to_str().unwrap() }));
    }
}

fn example(name: &str) -> Value {
    let file = format!("{}/../../examples/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Sizes and schemes of the tests.
const SCREENS: [(&str, u32, u32, &str); 4] = [
    ("laptop-light", 1280, 800, "light"),
    ("laptop-dark", 1280, 800, "dark"),
    ("phone-light", 390, 844, "light"),
    ("phone-dark", 390, 844, "dark"),
];

fn check_screens(signed: &mut SignedInPage, name: &str) {
    for (screen, width, height, scheme) in SCREENS {
        signed.page.run_step("size", json!({ "width": width, "height": height }));
        signed.page.run_step("scheme", json!({ "scheme": scheme }));
        signed.page.assert_accessible();
        shoot(signed, &format!("{name}-{screen}"));
    }
    signed.page.run_step("size", json!({ "width": 320, "height": 640 }));
    signed.page.assert_accessible();
    signed.page.run_step("size", json!({ "width": 1280, "height": 800 }));
}

#[test]
fn every_screen_is_accessible() {
    let mut signed = SignedInPage::start();
    let deploy = signed.ask(&example("deploy"));
    let approve = signed.ask(&example("approve-command"));
    signed.ask(&example("onboard-service"));
    signed.ask(&example("rate-review"));
    signed.page.expect_text("Deploy plan for api-gateway");
    check_screens(&mut signed, "inbox");
    signed.page.go_to(&format!("/a/{}", id_of(&approve)));
    signed.page.expect_text("May I delete them?");
    check_screens(&mut signed, "approval");
    signed.page.go_to(&format!("/a/{}", id_of(&deploy)));
    signed.page.expect_text("Which environment should I target first?");
    check_screens(&mut signed, "questions");
    let replies = json!({ "env": { "state": "answered", "answer": { "picks": [{ "option": "staging" }] } } });
    let draft = json!({ "replies": replies });
    signed.person.request("PATCH", &ask_path(&deploy, "/draft")).json(&draft).send().json(200);
    signed.page.run_step("goto", json!({ "path": format!("/a/{}#review", id_of(&deploy)) }));
    signed.page.assert_no_errors();
}
