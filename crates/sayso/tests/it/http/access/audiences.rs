//! Property of audiences, in every dialect: a back end with one token asks two of its users the same, in any order. No
//! one gets the ask, the draft or the answer of the other.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::{ServedDesk, ask_path};
use crate::support::test_world::TestWorld;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole};
use sayso_dialects::Dialect;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

const USERS: [&str; 2] = ["ada", "bob"];

/// Step of the back end or of one of its users.
#[derive(Debug, Clone, Copy)]
enum Step {
    Ask { keyed: bool },
    Draft,
    Answer,
    Decline,
    FetchOutcome,
}

fn steps() -> impl Strategy<Value = Vec<(Step, usize)>> {
    let step = prop_oneof![
        3 => any::<bool>().prop_map(|keyed| Step::Ask { keyed }),
        2 => Just(Step::Draft),
        2 => Just(Step::Answer),
        1 => Just(Step::Decline),
        2 => Just(Step::FetchOutcome),
    ];
    proptest::collection::vec((step, 0..USERS.len()), 1..12)
}

/// Returns the example of a dialect: a request and its answers.
fn example(dialect: Dialect) -> [Value; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    let page = std::fs::read_to_string(folder.join(format!("{}.md", dialect.name()))).unwrap();
    ["json request", "json answers"].map(|info| {
        let block = page.split(&format!("```{info}\n")).nth(1).unwrap();
        serde_json::from_str(block.split("\n```").next().unwrap()).unwrap()
    })
}

struct BackEnd {
    asker: HttpCaller,
    users: [HttpCaller; 2],
    dialect: Dialect,
    example: [Value; 2],
    /// Run of the property; each is a session of its own.
    run: String,
    asks: Vec<(usize, Value)>,
}

impl BackEnd {
    fn ask(&mut self, user: usize, keyed: bool) {
        let body = json!({
            "dialect": self.dialect.name(),
            "request": self.example[0],
            "from": { "session": self.run },
            "for": [USERS[user]],
        });
        let mut request = self.asker.request("POST", "/v1/asks").json(&body);
        if keyed {
            request = request.header("idempotency-key", &self.run);
        }
        let reply = request.send();
        if reply.status == 422 {
            assert_eq!(reply.value()["code"], "key_reused", "{reply:?}");
            return;
        }
        let ask = reply.value();
        assert!([200, 201].contains(&reply.status), "{reply:?}");
        assert_eq!(ask["audience"], json!({ "accounts": [USERS[user]] }));
        self.asks.push((user, ask));
    }

    fn act(&self, step: Step, user: usize) {
        let (caller, Some((owner, ask))) = (&self.users[user], self.asks.last()) else { return };
        let shown = ask["digest"].clone();
        let reply = match step {
            Step::Draft => {
                let question = ask["questionnaire"]["questions"][0]["id"].as_str().unwrap();
                let replies = json!({ question: { "state": "unanswered", "note": USERS[user] } });
                let path = ask_path(ask, "/draft");
                caller.request("PATCH", &path).json(&json!({ "replies": replies })).send()
            }
            Step::Decline => caller.post(&ask_path(ask, "/decline"), &json!({ "shown": shown })),
            _ => {
                let body = json!({ "shown": shown, "answers": self.example[1] });
                caller.post(&ask_path(ask, "/answer"), &body)
            }
        };
        assert_eq!(reply.status == 404, user != *owner, "{step:?} {}: {reply:?}", USERS[user]);
    }

    fn check(&self) {
        for (owner, ask) in &self.asks {
            let other = &self.users[1 - owner];
            other.get(&ask_path(ask, "")).problem(404, "ask_not_found");
            other.get(&ask_path(ask, "/draft")).problem(404, "ask_not_found");
            let seen = self.users[*owner].get(&ask_path(ask, "")).json(200);
            if let Some(receipt) = seen.pointer("/phase/settled/receipt") {
                assert_eq!(receipt["by"], USERS[*owner], "{receipt}");
            }
        }
        for (user, caller) in self.users.iter().enumerate() {
            let page = caller.get("/v1/asks?state=open,answered,declined").json(200);
            for row in page["asks"].as_array().unwrap() {
                assert_eq!(row["audience"], json!({ "accounts": [USERS[user]] }), "{row}");
            }
        }
    }
}

#[test]
fn same_questions_stay_apart() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let request = TokenRequest {
        role: TokenRole::Asker,
        account: "shop".to_owned(),
        expires_in: None,
        audience: TokenAudience { may_for: USERS.map(str::to_owned).into(), ..TokenAudience::default() },
    };
    let asker = served.with_token(world.desk().create_token(request).unwrap().1.reveal());
    let users = USERS.map(|user| served.caller(&world, TokenRole::Person, user));
    let runs = AtomicU32::new(0);
    let config = Config { cases: 12, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    TestRunner::new(config)
        .run(&steps(), |steps| {
            for dialect in Dialect::ALL {
                let run = runs.fetch_add(1, Ordering::Relaxed);
                let mut back_end = BackEnd {
                    asker: asker.clone(),
                    users: users.clone(),
                    dialect,
                    example: example(dialect),
                    run: format!("run {run}"),
                    asks: Vec::new(),
                };
                for (step, user) in &steps {
                    match step {
                        Step::Ask { keyed } => back_end.ask(*user, *keyed),
                        Step::FetchOutcome => {
                            if let Some((_, ask)) = back_end.asks.last() {
                                asker.get(&ask_path(ask, "/outcome")).json(200);
                                asker.post(&ask_path(ask, "/ack"), &json!({}));
                            }
                        }
                        step => back_end.act(*step, *user),
                    }
                }
                back_end.check();
            }
            Ok(())
        })
        .unwrap();
}
