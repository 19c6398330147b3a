//! Documentation page of each dialect: its example is read, answered and written, and its lists are complete.

use crate::sample::{answered_as, ask};
use sayso_core::rules::consent::words::{AGREEING_WORDS, REFUSING_WORDS};
use sayso_dialects::{Dialect, DialectLimits};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Returns the text of the only fenced block with this info string.
fn block<'p>(page: &'p str, info: &str) -> &'p str {
    let opening = format!("```{info}\n");
    let mut blocks = page.split(opening.as_str()).skip(1);
    let block = blocks.next().unwrap_or_else(|| panic!("no block {info}"));
    assert_eq!(blocks.next(), None, "two blocks {info}");
    block.split_once("\n```").map(|(text, _)| text).unwrap()
}

#[test]
fn dialect_pages_have_valid_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    for dialect in Dialect::ALL {
        let name = dialect.name();
        let page = std::fs::read_to_string(folder.join(format!("{name}.md"))).expect(name);
        let read = dialect.read(block(&page, "json request"), &DialectLimits::default()).expect(name);
        assert_eq!(read.warnings, [], "{name}");
        let questionnaire = Arc::new(read.questionnaire);
        let given = dialect.read_answers(&questionnaire, block(&page, "json answers")).expect(name);
        let sent = given.validate(&questionnaire).expect(name);
        let outcome = answered_as(sent.replies, given.as_sent);
        let reply = dialect.write(ask(), &questionnaire, &outcome);
        assert_eq!(reply.stdout, block(&page, "text reply"), "{name}");
    }
}

#[test]
fn page_lists_the_words_that_decide() {
    let page = include_str!("../../../../docs/formats/interrupt.md");
    for (name, words) in [("agrees", &AGREEING_WORDS[..]), ("refuses", &REFUSING_WORDS[..])] {
        let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {name} | "))).unwrap();
        let listed = row.trim_end_matches(" |").split(", ").map(|word| word.trim_matches('`'));
        assert_eq!(listed.collect::<BTreeSet<_>>(), words.iter().copied().collect(), "{name}");
    }
}

#[test]
fn page_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/formats/interaction.md")).unwrap();
    let (_, rest) = page.split_once("| file to update | here |\n").unwrap();
    for row in rest.lines().skip(1).take_while(|row| row.starts_with('|')) {
        let (_, here) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        for file in here.split('`').skip(1).step_by(2) {
            assert!(root.join(file).exists(), "{file}");
        }
    }
}
