//! Runs schemathesis: the server must conform to its OpenAPI document under random, stateful requests. In the short set
//! each route gets a few.

use crate::http::access::walls::{asker_for, text_for};
use crate::support::browser::page_browser::sees_everything;
use crate::support::http_client::HttpCaller;
use crate::support::program::program_output::LIMIT;
use crate::support::program::python_program::python;
use crate::support::served_desk::{ServedDesk, answer_ask, create_ask, text};
use crate::support::test_world::TestWorld;
use sayso_core::{Question, QuestionInput};
use sayso_desk::token::TokenRole;
use sayso_desk::{AskQuery, Desk as _, Interest, StoreDesk};
use serde_json::{Map, Value, json};
use std::thread;
use std::time::Duration;

/// Checks of each reply. Excluded are `ignored_auth` and `missing_required_header`, which do not expect throttled
/// token guesses (`serve_roles` has that for every route), and `positive_data_acceptance`, because data that fits a
/// schema may still be no questionnaire.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,negative_data_rejection,\
                      unsupported_method,allow_header_conformance";
/// Checks that hold within one account: another one does not find what it has made.
const ACCOUNT_CHECKS: &str = ",use_after_free,ensure_resource_availability";

const ALL_PHASES: &str = "coverage,fuzzing,stateful";

/// Endless streams and blocking requests, which have tests of their own.
const EXCLUDED: &[&str] = &["/v1/events", "/ws", "/api/plugins/questions/operations/ask", "/mcp"];

/// Creates asks in each state, as the hooks expect them.
fn create_asks(world: &TestWorld, served: &ServedDesk) -> Value {
    let (asker, person) = (served.asker(world), served.person(world));
    let open = (0..60).map(|count| create_ask(&asker, &format!("Open {count}")));
    let mut asks: Vec<_> = open.collect();
    for count in 0..10 {
        let mut body = text(&format!("Judged {count}"));
        body["judged"] = true.into();
        asks.push(asker.post("/v1/asks", &body).json(201));
    }
    for ask in &asks[55..65] {
        answer_ask(&person, ask, "yes");
    }
    asks.iter().map(|ask| json!({ "id": ask["id"], "digest": ask["digest"] })).collect()
}

/// Accounts of a run.
#[derive(Default)]
struct FuzzAccounts {
    /// Tokens by account.
    tokens: Map<String, Value>,
    /// Words by account that it may not read.
    secrets: Map<String, Value>,
}

/// Run of schemathesis.
struct FuzzRun<'r> {
    /// Path of the document on the server.
    document: &'r str,
    /// Token of each call; that of one of the accounts if it is `None`.
    token: Option<&'r str>,
    accounts: FuzzAccounts,
    /// Excluded operations: endless streams and blocking requests, which have tests of their own.
    excluded: &'r [&'r str],
    phases: &'r str,
    /// Minimum number of requests.
    cases: usize,
    /// Number of random requests for each operation.
    examples: usize,
    /// Asks that the hooks expect.
    asks: Value,
}

impl FuzzRun<'_> {
    fn run_to_success(self, world: &TestWorld, served: &ServedDesk) {
        let headers = "headers = { Authorization = \"Bearer ${TOKEN}\" }\n";
        world.write("work/schemathesis.toml", self.token.map_or("", |_| headers));
        let checks = format!("{CHECKS}{}", self.token.map_or("", |_| ACCOUNT_CHECKS));
        let place = format!("http://{}{}", served.address, self.document);
        let seed = fuzz_output("SAYSO_SEED").unwrap_or_else(|| "1".to_owned());
        let most = self.examples.to_string();
        let mut args = vec!["-m", "schemathesis.cli", "run", &place, "--checks", &checks];
        self.excluded.iter().for_each(|path| args.extend(["--exclude-path", path]));
        let more =
            ["--phases", self.phases, "--continue-on-failure", "--no-color", "--request-timeout", "20"];
        let bounds = ["--max-examples", &most, "--seed", &seed, "--generation-database", "none"];
        let call = python(world, &[&args[..], &more, &bounds].concat());
        let call = call.env("SCHEMATHESIS_HOOKS", "fuzz_hooks").env("TOKEN", self.token.unwrap_or_default());
        let FuzzAccounts { tokens, secrets } = &self.accounts;
        let call = call.env("SAYSO_TOKENS", json!(tokens).to_string());
        let call = call.env("SAYSO_SECRETS", json!(secrets).to_string());
        let call = call.env("SAYSO_ASKS", self.asks.to_string());
        let limit = Duration::from_secs(180).mul_f64(1.0 + self.cases as f64 / 1_000.0);
        let ended = call.start().wait_for(limit);
        assert_eq!(ended.exit, 0, "{}\n{}", ended.stdout, ended.stderr);
        let line = ended.stdout.lines().find(|line| line.contains(" generated, ")).unwrap();
        let generated: usize = line.trim().split(' ').next().unwrap().parse().unwrap();
        assert!(generated >= self.cases, "{line}\n{}", ended.stdout);
        let (_, selected) = ended.stdout.split_once("Selected: ").unwrap();
        let (selected, all) = selected.lines().next().unwrap().trim().split_once('/').unwrap();
        let document = served.without_token().get(self.document).json(200);
        let operations = |path: &&str| document["paths"][path].as_object().map_or(1, Map::len);
        let excluded: usize = self.excluded.iter().map(operations).sum();
        assert_eq!(selected.parse::<usize>().unwrap() + excluded, all.parse::<usize>().unwrap());
        assert!(ended.stdout.contains(&format!("Tested: {selected}")), "{}", ended.stdout);
    }
}

fn fuzz_output(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.into_string().unwrap())
}

/// Stops the server, and asserts that nothing broke.
fn assert_clean_shutdown(served: ServedDesk) {
    let stopped = served.stop();
    assert_eq!(stopped.exit, 0);
    assert!(
        !stopped.stderr.contains("panicked") && !stopped.stderr.contains(" error "),
        "{}",
        stopped.stderr
    );
}

#[test]
fn server_conforms_to_its_document() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let token = served.admin(&world).token.unwrap();
    // About 900 requests cover the document.
    let (usual, phases) = if sees_everything() { (1_100, ALL_PHASES) } else { (40, "fuzzing") };
    let cases: usize = fuzz_output("SAYSO_CASES").map_or(usual, |cases| cases.parse().unwrap());
    let run = FuzzRun {
        document: "/openapi.json",
        token: Some(&token),
        accounts: FuzzAccounts::default(),
        excluded: EXCLUDED,
        phases,
        cases,
        // About two dozen operations have this many random ones each.
        examples: (cases.saturating_sub(900) / 24).max(1),
        asks: create_asks(&world, &served),
    };
    run.run_to_success(&world, &served);
    assert_clean_shutdown(served);
}

#[test]
fn accounts_keep_to_the_document() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "ci", &["ada"]);
    let secret = "only ada reads this";
    let asks: Value = (0..40)
        .map(|count| asker.post("/v1/asks", &text_for(&format!("{secret} {count}"), &["ada"])).json(201))
        .map(|ask| json!({ "id": ask["id"], "digest": ask["digest"] }))
        .collect();
    let (ada, bob) = (served.person(&world), served.caller(&world, TokenRole::Person, "bob"));
    let tokens = [("ci", &asker), ("ada", &ada), ("bob", &bob)];
    let tokens = tokens.map(|(account, caller)| (account.to_owned(), json!(caller.token)));
    let run = FuzzRun {
        document: "/openapi.json",
        token: None,
        accounts: FuzzAccounts {
            tokens: Map::from_iter(tokens),
            secrets: Map::from_iter([("bob".to_owned(), json!(secret))]),
        },
        excluded: EXCLUDED,
        phases: ALL_PHASES,
        cases: 900,
        examples: 1,
        asks,
    };
    run.run_to_success(&world, &served);
    assert_clean_shutdown(served);
}

/// Returns an answer to a question, if an automatic one is possible.
fn answer_to(question: &Question) -> Value {
    match question.input() {
        QuestionInput::Options(choice) => {
            let first = choice.options[0].sent_value();
            if choice.multi { json!({ "values": [first] }) } else { json!({ "value": first }) }
        }
        QuestionInput::Toggle(_) => json!({ "confirmed": true }),
        QuestionInput::Scale(_) => json!({ "value": 3 }),
        QuestionInput::Line(_) => json!({ "text": "something to say" }),
    }
}

/// Settles all asks until it is stopped: with an answer if an automatic one is possible, else by declining. Returns
/// the count of each.
fn settle_all(desk: &StoreDesk, person: &HttpCaller) -> (usize, usize) {
    let mut watch = desk.watch(Interest::All, None).unwrap();
    let (mut answered, mut declined) = (0, 0);
    loop {
        for row in desk.list(&AskQuery::default()).unwrap().rows {
            if row.title == "Stop" {
                return (answered, declined);
            }
            let ask = desk.get(row.id).unwrap();
            let all = ask.request.questionnaire.questions.iter();
            // Follow-ups stay open, so that some asks cannot be answered.
            let questions = all.filter(|question| question.parent.is_none());
            let answers: Map<_, _> =
                questions.map(|question| (question.asker_key().to_owned(), answer_to(question))).collect();
            let place = |what: &str| format!("/v1/asks/{}/{what}", row.id);
            let shown = json!(ask.request.digest);
            let given = json!({ "shown": shown, "answers": { "answers": answers } });
            if person.post(&place("answer"), &given).status == 200 {
                answered += 1;
            } else {
                person.post(&place("decline"), &json!({ "shown": shown })).json(200);
                declined += 1;
            }
        }
        watch.wait(LIMIT).unwrap();
    }
}

#[test]
fn questionnaire_conforms_to_its_document() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let run = FuzzRun {
        document: "/questionnaire/openapi.json",
        token: asker.token.as_deref(),
        accounts: FuzzAccounts::default(),
        excluded: &[],
        phases: ALL_PHASES,
        cases: 100,
        examples: 5,
        asks: json!([]),
    };
    // A detached thread, because a scope would wait for it if the run fails.
    let desk = world.desk();
    let settling = thread::spawn(move || settle_all(&desk, &person));
    run.run_to_success(&world, &served);
    create_ask(&asker, "Stop");
    let (answered, declined) = settling.join().unwrap();
    assert!(answered > 3 && declined > 0, "{answered} answered, {declined} declined");
    assert_clean_shutdown(served);
}
