//! Interrupts read and written: the meaning of their parts, and lossless round trips.

use super::read;
use sayso_core::Lang;
use sayso_core::{
    ActionKind, ChoiceOption, ChoiceQuestion, ConfirmQuestion, Problem, ProblemCode, ProposedAction,
    Question, QuestionKind, Questionnaire, TextQuestion, wire,
};
use sayso_dialects::interrupt::{data_from_call, event_data, is_ask_user_interrupt, write_request};
use sayso_dialects::{Dialect, DialectGuess, DialectLimits};
use serde_json::{Value, json};

fn asked(request: &Value) -> Questionnaire {
    let read = read(&request.to_string()).unwrap();
    assert_eq!(read.warnings, [], "{request}");
    assert_eq!(read.questionnaire.problems(), [], "{request}");
    read.questionnaire
}

fn problems(request: &Value) -> Vec<(String, ProblemCode)> {
    let place = |problem: &Problem| (problem.path.to_js_path(), problem.code);
    read(&request.to_string()).unwrap_err().iter().map(place).collect()
}

fn problem(place: &str, code: ProblemCode) -> Vec<(String, ProblemCode)> {
    vec![(place.to_owned(), code)]
}

fn choice(question: &Question) -> &ChoiceQuestion {
    question.choice().unwrap()
}

fn colour() -> Value {
    json!({ "question": "Which colour?", "options": [
        { "label": "Red", "value": "red" },
        { "label": "Mine", "value": "__custom__", "allow_custom": true },
        { "label": "Green", "value": "green" },
    ]})
}

fn approval(name: &str, args: &Value) -> Value {
    json!({ "info": "i", "taskName": "T", "questions": null,
        "data": { "action_requests": [{ "name": name, "args": args, "description": "d" }], "more": [1] } })
}

/// Reads a request, writes it and reads it again.
fn there_and_back(first: &Value) -> Value {
    let questionnaire = asked(first);
    let written = write_request(&questionnaire, Lang::En);
    assert_eq!(written.lost, [], "{first}");
    let again = read(&written.text).unwrap();
    assert_eq!(again.questionnaire, questionnaire, "{} from {first}", written.text);
    serde_json::from_str(&written.text).unwrap()
}

#[test]
fn custom_option_is_the_own_answer() {
    let mut colour = colour();
    colour["options"][2]["allow_custom"] = json!(false);
    let asked = asked(&json!({ "questions": [colour] }));
    let choice = choice(&asked.questions[0]);
    assert!(choice.other && !choice.multi && asked.questions[0].required);
    assert_eq!((choice.other_label.as_deref(), choice.other_at), (Some("Mine"), Some(1)));
    let ids: Vec<_> = choice.options.iter().map(|option| (option.id.as_str(), option.sent_value())).collect();
    assert_eq!(ids, [("red", "red"), ("green", "green")]);
    assert!(asked.extensions.is_empty(), "{:?}", asked.extensions);
    assert_eq!(asked.rules.reserved, ["__custom__".to_owned()].into(), "what stands for it is no answer");
}

#[test]
fn second_custom_option_is_warned() {
    let mut question = colour();
    question["options"][2]["allow_custom"] = json!(true);
    question["options"][1]["value"] = json!("mine");
    let text = json!({ "questions": [question] }).to_string();
    let first = read(&text).unwrap();
    assert_eq!(first.warnings[0].path.to_js_path(), "questions[0].options[2].allow_custom");
    assert_eq!(first.warnings.len(), 1);
    assert_eq!(choice(&first.questionnaire.questions[0]).options.len(), 1);
    let written = write_request(&first.questionnaire, Lang::En);
    assert_eq!(serde_json::from_str::<Value>(&written.text).unwrap(), json!({ "questions": [question] }));
    assert_eq!(read(&written.text).unwrap(), first);
}

#[test]
fn request_forms_are_equivalent() {
    let arguments = json!({ "questions": [colour()] });
    let data = data_from_call("ask_user", &arguments);
    let event = json!({ "event": "interrupt", "data": data });
    assert_eq!(asked(&data), asked(&event));
    assert_eq!(asked(&data).questions, asked(&arguments).questions);
    assert_eq!(asked(&data).context.as_deref(), Some("Agent 提出了 1 个问题"));
    assert_eq!(asked(&data).title.as_deref(), Some("用户问答"));
    assert_eq!(event_data(&asked(&data), Lang::En), data);
    assert_eq!(event_data(&asked(&arguments), Lang::En), data, "what nobody said is filled in");
    for request in [&arguments, &data, &event] {
        assert_eq!(Dialect::guess(&request.to_string()), DialectGuess::One(Dialect::Interrupt), "{request}");
    }
    // A call of the tool includes its questions.
    let mut without = data.clone();
    without["questions"] = Value::Null;
    assert_eq!(asked(&without), asked(&data));
    assert!(is_ask_user_interrupt(&data) && !is_ask_user_interrupt(&without));
    assert!(!is_ask_user_interrupt(&json!({ "questions": "q" })) && !is_ask_user_interrupt(&Value::Null));
}

#[test]
fn approval_shows_its_action() {
    let shell = asked(&approval("execute", &json!({ "command": "rm -r /srv" })));
    let act = ActionKind::Shell { command: "rm -r /srv".to_owned(), folder: None };
    assert_eq!(shell.action, Some(ProposedAction { tool: "execute".to_owned(), act }));
    assert_eq!((shell.title.as_deref(), shell.context.as_deref()), (Some("T"), Some("i")));
    assert_eq!(shell.questions.len(), 1);
    assert_eq!(shell.questions[0].prompt, "T?");
    assert_eq!(shell.questions[0].kind, ConfirmQuestion::default().into());
    let acts = [
        ("write_file", json!({ "file_path": "/a", "content": "c" }), "write"),
        ("edit_file", json!({ "file_path": "/a", "diff": "d" }), "edit"),
        // Text that a summary would hide is shown in full.
        ("execute", json!({ "command": "ls", "timeout": 1 }), "call"),
        ("execute", json!({ "command": 1 }), "call"),
        ("write_file", json!({ "file_path": "/a" }), "call"),
        ("write_file", json!({}), "call"),
        ("edit_file", json!({ "file_path": "/a", "old_string": "b", "new_string": "c" }), "call"),
        ("search", json!({ "q": "1.50" }), "call"),
    ];
    for (tool, args, act) in acts {
        let action = asked(&approval(tool, &args)).action.unwrap();
        assert!(serde_json::to_value(&action).unwrap()["act"].get(act).is_some(), "{action:?}");
        if let ActionKind::Call { arguments } = &action.act {
            assert_eq!(serde_json::from_str::<Value>(arguments).unwrap(), args);
        }
        there_and_back(&approval(tool, &args));
    }
    assert_eq!(there_and_back(&approval("x", &json!({})))["data"], approval("x", &json!({}))["data"]);
}

#[test]
fn approval_needs_only_a_name() {
    assert_eq!(asked(&json!({ "taskName": "Deploy" })).questions[0].prompt, "Deploy?");
    assert_eq!(asked(&json!({ "info": "Deploy now", "questions": [] })).questions[0].prompt, "Deploy now");
    let call = json!({ "data": { "action_requests": [{ "name": "execute" }] } });
    assert_eq!(asked(&call).questions[0].prompt, "执行命令?");
    for request in
        [json!({ "taskName": " " }), json!({ "data": {} }), json!({ "options": ["Yes"] }), json!({})]
    {
        assert_eq!(problems(&request), problem("questions", ProblemCode::Required), "{request}");
    }
}

#[test]
fn approval_options_label_the_choices() {
    let kind = |options: Value| {
        let request = json!({ "taskName": "T", "options": options });
        there_and_back(&request);
        asked(&request).questions[0].kind.clone()
    };
    let confirm = |yes: Option<&str>, no: Option<&str>| {
        let [yes, no] = [yes, no].map(|label| label.map(str::to_owned));
        QuestionKind::from(ConfirmQuestion { yes, no, consent: None })
    };
    assert_eq!(kind(json!([])), confirm(None, None));
    assert_eq!(kind(json!(["Go"])), confirm(Some("Go"), None));
    assert_eq!(kind(json!(["Go", { "label": "Stop" }])), confirm(Some("Go"), Some("Stop")));
    assert_eq!(kind(json!([" YES ", { "label": "x", "value": "否" }])), confirm(Some(" YES "), Some("x")));
    let choices = |options: Value| -> Vec<(String, String)> {
        let kind = kind(options);
        let choice = kind.choice().unwrap();
        assert!(!choice.other && !choice.multi);
        let ids = choice.options.iter().map(|option| option.id.to_string());
        ids.zip(choice.options.iter().map(|option| option.sent_value().to_owned())).collect()
    };
    let named = |named: &[(&str, &str)]| -> Vec<(String, String)> {
        named.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect()
    };
    let turned = json!([{ "label": "Stop", "value": "cancel" }, { "label": "Go", "value": "continue" }]);
    let found: Vec<_> = choices(turned);
    assert_eq!(found, named(&[("cancel", "cancel"), ("continue", "continue")]), "in the asker's order");
    let found: Vec<_> = choices(json!(["a", "a", { "label": "L", "value": "v" }, "Yes"]));
    assert_eq!(found, named(&[("a", "a"), ("o2", "a"), ("v", "v"), ("Yes", "Yes")]));
}

#[test]
fn accept_option_must_be_clear() {
    let both = |label: &str, value: &str| json!({ "label": label, "value": value });
    let unclear = [
        (json!(["Deploy"]), 0),
        (json!([both("Stop", "cancel")]), 0),
        // The label that a person reads must not contradict the value sent.
        (json!([both("Cancel", "continue")]), 0),
        (json!([both("Cancel", "continue"), both("Continue", "cancel")]), 2),
        (json!([both("Go", "continue"), both("OK", "cancel")]), 2),
    ];
    for (options, count) in unclear {
        let text = json!({ "taskName": "T", "options": options }).to_string();
        let problems = read(&text).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(
            (problems[0].path.to_js_path().as_str(), problems[0].code),
            ("options", ProblemCode::InvalidValue)
        );
        let output = Dialect::Interrupt.refuse(&problems, Lang::En).stderr;
        assert!(output.contains(&format!("now {count} do")) && output.contains("`continue`"), "{output}");
    }
    for blank in [json!(""), json!(" \u{3000}"), both("", "cancel")] {
        let request = json!({ "taskName": "T", "options": ["Yes", blank] });
        assert_eq!(problems(&request), problem("options[1]", ProblemCode::Required), "{request}");
    }
}

#[test]
fn too_deep_request_is_refused() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let limits = DialectLimits::NONE;
    let held = |request: &Value| {
        let asked = asked(request);
        there_and_back(request);
        let own = wire::questionnaire::write(&asked);
        assert_eq!(Dialect::Sayso.read(&own, &limits).unwrap().questionnaire, asked);
    };
    let option = |levels: usize| json!({ "label": "Yes", "more": nested(levels) });
    held(&json!({ "taskName": "T", "data": { "more": nested(60) } }));
    held(&json!({ "taskName": "T", "options": [option(59)] }));
    let deep = json!({ "taskName": "T", "data": { "more": nested(61) } });
    assert_eq!(problems(&deep), problem("data", ProblemCode::TooDeep));
    let event = json!({ "event": "interrupt", "data": deep });
    assert_eq!(problems(&event), problem("data.data", ProblemCode::TooDeep));
    let deep = json!({ "taskName": "T", "options": [option(60)] });
    assert_eq!(problems(&deep), problem("options", ProblemCode::TooDeep));
}

#[test]
fn questions_of_call_are_kept_once() {
    let data = data_from_call("ask_user", &json!({ "questions": [colour()], "more": 1 }));
    let mut without = data.clone();
    without["questions"] = Value::Null;
    for data in [&data, &without] {
        let kept = there_and_back(data).to_string();
        assert_eq!(kept.matches("Which colour?").count(), 1, "{kept}");
        let beside = asked(data).extensions["interrupt"].to_string();
        assert!(!beside.contains("Which colour?") && beside.contains("more"), "{beside}");
        assert_eq!(
            event_data(&asked(data), Lang::En)["data"],
            data["data"],
            "the event has them in both places"
        );
    }
    // Differing content of the call is kept.
    let mut other = data.clone();
    other["questions"][0]["question"] = json!("Which one?");
    assert_eq!(there_and_back(&other)["data"], other["data"]);
}

#[test]
fn event_data_is_complete() {
    let kept = |data: &Value| event_data(&asked(data), Lang::En)["data"].clone();
    let call = data_from_call("execute", &json!({ "command": "ls" }));
    let bare = json!({ "data": { "action_requests": [{ "name": "execute", "args": { "command": "ls" } }] } });
    assert_eq!(kept(&bare), call["data"]);
    let mut own = call.clone();
    own["data"]["action_requests"][0]["description"] = json!("Mine");
    own["data"]["review_configs"][0]["allowed_decisions"] = json!(["approve"]);
    assert_eq!(event_data(&asked(&own), Lang::En)["data"], own["data"]);
    // Questions next to a call of another tool are questions.
    let mut both = data_from_call("ask_user", &json!({ "questions": [colour()] }));
    both["data"] = bare["data"].clone();
    let mut whole = Questionnaire { title: None, context: None, ..asked(&both) };
    assert_eq!(event_data(&whole, Lang::En)["taskName"], "用户问答");
    assert_eq!(event_data(&whole, Lang::En)["info"], "Agent 提出了 1 个问题");
    assert_eq!(event_data(&whole, Lang::En)["data"], call["data"]);
    whole.action = None;
    let asking = data_from_call("ask_user", &json!({ "questions": [colour()] }));
    assert_eq!(event_data(&whole, Lang::En), asking);
}

#[test]
fn problems_have_their_place() {
    let question = |options: Value| json!({ "questions": [{ "question": "Q?", "options": options }] });
    let option = |value: Value| question(json!([{ "label": "L", "value": "v" }, value]));
    let at = |inner: &str| format!("questions[0].options[1]{inner}");
    let several = json!({ "data": { "action_requests": [{ "name": "a" }, { "name": "b" }] } });
    let bad_call =
        json!({ "event": "interrupt", "data": { "data": { "action_requests": [{ "name": 1 }] } } });
    let in_call = data_from_call("ask_user", &json!({ "questions": [] }));
    let cases = [
        (json!({ "questions": [] }), "questions".to_owned(), ProblemCode::TooSmall),
        (json!({ "questions": "Q?" }), "questions".to_owned(), ProblemCode::InvalidType),
        (question(json!([])), "questions[0].options".to_owned(), ProblemCode::TooSmall),
        (option(json!({ "value": "v" })), at(".label"), ProblemCode::Required),
        (option(json!({ "label": "L" })), at(".value"), ProblemCode::Required),
        (option(json!({ "label": "L", "value": 1 })), at(".value"), ProblemCode::InvalidType),
        (
            option(json!({ "label": "L", "value": "v", "allow_custom": null })),
            at(".allow_custom"),
            ProblemCode::InvalidType,
        ),
        (option(json!("L")), at(""), ProblemCode::InvalidType),
        (json!([]), String::new(), ProblemCode::InvalidType),
        (
            json!({ "event": "end", "data": { "taskName": "T" } }),
            "event".to_owned(),
            ProblemCode::InvalidValue,
        ),
        (json!({ "event": "interrupt" }), "data".to_owned(), ProblemCode::Required),
        (several, "data.action_requests".to_owned(), ProblemCode::TooBig),
        (json!({ "info": 1, "taskName": "T" }), "info".to_owned(), ProblemCode::InvalidType),
        (
            json!({ "taskName": "T", "options": [{ "value": "v" }] }),
            "options[0]".to_owned(),
            ProblemCode::InvalidType,
        ),
    ];
    for (request, place, code) in cases {
        assert_eq!(problems(&request), problem(&place, code), "{request}");
    }
    let place = ("data.data.action_requests[0].name".to_owned(), ProblemCode::InvalidType);
    assert_eq!(problems(&bad_call)[0], place);
    let place = "data.action_requests[0].args.questions";
    assert_eq!(problems(&in_call), problem(place, ProblemCode::TooSmall));
    let refused = Dialect::Interrupt.refuse(&read(r#"{"questions":[]}"#).unwrap_err(), Lang::En);
    let words =
        "sayso: The request has 1 problem (read as interrupt).\n  - questions: Expected at least 1 item.";
    assert_eq!((refused.stderr.as_str(), refused.exit), (words, 1));
    for (text, code) in [("", ProblemCode::MissingRequest), ("{", ProblemCode::InvalidJson)] {
        assert_eq!(read(text).unwrap_err()[0].code, code);
    }
}

#[test]
fn losses_of_interrupts_are_listed() {
    let lost = |questionnaire: &Questionnaire| -> Vec<String> {
        write_request(questionnaire, Lang::En).lost.iter().map(|lost| lost.path.to_js_path()).collect()
    };
    let option = |id: &str| ChoiceOption::new(id, id);
    let picks = |multi: bool, other: bool| {
        let options = vec![option("a"), option("b")];
        ChoiceQuestion { options, multi, other, ..ChoiceQuestion::default() }
    };
    let text = Question::new("q0", "Why?", TextQuestion::default());
    let of = |questions: Vec<Question>| Questionnaire { questions, ..Questionnaire::default() };
    let mixed = of(vec![
        text.clone(),
        Question::new("q1", "Which?", picks(true, false)),
        Question::new("q2", "Which?", picks(false, true)),
        Question::new("q3", "Sure?", ConfirmQuestion::default()),
    ]);
    assert_eq!(
        lost(&mixed),
        [
            "questions[0].kind",
            "questions[1].kind",
            "questions[3].kind",
            "rules.reserved",
            "questions[2].other_label"
        ]
    );
    let written: Value = serde_json::from_str(&write_request(&mixed, Lang::En).text).unwrap();
    let own = json!({ "label": "自定义", "value": "__custom__", "allow_custom": true });
    assert_eq!(written["questions"][2]["options"][2], own);
    // A request without questions is no approval, whatever its title.
    let titled = Questionnaire { title: Some("T".to_owned()), ..of(Vec::new()) };
    assert!(read(&write_request(&titled, Lang::En).text).is_err());
    let foreign = Questionnaire {
        action: Some(ProposedAction {
            tool: "sh".to_owned(),
            act: ActionKind::Run { argv: vec!["ls".to_owned()], folder: None },
        }),
        ..of(vec![Question::new("go", "May I?", ConfirmQuestion::default())])
    };
    assert_eq!(lost(&foreign), ["action", "questions[0].id", "questions[0].prompt"]);
    assert!(
        write_request(&foreign, Lang::En).text.contains("May I?")
            && write_request(&foreign, Lang::En).text.contains("\"ls\"")
    );
}

#[test]
fn large_request_is_read_fast() {
    let options: Vec<_> = (0..1_000).map(|_| json!({ "label": "L", "value": "v" })).collect();
    let one = json!({ "questions": [{ "question": "Q?", "options": options }] });
    assert_eq!(choice(&asked(&one).questions[0]).options.len(), 1_000);
    there_and_back(&one);
    let question = json!({ "question": "Q?", "options": [{ "label": "L", "value": "v" }] });
    there_and_back(&json!({ "questions": vec![question.clone(); 1_000] }));
    let many = json!({ "questions": vec![question; 1_001] });
    assert_eq!(problems(&many), problem("questions", ProblemCode::TooBig));
    assert_eq!(
        Dialect::Interrupt.read(&"[".repeat(100_000), &DialectLimits::NONE).unwrap_err()[0].code,
        ProblemCode::TooDeep
    );
}
