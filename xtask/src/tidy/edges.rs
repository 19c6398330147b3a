//! Rule: a crate depends only on what the table in [`super::allowed`] lets it.

use super::Finding;
use super::allowed::{Allowed, CRATES, IN_TESTS, ThirdParty};
use super::manifest::{Dependency, Member};
use super::tree::Tree;

const EDGE: &str = "crate edge";
const THIRD_PARTY: &str = "dependency";

/// Dependencies that the table does not allow, and crates that it does not know.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let members = &tree.workspace.members;
    let mut found = Vec::new();
    for member in members {
        let Some(allowed) = row(&member.name) else {
            let advice = format!("give `{}` a row in xtask/src/tidy/allowed.rs", member.name);
            found.push(Finding::new(&member.manifest(), 1, EDGE, advice));
            continue;
        };
        for dependency in &member.dependencies {
            let ours = members.iter().any(|other| other.name == dependency.name);
            if ours || row(&dependency.name).is_some() {
                found.extend(edge(member, allowed, dependency));
            } else {
                found.extend(third_party(member, allowed, dependency));
            }
        }
    }
    found
}

fn row(name: &str) -> Option<&'static Allowed> {
    CRATES.iter().find(|allowed| allowed.name == name)
}

fn edge(member: &Member, allowed: &Allowed, dependency: &Dependency) -> Option<Finding> {
    let lower = row(&dependency.name).is_some_and(|other| other.layer < allowed.layer);
    if allowed.ours.contains(&dependency.name.as_str()) || (dependency.dev && lower) {
        return None;
    }
    let advice = format!("`{}` must not know `{}`; remove the dependency", member.name, dependency.name);
    Some(Finding::new(&member.manifest(), dependency.line, EDGE, advice))
}

fn third_party(member: &Member, allowed: &Allowed, dependency: &Dependency) -> Option<Finding> {
    let ThirdParty::Only(names) = allowed.third_party else { return None };
    let name = dependency.name.as_str();
    if names.contains(&name) || (dependency.dev && IN_TESTS.contains(&name)) {
        return None;
    }
    let advice = format!(
        "`{}` may not use `{name}`; do without it, or allow it in xtask/src/tidy/allowed.rs and say why",
        member.name
    );
    Some(Finding::new(&member.manifest(), dependency.line, THIRD_PARTY, advice))
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::tree::Tree;

    /// What is found in a manifest of this package with these tables.
    fn found(name: &str, tables: &str) -> Vec<String> {
        let manifest = format!("[package]\nname = \"{name}\"\n{tables}");
        let tree =
            Tree::of(&[("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"), ("a/Cargo.toml", &manifest)]);
        find(&tree).iter().map(ToString::to_string).collect()
    }

    fn uses(name: &str, table: &str, dependency: &str) -> bool {
        found(name, &format!("[{table}]\n{dependency} = \"1\"\n")).is_empty()
    }

    #[test]
    fn exactly_the_edges_of_the_design_are_allowed() {
        let names = [
            "sayso-core",
            "sayso-dialects",
            "sayso-desk",
            "sayso-terminal",
            "sayso-server",
            "sayso",
            "interleavings",
            "bench",
            "xtask",
        ];
        assert_eq!(names.len(), super::CRATES.len(), "each crate of ours is among them");
        let mut allowed = Vec::new();
        for from in names {
            let targets: Vec<_> = names.into_iter().filter(|to| uses(from, "dependencies", to)).collect();
            allowed.push(format!("{from}: {}", targets.join(" ")));
        }
        assert_eq!(
            allowed,
            [
                "sayso-core: ",
                "sayso-dialects: sayso-core",
                "sayso-desk: sayso-core",
                "sayso-terminal: sayso-core sayso-desk",
                "sayso-server: sayso-core sayso-dialects sayso-desk",
                "sayso: sayso-core sayso-dialects sayso-desk sayso-terminal sayso-server",
                "interleavings: sayso-core",
                "bench: sayso-core sayso-dialects sayso-desk",
                "xtask: sayso-core sayso-desk interleavings",
            ]
        );
    }

    #[test]
    fn a_forbidden_edge_is_found_in_every_kind_of_table() {
        let target = "target.'cfg(unix)'.dependencies";
        for table in ["dependencies", "build-dependencies", "dev-dependencies", target] {
            assert!(!uses("sayso-core", table, "sayso-desk"), "{table}");
        }
        assert_eq!(
            found("sayso-terminal", "[dependencies]\nsayso-core = \"1\"\nsayso-dialects = \"1\"\n"),
            [
                "a/Cargo.toml:5: crate edge: `sayso-terminal` must not know `sayso-dialects`; remove the dependency"
            ]
        );
    }

    #[test]
    fn tests_may_use_lower_crates_and_no_others() {
        assert!(uses("sayso-terminal", "dev-dependencies", "sayso-dialects"));
        assert!(!uses("sayso-terminal", "dev-dependencies", "sayso-server"));
        assert!(!uses("sayso-dialects", "dev-dependencies", "sayso-desk"));
        assert!(!uses("sayso", "dev-dependencies", "xtask"));
    }

    #[test]
    fn third_party_crates_are_allowed_one_by_one() {
        assert!(uses("sayso-desk", "dependencies", "rusqlite"));
        assert!(!uses("sayso-core", "dependencies", "rusqlite"));
        assert!(!uses("sayso-desk", "dependencies", "proptest"));
        assert!(uses("xtask", "dependencies", "anything"));
        assert_eq!(
            found("sayso-dialects", "[dependencies]\nx = { version = \"1\", package = \"tokio\" }\n"),
            ["a/Cargo.toml:4: dependency: `sayso-dialects` may not use `tokio`; do without it, \
             or allow it in xtask/src/tidy/allowed.rs and say why"]
        );
    }

    #[test]
    fn tests_may_use_the_list_for_tests() {
        for name in ["proptest", "tempfile", "portable-pty", "serde_json", "rustix"] {
            assert!(uses("sayso-terminal", "dev-dependencies", name), "{name}");
        }
        assert!(!uses("sayso-terminal", "dev-dependencies", "mockall"));
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        assert_eq!(
            found("sayso-extra", ""),
            ["a/Cargo.toml:1: crate edge: give `sayso-extra` a row in xtask/src/tidy/allowed.rs"]
        );
    }
}
