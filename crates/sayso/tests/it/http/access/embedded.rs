//! Tests of answers from the element in a page that is not the desk's own.

use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::json;

#[test]
fn element_answers_without_consent() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nembedded_consent = [\"shop\"]\n");
    let served = ServedDesk::with(&world, &["--rate", "0", "--allow-origin", "https://shop.example"]);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "A");
    let mut body = answer_body(&ask, "yes");
    body["by"] = json!({ "surface": "element", "assurance": "token" });
    let answer_from = |origin: Option<&str>| {
        let ask = create_ask(&asker, origin.unwrap_or("B"));
        let mut body = answer_body(&ask, "yes");
        body["by"] = json!({ "surface": "inbox" });
        let request = person.request("POST", &ask_path(&ask, "/answer")).json(&body);
        let request = origin.into_iter().fold(request, |request, origin| request.header("origin", origin));
        let settled = request.send().json(200);
        let receipt = &settled["phase"]["settled"]["receipt"];
        [receipt["surface"].clone(), receipt["assurance"].clone()]
    };
    let settled = person.post(&ask_path(&ask, "/answer"), &body).json(200);
    let receipt = &settled["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["surface"], &receipt["assurance"]], ["element", "embedded"], "{settled}");
    // A browser states whose page it is, whatever the page says.
    assert_eq!(answer_from(Some("https://shop.example")), ["element", "embedded"]);
    assert_eq!(answer_from(Some(&format!("http://{}", served.address))), ["page", "token"]);
    assert_eq!(answer_from(None), ["inbox", "token"], "a program says where the person is");

    // An optional question changes nothing.
    let consent = json!({ "request": { "questions": [{ "id": "go", "kind": "confirm", "prompt": "Deploy?" },
        { "id": "why", "prompt": "Why?", "required": false }] } });
    let answer = |ask: &serde_json::Value| {
        let by = json!({ "surface": "element" });
        let body = json!({ "shown": ask["digest"], "answers": { "go": true }, "by": by });
        person.post(&ask_path(ask, "/answer"), &body)
    };
    let ask = asker.post("/v1/asks", &consent).json(201);
    let refused = answer(&ask).problem(403, "not_allowed");
    assert!(
        refused["hint"].as_str().unwrap().contains(&format!("/a/{}", ask["id"].as_str().unwrap())),
        "{refused}"
    );
    let decline = json!({ "shown": ask["digest"], "by": { "surface": "element" } });
    assert_eq!(person.post(&ask_path(&ask, "/decline"), &decline).status, 200, "a refusal is no consent");
    let shop = served.caller(&world, TokenRole::Asker, "shop").post("/v1/asks", &consent).json(201);
    assert_eq!(answer(&shop).status, 200);
}
