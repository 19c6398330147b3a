//! Blank rows: a long run shows as one row that counts them, so that the text below stays in sight.

use super::is_blank;
use super::markdown::{BlockKind, MarkdownBlock, MarkdownMark};
use crate::limits;

/// Returns the row that replaces this many blank ones.
pub(super) fn count_row(rows: usize) -> String {
    format!("⋮ {rows} blank lines")
}

/// Returns the marks with long runs of blank rows replaced.
pub(super) fn shorten_blank_rows(marks: Vec<MarkdownMark>) -> Vec<MarkdownMark> {
    let mut page = Vec::with_capacity(marks.len());
    let mut run = Vec::new();
    for mark in marks {
        if is_blank_mark(&mark) {
            run.push(mark);
        } else {
            end_run(&mut page, &mut run);
            page.push(mark);
        }
    }
    end_run(&mut page, &mut run);
    page
}

fn is_blank_mark(mark: &MarkdownMark) -> bool {
    match mark {
        MarkdownMark::Break | MarkdownMark::Cell => true,
        MarkdownMark::Text { text: words, .. } => is_blank(words),
        MarkdownMark::Block(MarkdownBlock { kind, .. }) => match kind {
            BlockKind::Paragraph | BlockKind::Heading(_) => true,
            BlockKind::TableRow { is_head } => !is_head,
            BlockKind::Code(info) => info.is_empty(),
            BlockKind::Item(_) | BlockKind::Rule => false,
        },
        MarkdownMark::Link { .. } => false,
    }
}

/// Adds a run of blank marks, shortened, and empties it.
fn end_run(page: &mut Vec<MarkdownMark>, run: &mut Vec<MarkdownMark>) {
    let mut rows = 0_usize;
    let mut last_block = None;
    for mark in &*run {
        match mark {
            MarkdownMark::Break => rows += 1,
            MarkdownMark::Block(block) => {
                rows += if matches!(block.kind, BlockKind::TableRow { .. }) { 1 } else { 2 };
                last_block = Some(block.clone());
            }
            MarkdownMark::Text { .. } | MarkdownMark::Link { .. } | MarkdownMark::Cell => {}
        }
    }
    // A single break ends a row, and a single block leaves one blank row before it.
    let blank = rows.saturating_sub(1);
    if blank <= limits::SHOWN_BLANK_LINES + 1 {
        page.append(run);
        return;
    }
    run.clear();
    let words = MarkdownMark::Text { text: count_row(blank), style: super::TextStyle::default() };
    match last_block {
        Some(block) => {
            let paragraph = MarkdownBlock { kind: BlockKind::Paragraph, ..block.clone() };
            page.extend([MarkdownMark::Block(paragraph), words, MarkdownMark::Block(block)]);
        }
        None => page.extend([MarkdownMark::Break, words, MarkdownMark::Break]),
    }
}
