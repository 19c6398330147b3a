//! Rule: `ARCHITECTURE.md` names every crate, every module at the top of one and every dependency.

use std::collections::BTreeSet;

use super::Finding;
use super::workspace::Workspace;

const FILE: &str = "ARCHITECTURE.md";

/// Crates, modules and dependencies that the page does not name in backticks.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let page = &workspace.architecture;
    let quoted = page.split('`').skip(1).step_by(2);
    // Of a path in backticks, such as `store/sqlite`, each part counts.
    let named: BTreeSet<&str> =
        quoted.flat_map(|words| words.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c)))).collect();
    let crates = workspace.members.iter().filter_map(|member| member.folder.rsplit('/').next());
    let modules = workspace.sources.iter().filter(|source| !source.test).filter_map(|source| {
        let (_, file) = source.path.strip_prefix("crates/")?.split_once("/src/")?;
        file.split(['/', '.']).next().filter(|module| !["lib", "main"].contains(module))
    });
    let needed: BTreeSet<&str> = crates.chain(modules).chain(workspace.third_party()).collect();
    let missing = needed.difference(&named);
    missing.map(|name| Finding::new(FILE, 1, "architecture", format!("say what `{name}` is for"))).collect()
}
