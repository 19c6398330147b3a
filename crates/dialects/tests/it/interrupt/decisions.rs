//! Decisions on interrupts: the input of clients, its errors, and the output of each outcome.

use super::read;
use crate::sample::{answered, ask, declined, ended as end_of};
use proptest::prelude::*;
use sayso_core::{
    Answer, Lang, OptionId, Outcome, Pick, Problem, ProblemCode, Questionnaire, Replies, Reply, limits,
};
use sayso_dialects::Dialect;
use sayso_dialects::interrupt::{
    InterruptBodyError, InterruptEvent, ResumeDecision, ResumeRequest, data_from_call, end_events,
    interrupt_events, rejection_events, resolve_decision, split_requests, tool_result,
};
use serde_json::{Value, json};
use std::sync::Arc;

fn asked(request: &Value) -> Arc<Questionnaire> {
    Arc::new(read(&request.to_string()).unwrap().questionnaire)
}

/// Returns two questions; only the first accepts typed text.
fn questions() -> Arc<Questionnaire> {
    let options = json!([
        { "label": "Red", "value": "red" },
        { "label": "Also red", "value": "red" },
        { "label": "Mine", "value": "mine", "allow_custom": true },
        { "label": "More", "value": " more", "allow_custom": true },
    ]);
    let how = json!([{ "label": "Now", "value": "now" }, { "label": "", "value": " " }]);
    asked(&json!({ "questions": [
        { "question": "Colour?", "options": options }, { "question": "How?", "options": how }] }))
}

fn approval(options: &Value) -> Arc<Questionnaire> {
    let call = json!({ "name": "execute", "args": { "command": "ls" } });
    asked(&json!({ "info": "i", "data": { "action_requests": [call] }, "options": options }))
}

fn answer(answers: &[&str]) -> ResumeRequest {
    ResumeRequest::from_body(&json!({ "action": "answer", "answers": answers })).unwrap()
}

fn action(action: &str) -> ResumeRequest {
    ResumeRequest::from_body(&json!({ "action": action })).unwrap()
}

fn words(problem: Result<ResumeDecision, Problem>) -> String {
    problem.unwrap_err().message.to_string()
}

/// Returns the outcome of an answering decision.
fn outcome(asked: &Arc<Questionnaire>, request: &ResumeRequest) -> Outcome {
    let ResumeDecision::Answer(given) = resolve_decision(asked, request).unwrap() else { panic!("declined") };
    answered(given.validate(asked).unwrap().replies)
}

fn shown(events: &[InterruptEvent]) -> String {
    events.iter().map(InterruptEvent::to_sse).collect()
}

#[test]
fn answers_accept_values_and_text() {
    let stdout = |answers: &[&str]| {
        Dialect::Interrupt.write(ask(), &questions(), &outcome(&questions(), &answer(answers))).stdout
    };
    assert_eq!(stdout(&["red", "now"]), r#"["red", "now"]"#);
    assert_eq!(stdout(&[" \"紫\"\n", "now"]), r#"["\"紫\"", "now"]"#);
    let picked = |id: &str| Reply::from_picks([Pick::Option(OptionId::new(id))]);
    let ids = questions().questions.iter().map(|question| question.id.clone()).collect::<Vec<_>>();
    let replies: Replies = ids.into_iter().zip([picked("o2"), picked("now")]).collect();
    assert_eq!(Dialect::Interrupt.write(ask(), &questions(), &answered(replies)).stdout, r#"["red", "now"]"#);
}

#[test]
fn answer_checks_run_in_order() {
    let wrong = |answers: &[&str]| words(resolve_decision(&questions(), &answer(answers)));
    assert_eq!(wrong(&[""]), "answers count (1) does not match questions count (2)");
    assert_eq!(wrong(&["", "", ""]), "answers count (3) does not match questions count (2)");
    assert_eq!(wrong(&["mine", "\u{3000}"]), "answer at index 1 is empty", "though it is an option's value");
    assert_eq!(wrong(&["red", "later"]), "answer at index 1 is not an option");
    assert_eq!(wrong(&["red", "Now"]), "answer at index 1 is not an option");
    assert_eq!(wrong(&["mine", "now"]), "answer at index 0 is not an option", "it stands for typed text");
    for stands_for_text in ["__custom__", " __custom__ ", "\tmine\n", " more ", "more"] {
        let text = wrong(&[stands_for_text, "now"]);
        assert_eq!(text, "answer at index 0 is not an option", "{stands_for_text:?}");
    }
    let problem = resolve_decision(&questions(), &answer(&["red", ""])).unwrap_err();
    assert_eq!((problem.path.to_js_path().as_str(), problem.code), ("answers[1]", ProblemCode::NeedsAnswer));
    let text = "event: error\ndata: {\"message\":\"answer at index 1 is empty\"}\n\nevent: end\ndata: {\"action\":\"error\"}\n\n";
    assert_eq!(shown(&rejection_events(&problem, Lang::En)), text);
}

#[test]
fn action_must_match_the_interrupt() {
    let plain = approval(&Value::Null);
    assert_eq!(
        words(resolve_decision(&questions(), &action("continue"))),
        "ask_user 工具只支持 'answer' 或 'cancel' 操作"
    );
    assert_eq!(words(resolve_decision(&plain, &answer(&["x"]))), "只有 ask_user 工具支持 'answer' 操作");
    assert_eq!(
        words(resolve_decision(&plain, &action("go"))),
        "Action must be 'continue', 'cancel' or 'answer'"
    );
    assert_eq!(resolve_decision(&questions(), &action("cancel")), Ok(ResumeDecision::Decline));
    assert_eq!(resolve_decision(&plain, &action("cancel")), Ok(ResumeDecision::Decline));
}

#[test]
fn wrong_shape_lists_all_problems() {
    let invalid =
        |body: &str| match ResumeRequest::parse_body(body).and_then(|body| ResumeRequest::from_body(&body)) {
            Err(InterruptBodyError::Unprocessable(invalid)) => serde_json::to_value(invalid).unwrap(),
            other => panic!("{other:?}"),
        };
    let one = |kind: &str, loc: Value, msg: &str, input: Value| json!([{ "type": kind, "loc": loc, "msg": msg, "input": input }]);
    let missing = one("missing", json!(["body"]), "Field required", Value::Null);
    assert_eq!(invalid(""), missing);
    assert_eq!(invalid("null"), missing);
    let msg = "Input should be a valid dictionary or object to extract fields from";
    assert_eq!(invalid("[]"), one("model_attributes_type", json!(["body"]), msg, json!([])));
    let both = invalid(r#"{"answers":"x"}"#);
    assert_eq!(both[0]["input"], json!({ "answers": "x" }));
    assert_eq!((both[0]["type"].as_str(), both[1]["type"].as_str()), (Some("missing"), Some("list_type")));
    assert_eq!(both[1]["loc"], json!(["body", "answers"]));
    assert_eq!(invalid(r#"{"action":null}"#)[0]["type"], "string_type");
    let request =
        ResumeRequest::from_body(&json!({ "action": "cancel", "answers": null, "more": 1 })).unwrap();
    assert_eq!(request, action("cancel"));
}

#[test]
fn answers_have_resume_request_form() {
    let given = |asked: &Arc<Questionnaire>, text: &str| {
        let codes = |problems: Vec<Problem>| {
            problems.iter().map(|p| (p.path.to_js_path(), p.code)).collect::<Vec<_>>()
        };
        Dialect::Interrupt
            .read_answers(asked, text)
            .map(|given| given.validate(asked).unwrap().replies.len())
            .map_err(codes)
    };
    let plain = approval(&Value::Null);
    assert_eq!(given(&questions(), r#"{"action":"answer","answers":["red","now"]}"#), Ok(2));
    assert_eq!(given(&plain, r#"{"action":"continue"}"#), Ok(1));
    let wrong = [
        (r#"{"action":"cancel"}"#, "action", ProblemCode::InvalidValue),
        (r#"{"action":"answer","answers":[1]}"#, "answers[0]", ProblemCode::InvalidType),
        (r#"{"answers":["x"]}"#, "action", ProblemCode::Required),
        ("{nope", "", ProblemCode::InvalidJson),
        (r#"{"action":"answer","answers":[]}"#, "", ProblemCode::InvalidValue),
        (r#"{"action":"answer","answers":["red"]}"#, "", ProblemCode::InvalidAnswers),
        (r#"{"action":"answer","answers":["red","x"]}"#, "answers[1]", ProblemCode::NoSuchOption),
    ];
    for (text, place, code) in wrong {
        assert_eq!(given(&questions(), text), Err(vec![(place.to_owned(), code)]), "{text}");
    }
}

#[test]
fn accept_option_is_detected() {
    let stop = json!({ "label": "Stop", "value": "cancel" });
    let cases = [
        (json!(["Yes", "Always", "No"]), Some("Yes")),
        (json!([stop, "Yes", "Edit"]), Some("Yes")),
        (json!(["Edit", stop, { "label": "Go", "value": "continue" }]), Some("Go")),
        (json!(["Reject", "Edit", "Approve"]), Some("Approve")),
        (json!(["Cancel", "Continue"]), Some("Continue")),
        (json!(["取消", "继续"]), Some("继续")),
        (
            json!([{ "label": "Reject", "value": "reject" }, { "label": "Approve", "value": "approve" }]),
            Some("Approve"),
        ),
        (json!(["Yes", "Ask me later"]), Some("Yes")),
        (json!([{ "label": "Same", "value": "continue" }, { "label": "Same", "value": "cancel" }]), None),
    ];
    for (options, goes_on) in cases {
        let asked = approval(&options);
        let question = &asked.questions[0];
        let choice = question.choice().unwrap();
        let labels = options.as_array().unwrap().iter().map(|option| option.get("label").unwrap_or(option));
        assert_eq!(
            labels.cloned().collect::<Vec<_>>(),
            choice.options.iter().map(|o| json!(o.label)).collect::<Vec<_>>()
        );
        for (at, option) in choice.options.iter().enumerate() {
            let picked = Reply::from_picks([Pick::Option(option.id.clone())]);
            let outcome = answered([(question.id.clone(), picked)].into());
            let goes_on = goes_on.map_or(at == 0, |label| label == option.label);
            let (action, reason) =
                if goes_on { ("continue", Value::Null) } else { ("cancel", json!(option.label)) };
            let written: Value =
                serde_json::from_str(&Dialect::Interrupt.write(ask(), &asked, &outcome).stdout).unwrap();
            assert_eq!((&written["action"], &written["reason"]), (&json!(action), &reason), "{options}");
            assert_eq!(end_events(&asked, &outcome)[0].data, json!({ "action": action }));
            assert_eq!(Dialect::Interrupt.write(ask(), &asked, &outcome).exit, if goes_on { 0 } else { 3 });
        }
        let ResumeDecision::Answer(given) = resolve_decision(&asked, &action("continue")).unwrap() else {
            panic!()
        };
        let outcome = answered(given.validate(&asked).unwrap().replies);
        assert_eq!(Dialect::Interrupt.write(ask(), &asked, &outcome).stdout, r#"{"action":"continue"}"#);
    }
}

#[test]
fn text_placeholder_is_no_answer() {
    let typed = |text: &str| {
        let own = Reply::from_picks([Pick::Other(text.to_owned())]);
        let how = Reply::from_picks([Pick::Option(OptionId::new("now"))]);
        let ids = questions().questions.iter().map(|question| question.id.clone()).collect::<Vec<_>>();
        sayso_dialects::SubmittedAnswers::from_replies(ids.into_iter().zip([own, how]).collect())
            .validate(&questions())
    };
    for text in ["__custom__", " __custom__\n", "mine ", "more"] {
        let problems = typed(text).unwrap_err();
        let paths: Vec<_> = problems.iter().map(|p| (p.path.to_js_path(), p.code)).collect();
        assert_eq!(paths, [("answers.q0".to_owned(), ProblemCode::InvalidValue)], "{text:?}");
    }
    assert!(typed("__custom").is_ok() && typed("mine, all mine").is_ok());
}

#[test]
fn outcomes_state_their_kind() {
    let (asks, approves) = (questions(), approval(&Value::Null));
    let sure = |sure: bool, note: Option<&str>| {
        let reply = Reply::from_answer(Answer::Confirm(sure)).with_note(note.map(str::to_owned));
        answered([(approves.questions[0].id.clone(), reply)].into())
    };
    let answers = outcome(&asks, &answer(&["red", "now"]));
    let cancel = r#"{"action":"cancel"}"#;
    let no = "User declined to answer";
    let rejected = "User rejected the tool call for `execute` with id c1";
    let (late, gone) = ("No answer before the deadline", "The question was cancelled");
    let late_events = "event: error\ndata: {\"message\":\"No answer before the deadline\"}\n\nevent: end\ndata: {\"action\":\"error\"}\n\n";
    let end = |action: &str| format!("event: end\ndata: {{\"action\":\"{action}\"}}\n\n");
    let because = r#"{"action":"cancel","reason":"too \"red\""}"#;
    let reason = declined(Some("too \"red\""));
    let cases = [
        (&asks, answers, r#"["red", "now"]"#, "", 0, Some(r#"["red", "now"]"#.to_owned()), end("answer")),
        (
            &asks,
            reason.clone(),
            because,
            "User declined to answer: too \"red\"",
            3,
            Some(format!("{no}: too \"red\"")),
            end("cancel"),
        ),
        (&asks, declined(None), cancel, no, 3, Some(no.to_owned()), end("cancel")),
        (&asks, end_of("cancelled"), "", gone, 6, Some(gone.to_owned()), end("cancel")),
        (&asks, end_of("expired"), "", late, 5, Some(late.to_owned()), late_events.to_owned()),
        (&approves, sure(true, Some("fine")), r#"{"action":"continue"}"#, "", 0, None, end("continue")),
        (&approves, sure(false, None), cancel, no, 3, Some(rejected.to_owned()), end("cancel")),
        (
            &approves,
            sure(false, Some("no")),
            r#"{"action":"cancel","reason":"no"}"#,
            "User declined to answer: no",
            3,
            Some(format!("{rejected}: no")),
            end("cancel"),
        ),
        (
            &approves,
            reason,
            because,
            "User declined to answer: too \"red\"",
            3,
            Some(format!("{rejected}: too \"red\"")),
            end("cancel"),
        ),
        (&approves, declined(None), cancel, no, 3, Some(rejected.to_owned()), end("cancel")),
        (&approves, end_of("cancelled"), "", gone, 6, Some(gone.to_owned()), end("cancel")),
        (&approves, end_of("expired"), "", late, 5, Some(late.to_owned()), late_events.to_owned()),
    ];
    for (asked, outcome, stdout, stderr, exit, result, events) in cases {
        let written = Dialect::Interrupt.write(ask(), asked, &outcome);
        let got = (written.stdout.as_str(), written.stderr.as_str(), written.exit);
        assert_eq!(got, (stdout, stderr, exit), "{outcome:?}");
        assert_eq!(tool_result(asked, &outcome, "c1"), result, "{outcome:?}");
        assert_eq!(shown(&end_events(asked, &outcome)), events, "{outcome:?}");
    }
}

#[test]
fn stream_ends_after_interrupt() {
    let events = interrupt_events(&approval(&Value::Null), Lang::En);
    assert_eq!(events[0].name, "interrupt");
    assert_eq!(events[1].to_sse(), "event: end\ndata: {}\n\n");
    assert_eq!((events.len(), &events[0].data["questions"]), (2, &Value::Null));
}

/// Returns interrupt data with both calls.
fn both(one: &Value, two: &Value) -> Value {
    let mut both = one.clone();
    for member in ["action_requests", "review_configs"] {
        let further = two["data"][member][0].clone();
        both["data"][member].as_array_mut().unwrap().push(further);
    }
    both
}

#[test]
fn calls_become_successive_interrupts() {
    let one = data_from_call("execute", &json!({ "command": "ls" }));
    assert_eq!(split_requests(&one).unwrap(), std::slice::from_ref(&one));
    assert_eq!(split_requests(&Value::Null).unwrap(), [Value::Null]);
    let two = data_from_call("write_file", &json!({ "file_path": "/a/b.txt", "content": "" }));
    assert_eq!(split_requests(&both(&one, &two)).unwrap(), [one, two]);
}

#[test]
fn approvals_have_their_tool_options() {
    let one = data_from_call("execute", &json!({ "command": "ls" }));
    let questions = json!([{ "question": "Q?", "options": [{ "label": "A", "value": "a" }] }]);
    let mut both = both(&one, &data_from_call("ask_user", &json!({ "questions": questions })));
    both["options"] = json!(["No", "Yes"]);
    both["data"]["more"] = json!(1);
    let configs = both["data"]["review_configs"].as_array_mut().unwrap();
    configs.push(json!({ "action_name": "execute", "allowed_decisions": [] }));
    let parts = split_requests(&both).unwrap();
    assert_eq!([&parts[0]["options"], &parts[1]["options"]], [&both["options"], &Value::Null]);
    assert_eq!(parts[0]["data"]["review_configs"], one["data"]["review_configs"]);
    assert_eq!([&parts[0]["data"]["more"], &parts[1]["data"]["more"]], [1, 1]);
    assert_eq!(asked(&parts[0]).questions[0].prompt, "执行命令?");
}

#[test]
fn excessive_calls_are_refused() {
    let many = |count: usize, more: &str| {
        let requests: Vec<_> = (0..count).map(|at| json!({ "name": format!("t{at}") })).collect();
        let configs: Vec<_> =
            requests.iter().map(|request| json!({ "action_name": request["name"] })).collect();
        let data = json!({ "action_requests": requests, "review_configs": configs, "more": more });
        split_requests(&json!({ "data": data }))
            .map(|parts| parts.len())
            .map_err(|p| (p.path.to_js_path(), p.code))
    };
    assert_eq!(many(limits::PENDING_CALLS, ""), Ok(limits::PENDING_CALLS));
    assert_eq!(
        many(limits::PENDING_CALLS + 1, ""),
        Err(("data.action_requests".to_owned(), ProblemCode::TooBig))
    );
    let large = "x".repeat(limits::PENDING_CALLS_SHARED_BYTES / limits::PENDING_CALLS - 1_000);
    assert_eq!(many(limits::PENDING_CALLS, &large), Ok(limits::PENDING_CALLS));
    let large = "x".repeat(limits::PENDING_CALLS_SHARED_BYTES / limits::PENDING_CALLS);
    assert_eq!(many(limits::PENDING_CALLS, &large), Err(("data".to_owned(), ProblemCode::TooLarge)));
    assert_eq!(many(10, &large), Ok(10));
    // Each call of a tool repeats its configuration in its interrupts.
    let config = json!({ "action_name": "t", "more": large });
    let data = json!({ "action_requests": vec![json!({ "name": "t" }); limits::PENDING_CALLS], "review_configs": [config] });
    assert_eq!(split_requests(&json!({ "data": data })).unwrap_err().code, ProblemCode::TooLarge);
}

proptest! {
    #[test]
    fn any_answer_survives_round_trip(text in any::<String>(), answer in ".{1,5}") {
        let _ = Dialect::Interrupt.read_answers(&questions(), &text);
        let _ = Dialect::Interrupt.read_answers(&approval(&Value::Null), &text);
        let request = ResumeRequest::from_body(&json!({ "action": "answer", "answers": [answer, "now"] })).unwrap();
        if resolve_decision(&questions(), &request).is_ok() {
            let stdout = Dialect::Interrupt.write(ask(), &questions(), &outcome(&questions(), &request)).stdout;
            let output: Vec<String> = serde_json::from_str(&stdout).unwrap();
            prop_assert_eq!(output, [answer.trim(), "now"]);
        }
    }
}
