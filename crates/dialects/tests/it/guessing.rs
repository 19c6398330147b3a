//! Which dialect a request is in.

use crate::sample::{question, request};
use proptest::prelude::*;
use sayso_dialects::Dialect;

#[test]
fn names_are_read_back() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::parse(dialect.name()), Some(dialect));
    }
    assert_eq!(Dialect::parse("Sayso"), None);
}

#[test]
fn only_clear_cases_are_guessed() {
    let (ours, theirs) = (Some(Dialect::Sayso), Some(Dialect::AskUserQuestion));
    let cases = [
        (request(&[question("H", &["A", "B"], false)]), theirs),
        (r#"{"questions":[1,{"header":"H"}]}"#.to_owned(), theirs),
        (r#"{"questions":[{"prompt":"Which?"}]}"#.to_owned(), ours),
        (r#"{"sayso":1}"#.to_owned(), ours),
        (r#"{"questions":[{"prompt":"Which?","multiSelect":true}]}"#.to_owned(), None),
        (r#"{"sayso":1,"questions":[{"header":"H"}]}"#.to_owned(), None),
        (r#"{"questions":[]}"#.to_owned(), None),
        (r#"{"questions":{"prompt":1}}"#.to_owned(), None),
        (r#"[{"prompt":"Which?"}]"#.to_owned(), None),
        (r#"{"questions":[{"prompt":"Which?"}]"#.to_owned(), None),
        (String::new(), None),
        ("Which?".to_owned(), None),
    ];
    for (text, dialect) in cases {
        assert_eq!(Dialect::guess(&text), dialect, "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_panics_the_guess(text in any::<String>()) {
        let _ = Dialect::guess(&text);
    }
}
