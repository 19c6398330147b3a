use super::{Kind, lex};

/// The tokens as one line: literals as `"`, lifetimes with their quote.
fn code(source: &str) -> String {
    let shown = lex(source).tokens.into_iter().map(|token| match token.kind {
        Kind::Word | Kind::Mark => token.text,
        Kind::Literal => "\"".to_owned(),
        Kind::Lifetime => format!("'{}", token.text),
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn comments_are_not_code() {
    assert_eq!(code("a // b { \"\n c /* d /* e */ ' f */ g /// h\n//! i"), "a c g");
    assert_eq!(code("a / b /**/ c"), "a / b c");
    let comments: Vec<_> = lex("x; // one\n\n/* two\n*/ y").comments;
    assert_eq!(comments.len(), 2);
    assert_eq!((comments[0].line, comments[0].text.as_str()), (1, "// one"));
    assert_eq!((comments[1].line, comments[1].text.as_str()), (3, "/* two\n*/"));
}

#[test]
fn strings_are_one_literal_whatever_they_hold() {
    for literal in [
        r#""""#,
        r#""a { // \" b""#,
        r#""\\""#,
        "\"two\nlines {\"",
        r##"r"a \""##,
        r###"r#"a " { "# "###,
        r####"r##"a "# b"## "####,
        r##"b"\"{""##,
        r###"br#""{"#"###,
        r#"c"{""#,
    ] {
        assert_eq!(code(&format!("x({literal});")), "x ( \" ) ;", "{literal}");
    }
}

#[test]
fn a_string_keeps_what_stands_between_its_quotes() {
    let tokens = lex(r###"include!("a.rs"); "\"x\\" r#"b"c"# 'd' b"e""###).tokens.into_iter();
    let texts: Vec<_> = tokens.filter(|token| token.kind == Kind::Literal).map(|token| token.text).collect();
    assert_eq!(texts, ["a.rs", r#"\"x\\"#, "b\"c", "d", "e"]);
}

#[test]
fn characters_are_told_from_lifetimes() {
    for literal in ["'{'", "'\"'", r"'\''", r"'\\'", r"'\u{7b}'", "b'{'", r"b'\''", "'字'", "'/'"] {
        assert_eq!(code(&format!("x = {literal}; {{")), "x = \" ; {", "{literal}");
    }
    assert_eq!(code("fn f<'a, 'b>(x: &'a str, y: &'static [u8]) {"), {
        "fn f < 'a , 'b > ( x : & 'a str , y : & 'static [ u8 ] ) {"
    });
    assert_eq!(code("'outer: loop { break 'outer; }"), "'outer : loop { break 'outer ; }");
}

#[test]
fn raw_names_are_words() {
    assert_eq!(code("fn r#mod() { r#type }"), "fn r#mod ( ) { r#type }");
    assert_eq!(code("#[r] b # c"), "# [ r ] b # c");
}

#[test]
fn lines_are_counted_through_everything() {
    let source = "a\n\"x\ny\" b /*\n\n*/ c r#\"\n\"# d";
    let lines: Vec<_> = lex(source).tokens.into_iter().map(|token| (token.text, token.line)).collect();
    let expected = [("a", 1), ("x\ny", 2), ("b", 3), ("c", 5), ("\n", 5), ("d", 6)];
    assert_eq!(lines, expected.map(|(text, line)| (text.to_owned(), line)));
}

#[test]
fn unfinished_sources_end() {
    for source in ["\"abc", "r#\"abc\"", "/* a /* b */", "'", "b'", "'\\", "r#"] {
        lex(source);
    }
}
