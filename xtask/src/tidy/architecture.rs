//! Rule: `ARCHITECTURE.md` names every crate and every dependency, so that none comes in unseen.

use std::collections::BTreeSet;

use super::Finding;
use super::manifest::Workspace;
use super::tree::Tree;

const RULE: &str = "architecture";
const FILE: &str = "ARCHITECTURE.md";

/// Crates and dependencies that the page, if there is one, does not name in backticks.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let Some(page) = &tree.architecture else { return Vec::new() };
    let named = |name: &str| page.contains(&format!("`{name}`"));
    let mut found = Vec::new();
    for member in &tree.workspace.members {
        let folder = &member.folder;
        let last = folder.rsplit('/').next().unwrap_or(folder);
        if ![last, folder, &format!("{last}/"), &format!("{folder}/")].iter().any(|name| named(name)) {
            found.push(Finding::new(FILE, 1, RULE, format!("say what the crate `{folder}` is for")));
        }
    }
    for name in third_party(&tree.workspace) {
        if !named(name) {
            found.push(Finding::new(FILE, 1, RULE, format!("say what the dependency `{name}` is for")));
        }
    }
    found
}

fn third_party(workspace: &Workspace) -> BTreeSet<&str> {
    let used = workspace.members.iter().flat_map(|member| &member.dependencies).map(|one| &one.name);
    let ours = |name: &str| workspace.members.iter().any(|member| member.name == name);
    workspace.third_party.iter().chain(used).map(String::as_str).filter(|name| !ours(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::tree::Tree;

    const MANIFESTS: [(&str, &str); 3] = [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\nserde = \"1\"\n\
             sayso-core = { path = \"crates/core\" }\n",
        ),
        (
            "crates/core/Cargo.toml",
            "[package]\nname = \"sayso-core\"\n[dev-dependencies]\nproptest = \"1\"\n",
        ),
        (
            "crates/desk/Cargo.toml",
            "[package]\nname = \"sayso-desk\"\n[dependencies]\nsayso-core.workspace = true\n",
        ),
    ];

    fn found(page: &str) -> Vec<String> {
        let tree = Tree::of(&[MANIFESTS.as_slice(), &[("ARCHITECTURE.md", page)]].concat());
        find(&tree).into_iter().map(|finding| finding.advice).collect()
    }

    #[test]
    fn what_is_not_named_in_backticks_is_found() {
        assert_eq!(
            found("core, `desk` and `serde`"),
            ["say what the crate `crates/core` is for", "say what the dependency `proptest` is for"]
        );
    }

    #[test]
    fn a_complete_page_is_fine_and_so_is_none() {
        assert_eq!(found("`core/`, `crates/desk`, `serde`, `proptest`"), [""; 0]);
        assert_eq!(find(&Tree::of(&MANIFESTS)), []);
    }
}
