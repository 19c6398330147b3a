//! Rule: a crate uses only those of ours that [`CRATES`] lists, and those from elsewhere that the page of dependencies
//! lists for it, each with its reason. A module of core uses only those that [`CORE_MODULES`] has before it.

use super::Finding;
use super::source::Source;
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

/// Modules of core, from the ground up: each may use those before it, so that it can be read without those after it.
const CORE_MODULES: &[&str] = &[
    "limits",
    "unified_diff",
    "pattern",
    "model",
    "display",
    "i18n",
    "problem",
    "qr_code",
    "kinds",
    "rules",
    "sheet",
    "lifecycle",
    "wire",
];

/// Dependencies that are not allowed.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let (mut found, pages) = (Vec::new(), workspace.pages.concat());
    for source in &workspace.sources {
        found.extend(find_core_arrows(source));
    }
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

/// Finds uses of a later module of core in an earlier one, and names by the root, which hide their module.
fn find_core_arrows(source: &Source) -> Vec<Finding> {
    let Some(path) = source.path.strip_prefix("crates/core/src/") else { return Vec::new() };
    let module = path.split(['/', '.']).next().unwrap_or_default();
    let place = CORE_MODULES.iter().position(|known| *known == module);
    let mut found = Vec::new();
    for (name, line) in &source.names {
        let Some(used) = name.strip_prefix("crate::").and_then(|path| path.split("::").next()) else {
            continue;
        };
        if module == "lib" || used == module || used.is_empty() || source.is_test(*line) {
            continue;
        }
        let used_place = CORE_MODULES.iter().position(|known| *known == used);
        if used_place.is_none() || used_place >= place {
            let advice = format!(
                "`{module}` may not use `{used}`; see CORE_MODULES in xtask/src/tidy/edges.rs and docs/architecture/core.md"
            );
            found.push(Finding::new(&source.path, *line, "module edge", advice));
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
