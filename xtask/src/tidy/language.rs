//! Rule: names and doc comments use the field's language. No count may rise above its ceiling.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::source::Source;
use super::workspace::Workspace;

/// Names that are no noun phrases although they end like ones: `Told`, `Beside`.
const NO_NOUNS: &str = "about above after again alike alone anew apart around aside away awaited before begun behind below \
    beside between beyond bound brought built caught chosen done due early found given gone heard held here how kept \
    known lacking laid later left lost made meant meanwhile met never now once out over paid put read said seen sent \
    shown sold spoken stood taken then there together told towards under understood where whose within without worn \
    written at_desk by_hand";
/// Nouns that end like a participle, a gerund or an adverb.
const NOUNS: &str = "anomaly assembly binding bed beginning building casing ceiling embedding encoding ending family \
    feed finding framing greeting heading landing listing mapping meaning need opening padding pairing piping probing \
    rating reading recording rendering reply ring routing seed setting settings sibling spacing speed spelling string \
    supply thing timing warning wording wiring";

/// Words that begin a relative clause without a subject: «What is right».
const RELATIVE_WORDS: [&str; 13] = [
    "Who", "Whom", "Whose", "Whoever", "What", "Whatever", "Whether", "Which", "Where", "When", "Why", "How",
    "Until",
];

/// Counts over their ceilings. Prints all of them.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, count, ceiling) in measure(workspace) {
        println!("language: {count:5.1} {what} (ceiling {ceiling})");
        if count > ceiling {
            let advice =
                format!("{count:.1} {what}, the ceiling is {ceiling}; choose names that the field uses");
            findings.push(Finding::new("xtask/src/tidy/language.rs", 1, "language", advice));
        }
    }
    findings
}

/// Returns each measure with its count and its ceiling.
fn measure(workspace: &Workspace) -> [(&'static str, f64, f64); 7] {
    let product: Vec<&Source> =
        workspace.sources.iter().filter(|source| source.path.starts_with("crates/")).collect();
    let sources = || product.iter().filter(|source| source.path.contains("/src/"));
    let types: Vec<&str> = sources().flat_map(|source| &source.types).map(|one| one.name.as_str()).collect();
    let modules: BTreeSet<&str> = sources().filter_map(|source| module(&source.path)).collect();
    let docs: Vec<&str> = sources().flat_map(|source| doc_beginnings(&source.text)).collect();
    let tests = product.iter().flat_map(|source| &source.tests);
    let mut lengths: Vec<usize> = tests.map(|test| words(test)).collect();
    lengths.sort_unstable();
    let relative = |doc: &&&str| {
        let word = doc.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        RELATIVE_WORDS.contains(&word)
    };
    let no_noun = |name: &&&str| !is_noun(name);
    let share = |part: usize, whole: usize| 100.0 * float(part) / float(whole.max(1));
    let one_word = types.iter().filter(|name| words(name) == 1).count();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    [
        (
            "% of type names are bare participles, gerunds or adverbs",
            share(types.iter().filter(no_noun).count(), types.len()),
            2.0,
        ),
        ("% of module names are", share(modules.iter().filter(no_noun).count(), modules.len()), 2.0),
        ("% of type names have one word", share(one_word, types.len()), 40.0),
        ("% of types share their name with another", share(types.len() - unique(&types), types.len()), 15.0),
        // The input of a terminal has two types in a version for Unix and in one for other systems.
        ("visible types share their name with another of their crate", ambiguous(&product), 4.0),
        (
            "% of doc comments begin with a relative word, such as Who, What or Whether",
            share(docs.iter().filter(relative).count(), docs.len()),
            0.5,
        ),
        ("words in a test's name, at the median", float(median), 6.0),
    ]
}

fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// Counts the types whose name no other one has.
pub(crate) fn unique(names: &[&str]) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    counts.values().filter(|count| **count == 1).count()
}

/// Counts the visible types that share their name with another one of their crate.
fn ambiguous(sources: &[&Source]) -> f64 {
    let mut crates: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.path.contains("/src/") && !source.test) {
        let package = source.path.split('/').nth(1).unwrap_or_default();
        let visible = source.types.iter().filter(|one| one.visible && !source.is_test(one.line));
        crates.entry(package).or_default().extend(visible.map(|one| one.name.as_str()));
    }
    float(crates.values().map(|names| names.len() - unique(names)).sum())
}

/// Name of the module that a file holds.
fn module(path: &str) -> Option<&str> {
    let name = path.trim_end_matches(".rs").rsplit('/').next()?;
    (!["lib", "main", "src"].contains(&name)).then_some(name)
}

/// First lines of the doc comments of a file.
pub(crate) fn doc_beginnings(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter_map(move |line| {
        let doc = line.trim_start().strip_prefix("///");
        let first = doc.filter(|_| !inside);
        inside = doc.is_some();
        first.map(str::trim)
    })
}

/// Counts the words of a name, written with capitals or underscores.
pub(crate) fn words(name: &str) -> usize {
    let capitals = name.chars().filter(char::is_ascii_uppercase).count();
    if capitals == 0 { name.split('_').count() } else { capitals }
}

/// Returns whether a name of one word may be a noun; longer names pass.
pub(crate) fn is_noun(name: &str) -> bool {
    let name = if words(name) == 1 { name.to_lowercase() } else { name.to_owned() };
    let lists = |list: &str| list.split_whitespace().any(|word| word == name);
    let suspicious = name.len() > 4 && ["ed", "ing", "ly"].iter().any(|ending| name.ends_with(ending));
    let bare = words(&name) == 1 && suspicious;
    !lists(NO_NOUNS) && (!bare || lists(NOUNS))
}
