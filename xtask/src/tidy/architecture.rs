//! Rule: `ARCHITECTURE.md` names every crate, every module at the top of one and every dependency, so that none comes in
//! unseen.

use std::collections::BTreeSet;

use super::Finding;
use super::manifest::Workspace;
use super::tree::Tree;

const RULE: &str = "architecture";
const FILE: &str = "ARCHITECTURE.md";

/// Crates, modules and dependencies that the page, if there is one, does not name in backticks.
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
    let rooms = rooms(page);
    for (crate_name, module) in modules(tree) {
        if !rooms.contains(module) {
            found.push(Finding::new(FILE, 1, RULE, format!("say what `{module}` of `{crate_name}` is for")));
        }
    }
    for name in third_party(&tree.workspace) {
        if !named(name) {
            found.push(Finding::new(FILE, 1, RULE, format!("say what the dependency `{name}` is for")));
        }
    }
    found
}

/// The parts of all paths in backticks: in `store/sqlite`, both.
fn rooms(page: &str) -> BTreeSet<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    quoted.flat_map(|words| words.split(|c: char| !(c.is_alphanumeric() || c == '_'))).collect()
}

/// The modules at the top of the crates below `crates`, each with its crate.
fn modules(tree: &Tree) -> BTreeSet<(&str, &str)> {
    let sources = tree.sources.iter().filter(|source| !source.test);
    sources.filter_map(|source| module_of(&source.path)).collect()
}

/// The crate of a file and the module at its top that the file belongs to.
fn module_of(path: &str) -> Option<(&str, &str)> {
    let (crate_name, file) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let module = file.split(['/', '.']).next()?;
    (!["lib", "main"].contains(&module)).then_some((crate_name, module))
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
    fn a_module_at_the_top_of_a_crate_is_named_and_one_below_need_not_be() {
        let files = [
            ("crates/core/src/lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod tests;\n"),
            ("crates/core/src/a.rs", "mod below;\n"),
            ("crates/core/src/a/below.rs", ""),
            ("crates/core/src/b/mod.rs", ""),
            ("crates/core/src/tests.rs", ""),
            ("ARCHITECTURE.md", "`core`, `desk`, `serde`, `proptest`: `core/a`, but b"),
        ];
        let tree = Tree::of(&[MANIFESTS.as_slice(), files.as_slice()].concat());
        let advice: Vec<_> = find(&tree).into_iter().map(|finding| finding.advice).collect();
        assert_eq!(advice, ["say what `b` of `core` is for"]);
    }

    #[test]
    fn a_complete_page_is_fine_and_so_is_none() {
        assert_eq!(found("`core/`, `crates/desk`, `serde`, `proptest`"), [""; 0]);
        assert_eq!(find(&Tree::of(&MANIFESTS)), []);
    }
}
