//! Detection of a request's dialect.

use crate::sample::{question, request};
use proptest::prelude::*;
use sayso_dialects::{Dialect, DialectGuess};

#[test]
fn dialect_names_survive_round_trip() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_name(dialect.name()), Ok(dialect));
    }
    for unknown in ["Sayso", "hook", ""] {
        assert!(Dialect::from_name(unknown).is_err(), "{unknown}");
    }
}

#[test]
fn unique_shape_selects_its_dialect() {
    use Dialect::{AskUserQuestion, Auq, Interaction, Interrupt, Questionnaire, Sayso};
    let auq = r#"{"questions":[{"prompt":"Which?","title":"T","options":[{"label":"A"},{"label":"B"}],"multiSelect":false}]}"#;
    let field = r#"{"id":"a","type":"text","label":"A"}"#;
    let cases = [
        (request(&[question("H", &["A", "B"], false)]), AskUserQuestion),
        (r#"{"questions":[1,{"header":"H"}]}"#.to_owned(), AskUserQuestion),
        (r#"{"questions":[{"prompt":"Which?"}]}"#.to_owned(), Sayso),
        (r#"{"questions":[{"prompt":"Which?","options":[{"label":"A"}],"multi":true}]}"#.to_owned(), Sayso),
        (r#"{"sections":[{"questions":[{"prompt":"Which?"}]}]}"#.to_owned(), Sayso),
        (r#"{"sayso":1}"#.to_owned(), Sayso),
        (r#"{"questions":[{"id":"q","type":"text","label":"L","prompt":"P"}]}"#.to_owned(), Questionnaire),
        (r#"{"questions":[{"type":"date","prompt":"P"}]}"#.to_owned(), Questionnaire),
        (auq.to_owned(), Auq),
        (r#"{"questions":[{"prompt":"Which?","multiSelect":true}]}"#.to_owned(), Auq),
        (r#"{"questions":[],"nonBlocking":true}"#.to_owned(), Auq),
        (r#"{"questions":[{"prompt":"Which?","options":["A","B"]}]}"#.to_owned(), Sayso),
        (
            r#"{"questions":[{"question":"Q?","header":"H","multiSelect":false,"options":["A","B"]}]}"#
                .to_owned(),
            AskUserQuestion,
        ),
        (format!(r#"{{"fields":[{field}]}}"#), Interaction),
        (format!(r#"{{"title":"T","sections":[{{"id":"s","fields":[{field}]}}]}}"#), Interaction),
        (format!(r#"{{"schema":{{"fields":[{field}]}},"timeoutMs":20}}"#), Interaction),
        (r#"{"questions":[{"question":"Q?","options":[{"label":"A","value":"a"}]}]}"#.to_owned(), Interrupt),
        (r#"{"info":"i","taskName":"t","data":{},"questions":null}"#.to_owned(), Interrupt),
        (r#"{"event":"interrupt","data":{}}"#.to_owned(), Interrupt),
    ];
    for (text, dialect) in cases {
        assert_eq!(Dialect::guess(&text), DialectGuess::One(dialect), "{text}");
    }
}

#[test]
fn ambiguous_shapes_select_no_dialect() {
    let several = |text: &str| match Dialect::guess(text) {
        DialectGuess::Several(several) => several,
        guess => panic!("{text}: {guess:?}"),
    };
    let without_any = [Dialect::Sayso, Dialect::Questionnaire, Dialect::AskUserQuestion, Dialect::Auq];
    assert_eq!(
        several(r#"{"questions":[{"options":[]}]}"#),
        [&without_any[..], &[Dialect::Interrupt]].concat()
    );
    let choice = r#"{"questions":[{"question":"Q?","multiSelect":true,"options":[]},{"options":[]}]}"#;
    assert_eq!(Dialect::guess(choice), DialectGuess::One(Dialect::AskUserQuestion));
    let titled = r#"{"title":"T"}"#;
    assert_eq!(several(titled), [Dialect::Sayso, Dialect::Interaction]);
    let neither = [
        r#"{"sayso":1,"questions":[{"header":"H"}]}"#,
        r#"{"questions":[{"prompt":"P","question":"Q"}]}"#,
        r#"{"questions":[{"prompt":"P","multiSelect":true,"options":["A","B"]}]}"#,
        r#"{"questions":[{"question":"Q?","options":["A","B"]}]}"#,
        r#"[{"prompt":"Which?"}]"#,
        r#"{"questions":[{"prompt":"Which?"}]"#,
        "{}",
        "",
        "Which?",
    ];
    for text in neither {
        assert_eq!(Dialect::guess(text), DialectGuess::None, "{text}");
    }
}

#[test]
fn ignored_members_do_not_exclude() {
    use Dialect::{AskUserQuestion, Auq, Interrupt, Questionnaire};
    let with = |of_request: &str, of_question: &str, option: &str| {
        format!(r#"{{{of_request}"questions":[{{{of_question}"options":[{option}]}}]}}"#)
    };
    let (valued, described) = (r#"{"label":"a","value":"b"}"#, r#"{"label":"a","description":"b"}"#);
    let header = r#""question":"Q","header":"H","multiSelect":false,"#;
    let cases = [
        (with("", r#""id":"1","question":"Q","#, valued), Interrupt),
        (with(r#""title":"T","#, r#""question":"Q","required":true,"#, valued), Interrupt),
        (with("", r#""question":"Q","#, r#"{"id":"a","label":"a","value":"b"}"#), Interrupt),
        (with("", &format!(r#""id":"1",{header}"#), described), AskUserQuestion),
        (with(r#""title":"T","#, header, r#"{"label":"a","value":"b","description":"c"}"#), AskUserQuestion),
        (with("", r#""id":"1","prompt":"P","title":"T","multiSelect":false,"#, described), Auq),
        (
            with("", r#""id":"1","type":"select","label":"L","prompt":"P","header":"H","#, valued),
            Questionnaire,
        ),
    ];
    for (text, dialect) in cases {
        assert_eq!(Dialect::guess(&text), DialectGuess::One(dialect), "{text}");
    }
    let named = with(r#""sayso":1,"#, r#""question":"Q","#, valued);
    assert_eq!(Dialect::guess(&named), DialectGuess::None, "it names its format");
    let unfinished = with("", r#""id":"1","question":"Q","#, r#"{"label":"a"}"#);
    assert_eq!(Dialect::guess(&unfinished), DialectGuess::None);
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = Dialect::guess(&text);
    }
}
