//! Rule: a crate depends only on what the table in [`super::allowed`] lists.

use super::Finding;
use super::allowed::{CRATES, CrateRules, IN_TESTS};
use super::workspace::{Dependency, Member, Workspace};

/// Dependencies that the table does not allow, and crates without a row.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    workspace.members.iter().flat_map(find_in).collect()
}

fn find_in(member: &Member) -> Vec<Finding> {
    let manifest = format!("{}/Cargo.toml", member.folder);
    let Some(rules) = row(&member.name) else {
        let advice = format!("give `{}` a row in xtask/src/tidy/allowed.rs", member.name);
        return vec![Finding::new(&manifest, 1, "crate edge", advice)];
    };
    let forbidden = member.dependencies.iter().filter(|dependency| !is_allowed(rules, dependency));
    forbidden
        .map(|Dependency { name, .. }| {
            let advice = format!("`{}` may not use `{name}`; see xtask/src/tidy/allowed.rs", member.name);
            Finding::new(&manifest, 1, "crate edge", advice)
        })
        .collect()
}

fn row(name: &str) -> Option<&'static CrateRules> {
    CRATES.iter().find(|rules| rules.name == name)
}

fn is_allowed(rules: &CrateRules, dependency: &Dependency) -> bool {
    let lists = |words: &str| words.split_whitespace().any(|word| word == dependency.name);
    match row(&dependency.name) {
        Some(ours) => lists(rules.ours) || (dependency.dev && ours.layer < rules.layer),
        None => rules.third_party.is_none_or(lists) || (dependency.dev && lists(IN_TESTS)),
    }
}

#[cfg(test)]
mod tests {
    use super::{CRATES, Dependency, is_allowed, row};

    fn may_use(from: &str, name: &str, dev: bool) -> bool {
        is_allowed(row(from).unwrap(), &Dependency { name: name.to_owned(), dev })
    }

    #[test]
    fn only_edges_of_the_design_pass() {
        let edges: Vec<String> = CRATES
            .iter()
            .map(|from| {
                let targets = CRATES.iter().map(|to| to.name).filter(|to| may_use(from.name, to, false));
                format!("{}: {}", from.name, targets.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(
            edges,
            [
                "sayso-core: ",
                "sayso-dialects: sayso-core",
                "sayso-desk: sayso-core",
                "sayso-terminal: sayso-core sayso-desk",
                "sayso-server: sayso-core sayso-dialects sayso-desk",
                "sayso: sayso-core sayso-dialects sayso-desk sayso-terminal sayso-server",
                "bench: sayso-core sayso-dialects sayso-desk",
                "interleavings: sayso-core",
                "xtask: sayso-core sayso-desk interleavings",
            ]
        );
    }

    #[test]
    fn tests_may_use_lower_layers() {
        assert!(may_use("sayso-terminal", "sayso-dialects", true));
        assert!(!may_use("sayso-terminal", "sayso-server", true));
        assert!(may_use("sayso-terminal", "proptest", true));
        assert!(!may_use("sayso-terminal", "mockall", true));
    }

    #[test]
    fn third_party_crates_are_listed() {
        assert!(may_use("sayso-desk", "rusqlite", false));
        assert!(!may_use("sayso-core", "rusqlite", false));
        assert!(may_use("xtask", "anything", false));
    }
}
