//! Rule: each paragraph, list item and table row of SECURITY.md has a proof in a list beside it, and the tests that the
//! list names exist.

use std::collections::BTreeSet;

use super::Finding;
use super::workspace::Workspace;

/// Page whose promises are proved.
pub(crate) const PAGE: &str = "SECURITY.md";
/// List of the proofs: words of the page, and the tests that fail if they are untrue, between blanks.
pub(crate) const LIST: &str = "docs/architecture/security-proofs.tsv";
/// First line of the list.
const HEAD: &str = "words\ttests";
/// Tests of words that only warn: there is nothing that a test could see fail.
const WARNING: &str = "-";

/// Blocks of the page without a proof, proofs of words that the page does not have, and tests that do not exist.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let Some((page, list)) = &workspace.security else { return Vec::new() };
    let mut findings = Vec::new();
    let tests: BTreeSet<&str> =
        workspace.sources.iter().flat_map(|source| &source.tests).map(String::as_str).collect();
    let blocks = blocks(page);
    let mut proved = BTreeSet::new();
    for (at, line) in list.lines().enumerate() {
        let mut report = |advice: String| findings.push(Finding::new(LIST, at + 1, "proof", advice));
        let Some((words, named)) = line.split_once('\t') else {
            report("write words of the page, a tab, and tests".to_owned());
            continue;
        };
        if line == HEAD {
            continue;
        }
        let having = blocks.iter().filter(|(_, block)| block.contains(&normalized(words)));
        let having: Vec<usize> = having.map(|(line, _)| *line).collect();
        if having.is_empty() {
            report(format!("{PAGE} does not say: {words}"));
        }
        proved.extend(having);
        let missing = named.split(' ').filter(|name| *name != WARNING && !tests.contains(name));
        missing.for_each(|name| report(format!("there is no test {name:?}")));
    }
    let unproved = blocks.iter().filter(|(line, _)| !proved.contains(line));
    findings.extend(
        unproved.map(|(line, _)| Finding::new(PAGE, *line, "proof", format!("add its tests to {LIST}"))),
    );
    findings
}

/// Returns the paragraphs, list items and table rows below the second heading, with the line where each begins.
fn blocks(page: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let (mut sections, mut is_open, mut is_table) = (0, false, false);
    for (at, line) in page.lines().enumerate() {
        sections += usize::from(line.starts_with("## "));
        // The first two lines of a table are its head.
        let is_row = std::mem::replace(&mut is_table, line.starts_with('|')) && line.starts_with("| ");
        if sections < 2 || line.is_empty() || line.starts_with('#') || (is_table && !is_row) {
            is_open = false;
            continue;
        }
        let begins = !is_open || line.starts_with("- ") || is_row;
        match blocks.last_mut().filter(|_| !begins) {
            Some((_, block)) => *block = format!("{block} {}", normalized(line)),
            None => blocks.push((at + 1, normalized(line))),
        }
        is_open = true;
    }
    blocks
}

fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unproved_words_are_found() {
        let page = "# S\n\n## Reporting\n\nWrite.\n\n## Protected\n\nOne\ntwo.\n\n- Three.\n- Four.\n\n| a | b |\n|---|---|\n| Five | x |\n";
        let found = |list: &str| {
            let security = Some((page.to_owned(), format!("{HEAD}\n{list}")));
            let findings = find(&Workspace { security, ..Workspace::default() });
            findings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let all = "One two.\t-\nThree\t-\nFour\t-\nFive\t-\n";
        assert_eq!(found(all), [""; 0]);
        let advice = |line: usize| format!("{PAGE}:{line}: proof: add its tests to {LIST}");
        assert_eq!(found("Three\t-\n"), [9, 13, 17].map(advice));
        assert_eq!(
            found(&format!("{all}Six\t-\n")),
            [format!("{LIST}:6: proof: SECURITY.md does not say: Six")]
        );
        assert_eq!(
            found(&all.replace("Three\t-", "Three\tgone")),
            [format!("{LIST}:3: proof: there is no test \"gone\"")]
        );
    }
}
