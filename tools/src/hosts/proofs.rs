//! List of what the documents promise, each with its proof: the scene, and the version and day on which it
//! passed; a test; or what was seen by hand. The list is `docs/proofs.tsv`; a run writes versions and days into it.
//! Sentences that promise nothing are in it too, so that no promise is left out unseen.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Path of the list from the root.
const LIST: &str = "docs/proofs.tsv";
/// First line of the list.
const HEAD: &str = "page\tpromise\thost\tscene\tversion\tday";

/// Host of a proof that is a test.
#[cfg(test)]
const TEST: &str = "test";
/// Host of a sentence that promises nothing about a host.
#[cfg(test)]
const NONE: &str = "-";
/// Scene of what was seen by hand.
#[cfg(test)]
const BY_HAND: &str = "by hand";

/// Proof of a promise.
#[derive(Debug, PartialEq)]
struct Proof {
    /// Path of the page from the root.
    page: String,
    /// Words of the page.
    promise: String,
    /// Name of the host; [`TEST`] or [`NONE`] if there is none.
    host: String,
    /// Name of the scene or the test.
    scene: String,
    /// Version of the host that passed last.
    version: String,
    /// Day on which it passed, as `2026-11-28`.
    day: String,
}

impl Proof {
    fn parse(line: &str) -> anyhow::Result<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [page, promise, host, scene, version, day] = columns.as_slice() else {
            bail!("no six columns: {line}");
        };
        let [page, promise, host, scene, version, day] =
            [page, promise, host, scene, version, day].map(|column| (*column).to_owned());
        Ok(Self { page, promise, host, scene, version, day })
    }

    fn line(&self) -> String {
        let Self { page, promise, host, scene, version, day } = self;
        [page, promise, host, scene, version, day].map(String::as_str).join("\t")
    }
}

fn read(root: &Path) -> anyhow::Result<Vec<Proof>> {
    let text = fs::read_to_string(root.join(LIST))?;
    let rows = text.strip_prefix(HEAD).with_context(|| format!("{LIST} does not begin with {HEAD}"))?;
    rows.lines().filter(|line| !line.is_empty()).map(Proof::parse).collect()
}

/// Stores that scenes have passed with a host or an agent: version and day of their rows.
pub(super) fn record(root: &Path, host: &str, version: &str, passed: &[&str]) -> anyhow::Result<()> {
    let output = Command::new("date").args(["-u", "+%F"]).output()?;
    let today = String::from_utf8(output.stdout)?.trim().to_owned();
    let mut proofs = read(root)?;
    for proof in &mut proofs {
        if proof.host == host && passed.contains(&proof.scene.as_str()) {
            version.clone_into(&mut proof.version);
            proof.day.clone_from(&today);
        }
    }
    let lines = proofs.iter().map(Proof::line);
    let text: String =
        std::iter::once(HEAD.to_owned()).chain(lines).map(|line| format!("{line}\n")).collect();
    Ok(fs::write(root.join(LIST), text)?)
}

#[cfg(test)]
mod tests {
    use super::{BY_HAND, NONE, TEST, read};
    use crate::hosts::host::{HOSTS, Host};
    use crate::hosts::{AGENTS, scenes, threads};
    use std::collections::{BTreeSet, HashMap, HashSet};
    use std::fs;
    use std::path::{Path, PathBuf};

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    fn words(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Collects the names of all functions in the sources of a folder, in Rust and Python.
    fn function_names(folder: &Path, names: &mut HashSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                function_names(&path, names);
                continue;
            }
            let keyword = match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => "fn ",
                Some("py") => "def ",
                _ => continue,
            };
            let text = fs::read_to_string(&path).unwrap();
            let named = text.split(keyword).skip(1).filter_map(|rest| rest.split_once('('));
            names.extend(named.map(|(name, _)| name.to_owned()));
        }
    }

    /// Returns the sentences, items and table rows of a page. Headings and code are left out.
    fn sentences(page: &str) -> Vec<String> {
        let mut blocks = vec![String::new()];
        let mut is_code = false;
        for line in page.lines().map(str::trim) {
            is_code ^= line.starts_with("```");
            let is_row = line.starts_with('|');
            if is_row || line.is_empty() || line.starts_with("- ") || line.starts_with("```") {
                blocks.push(String::new());
            }
            let is_text = !is_code
                && !line.starts_with(['#', '!'])
                && !line.starts_with("```")
                && !line.starts_with("|--");
            if let (true, Some(block)) = (is_text, blocks.last_mut()) {
                block.push_str(line.strip_prefix("- ").unwrap_or(line));
                block.push(' ');
            }
        }
        blocks.iter().flat_map(|block| split_sentences(block)).collect()
    }

    fn split_sentences(block: &str) -> Vec<String> {
        let mut sentences = vec![String::new()];
        let mut is_ended = false;
        for word in block.split_whitespace() {
            let begins = word.starts_with(|letter: char| letter.is_uppercase() || "`[*\"".contains(letter));
            if is_ended && begins && !block.starts_with('|') {
                sentences.push(String::new());
            }
            is_ended = word.ends_with(['.', '!', '?']);
            let sentence = sentences.last_mut().unwrap();
            sentence.push_str(if sentence.is_empty() { "" } else { " " });
            sentence.push_str(word);
        }
        sentences.retain(|sentence| !sentence.is_empty());
        sentences
    }

    #[test]
    fn each_promise_has_its_scene() {
        let mut functions = HashSet::new();
        for folder in ["crates", "packaging", "tools", "xtask/src"] {
            function_names(&root().join(folder), &mut functions);
        }
        let mut pages: HashMap<String, String> = HashMap::new();
        for proof in read(root()).unwrap() {
            let page = pages
                .entry(proof.page.clone())
                .or_insert_with_key(|page| words(&fs::read_to_string(root().join(page)).unwrap()));
            assert!(page.contains(&words(&proof.promise)), "not in the page: {proof:?}");
            if proof.host == NONE {
                continue;
            }
            if proof.host == TEST {
                assert!(functions.contains(&proof.scene), "no such test: {proof:?}");
                continue;
            }
            assert_eq!(proof.day.len(), "2026-11-28".len(), "not run: {proof:?}");
            if proof.scene == BY_HAND {
                continue;
            }
            if let Some(agent) = AGENTS.iter().find(|agent| agent.name == proof.host) {
                let has_scene = threads::of_agent(agent).any(|scene| scene.name == proof.scene);
                assert!(has_scene, "no such scene: {proof:?}");
                assert_eq!(
                    proof.version, agent.package.version,
                    "not run with the newest version: {proof:?}"
                );
                continue;
            }
            let host = HOSTS.iter().find(|host| host.name == proof.host).unwrap();
            let has_scene = |host: Host| scenes::of_host(&host).any(|scene| scene.name == proof.scene);
            assert!(host.with_each_interface().any(has_scene), "no such scene: {proof:?}");
            assert_eq!(proof.version, host.package.version, "not run with the newest version: {proof:?}");
        }
    }

    #[test]
    fn each_sentence_is_in_the_list() {
        let proofs = read(root()).unwrap();
        let pages: BTreeSet<&str> = proofs.iter().map(|proof| proof.page.as_str()).collect();
        for page in pages {
            let text = fs::read_to_string(root().join(page)).unwrap();
            let of_page = proofs.iter().filter(|proof| proof.page == page);
            let promises: Vec<String> = of_page.map(|proof| words(&proof.promise)).collect();
            for sentence in sentences(&text) {
                let is_about = |promise: &String| sentence.contains(promise) || promise.contains(&sentence);
                assert!(promises.iter().any(is_about), "{page}: not in the list: {sentence}");
            }
        }
    }

    /// A run of `cargo xtask hosts` without `--newest` runs each host in this version too.
    #[test]
    fn pages_name_the_oldest_versions() {
        for host in HOSTS.iter().filter(|host| host.oldest != host.package.version) {
            let page = fs::read_to_string(root().join(format!("docs/hosts/{}.md", host.name))).unwrap();
            let sentence = format!("\nOldest version that passed: {}.\n", host.oldest);
            assert!(page.contains(&sentence), "{}: no {sentence}", host.name);
        }
    }
}
