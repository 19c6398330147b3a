//! Rule: `ARCHITECTURE.md` stays short, and together with the pages in `docs/architecture` it names every crate, every
//! module at the top of one and every dependency.

use std::collections::BTreeSet;

use super::Finding;
use super::workspace::Workspace;

const FILE: &str = "ARCHITECTURE.md";
/// Largest size of the page, so that a newcomer can read all of it.
const MAX_BYTES: usize = 14_000;

/// Crates, modules and dependencies that no page names in backticks, and a page that is too long.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let finding = |advice: String| Finding::new(FILE, 1, "architecture", advice);
    let pages = [&workspace.architecture].into_iter().chain(&workspace.crate_pages);
    let quoted = pages.flat_map(|page| page.split('`').skip(1).step_by(2));
    // Of a path in backticks, such as `store/sqlite`, each part counts.
    let named: BTreeSet<&str> =
        quoted.flat_map(|words| words.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c)))).collect();
    let crates = workspace.members.iter().filter_map(|member| member.folder.rsplit('/').next());
    let modules = workspace.sources.iter().filter(|source| !source.test).filter_map(|source| {
        let (_, file) = source.path.strip_prefix("crates/")?.split_once("/src/")?;
        file.split(['/', '.']).next().filter(|module| !["lib", "main"].contains(module))
    });
    let needed: BTreeSet<&str> = crates.chain(modules).chain(workspace.third_party()).collect();
    let missing = needed.difference(&named).map(|name| finding(format!("describe `{name}`")));
    let bytes = workspace.architecture.len();
    let long = (bytes > MAX_BYTES).then(|| {
        finding(format!("has {bytes} bytes, the limit is {MAX_BYTES}; move details to `docs/architecture`"))
    });
    missing.chain(long).collect()
}
