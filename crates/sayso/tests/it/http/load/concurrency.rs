//! Tests of many concurrent answers.

use crate::support::served_desk::{ServedDesk, ask_path};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::sync::Barrier;
use std::thread;

const ANSWERERS: usize = 64;

/// All answer the same question and an optional one of their own, in one ask.
#[test]
fn one_concurrent_answer_wins() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let question = |number: usize| json!({ "id": format!("q{number}"), "prompt": format!("{number}?"), "required": false });
    let mut questions: Vec<_> = (0..ANSWERERS).map(question).collect();
    questions.push(json!({ "id": "all", "prompt": "All?", "required": false }));
    let ask = asker.post("/v1/asks", &json!({ "request": { "questions": questions } })).json(201);
    let people: Vec<_> = (0..ANSWERERS)
        .map(|number| (format!("p{number}"), served.caller(&world, TokenRole::Person, &format!("p{number}"))))
        .collect();
    let together = Barrier::new(ANSWERERS);
    let replies: Vec<_> = thread::scope(|scope| {
        let answering: Vec<_> = people
            .iter()
            .enumerate()
            .map(|(number, (_, person))| {
                let typed = format!("typed by {number}");
                let answers = json!({ format!("q{number}"): typed, "all": typed });
                let body = json!({ "shown": ask["digest"], "answers": answers });
                let (target, together) = (ask_path(&ask, "/answer"), &together);
                scope.spawn(move || {
                    together.wait();
                    person.post(&target, &body)
                })
            })
            .collect();
        answering.into_iter().map(|answer| answer.join().unwrap()).collect()
    });
    let winners: Vec<_> = (0..ANSWERERS).filter(|number| replies[*number].status == 200).collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    let winner = winners[0];
    let (name, person) = &people[winner];
    let words = format!("{name} already answered this, at ");
    let draft = person.get(&ask_path(&ask, "/draft")).json(200);
    let seen = person.get(&ask_path(&ask, "")).json(200);
    let late = seen["late"].as_array().unwrap();
    assert_eq!(late.len(), ANSWERERS - 1);
    for number in (0..ANSWERERS).filter(|number| *number != winner) {
        let problem = replies[number].problem(409, "ask_answered");
        assert!(problem["detail"].as_str().unwrap().starts_with(&words), "{problem}");
        let kept = json!({ "state": "answered", "answer": { "text": format!("typed by {number}") } });
        assert_eq!(draft["replies"][format!("q{number}")], kept);
        let theirs = late.iter().find(|late| late["by"] == people[number].0.as_str()).unwrap();
        assert_eq!(theirs["replies"], json!({ "all": kept, format!("q{number}"): kept }), "{theirs}");
    }
    assert!(asker.get(&ask_path(&ask, "")).json(200).get("late").is_none(), "what was never given to it");
    assert_eq!(world.show(ask["id"].as_str().unwrap())["late"], seen["late"]);
    let shown = world.sayso(["show", ask["id"].as_str().unwrap()]).run().stdout;
    for number in (0..ANSWERERS).filter(|number| *number != winner) {
        let words = format!("Too late: p{number} · token · ");
        let after = shown.split_once(&words).unwrap().1;
        assert!(
            after.contains(&format!("  {number}?\n    typed by {number}\n  All?\n    typed by {number}\n"))
        );
    }
    let report = asker.get(&ask_path(&ask, "/outcome")).json(200);
    let replies = report["outcome"]["replies"].as_object().unwrap();
    let answered: Vec<_> = replies.iter().filter(|(_, reply)| reply["state"] == "answered").collect();
    let own = format!("q{winner}");
    assert_eq!(
        answered.iter().map(|(question, _)| question.as_str()).collect::<Vec<_>>(),
        ["all", own.as_str()]
    );
    assert_eq!(report["outcome"]["receipt"]["by"], name.as_str());
}

/// People who answer, people who decline and an asker that cancels: one of them ends it.
#[test]
fn first_end_is_named_to_others() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    for round in 0..8 {
        let ask = crate::support::served_desk::create_ask(&asker, &format!("{round}"));
        let says = |words: &str| crate::support::served_desk::answer_body(&ask, words);
        let ends: [(_, &str, Value); 4] = [
            (&person, "/answer", says("one")),
            (&person, "/answer", says("two")),
            (&person, "/decline", json!({ "shown": ask["digest"] })),
            (&asker, "/cancel", json!({})),
        ];
        let together = Barrier::new(ends.len());
        let replies = thread::scope(|scope| {
            let ending = ends.each_ref().map(|(caller, more, body)| {
                let (ask, together) = (&ask, &together);
                scope.spawn(move || {
                    together.wait();
                    caller.post(&ask_path(ask, more), body)
                })
            });
            ending.map(|end| end.join().unwrap())
        });
        let standing = asker.get(&ask_path(&ask, "")).json(200)["state"].as_str().unwrap().to_owned();
        assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1, "{replies:?}");
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            reply.problem(409, &format!("ask_{standing}"));
        }
    }
}
