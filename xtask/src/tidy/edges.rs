//! Rule: a crate uses only those of ours that [`CRATES`] lists, and those from elsewhere that the page of dependencies
//! lists for it, each with its reason.

use super::Finding;
use super::workspace::Workspace;

/// Our crates: name, layer, and the crates of ours that it may use. Its tests may use every crate of a lower layer.
/// Another entry is a change of the architecture, and belongs in a review of its own.
const CRATES: &[(&str, u8, &str)] = &[
    ("sayso-core", 0, ""),
    ("sayso-dialects", 1, "sayso-core"),
    ("sayso-desk", 2, "sayso-core"),
    ("sayso-terminal", 3, "sayso-core sayso-desk"),
    ("sayso-server", 3, "sayso-core sayso-desk sayso-dialects"),
    ("sayso", 4, "sayso-core sayso-desk sayso-dialects sayso-server sayso-terminal"),
    ("bench", 5, "sayso-core sayso-desk sayso-dialects"),
    ("interleavings", 1, "sayso-core"),
    ("xtask", 0, ""),
    ("tools", 5, "sayso-core sayso-desk sayso-dialects sayso-server interleavings xtask"),
];

/// Dependencies that are not allowed.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let (mut found, pages) = (Vec::new(), workspace.pages.concat());
    for member in &workspace.members {
        for (name, dev) in &member.dependencies {
            if !is_allowed(&pages, &member.name, name, *dev) {
                let advice = format!(
                    "`{}` may not use `{name}`; see xtask/src/tidy/edges.rs and docs/architecture/dependencies.md",
                    member.name
                );
                found.push(Finding::new(&format!("{}/Cargo.toml", member.folder), 1, "crate edge", advice));
            }
        }
    }
    found
}

/// Returns whether a crate may use another one, according to the table of crates and the tables of these pages.
fn is_allowed(pages: &str, from: &str, to: &str, dev: bool) -> bool {
    let row = |name: &str| CRATES.iter().find(|(known, ..)| *known == name);
    if let Some((_, to_layer, _)) = row(to) {
        return row(from).is_some_and(|(_, layer, ours)| {
            ours.split(' ').any(|name| name == to) || (dev && to_layer < layer)
        });
    }
    let user = from.trim_start_matches("sayso-");
    pages.lines().any(|line| {
        let mut cells = line.split('|').skip(1);
        let names = cells.next().is_some_and(|names| names.contains(&format!("`{to}`")));
        let users = cells.next().unwrap_or_default();
        names && users.split([',', ' ']).any(|word| word == user || (dev && word == "tests"))
    })
}
