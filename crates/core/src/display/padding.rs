//! Blank rows: a long run shows as one row that counts them, so that the text below stays in sight.

use super::is_blank;
use super::markdown::{Block, Kind, Mark};
use crate::limits;
use std::borrow::Cow;

/// Returns the row that replaces this many blank ones.
pub(super) fn counted(rows: usize) -> String {
    format!("⋮ {rows} blank lines")
}

/// Returns the marks with long runs of blank rows replaced.
pub(super) fn without_padding(marks: Vec<Mark>) -> Vec<Mark> {
    let mut kept = Vec::with_capacity(marks.len());
    let mut run = Vec::new();
    for mark in marks {
        if shows_nothing(&mark) {
            run.push(mark);
        } else {
            end_run(&mut kept, &mut run);
            kept.push(mark);
        }
    }
    end_run(&mut kept, &mut run);
    kept
}

fn shows_nothing(mark: &Mark) -> bool {
    match mark {
        Mark::Break => true,
        Mark::Text { words, .. } => is_blank(words),
        Mark::Block(Block { kind, .. }) => match kind {
            Kind::Paragraph | Kind::Heading(_) => true,
            Kind::Code(info) => info.is_empty(),
            Kind::Item(_) | Kind::Rule => false,
        },
        Mark::Link { .. } => false,
    }
}

/// Ends a run of blank marks.
fn end_run(kept: &mut Vec<Mark>, run: &mut Vec<Mark>) {
    let rows: usize = run
        .iter()
        .map(|mark| match mark {
            Mark::Break => 1,
            Mark::Block(_) => 2,
            Mark::Text { .. } | Mark::Link { .. } => 0,
        })
        .sum();
    // A single break ends a row, and a single block leaves one blank row before it.
    let blank = rows.saturating_sub(1);
    if blank <= limits::SHOWN_BLANK_LINES + 1 {
        kept.append(run);
        return;
    }
    let last = run.iter().rev().find_map(|mark| match mark {
        Mark::Block(block) => Some(block.clone()),
        _ => None,
    });
    run.clear();
    let words = Mark::Text { words: counted(blank), style: super::Style::default() };
    match last {
        Some(block) => {
            let own = Block { kind: Kind::Paragraph, ..block.clone() };
            kept.extend([Mark::Block(own), words, Mark::Block(block)]);
        }
        None => kept.extend([Mark::Break, words, Mark::Break]),
    }
}

/// Shortens runs of line breaks written as `\\n`, as in JSON: a long run shows as their number.
pub fn escaped(text: &str) -> Cow<'_, str> {
    const BREAK: &str = "\\n";
    let least = BREAK.repeat(limits::SHOWN_BLANK_LINES + 2);
    if !text.contains(&least) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, run)) = rest.find(&least).and_then(|at| rest.split_at_checked(at)) {
        let after = run.trim_start_matches(BREAK);
        let breaks = (run.len() - after.len()) / BREAK.len();
        shown.push_str(before);
        // A preceding backslash escapes the first one.
        shown.push_str(&format!("{BREAK}{} ⋮{BREAK}", counted(breaks - 1)));
        rest = after;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}
