//! Finds functions and how long their bodies are.

use super::lexer::{Kind, Token};
use super::outline::closing;

/// A function with a body.
#[derive(Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The line of its `fn`.
    pub(crate) line: usize,
    /// Lines between the braces of its body.
    pub(crate) body_lines: usize,
}

/// All functions of a file, inner ones too.
pub(crate) fn functions(tokens: &[Token]) -> Vec<Function> {
    let starts = tokens.iter().enumerate().filter(|(_, token)| token.is("fn"));
    starts.filter_map(|(at, token)| function(tokens, at, token.line)).collect()
}

fn function(tokens: &[Token], at: usize, line: usize) -> Option<Function> {
    // `fn(u8) -> u8` is a type: no name.
    let name = tokens.get(at + 1).filter(|name| name.kind == Kind::Word)?;
    let open = body(tokens, at + 2)?;
    let first = tokens.get(open)?.line;
    let last = tokens.get(closing(tokens, open)).or(tokens.last())?.line;
    let body_lines = last.saturating_sub(first + 1);
    Some(Function { name: name.text.clone(), line, body_lines })
}

/// The index of the brace that opens the body; none for a function that is only declared.
fn body(tokens: &[Token], from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text.as_str() {
            _ if token.kind != Kind::Mark => {}
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "{" if depth == 0 => return Some(at),
            ";" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::functions;
    use crate::tidy::lexer::lex;

    fn lengths(source: &str) -> Vec<(String, usize, usize)> {
        let found = functions(&lex(source).tokens);
        found.into_iter().map(|one| (one.name, one.line, one.body_lines)).collect()
    }

    #[test]
    fn the_lines_between_the_braces_are_counted() {
        assert_eq!(
            lengths("fn a() {}\nfn b() {\n}\nfn c() {\n  1;\n\n  // two\n}"),
            [("a".to_owned(), 1, 0), ("b".to_owned(), 2, 0), ("c".to_owned(), 4, 3)]
        );
    }

    #[test]
    fn braces_in_strings_characters_and_comments_do_not_count() {
        let source = "fn a<'x>(s: &'x str) {\n  \"{\"; '{'; r#\"{\"{\"#; // {\n  /* { */\n}\nfn b() {\n 1\n}";
        assert_eq!(lengths(source), [("a".to_owned(), 1, 2), ("b".to_owned(), 5, 1)]);
    }

    #[test]
    fn long_signatures_and_bounds_are_not_body() {
        let source =
            "fn a<F>(\n  f: F,\n  x: [u8; { 3 }],\n) -> impl Fn(u8) -> u8\nwhere\n  F: Fn(),\n{\n  1\n}";
        assert_eq!(lengths(source), [("a".to_owned(), 1, 1)]);
    }

    #[test]
    fn declarations_and_function_types_have_no_body() {
        let source = "trait T { fn a(&self) -> u8;\n fn b(x: [u8; 2]); }\ntype F = fn(u8) -> u8;\nstruct S { f: fn() }";
        assert_eq!(lengths(source), []);
    }

    #[test]
    fn inner_functions_count_in_both() {
        let source = "fn a() {\n  fn b() {\n    1\n  }\n}";
        assert_eq!(lengths(source), [("a".to_owned(), 1, 3), ("b".to_owned(), 2, 1)]);
    }
}
