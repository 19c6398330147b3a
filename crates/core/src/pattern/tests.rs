//! Patterns and texts with JavaScript's results, and rejected patterns.

use super::*;
use crate::limits;
use MatchResult::{No, TooCostly, Yes};
use proptest::prelude::*;

#[track_caller]
fn check(cases: &[(&str, &str, MatchResult)]) {
    for (pattern, text, expected) in cases {
        let compiled = Pattern::compile(pattern).unwrap_or_else(|problem| panic!("{pattern}: {problem:?}"));
        assert_eq!(compiled.matches(text), *expected, "{pattern} on {text:?}");
    }
}

/// Asserts that each pattern is rejected with this fault.
#[track_caller]
fn refuse(cases: &[(&str, PatternFault)]) {
    for (pattern, expected) in cases {
        assert_eq!(Pattern::compile(pattern).unwrap_err(), *expected, "{pattern}");
    }
}

fn foreign(construct: &str) -> PatternFault {
    PatternFault::Foreign { construct: construct.to_owned(), instead: None }
}

fn instead(construct: &str, instead: &'static str) -> PatternFault {
    PatternFault::Foreign { construct: construct.to_owned(), instead: Some(instead) }
}

fn unsupported(construct: &str) -> PatternFault {
    PatternFault::Unsupported { construct: construct.to_owned() }
}

fn broken(construct: &str, place: usize) -> PatternFault {
    PatternFault::Broken { construct: construct.to_owned(), place }
}

fn repeats_nothing(construct: &str, place: usize) -> PatternFault {
    PatternFault::NothingToRepeat { construct: construct.to_owned(), place }
}

#[test]
fn unanchored_pattern_matches_anywhere() {
    check(&[
        ("b", "abc", Yes),
        ("^b", "abc", No),
        ("", "", Yes),
        ("^[^@\\s]+@[^@\\s]+$", "nope", No),
        ("^[^@\\s]+@[^@\\s]+$", "me@example.org", Yes),
        ("^a$", "x\na\ny", No),
        ("a$", "a\n", No),
        ("^a|b$", "xb", Yes),
    ]);
}

#[test]
fn character_sets_match_javascript() {
    check(&[
        (r"^\d$", "٣", No),
        (r"^\w$", "é", No),
        (r"^\W$", "é", Yes),
        (r"^\s$", "\u{feff}", Yes),
        (r"^\s$", "\u{85}", No),
        (r"^\S$", "\u{200b}", Yes),
        (r"^.$", "\u{2028}", No),
        (r"^.$", "\r", No),
        (r"^.$", "\u{85}", Yes),
        (r"\bé", "é", No),
        (r"é\b", "éa", Yes),
        (r"\Bé", "é", Yes),
        (r"^[^]$", "\n", Yes),
        ("[]", "a", No),
        ("[]", "", No),
        (r"^[\w-.]$", "-", Yes),
        (r"^[+--]$", ",", Yes),
        (r"^[[a]$", "[", Yes),
        (r"^[\b]$", "\u{8}", Yes),
        (r"[^\W\d]", "_", Yes),
        (r"^[a^]$", "^", Yes),
        ("^[--/]$", ".", Yes),
        (r"^[\p{Lu}\P{L}]$", "a", No),
        (r"^\p{Script=Greek}+$", "λόγος", Yes),
    ]);
}

#[test]
fn escapes_match_javascript() {
    check(&[
        (r"^\cA$", "\u{1}", Yes),
        (r"^[\cj]$", "\n", Yes),
        (r"^\0$", "\0", Yes),
        (r"^\x41\u0042\u{43}$", "ABC", Yes),
        (r"^\ud83d\ude00$", "😀", Yes),
        (r"^\/\-\.\_\é$", "/-._é", Yes),
        (r"^\t\n\v\f\r$", "\t\n\u{b}\u{c}\r", Yes),
        ("^.$", "😀", Yes),
        ("^{a}$", "{a}", Yes),
        ("^a{,2}$", "a{,2}", Yes),
        ("^a{,2}$", "aa", No),
        ("^x{ 1}$", "x{ 1}", Yes),
        ("^]$", "]", Yes),
    ]);
}

/// Rejected: the engine keeps a capture of an earlier iteration that JavaScript resets.
#[test]
fn stale_capture_reference_is_refused() {
    refuse(&[
        (r"^(?:(a)|b)*\1$", unsupported(r"\1")),
        (r"^(?:(x)|y)*-\1$", unsupported(r"\1")),
        (r"^(?:(a)|(b))+\1$", unsupported(r"\1")),
        (r"^(?:(?:(a)|b)c){2}\1$", unsupported(r"\1")),
        (r"^(?:(a)?b)*\1$", unsupported(r"\1")),
        (r"^(?:(?<q>a)|b\k<q>)*$", unsupported(r"\k<q>")),
        (r"^(?:(a)?b\1)+$", unsupported(r"\1")),
    ]);
    check(&[
        (r"^(?:(a|b)c)*\1$", "acbcb", Yes),
        (r"^(?:(a|b)c)*\1$", "acbca", No),
        (r"^(a|b)*\1$", "abb", Yes),
        (r"^(a|b)*\1$", "", Yes),
        (r"^(?:(['~]).\1)*$", "'a'~b~", Yes),
        (r"^(?:(['~]).\1)*$", "'a~", No),
        (r"^(?:(?:(a)|b)\1)?$", "aa", Yes),
        (r"^(?:(a)|b)(?:c\1)*$", "acaca", Yes),
    ]);
}

#[test]
fn groups_and_repeats_match_javascript() {
    check(&[
        ("^(?:a{2}|b{1,}?){2}$", "aab", Yes),
        ("^a{0}$", "a", No),
        // A group that has not matched yet matches nothing.
        (r"^(?:(a)|b)\1$", "b", Yes),
        (r"^\1(a)$", "a", Yes),
        (r"^(a\1)$", "a", Yes),
        (r"^(.)\1$", "ab", No),
        (r"^(?<l>.)\k<l>$", "aa", Yes),
        ("(?<=a+)b", "aab", Yes),
        ("(?<!a|bc)d", "bcd", No),
        ("^(?=a)*b", "b", Yes),
        ("^(?=a)+b", "b", No),
        ("^(?:(?=a))?b", "b", Yes),
        ("^()*(?:)+$", "", Yes),
        // The engine's optimizer reduces this to a single letter.
        ("^b+a?b+$", "b", No),
        ("^b+a*?b+$", "bb", Yes),
        ("^(?:b+a?b+)*$", "b", No),
        // A repeat too long to write out is counted.
        ("^.{1,1000}$", "é", Yes),
        (r"^\p{L}{2,50}$", "é", No),
        ("^[^]{3,5000}?$", "ab", No),
        ("^a{1,99999999999999999999}$", "aaa", Yes),
    ]);
}

#[test]
fn foreign_syntax_is_refused_by_name() {
    refuse(&[
        (r"\Aa", instead(r"\A", "^")),
        (r"a\Z", instead(r"\Z", "$")),
        (r"a\z", instead(r"\z", "$")),
        (r"\G", foreign(r"\G")),
        (r"a\K", foreign(r"\K")),
        (r"\h", foreign(r"\h")),
        (r"\Qa\E", foreign(r"\Q")),
        (r"(a)\g<1>", foreign(r"\g")),
        (r"[\R]", foreign(r"\R")),
        ("[a-z&&[^b]]", foreign("&&")),
        ("[a~~b]", foreign("~~")),
        ("[a--b]", foreign("--")),
        (r"[\w--\d]", foreign("--")),
        ("[[:alpha:]]", instead("[:alpha:]", "[a-z]")),
        ("[[:^digit:]]", instead("[:^digit:]", "[a-z]")),
        ("(?i)a", instead("(?i)", "[Aa]")),
        ("(?s:.)", foreign("(?s:")),
        ("(?-i)a", foreign("(?-i)")),
        ("(?P<n>a)", instead("(?P<", "(?<name>…)")),
        ("(?P=n)", instead("(?P=", r"\k<name>")),
        ("(?>a)", foreign("(?>")),
        ("(?#a)", foreign("(?#")),
        ("(?(1)a)", foreign("(?(")),
        ("(?|a)", foreign("(?|")),
        ("(?~a)", foreign("(?~")),
        ("(*FAIL)", repeats_nothing("*", 2)),
        ("a++", repeats_nothing("+", 3)),
        ("a{2}+", repeats_nothing("+", 5)),
        (r"\pL", instead(r"\pL", r"\p{L}")),
        (r"\p{letter}", foreign(r"\p{letter}")),
        (r"\p{alnum}", foreign(r"\p{alnum}")),
        (r"\p{^L}", foreign(r"\p{^L}")),
        (r"\p{RGI_Emoji}", foreign(r"\p{RGI_Emoji}")),
    ]);
}

#[test]
fn invalid_syntax_is_refused_by_place() {
    refuse(&[
        ("(a", PatternFault::Unclosed { construct: "(", place: 1 }),
        ("a[b", PatternFault::Unclosed { construct: "[", place: 2 }),
        ("a)", broken(")", 2)),
        ("a\\", broken("\\", 2)),
        ("[z-a]", broken("z-a", 2)),
        ("a{2,1}", broken("{2,1}", 2)),
        ("{1}", repeats_nothing("{1}", 1)),
        ("a|*", repeats_nothing("*", 3)),
        ("^*", repeats_nothing("*", 2)),
        ("(?<=a)*", repeats_nothing("*", 7)),
        ("(?<a>x)(?<a>y)", broken("(?<a>", 8)),
        ("(?<1", broken("(?<1", 1)),
        (r"\k<b>(?<a>x)", PatternFault::NoGroup { construct: r"\k<b>".to_owned() }),
        (r"(a)\2", PatternFault::NoGroup { construct: r"\2".to_owned() }),
        (r"\07", broken(r"\07", 1)),
        (r"[\1]", broken(r"\1", 2)),
        (r"\u12", broken(r"\u", 1)),
        (r"\u{110000}", broken(r"\u{110000}", 1)),
        (r"\xg", broken(r"\x", 1)),
        (r"\c1", broken(r"\c1", 1)),
        (r"\p{L", broken(r"\p{L", 1)),
    ]);
}

#[test]
fn unsupported_syntax_is_refused() {
    refuse(&[
        (r"[\ud800-\udfff]", unsupported(r"\ud800")),
        (r"(?<=(a)\1)b", unsupported(r"\1 in (?<")),
        (r"(?<=(a))\1", unsupported(r"\1")),
        (r"(?<=\ba+)b", unsupported(r"\b in (?<")),
        ("(?<=(?=a)a)b", unsupported("(?= in (?<")),
    ]);
}

#[test]
fn oversized_pattern_is_refused() {
    refuse(&[
        (r"(?:[\w]{200}){200}", PatternFault::TooBig),
        (r"(\p{L}{30}){30}", PatternFault::TooBig),
        (r"(\pL{30}){30}", instead(r"\pL", r"\p{L}")),
        ("(?:(?:(?=a)b{1000}){1000}){1000}", PatternFault::TooBig),
        (r"(?<!\p{L}{2,50})x", PatternFault::TooBig),
        ("a{99999999999999999999}", PatternFault::TooBig),
        (&"(?:".repeat(41), PatternFault::TooBig),
        (&"a".repeat(PATTERN_CHARS + 1), PatternFault::TooLong),
    ]);
    check(&[(&"é".repeat(PATTERN_CHARS), "", No)]);
}

#[test]
fn matching_time_is_bounded() {
    let letters = "a".repeat(28) + "!";
    let many = "a".repeat(limits::TEXT_ANSWER_BYTES);
    check(&[
        ("^(a+)+$", &letters, No),
        ("^(a|aa)+$", &letters, No),
        ("^(a+)+$", &many, Yes),
        (r"^(([a-z])+.)+[A-Z]([a-z])+\2$", &"a".repeat(40), TooCostly),
        (r"(a*)*\1b", &letters, TooCostly),
        (r"(?=[^b]*b)x", &many, TooCostly),
        (r"(?:(?![ab]*a[ab]{900}c)[ab])+c", &many, TooCostly),
        ("a[ab]{1900}c", &many, TooCostly),
        ("^(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]).{8,64}$", "Passw0rd!", Yes),
        ("^(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]).{8,64}$", &"pass word ".repeat(6), No),
        ("^(?!.*password)", &"pass word ".repeat(600), Yes),
    ]);
}

#[test]
fn copies_are_equal() {
    let pattern = Pattern::compile("^a").unwrap();
    assert_eq!(pattern.clone(), pattern);
    assert_eq!(pattern.source(), "^a");
    assert_eq!(format!("{pattern:?}"), "Pattern(\"^a\")");
}

/// Generates patterns from pieces in random order.
fn pattern() -> impl Strategy<Value = String> {
    let pieces = [
        "a", "é", ".", r"\d", r"\b", r"\1", r"\p{L}", "[^", "[]", "]", "(", "(?:", "(?=", "(?<!", "(?<n>",
        ")", ")*", "*", "+?", "{2}", "{0,3}", "{,", "|", "^", "$", "-", "&&", r"\u{", r"\k<n>", "\\", "}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_input_panics(
        source in prop_oneof![pattern(), any::<String>()],
        text in prop_oneof!["[aé1 ]{0,12}", any::<String>()],
    ) {
        if let Ok(pattern) = Pattern::compile(&source) {
            pattern.matches(&text);
        }
    }

    #[test]
    fn literal_matches_itself(text in "[a-zA-Zé你😀0-9 ,;:@%!\"'=<>_~&#-]{0,30}") {
        prop_assert_eq!(Pattern::compile(&text).unwrap().matches(&format!("x{text}x")), Yes);
    }
}

#[test]
fn cached_pattern_matches_like_fresh() {
    let first = Pattern::compile("^again$").unwrap();
    for number in 0..200 {
        assert_eq!(Pattern::compile(&format!("^x{number}$")).unwrap().matches(&format!("x{number}")), Yes);
        let again = Pattern::compile("^again$").unwrap();
        assert_eq!(
            (again.source(), again.matches("again"), again.matches("agai")),
            (first.source(), Yes, No)
        );
    }
    assert!(Pattern::compile("(").is_err() && Pattern::compile("(").is_err());
}
