//! Texts with the messages of Node 20.

use super::syntax_error;

const SAID: &[(&str, &str)] = &[
    ("", "Unexpected end of JSON input"),
    ("{", "Expected property name or '}' in JSON at position 1"),
    ("{nope", "Expected property name or '}' in JSON at position 1"),
    ("[", "Unexpected end of JSON input"),
    ("[1", "Expected ',' or ']' after array element in JSON at position 2"),
    ("[1,", "Unexpected end of JSON input"),
    ("[1,]", "Unexpected token ']', \"[1,]\" is not valid JSON"),
    ("{\"a\"", "Expected ':' after property name in JSON at position 4"),
    ("{\"a\" 1", "Expected ':' after property name in JSON at position 5"),
    ("{\"a\":", "Unexpected end of JSON input"),
    ("{\"a\":1", "Expected ',' or '}' after property value in JSON at position 6"),
    ("{\"a\":1,", "Expected double-quoted property name in JSON at position 7"),
    ("{\"a\":1,}", "Expected double-quoted property name in JSON at position 7"),
    ("{\"a\":1 \"b\"", "Expected ',' or '}' after property value in JSON at position 7"),
    ("\"abc", "Unterminated string in JSON at position 4"),
    ("\"a\\x\"", "Bad escaped character in JSON at position 3"),
    ("\"a\\u12G4\"", "Bad Unicode escape in JSON at position 6"),
    ("\"a\\", "Unexpected end of JSON input"),
    ("\"a\\u12", "Bad Unicode escape in JSON at position 6"),
    ("\"a\nb\"", "Bad control character in string literal in JSON at position 2"),
    ("-", "No number after minus sign in JSON at position 1"),
    ("-a", "No number after minus sign in JSON at position 1"),
    ("1.", "Unterminated fractional number in JSON at position 2"),
    ("1.a", "Unterminated fractional number in JSON at position 2"),
    ("1e", "Exponent part is missing a number in JSON at position 2"),
    ("1e+", "Exponent part is missing a number in JSON at position 3"),
    ("01", "Unexpected number in JSON at position 1"),
    ("1 2", "Unexpected non-whitespace character after JSON at position 2"),
    ("1 a", "Unexpected non-whitespace character after JSON at position 2"),
    ("nul", "Unexpected end of JSON input"),
    ("nulx", "Unexpected token 'x', \"nulx\" is not valid JSON"),
    ("true1", "Unexpected non-whitespace character after JSON at position 4"),
    ("tru", "Unexpected end of JSON input"),
    ("NaN", "\"NaN\" is not valid JSON"),
    ("undefined", "\"undefined\" is not valid JSON"),
    ("[object Object]", "\"[object Object]\" is not valid JSON"),
    ("Infinity", "\"Infinity\" is not valid JSON"),
    ("abcdefghijklmnopqrstuvwxyz", "Unexpected token 'a', \"abcdefghij\"... is not valid JSON"),
    (
        "[1,2,3,4,5,6,7,8,x,9,10,11,12]",
        "Unexpected token 'x', ...\"4,5,6,7,8,x,9,10,11,\"... is not valid JSON",
    ),
    ("[1,2,3,4,5,6,7,8,9,10,11,12,x]", "Unexpected token 'x', ...\",10,11,12,x]\" is not valid JSON"),
    ("}", "Unexpected token '}', \"}\" is not valid JSON"),
    ("]", "Unexpected token ']', \"]\" is not valid JSON"),
    (",", "Unexpected token ',', \",\" is not valid JSON"),
    (":", "Unexpected token ':', \":\" is not valid JSON"),
    ("'a'", "Unexpected token ''', \"'a'\" is not valid JSON"),
    ("{\"a\":}", "Unexpected token '}', \"{\"a\":}\" is not valid JSON"),
    ("{\"a\":1]", "Expected ',' or '}' after property value in JSON at position 6"),
    ("[1}", "Expected ',' or ']' after array element in JSON at position 2"),
    ("[1 2]", "Expected ',' or ']' after array element in JSON at position 3"),
    ("[1 \"a\"]", "Expected ',' or ']' after array element in JSON at position 3"),
    ("{1:2}", "Expected property name or '}' in JSON at position 1"),
    ("{'a':1}", "Expected property name or '}' in JSON at position 1"),
    ("{\"a\":\"b\" 5", "Expected ',' or '}' after property value in JSON at position 9"),
    ("{\"a\" \"b\"", "Expected ':' after property name in JSON at position 5"),
    ("{\"a\":1,5}", "Expected double-quoted property name in JSON at position 7"),
    ("{\"a\":1,\"b\"", "Unexpected end of JSON input"),
    ("\u{a0}{}", "Unexpected token '\u{a0}', \"\u{a0}{}\" is not valid JSON"),
    ("\u{feff}{}", "Unexpected token '\u{feff}', \"\u{feff}{}\" is not valid JSON"),
    ("[tru]", "Unexpected token ']', \"[tru]\" is not valid JSON"),
    ("{\"a\":falsy}", "Unexpected token 'y', \"{\"a\":falsy}\" is not valid JSON"),
    ("[+1]", "Unexpected token '+', \"[+1]\" is not valid JSON"),
    ("[.5]", "Unexpected token '.', \"[.5]\" is not valid JSON"),
    ("{\"a\":1}}", "Unexpected non-whitespace character after JSON at position 7"),
    ("{\"a\":1} x", "Unexpected non-whitespace character after JSON at position 8"),
    ("\u{1}", "Unexpected token '\u{1}', \"\u{1}\" is not valid JSON"),
    ("[ \"a", "Unterminated string in JSON at position 4"),
    ("[1,2 ", "Expected ',' or ']' after array element in JSON at position 5"),
    ("{\"a\": 1, ", "Expected double-quoted property name in JSON at position 9"),
    ("-01", "Unexpected number in JSON at position 2"),
    ("- 1", "No number after minus sign in JSON at position 1"),
    ("1.5.5", "Unexpected non-whitespace character after JSON at position 3"),
    ("--1", "No number after minus sign in JSON at position 1"),
    ("\"\\u", "Bad Unicode escape in JSON at position 3"),
    ("{\"questions\":[{\"prompt\":\"x\"", "Expected ',' or '}' after property value in JSON at position 27"),
    ("/*c*/{}", "Unexpected token '/', \"/*c*/{}\" is not valid JSON"),
    ("nulll", "Unexpected non-whitespace character after JSON at position 4"),
    ("{\"a\":1,\"b\" 5", "Unexpected number in JSON at position 11"),
    ("{\"a\":1,\"b\" \"c\"", "Unexpected string in JSON at position 11"),
    ("[1,2,3,4,5,x,7,8,9,0]", "Unexpected token 'x', ...\"1,2,3,4,5,x,7,8,9,0]\" is not valid JSON"),
    ("[1,2,3,4,5,6,x,8,9,01]", "Unexpected token 'x', ...\"2,3,4,5,6,x,8,9,01]\" is not valid JSON"),
    ("1234567890x1234567890", "Unexpected non-whitespace character after JSON at position 10"),
    ("[123456789x1234567890]", "Expected ',' or ']' after array element in JSON at position 10"),
    ("[12345678,x1234567890]", "Unexpected token 'x', ...\"[12345678,x123456789\"... is not valid JSON"),
    ("[1,2,3,4,5,6,7,8,9,x,1,2,3]", "Unexpected token 'x', ...\"5,6,7,8,9,x,1,2,3]\" is not valid JSON"),
    ("[1,2,3,4,x,6,7,8,9,10,11,12]", "Unexpected token 'x', \"[1,2,3,4,x,6,7,8,9,\"... is not valid JSON"),
    ("\t [ ] \u{b}", "Unexpected non-whitespace character after JSON at position 6"),
    ("{\"a\":[1,{\"b\":[]}],\"c\":{}", "Expected ',' or '}' after property value in JSON at position 24"),
    ("fals3", "Unexpected number in JSON at position 4"),
    ("{\"a\":nu\"", "Unexpected string in JSON at position 7"),
    ("1.e5", "Unterminated fractional number in JSON at position 2"),
    ("0x10", "Unexpected non-whitespace character after JSON at position 1"),
    ("-0.0e-5x", "Unexpected non-whitespace character after JSON at position 7"),
    ("[]]", "Unexpected non-whitespace character after JSON at position 2"),
    ("\"\\u00zz\"", "Bad Unicode escape in JSON at position 5"),
    ("{,}", "Expected property name or '}' in JSON at position 1"),
    ("[,]", "Unexpected token ',', \"[,]\" is not valid JSON"),
    ("{\"a\":1,,}", "Expected double-quoted property name in JSON at position 7"),
    ("Infinit", "Unexpected token 'I', \"Infinit\" is not valid JSON"),
    ("nope", "Unexpected token 'o', \"nope\" is not valid JSON"),
    ("\"x\" \"y\"", "Unexpected non-whitespace character after JSON at position 4"),
    ("123456789x,y", "Unexpected non-whitespace character after JSON at position 9"),
];

#[test]
fn messages_match_v8() {
    for (text, words) in SAID {
        assert_eq!(syntax_error(text).as_deref(), Some(*words), "{text:?}");
    }
    assert_eq!(
        syntax_error("😀").as_deref(),
        Some("Unexpected token '\u{fffd}', \"😀\" is not valid JSON"),
        "half of a pair has no text of its own"
    );
}

#[test]
fn valid_json_has_no_error() {
    for text in
        ["{}", " [] ", "-0.5e+3", "\"a\\u00e9\\n\"", "{\"a\":[1,{\"b\":[]},null],\"c\":{},\"d\":true}"]
    {
        assert_eq!(syntax_error(text), None, "{text}");
    }
}

#[test]
fn errors_agree_with_serde() {
    let texts = SAID.iter().map(|(text, _)| *text);
    for text in texts.chain(["{\"a\":[1,{\"b\":[]},null]}", "\"\\ud83d\\ude00\"", "0", "[[[]]]"]) {
        let read = serde_json::from_str::<serde_json::Value>(text);
        assert_eq!(syntax_error(text).is_some(), read.is_err(), "{text:?}");
    }
}
