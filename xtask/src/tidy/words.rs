//! Rule: some words belong to some places only. The table is [`super::word_table`].

use std::collections::BTreeSet;

use super::Finding;
use super::lexer::{self, Kind, Token};
use super::tree::{Source, Tree};
use super::word_table::{Banned, TABLE};

const RULE: &str = "word";

/// Banned words, one finding a line.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let patterns: Vec<(&Banned, Vec<Token>)> =
        TABLE.iter().map(|banned| (banned, lexer::lex(banned.code).tokens)).collect();
    let mut found = Vec::new();
    for source in &tree.sources {
        let paths = grouped_paths(&source.tokens);
        for (banned, pattern) in patterns.iter().filter(|(banned, _)| applies(banned, &source.path)) {
            let code = std::iter::once(&source.tokens).chain(&paths);
            let lines: BTreeSet<usize> = code.flat_map(|tokens| lines(tokens, pattern)).collect();
            let bad = lines.into_iter().filter(|line| !is_excused(banned, source, *line));
            found.extend(bad.map(|line| {
                let code = banned.code;
                Finding::new(
                    &source.path,
                    line,
                    RULE,
                    format!("`{code}` does not belong here: {}", banned.advice),
                )
            }));
        }
    }
    found
}

fn applies(banned: &Banned, path: &str) -> bool {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| path.starts_with(prefix));
    (banned.within.is_empty() || begins(banned.within)) && !begins(banned.except)
}

fn is_excused(banned: &Banned, source: &Source, line: usize) -> bool {
    let said = banned.excuse.is_some_and(|excuse| {
        let near =
            source.comments.iter().filter(|comment| (line.saturating_sub(1)..=line).contains(&comment.line));
        near.filter_map(|comment| comment.text.split_once(excuse))
            .any(|(_, reason)| !reason.trim().is_empty())
    });
    said || (banned.tests_may && source.is_test(line))
}

/// The lines on which a pattern ends.
fn lines(tokens: &[Token], pattern: &[Token]) -> Vec<usize> {
    let same = |a: &Token, b: &Token| a.kind == b.kind && a.text == b.text;
    let is_macro = pattern.last().is_some_and(|last| last.is("!"));
    let mut found = Vec::new();
    for (at, window) in tokens.windows(pattern.len()).enumerate() {
        // `todo != 3` compares; it is not the macro.
        let compares = is_macro && tokens.get(at + pattern.len()).is_some_and(|next| next.is("="));
        if !compares && window.iter().zip(pattern).all(|(a, b)| same(a, b)) {
            found.extend(window.last().map(|token| token.line));
        }
    }
    found
}

/// The paths of `use` declarations with braces, each written out: `use std::{fs, env::var};` gives
/// `std::fs` and `std::env::var`.
fn grouped_paths(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut found = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("use")) {
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let length = rest.iter().position(|token| token.is(";")).unwrap_or(0);
        let declaration = rest.get(..length).unwrap_or_default();
        if declaration.iter().any(|token| token.is("{")) {
            found.extend(written_out(declaration));
        }
    }
    found
}

fn written_out(declaration: &[Token]) -> Vec<Vec<Token>> {
    let mut found = Vec::new();
    // The path so far, and how much of it each open brace shares.
    let (mut path, mut shared): (Vec<Token>, Vec<usize>) = (Vec::new(), Vec::new());
    for token in declaration {
        match token.text.as_str() {
            "{" if token.kind == Kind::Mark => shared.push(path.len()),
            "," | "}" if token.kind == Kind::Mark => {
                let keep = shared.last().copied().unwrap_or(0);
                if path.len() > keep {
                    found.push(path.clone());
                }
                path.truncate(keep);
                if token.is("}") {
                    shared.pop();
                    path.truncate(shared.last().copied().unwrap_or(0));
                }
            }
            _ => path.push(token.clone()),
        }
    }
    found
}

#[cfg(test)]
mod tests;
