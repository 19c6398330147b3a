//! Tests of AUQ's tools beyond the original: retries, delivery, wait limits, and tool sets.

mod vectors;

use crate::mcp::ask_user::ASK_USER;
use crate::mcp::host::{A_PERSONS_TIME, LEGACY, McpHost, release};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Names of the tools.
pub(crate) const ASK: &str = "ask_user_questions";
pub(crate) const FETCH: &str = "get_answered_questions";

/// Creates a world of a generation that permits answers by argument.
fn world(compat: &str) -> TestWorld {
    let world = TestWorld::new();
    tool_set(&world, &format!("compat = \"{compat}\""));
    world
}

fn tool_set(world: &TestWorld, auq: &str) {
    world.write("config/sayso/config.toml", format!("scripted_answers = true\n[auq]\n{auq}\n"));
}

fn host_with(world: &TestWorld, args: &[&str]) -> McpHost {
    let call = world.sayso(["mcp", "--tools"].iter().chain(args));
    McpHost::with_session(call, LEGACY[1], &json!({}))
}

fn host_of(world: &TestWorld) -> McpHost {
    host_with(world, &["auq"])
}

/// Starts a host whose calls hardly wait.
fn impatient_host(world: &TestWorld) -> McpHost {
    host_with(world, &["auq", "--hold", "1ms"])
}

/// Returns a question with two options.
pub(crate) fn arguments_of(prompt: &str) -> Value {
    json!({ "questions": [{ "prompt": prompt, "title": "T", "multiSelect": false,
        "options": [{ "label": "Yes" }, { "label": "No" }] }] })
}

fn answer(world: &TestWorld, id: &str, label: &str) {
    let answers = json!({ "answers": [{ "questionIndex": 0, "selectedOption": label }] }).to_string();
    assert_eq!(world.sayso(["answer", id, "--answers", &answers]).run().exit, 0);
}

pub(crate) fn ask_of(world: &TestWorld, prompt: &str) -> String {
    world
        .wait_for_ask(|ask| ask.request.questionnaire.display_name() == prompt && ask.outcome().is_none())
        .id
        .to_string()
}

/// Returns the one text of a result that has nothing else.
pub(crate) fn text(result: &Value) -> &str {
    assert_eq!(result.as_object().unwrap().len(), 1, "{result}");
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

/// Returns the number of asks.
pub(crate) fn ask_count(world: &TestWorld) -> usize {
    world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len()
}

pub(crate) fn is_delivered(world: &TestWorld, id: &str) -> bool {
    let asks = world.json(&["list", "--state", "all", "--json"])["asks"].clone();
    asks.as_array().unwrap().iter().find(|ask| ask["id"] == id).unwrap()["delivered"] == true
}

#[test]
fn each_toolset_lists_its_tools() {
    let ours = ["ask", "wait_for_answer", "list_asks", "cancel_ask"];
    for (set, compat, others, has_ours) in [
        ("ask", "3.4", &[][..], true),
        ("auq", "spec", &[ASK][..], false),
        ("auq", "3.4", &[ASK, FETCH][..], false),
        ("ask_user", "3.4", &[ASK_USER][..], false),
        ("all", "spec", &[ASK, ASK_USER][..], true),
        ("all", "3.4", &[ASK, FETCH, ASK_USER][..], true),
    ] {
        let world = world(compat);
        let mut host = host_with(&world, &[set]);
        let capabilities = &host.seen[0]["result"]["capabilities"];
        assert_eq!(capabilities.get("prompts").is_some(), has_ours, "{capabilities}");
        let instructions = host.seen[0]["result"]["instructions"].as_str().unwrap().to_owned();
        assert_eq!(instructions.contains("wait_for_answer"), has_ours, "{instructions}");
        for named in [ASK, FETCH, "ask_user "] {
            let has = others.contains(&named.trim_end());
            assert_eq!(instructions.contains(named), has, "{named}: {instructions}");
        }
        let tools = host.request("tools/list", json!({}))["result"]["tools"].clone();
        let names: Vec<_> =
            tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let ours = ours.iter().filter(|_| has_ours);
        assert_eq!(names, ours.chain(others).copied().collect::<Vec<_>>(), "{set} {compat}");
        assert!(!tools.to_string().contains("$ref"), "many hosts know no references");
        let call = host.begin(FETCH, &json!({ "session_id": "abc" }));
        let known = host.response(call).get("result").is_some();
        assert_eq!(known, others.contains(&FETCH), "{set} {compat}");
    }
}

#[test]
fn original_command_starts_same_server() {
    let world = world("3.4");
    let tools = |call| {
        McpHost::with_session(call, LEGACY[1], &json!({})).request("tools/list", json!({}))["result"].clone()
    };
    let ours = tools(world.sayso(["mcp", "--tools", "auq"]));
    assert_eq!(tools(world.auq(["server"])), ours);
    assert_eq!(ours["tools"][0]["name"], ASK);
}

#[test]
fn unknown_toolset_is_usage_error() {
    let world = TestWorld::new();
    let ended = world.sayso(["mcp", "--tools", "aqu"]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.contains("ask, auq, ask_user, permission, all"), "{ended:?}");
}

#[test]
fn configured_limits_are_listed_and_enforced() {
    let world = TestWorld::new();
    tool_set(&world, "max_questions = 1\nmax_options = 3");
    let mut host = impatient_host(&world);
    let tools = host.request("tools/list", json!({}))["result"]["tools"].clone();
    let questions = &tools[0]["inputSchema"]["properties"]["questions"];
    let options = &questions["items"]["properties"]["options"];
    assert_eq!([&questions["maxItems"], &options["maxItems"]], [&json!(1), &json!(3)], "{tools}");
    let mut many = arguments_of("A?");
    many["questions"][0]["options"] = json!([{ "label": "A" }, { "label": "B" }, { "label": "C" }]);
    assert!(text(&host.call(ASK, &many)).starts_with("No answers yet."));
    many["questions"].as_array_mut().unwrap().push(arguments_of("B?")["questions"][0].clone());
    let call = host.begin(ASK, &many);
    let error = host.response(call)["error"]["message"].clone();
    assert!(
        error.as_str().unwrap().contains("questions: Too big: expected array to have <=1 items"),
        "{error}"
    );
}

#[test]
fn expired_call_resumes_on_retry() {
    let world = world("spec");
    let mut host = impatient_host(&world);
    let result = host.call(ASK, &arguments_of("Now?"));
    assert!(
        text(&result)
            .starts_with("No answers yet. The questions stay open.\n\nCall ask_user_questions again")
    );
    assert_eq!(host.call(ASK, &arguments_of("Now?")), result);
    assert_eq!(ask_count(&world), 1);
    let id = ask_of(&world, "Now?");
    answer(&world, &id, "Yes");
    assert_eq!(
        text(&host.call(ASK, &arguments_of("Now?"))),
        "Here are the user's answers:\n\n1. Now?\n→ Yes"
    );
}

#[test]
fn later_generation_fetches_by_session() {
    let world = world("3.4");
    let mut host = impatient_host(&world);
    let result = host.call(ASK, &arguments_of("Later?"));
    let id = ask_of(&world, "Later?");
    let short = &id[..8];
    let words = format!(
        "[Session: {short} | Questions: 1 | Status: pending]\n\nQuestions submitted successfully.\nUse \
         get_answered_questions(session_id=\"{short}\") or `auq fetch-answers {short}` to retrieve answers."
    );
    assert_eq!(text(&result), words);
    // Waiting is not part of a request's identity.
    let mut leaving = arguments_of("Later?");
    leaving["nonBlocking"] = json!(true);
    assert_eq!(host.call(ASK, &leaving), result);
    assert_eq!(ask_count(&world), 1);
    let fetch = json!({ "session_id": short, "blocking": true });
    let pending = format!("[Session: {short} | Status: pending]\n\nNo answers yet.");
    assert_eq!(text(&host.call(FETCH, &fetch)), pending, "no time to wait");
    host.end();

    let mut host = host_of(&world);
    let waiting = host.begin(FETCH, &fetch);
    host.request("tools/list", json!({}));
    answer(&world, &id, "No");
    let fetched = host.response(waiting)["result"].clone();
    let answers =
        format!("[Session: {short} | Questions: 1]\n\nHere are the user's answers:\n\n1. Later?\n→ No");
    assert_eq!(text(&fetched), answers);
    assert!(is_delivered(&world, &id), "it was fetched");
    assert_eq!(host.call(FETCH, &fetch), fetched, "it can be fetched again");
    let waiting = host.begin(ASK, &arguments_of("Later?"));
    assert_ne!(ask_of(&world, "Later?"), id, "the same question is asked anew");
    host.cancel(waiting);
}

#[test]
fn foreign_session_is_hidden() {
    let world = world("3.4");
    let mut host = host_with(&world, &["all"]);
    let ours = host.leave_ask(&release());
    for given in [ours.as_str(), "ffffffff"] {
        let result = host.call(FETCH, &json!({ "session_id": given }));
        assert_eq!(result["isError"], true);
        let words = format!("Error fetching answers: Error: Session not found: {given}");
        assert_eq!(result["content"][0]["text"], words);
    }
    // An ask by AUQ's own command is a session too.
    let asking = world.auq(["ask", &arguments_of("By hand?").to_string()]).start();
    let id = ask_of(&world, "By hand?");
    let fetch = json!({ "session_id": id });
    assert!(text(&host.call(FETCH, &fetch)).ends_with("No answers yet."));
    drop(asking);
    let mut elsewhere = McpHost::with_session(
        world.sayso(["mcp", "--tools", "auq"]).in_folder(&world.path("home")),
        LEGACY[1],
        &json!({}),
    );
    assert_eq!(elsewhere.call(FETCH, &fetch)["isError"], true);
}

#[test]
fn interrupted_caller_finds_its_answer() {
    let world = world("spec");
    let mut host = host_of(&world);
    let call = host.begin(ASK, &arguments_of("Lost?"));
    let id = ask_of(&world, "Lost?");
    host.cancel(call);
    host.begin(ASK, &arguments_of("Lost?"));
    host.request("tools/list", json!({}));
    assert_eq!(host.end().exit, 0);
    let mut host = host_of(&world);
    host.begin(ASK, &arguments_of("Lost?"));
    host.request("tools/list", json!({}));
    host.kill_9();
    assert_eq!((ask_count(&world), world.show(&id)["state"].clone()), (1, json!("open")));
    answer(&world, &id, "Yes");

    // The host exited right after the answer: it may have lost it.
    let answers = "Here are the user's answers:\n\n1. Lost?\n→ Yes";
    for kill in [true, false] {
        let mut host = host_of(&world);
        assert_eq!(text(&host.call(ASK, &arguments_of("Lost?"))), answers);
        if kill {
            host.kill_9();
        } else {
            assert_eq!(host.end().exit, 0);
        }
        assert!(!is_delivered(&world, &id));
    }
    assert_eq!(ask_count(&world), 1);
}

#[test]
fn delivery_is_acknowledged_by_next_call() {
    let world = world("spec");
    let mut host = host_of(&world);
    let call = host.begin(ASK, &arguments_of("Go on?"));
    let twin = host.begin(ASK, &arguments_of("Go on?"));
    let first = ask_of(&world, "Go on?");
    answer(&world, &first, "Yes");
    let result = host.response(call)["result"].clone();
    let seen = host.seen.iter().find(|line| line["id"] == twin).cloned();
    let same = seen.unwrap_or_else(|| host.response(twin));
    assert_eq!(same["result"], result, "two calls at once are one question");
    let again = host.begin(ASK, &arguments_of("Go on?"));
    let second = ask_of(&world, "Go on?");
    assert_ne!(second, first, "what was said once is not said for the next time");
    assert!(is_delivered(&world, &first));
    assert_eq!(world.sayso(["answer", &second, "--decline"]).run().exit, 3);
    let rejected = "User rejected this question set.\n\nNo reason provided.\n\n";
    assert_eq!(text(&host.response(again)["result"]), rejected);
    // Another thread acknowledges nothing of this one.
    let other = json!({ "name": ASK, "arguments": arguments_of("Elsewhere?"), "_meta": { "threadId": "b" } });
    host.send("tools/call", other);
    ask_of(&world, "Elsewhere?");
    assert!(!is_delivered(&world, &second));
}

#[test]
fn call_id_finds_delivered_answer() {
    let world = world("spec");
    let mut host = host_of(&world);
    let named = json!({ "name": ASK, "arguments": arguments_of("Which?"), "_meta": { "claudecode/toolUseId": "toolu_1" } });
    let call = host.send("tools/call", named.clone());
    let id = ask_of(&world, "Which?");
    answer(&world, &id, "No");
    let result = host.response(call)["result"].clone();
    assert_eq!(host.request("tools/call", named)["result"], result);
    assert!(is_delivered(&world, &id));
    assert_eq!(ask_count(&world), 1);
}

#[test]
fn capable_host_shows_form_too() {
    let world = world("3.4");
    let forms = json!({ "elicitation": {} });
    let mut host = McpHost::with_session(world.sayso(["mcp", "--tools", "auq"]), LEGACY[1], &forms);
    let call = host.begin(ASK, &arguments_of("Form?"));
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    let fields = &form["params"]["requestedSchema"]["properties"];
    assert_eq!(fields["q01"]["oneOf"][1]["title"], "No", "{form}");
    let id = ask_of(&world, "Form?");
    host.reply(&form, &json!({ "action": "accept", "content": { "q01_other": "it's late" } }));
    let result = host.response(call)["result"].clone();
    let header = format!("[Session: {} | Questions: 1]\n\n", &id[..8]);
    let answers = format!("{header}Here are the user's answers:\n\n1. Form?\n→ Other: 'it\\'s late'");
    assert_eq!(text(&result), answers);

    let mut leaving = arguments_of("Silent?");
    leaving["nonBlocking"] = json!(true);
    assert!(
        text(&host.call(ASK, &leaving)).contains("Status: pending"),
        "whoever does not wait shows no form"
    );
}

#[test]
fn returned_form_is_the_same_call() {
    let world = world("spec");
    world.allow_host_features();
    let forms = json!({ "elicitation": { "form": {} } });
    let mut host = McpHost::sessionless(world.sayso(["mcp", "--tools", "auq"]), &forms);
    let first = host.call(ASK, &arguments_of("Round?"));
    assert_eq!(first["resultType"], "input_required", "{first}");
    assert!(host.is_silent_for(A_PERSONS_TIME));
    let back = json!({ "name": ASK, "arguments": arguments_of("Round?"), "requestState": first["requestState"],
        "inputResponses": { "form": { "action": "accept", "content": { "q01": "o1" } } } });
    let result = host.request("tools/call", back.clone())["result"].clone();
    assert_eq!(result["content"][0]["text"], "Here are the user's answers:\n\n1. Round?\n→ Yes");
    assert_eq!(host.request("tools/call", back)["result"], result);
    assert_eq!(ask_count(&world), 1);
}

#[test]
fn toolsets_share_asks() {
    let world = world("3.4");
    let mut host = host_with(&world, &["all", "--hold", "1ms"]);
    host.call(ASK, &arguments_of("Both?"));
    let id = ask_of(&world, "Both?");
    let listed = host.call("list_asks", &json!({}))["structuredContent"]["asks"].clone();
    assert_eq!(listed[0]["ask_id"], id.as_str());
    answer(&world, &id, "Yes");
    let waited = host.call("wait_for_answer", &json!({}))["structuredContent"].clone();
    assert_eq!([&waited["status"], &waited["answers"][0]["labels"][0]], ["answered", "Yes"], "{waited}");
    assert!(text(&host.call(FETCH, &json!({ "session_id": id }))).ends_with("→ Yes"));
}
