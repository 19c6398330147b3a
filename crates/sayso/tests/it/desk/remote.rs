//! Tests of every command against a desk on the network, each program with only a token.

use crate::mcp::host::{self, McpHost};
use crate::support::network_desk::NetworkDesk;
use crate::support::sample_requests::{one, release, text};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

const ANSWERED: &str = "{\"answers\":{\"H\":\"B\"}}\n";

const SAID: &str = r#"{"answers":{"text":{"answer":"yes"}}}"#;

/// Answers the second option in the person's terminal.
fn answer(world: &TestWorld, id: &str) {
    let mut terminal = world.sayso(["answer", id]).on_terminal();
    terminal.expect("/help): ").line("2").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
}

#[test]
fn remote_ask_is_answered_elsewhere() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let asking = agent.sayso(["ask", &one("H")]).start();
    let (_, id) = served.world.first_ask();
    let row = ada.json(&["list", "--json"])["asks"][0].clone();
    assert_eq!([&row["id"], &row["attached"]], [&json!(id), &json!(true)]);
    answer(&ada, &id[..8]);
    let ended = asking.wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, ANSWERED), "{ended:?}");
    assert_eq!(agent.sayso(["wait", &id]).run().parts(), (0, ANSWERED, ""), "and again");

    let shown = agent.show(&id);
    assert_eq!(shown["asker"]["account"], "ci");
    let receipt = &shown["phase"]["settled"]["receipt"];
    assert_eq!(
        [&receipt["by"], &receipt["surface"], &receipt["assurance"]],
        ["ada", "prompter", "token"],
        "{receipt}"
    );
    assert_eq!(shown["draft"]["replies"], json!({}), "an asker sees no draft");
    assert!(ada.show(&id)["draft"]["rev"].as_u64() > Some(0));
    assert_eq!(agent.json(&["list", "--state", "answered", "--json"])["asks"][0]["delivered"], true);
    assert!(!agent.desk_file().exists() && !ada.desk_file().exists());
}

#[test]
fn terminal_asker_answers_locally() {
    let served = NetworkDesk::new();
    let both = served.caller_world(&[("asker", "ci"), ("person", "ada")]);
    let mut terminal = both.ask_user_question([one("H")]).on_terminal_with_stdout_file();
    terminal.expect("Which H?").expect(": ").line("2");
    let seen = terminal.wait();
    assert_eq!((seen.exit, seen.stdout.as_str()), (0, ANSWERED), "{seen:?}");
    let asker = served.caller_world(&[("asker", "another")]);
    let here = asker.sayso(["ask", "--here", &one("H")]).on_terminal().wait();
    assert_eq!((here.exit, here.screen.contains("sayso token new --role person")), (2, true), "{here:?}");
}

#[test]
fn ask_is_cancelled_declined_or_expired() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let id = agent.leave_ask(&one("H"), &[]);
    assert_eq!(agent.leave_ask(&one("H"), &[]), id, "the same content finds it");
    assert_eq!(agent.sayso(["cancel", &id]).run().exit, 0);
    assert_eq!(agent.sayso(["wait", &id]).run().exit, 6);
    let id = agent.leave_ask(&text("T"), &["--format", "sayso", "--key", "50% 字"]);
    let no = ada.sayso(["answer", &id, "--decline", "--reason", "not now"]).run();
    assert!(no.exit == 3 && no.stderr.ends_with(" Declined.\n"), "{no:?}");
    assert_eq!(agent.sayso(["ask", &text("T"), "--format", "sayso", "--key", "50% 字"]).run().exit, 3);
    let late = ada.sayso(["answer", &id, "--answers", SAID]).run();
    assert_eq!((late.exit, late.stderr.contains("ada")), (3, true), "{late:?}");
    let ended = agent.sayso(["ask", &text("T"), "--format", "sayso", "--timeout", "1s"]).run();
    assert_eq!(ended.exit, 5, "{ended:?}");
}

#[test]
fn problems_are_localized_with_place() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let id = agent.leave_ask(&text("T"), &["--format", "sayso"]);
    let wrong = ada.sayso(["answer", &id, "--answers", r#"{"answers":{"text":{"answer":""}}}"#]).run();
    assert_eq!(wrong.exit, 1, "{wrong:?}");
    assert!(wrong.stderr.contains("answers.text"), "{wrong:?}");
    let unknown = ada.sayso(["show", "ffffffff", "--lang", "zh"]).run();
    assert_eq!(unknown.exit, 1);
    assert!(unknown.stderr.contains("没有"), "{unknown:?}");
}

#[test]
fn asker_cannot_answer_or_read_others() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let other = served.caller_world(&[("asker", "another")]);
    let id = agent.leave_ask(&text("T"), &["--format", "sayso"]);
    for args in [vec!["answer", &id, "--decline"], vec!["answer", &id, "--answers", SAID]] {
        let ended = agent.sayso(&args).run();
        assert_eq!(ended.exit, 2, "{ended:?}");
        assert!(ended.stderr.contains("sayso token new --role person"), "{ended:?}");
    }
    let asked = ada.sayso(["ask", "--no-wait", &text("T")]).run();
    assert_eq!(asked.exit, 2, "{asked:?}");
    assert!(asked.stderr.contains("sayso token new --role asker"), "{asked:?}");
    assert_eq!(other.json(&["list", "--state", "all", "--json"])["asks"], json!([]));
    for args in [["show", &id], ["cancel", &id], ["wait", &id]] {
        let ended = other.sayso(args).run();
        assert_eq!((ended.exit, ended.stderr.contains("This desk has no question")), (1, true), "{ended:?}");
    }
    assert_eq!(ada.show(&id)["state"], "open");
}

#[test]
fn tokens_come_from_files_only() {
    let served = NetworkDesk::new();
    let mut world = TestWorld::new();
    world.set_var("SAYSO_DESK", &served.address);
    let none = world.sayso(["list"]).run();
    assert_eq!(none.exit, 2);
    assert!(none.stderr.contains("SAYSO_TOKEN_FILE"), "{none:?}");

    let (header, bare) = (served.token("person", "ada"), served.token("asker", "ci"));
    let secret = std::fs::read_to_string(&bare).unwrap().trim().rsplit(' ').next().unwrap().to_owned();
    let file = world.write("config/sayso/asker", &secret);
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o600);
    let settings = format!("token_file = [{:?}, \"asker\"]\n", header.to_str().unwrap());
    world.write("config/sayso/config.toml", settings);
    assert_eq!(world.sayso(["list"]).run().exit, 0);
    mode(0o640);
    let refused = world.sayso(["ask", &one("H")]).run();
    assert_eq!(refused.exit, 2, "{refused:?}");
    let hint = format!("chmod 600 {}", file.display());
    assert!(refused.stderr.contains(&hint) && !refused.stderr.contains(&secret), "{refused:?}");
    mode(0o600);
    world.leave_ask(&one("H"), &[]);
    let doctor = world.json(&["doctor", "--json"]);
    let known = |role: &str, account: &str| {
        let tokens = doctor["tokens"].as_array().unwrap().clone();
        let has = |token: &Value| token["role"] == role && token["account"] == account;
        tokens.iter().any(|token| has(token) && token["version"] == env!("CARGO_PKG_VERSION"))
    };
    assert!(known("asker", "ci") && known("person", "ada") && doctor["desk"]["ok"] == true, "{doctor}");

    // One letter differs: the desk does not know it.
    let mut wrong = secret.clone();
    wrong.replace_range(20..21, if wrong.get(20..21) == Some("q") { "r" } else { "q" });
    world.write("config/sayso/asker", &wrong);
    let refused = world.sayso(["ask", "--no-wait", &one("K")]).run();
    assert_eq!((refused.exit, refused.stdout.as_str()), (2, ""), "{refused:?}");
    let doctor = world.sayso(["doctor"]).run();
    assert_eq!(doctor.exit, 2, "{doctor:?}");
    for text in [refused.stderr, doctor.stdout, doctor.stderr] {
        assert!(!text.contains(&secret) && !text.contains(&wrong), "{text}");
    }
    world.write("config/sayso/asker", "nothing of the kind");
    let unread = world.sayso(["list"]).run();
    assert_eq!((unread.exit, unread.stderr.contains("nothing of the kind")), (2, false), "{unread:?}");
}

#[test]
fn unreachable_desk_is_reported_promptly() {
    let mut served = NetworkDesk::new();
    let (agent, _) = served.asker_and_person();
    served.kill_9();
    let begun = Instant::now();
    let ended = agent.sayso(["ask", &one("H")]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (7, ""), "{ended:?}");
    // The cause is named, without the words of the system's library.
    let cause = format!("Cannot connect to the desk {}: connection refused\n", served.address);
    assert!(ended.stderr.contains(&cause) && begun.elapsed() < Duration::from_secs(20), "{ended:?}");
    let mut host = McpHost::without_forms(&agent);
    let result = host.call("ask", &host::release());
    assert_eq!(result["isError"], true, "{result}");
    let elsewhere = agent.sayso(["token", "list"]).run();
    assert_eq!((elsewhere.exit, elsewhere.stdout.as_str()), (7, ""), "{elsewhere:?}");
    let clear = agent.sayso(["list", "--desk", "http://desk.example"]).run();
    assert_eq!((clear.exit, clear.stderr.contains("https://")), (7, true), "{clear:?}");
}

#[test]
fn agents_ask_through_mcp() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let mut host = McpHost::without_forms(&agent);
    let call = host.begin("ask", &host::release());
    let (_, id) = served.world.first_ask();
    let mut terminal = ada.sayso(["answer", &id]).on_terminal();
    terminal.expect("When?").expect("/help): ").line("1").expect("Why?").expect("/help): ").line("/skip");
    terminal.expect("Review> ").line("/submit").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!([&result["status"], &result["ask_id"]], ["answered", id.as_str()], "{result}");
    host.end();
    let mut later = McpHost::without_forms(&agent);
    let again = later.call("ask", &host::release())["structuredContent"].clone();
    assert_eq!(again, result, "it is given until it is confirmed");
    let confirmed = later.call("list_asks", &json!({ "received": [id] }))["structuredContent"].clone();
    assert_eq!(confirmed["asks"], json!([]));
}

#[test]
#[cfg(target_os = "linux")]
fn killed_asker_is_seen_gone() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let asking = agent.ask_user_question([one("H")]).start();
    let (_, id) = served.world.first_ask();
    let attached = || ada.json(&["list", "--json"])["asks"][0]["attached"].clone();
    assert_eq!(attached(), true);
    asking.kill_9();
    assert_eq!(attached(), false);
    let again = agent.ask_user_question([one("H")]).start();
    served.world.wait_for_ask(|ask| ask.state.revision > 1);
    assert_eq!(attached(), true);
    answer(&ada, &id);
    assert_eq!(again.wait().stdout, ANSWERED);
}

#[test]
fn concurrent_answerers_are_notified() {
    let served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let bob = served.caller_world(&[("person", "bob")]);
    let id = agent.leave_ask(&release("1.0"), &[]);
    let mut slow = bob.sayso(["answer", &id]).on_terminal();
    slow.expect("What is it called?").expect("/help): ").line("Heron").expect("What is new?");
    let mut fast = ada.sayso(["answer", &id]).on_terminal();
    fast.expect("Draft found: 1 of 3 answered.").expect("What is new?").expect("/help): ").line("Much");
    fast.expect("When?").expect("/help): ").line("1").expect("Review> ").line("/submit").expect("Sent.");
    slow.expect("Answered elsewhere by ada");
    assert_eq!([fast.wait().exit, slow.wait().exit], [0, 0]);
}
