//! What a file says about modules: which ones it declares, and which of its lines are test code.

use std::ops::RangeInclusive;

use super::lexer::{Kind, Token};

/// A `mod name;`.
#[derive(Debug, PartialEq)]
pub(crate) struct Declared {
    /// The module's name, after the names of the inline modules that it stands in.
    pub(crate) path: Vec<String>,
    /// It, or a module around it, is compiled for tests only.
    pub(crate) test: bool,
}

/// A `mod name { … }`.
#[derive(Debug, PartialEq)]
pub(crate) struct Inline {
    pub(crate) name: String,
    pub(crate) lines: RangeInclusive<usize>,
    /// It is compiled for tests only.
    pub(crate) test: bool,
}

/// The modules of a file.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) declared: Vec<Declared>,
    pub(crate) inline: Vec<Inline>,
    /// Files that it takes in with `include!("…")`, as it names them.
    pub(crate) included: Vec<String>,
}

/// Reads the modules of a file.
pub(crate) fn outline(tokens: &[Token]) -> Outline {
    let mut outline = Outline { included: included(tokens), ..Outline::default() };
    let mut around: Vec<(String, usize, bool)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        around.retain(|(_, end, _)| at < *end);
        let Some(name) = tokens.get(at + 1).filter(|name| token.is("mod") && name.kind == Kind::Word) else {
            continue;
        };
        let name = name.text.trim_start_matches("r#").to_owned();
        let test = is_for_tests(tokens, at) || around.iter().any(|(_, _, test)| *test);
        match tokens.get(at + 2) {
            Some(next) if next.is(";") => {
                let path = around.iter().map(|(name, _, _)| name.clone()).chain([name]).collect();
                outline.declared.push(Declared { path, test });
            }
            Some(next) if next.is("{") => {
                let end = closing(tokens, at + 2);
                let last = tokens.get(end).or(tokens.last()).map_or(token.line, |token| token.line);
                outline.inline.push(Inline { name: name.clone(), lines: token.line..=last, test });
                around.push((name, end, test));
            }
            _ => {}
        }
    }
    outline
}

fn included(tokens: &[Token]) -> Vec<String> {
    let named = tokens.windows(4).filter_map(|window| match window {
        [name, mark, open, file] if name.is("include") && mark.is("!") && open.is("(") => Some(file),
        _ => None,
    });
    named.filter(|file| file.kind == Kind::Literal).map(|file| file.text.clone()).collect()
}

/// The index of the `}` that closes the `{` at `open`; the end of the file when there is none.
pub(crate) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len()
}

/// Whether the item whose keyword stands at `at` carries a `#[cfg(test)]`.
fn is_for_tests(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let mut end = at;
    // Over the visibility: `pub`, `pub(crate)`, `pub(in path)`.
    if end > 0 && is(end - 1, ")") {
        let open = (0..end).rev().find(|at| is(*at, "(")).unwrap_or(0);
        if open > 0 && is(open - 1, "pub") {
            end = open;
        }
    }
    if end > 0 && is(end - 1, "pub") {
        end -= 1;
    }
    while end > 0 && is(end - 1, "]") {
        let Some(open) = opening(tokens, end - 1) else { return false };
        let attribute = tokens.get(open + 1..end - 1).unwrap_or_default();
        let has = |word: &str| attribute.iter().any(|token| token.is(word));
        if attribute.first().is_some_and(|token| token.is("cfg")) && has("test") && !has("not") {
            return true;
        }
        end = open.saturating_sub(1);
    }
    false
}

/// The index of the `[` that the `]` at `close` closes.
fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        let token = tokens.get(at)?;
        if token.is("]") {
            depth += 1;
        } else if token.is("[") {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Inline, outline};
    use crate::tidy::lexer::lex;

    fn declared(source: &str) -> Vec<(String, bool)> {
        let outline = outline(&lex(source).tokens);
        outline.declared.into_iter().map(|one| (one.path.join("/"), one.test)).collect()
    }

    #[test]
    fn declarations_are_found_and_other_words_are_not() {
        let source = "//! mod a;\nmod b;\npub(crate) mod c;\n/* mod d; */ const X: &str = \"mod e;\";";
        assert_eq!(declared(source), [("b".to_owned(), false), ("c".to_owned(), false)]);
    }

    #[test]
    fn a_declaration_inside_a_module_has_its_path() {
        let source = "mod a { mod b { mod c; } mod d; }\nmod e;";
        let paths: Vec<_> = declared(source).into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["a/b/c", "a/d", "e"]);
    }

    #[test]
    fn test_modules_are_known_by_their_attribute() {
        for gate in
            ["#[cfg(test)]", "#[cfg(test)]\n#[rustfmt::skip] pub(crate)", "#[a] #[cfg(all(test, unix))]"]
        {
            assert_eq!(declared(&format!("{gate} mod a;")), [("a".to_owned(), true)], "{gate}");
        }
        for gate in ["", "#[cfg(unix)]", "#[cfg(not(test))]", "#[cfg(test)] use x;", "#[test] fn f() {}"] {
            assert_eq!(declared(&format!("{gate} mod a;")), [("a".to_owned(), false)], "{gate}");
        }
        assert_eq!(
            declared("#[cfg(test)] mod a { mod b; } mod c;"),
            [("a/b".to_owned(), true), ("c".to_owned(), false)]
        );
    }

    #[test]
    fn included_files_are_found() {
        let source =
            "include!(\"a.rs\"); // include!(\"b.rs\");\ninclude!(concat!(\"c\")); include_str!(\"d\");";
        assert_eq!(outline(&lex(source).tokens).included, ["a.rs"]);
    }

    #[test]
    fn inline_modules_have_their_lines() {
        let outline = outline(&lex("fn f() {}\n#[cfg(test)]\nmod tests {\n fn g() {}\n}\nfn h() {}").tokens);
        assert_eq!(outline.inline, [Inline { name: "tests".to_owned(), lines: 3..=5, test: true }]);
    }
}
