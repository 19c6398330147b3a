//! Tests of the person that Codex's and Copilot's hooks need: on a page of a served desk, and at a desk on the network.

use super::event::{answer, call_event, decision, report_event, start_hook};
use crate::support::network_desk::NetworkDesk;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use sayso_desk::{AskQuery, Desk as _};
use serde_json::{Value, json};

fn bash() -> Value {
    call_event("PermissionRequest", "Bash", &json!({ "command": "touch x" }))
}

fn ask_count(world: &TestWorld) -> usize {
    world.desk().list(&AskQuery::default()).unwrap().rows.len()
}

#[test]
fn person_on_page_is_present() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let served = ServedDesk::start(&world);
    // Askers and admins are no persons.
    assert_eq!(served.asker(&world).get("/v1/me").status, 200);
    assert_eq!(served.admin(&world).get("/v1/asks").status, 200);
    report_event(&world, "codex", &bash());
    assert_eq!(ask_count(&world), 0);
    assert_eq!(served.person(&world).get("/v1/asks").status, 200);
    let hook = start_hook(&world, "codex", &bash());
    answer(&world, &json!({ "allow": true }));
    assert_eq!(decision(hook), json!({ "behavior": "allow" }));
}

#[test]
fn network_desk_knows_its_person() {
    let network = NetworkDesk::new();
    let agent = network.caller_world(&[("asker", "ci")]);
    report_event(&agent, "codex", &bash());
    assert_eq!(ask_count(&network.world), 0);
    let person = network.caller_world(&[("person", "ada")]);
    person.allow_scripted_answers();
    assert_eq!(person.sayso(["list"]).run().exit, 0);
    let hook = start_hook(&agent, "codex", &bash());
    let id = network.world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
    let answered = person.sayso(["answer", &id, "--answers", "{\"allow\":true}"]).run();
    assert_eq!(answered.exit, 0, "{answered:?}");
    assert_eq!(decision(hook), json!({ "behavior": "allow" }));
}
