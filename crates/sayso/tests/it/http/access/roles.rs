//! Tests of each role on each route.

use super::role_callers::{AskStage, RoleCallers, finite_reply, operations, role_row};
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::served_desk::{answer_ask, answer_body, ask_path, id_of, new_token, text};
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

#[test]
fn routes_enforce_roles() {
    let cast = RoleCallers::new();
    for operation in operations(&cast.served) {
        let good = role_row(&operation.name).2;
        let may = |caller: &HttpCaller, expected: u16, who: &str| {
            let reply = cast.call(&operation, caller);
            assert_eq!(reply.status, expected, "{who}: {}: {}", operation.name, reply.text());
            if expected == 403 && operation.group == "threads" {
                assert_eq!(reply.json(403), json!({ "detail": "Askers cannot answer." }));
            } else if expected == 403 && operation.name != "ask_questions" {
                // That route's own spec defines its errors.
                reply.problem(403, "not_allowed");
            }
        };
        let (asker, person, admin) = match operation.group.as_str() {
            "open to all" | "all with a token" => (good, good, good),
            "askers" => (good, 403, good),
            "people" | "threads" => (403, good, good),
            "admins" => (403, 403, good),
            "services" => (403, 403, 403),
            other => panic!("{other} is new: say here who they are"),
        };
        may(&cast.asker, asker, "the asker");
        may(&cast.person, person, "a person");
        may(&cast.admin, admin, "an admin");
    }
}

#[test]
fn unknown_token_is_refused() {
    let cast = RoleCallers::new();
    let (_, key) = cast.ask(AskStage::Open);
    let revoked = new_token(&cast.world, TokenRole::Admin, "gone");
    let id = cast.world.desk().verify_token(&revoked).unwrap().unwrap().id;
    cast.world.desk().revoke_token(&id).unwrap();
    let moment = jiff::SignedDuration::from_millis(1);
    let expired = cast.world.desk().new_token(TokenRole::Admin, "late", Some(moment)).unwrap().1;
    let nobody = cast.served.without_token();
    for operation in operations(&cast.served) {
        let (ask, _) = cast.ask(AskStage::Open);
        let who =
            [nobody.clone(), cast.served.with_token(&revoked), cast.served.with_token(expired.reveal())];
        for caller in who {
            let reply = finite_reply(&cast.request(&operation, &caller, &ask, &key));
            if operation.group == "open to all" {
                assert_eq!(reply.status, role_row(&operation.name).2, "{}", operation.name);
            } else {
                assert!([401, 429].contains(&reply.status), "{}: {reply:?}", operation.name);
            }
            if reply.status == 401 {
                if operation.group == "threads" {
                    let detail = if caller.token.is_none() {
                        "Not authenticated"
                    } else {
                        "Could not validate credentials"
                    };
                    assert_eq!(reply.json(401), json!({ "detail": detail }));
                } else {
                    reply.problem(401, "unauthorized");
                }
                assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            }
        }
        assert_eq!(
            cast.asker.get(&ask_path(&ask, "")).json(200)["revision"],
            ask["revision"],
            "{}",
            operation.name
        );
    }
}

#[test]
fn asker_cannot_see_foreign_asks() {
    let cast = RoleCallers::new();
    let nowhere = json!({ "id": "01a2026d-d3cd-738f-a381-3f4907ef3314", "digest": "0".repeat(64) });
    for operation in operations(&cast.served) {
        if !operation.path.starts_with("/v1/asks/{id}") && operation.name != "watch_events" {
            continue;
        }
        let (ask, key) = cast.ask(role_row(&operation.name).0);
        let before = cast.asker.get(&ask_path(&ask, "")).json(200);
        let theirs = finite_reply(&cast.request(&operation, &cast.other, &ask, &key));
        let none = finite_reply(&cast.request(&operation, &cast.other, &nowhere, &key));
        // A foreign ask is indistinguishable from a missing one.
        let hide = |reply: &HttpReply, ask: &Value| (reply.status, reply.text().replace(id_of(ask), "ID"));
        assert_eq!(hide(&theirs, &ask), hide(&none, &nowhere), "{}", operation.name);
        if operation.group == "people" && theirs.status == 403 {
            theirs.problem(403, "not_allowed");
        } else {
            theirs.problem(404, "ask_not_found");
        }
        assert_eq!(cast.asker.get(&ask_path(&ask, "")).json(200), before, "{}", operation.name);
    }
    let (ask, key) = cast.ask(AskStage::Open);
    assert_eq!(cast.other.get("/v1/asks?state=open").json(200)["asks"], json!([]));
    cast.other.get(&format!("/v1/keys/{key}")).problem(404, "ask_not_found");
    // Not by a prefix of its id either, though that fits many.
    let few = &id_of(&ask)[..6];
    cast.other.get(&format!("/v1/asks/{few}")).problem(404, "ask_not_found");
    cast.person.get(&format!("/v1/asks/{few}")).problem(409, "ambiguous_id");
    assert!(cast.person.get("/v1/asks").json(200)["asks"].as_array().is_some_and(|asks| !asks.is_empty()));
}

#[test]
fn only_gateway_vouches_for_others() {
    let cast = RoleCallers::new();
    let (ask, _) = cast.ask(AskStage::Open);
    let mut body = answer_body(&ask, "yes");
    body["by"] = json!({ "name": "bob" });
    cast.person.post(&ask_path(&ask, "/answer"), &body).problem(403, "not_allowed");
    let mut from = text("For somebody else");
    from["from"] = json!({ "account": "other" });
    cast.asker.post("/v1/asks", &from).problem(403, "not_allowed");
    let asked = cast.admin.post("/v1/asks", &from).json(201);
    assert_eq!(cast.other.get(&ask_path(&asked, "")).json(200)["asker"]["account"], "other");
    cast.asker.get(&ask_path(&asked, "")).problem(404, "ask_not_found");

    // The receipt names the account, and no more than the token proves.
    body["by"] = json!({ "name": "bob", "surface": "dialog", "assurance": "terminal" });
    let done = cast.admin.post(&ask_path(&ask, "/answer"), &body).json(200);
    let receipt = done.pointer("/phase/settled/receipt").unwrap_or_else(|| panic!("{done}"));
    assert_eq!([&receipt["by"], &receipt["surface"]], ["bob", "dialog"], "{receipt}");
    assert_eq!(receipt["assurance"], "relayed");
    let (ask, _) = cast.ask(AskStage::Open);
    let done = answer_ask(&cast.person, &ask, "yes");
    let receipt = done.pointer("/phase/settled/receipt").unwrap();
    assert_eq!([&receipt["by"], &receipt["assurance"]], ["ada", "token"]);

    // Nor does one in a role that is not the route's.
    let (ask, _) = cast.ask(AskStage::Open);
    let as_asker = cast.admin.request("POST", &ask_path(&ask, "/answer")).json(&answer_body(&ask, "yes"));
    as_asker.clone().header("sayso-role", "asker").send().problem(403, "not_allowed");
    as_asker.header("sayso-role", "boss").send().problem(400, "bad_header");
    let ack = cast.admin.request("POST", &ask_path(&ask, "/cancel")).header("sayso-role", "person");
    ack.send().problem(403, "not_allowed");
    let claimed = cast.person.request("POST", &ask_path(&ask, "/cancel")).header("sayso-role", "asker");
    claimed.send().problem(403, "not_allowed");
}
