//! List of what the documents promise about hosts, each with the scene that proves it, and the version and day on which
//! it passed. The list is `docs/hosts/proofs.tsv`; a run writes versions and days into it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::host::Host;

/// Path of the list from the root.
const LIST: &str = "docs/hosts/proofs.tsv";
/// First line of the list.
const HEAD: &str = "page\tpromise\thost\tscene\tversion\tday";

/// Proof of a promise.
#[derive(Debug, PartialEq)]
struct Proof {
    /// Path of the page from the root.
    page: String,
    /// Words of the page.
    promise: String,
    host: String,
    /// Name of the scene.
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

/// Stores that scenes have passed with a host: version and day of their rows.
pub(super) fn record(root: &Path, host: &Host, passed: &[&str]) -> anyhow::Result<()> {
    let output = Command::new("date").args(["-u", "+%F"]).output()?;
    let today = String::from_utf8(output.stdout)?.trim().to_owned();
    let mut proofs = read(root)?;
    for proof in &mut proofs {
        if proof.host == host.name && passed.contains(&proof.scene.as_str()) {
            host.package.version.clone_into(&mut proof.version);
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
    use super::read;
    use crate::hosts::host::{HOSTS, Host};
    use crate::hosts::scenes;
    use std::path::Path;

    #[test]
    fn each_promise_has_its_scene() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for proof in read(root).unwrap() {
            let page = std::fs::read_to_string(root.join(&proof.page)).unwrap();
            assert!(words(&page).contains(&words(&proof.promise)), "not in the page: {proof:?}");
            let host = HOSTS.iter().find(|host| host.name == proof.host).unwrap();
            let has_scene = |host: Host| scenes::of_host(&host).any(|scene| scene.name == proof.scene);
            assert!(host.with_each_interface().any(has_scene), "no such scene: {proof:?}");
            assert_eq!(proof.version, host.package.version, "not run with the newest version: {proof:?}");
            assert_eq!(proof.day.len(), "2026-11-28".len(), "not run: {proof:?}");
        }
    }
}
