//! schemathesis holds what the server does against what its document says, with random requests, one building upon
//! another. How many is said by `SAYSO_CASES`.

use crate::python::python;
use crate::served::{Served, answered, asked, text};
use crate::world::World;
use serde_json::{Value, json};
use std::time::Duration;

/// What must hold for each reply. Not among them: `ignored_auth` and `missing_required_header`, which do not expect that
/// whoever tries tokens is slowed down (`serve_roles` has that for every route), and `positive_data_acceptance`, for what
/// fits a schema may still be no questionnaire.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,negative_data_rejection,\
                      unsupported_method,allow_header_conformance,use_after_free,ensure_resource_availability";

/// Asks in each state, as the hooks want them.
fn asks(world: &World, served: &Served) -> Value {
    let (asker, person) = (served.asker(world), served.person(world));
    let open = (0..60).map(|count| asked(&asker, &format!("Open {count}")));
    let mut asks: Vec<_> = open.collect();
    for count in 0..10 {
        let mut body = text(&format!("Judged {count}"));
        body["judged"] = true.into();
        asks.push(asker.post("/v1/asks", &body).json(201));
    }
    for ask in &asks[55..65] {
        answered(&person, ask, "yes");
    }
    asks.iter().map(|ask| json!({ "id": ask["id"], "digest": ask["digest"] })).collect()
}

#[test]
fn the_server_does_what_its_document_says() {
    let world = World::new();
    let served = Served::start(&world);
    let token = served.admin(&world).token.unwrap();
    world.write("work/schemathesis.toml", "headers = { Authorization = \"Bearer ${TOKEN}\" }\n");
    let said = |name: &str| std::env::var_os(name).map(|value| value.into_string().unwrap());
    let cases: usize = said("SAYSO_CASES").map_or(2_000, |cases| cases.parse().unwrap());
    // Some 900 cover the document. Of what is random, about two dozen operations have so many each.
    let most = (cases.saturating_sub(900) / 24).max(1).to_string();
    let place = format!("http://{}/openapi.json", served.address);
    let seed = said("SAYSO_SEED").unwrap_or_else(|| "1".to_owned());
    let args = ["-m", "schemathesis.cli", "run", &place, "--exclude-path", "/v1/events", "--checks", CHECKS];
    let more = [
        "--phases",
        "coverage,fuzzing,stateful",
        "--continue-on-failure",
        "--no-color",
        "--request-timeout",
        "20",
    ];
    let bounds = ["--max-examples", &most, "--seed", &seed, "--generation-database", "none"];
    let call = python(&world, &[&args[..], &more, &bounds].concat());
    let call = call.env("SCHEMATHESIS_HOOKS", "fuzz_hooks").env("TOKEN", token);
    let call = call.env("SAYSO_ASKS", asks(&world, &served).to_string());
    let ended = call.start().wait_for(Duration::from_secs(60).mul_f64(1.0 + cases as f64 / 1_000.0));
    assert_eq!(ended.exit, 0, "{}\n{}", ended.stdout, ended.stderr);
    let line = ended.stdout.lines().find(|line| line.contains(" generated, ")).unwrap();
    let generated: usize = line.trim().split(' ').next().unwrap().parse().unwrap();
    assert!(generated >= cases, "{line}\n{}", ended.stdout);
    // All but the stream that does not end.
    let (_, selected) = ended.stdout.split_once("Selected: ").unwrap();
    let (selected, all) = selected.lines().next().unwrap().trim().split_once('/').unwrap();
    assert_eq!(selected.parse::<usize>().unwrap() + 1, all.parse::<usize>().unwrap());
    assert!(ended.stdout.contains(&format!("Tested: {selected}")), "{}", ended.stdout);
    let stopped = served.stop();
    assert_eq!(stopped.exit, 0);
    assert!(
        !stopped.stderr.contains("panicked") && !stopped.stderr.contains(" error "),
        "{}",
        stopped.stderr
    );
}
