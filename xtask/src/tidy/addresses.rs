//! Rule: addresses and the version are those of `Cargo.toml`, wherever people read them.

use super::Finding;
use super::workspace::Workspace;

/// Files with the members that each must show, from `workspace.package` and `workspace.metadata.publish`.
pub(crate) const PLACES: &[(&str, &[&str])] = &[
    ("README.md", &["install", "version"]),
    ("README.zh.md", &["install", "version"]),
    ("SECURITY.md", &["security"]),
    ("packaging/install.sh", &["install", "releases", "version"]),
    (".github/ISSUE_TEMPLATE/config.yml", &["repository"]),
];

/// Files that do not show an address or the version.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(published) = &workspace.published else { return findings };
    for (path, names) in PLACES {
        let text = published.texts.get(*path).map(String::as_str).unwrap_or_default();
        for name in *names {
            match published.values.get(*name) {
                Some(value) if text.contains(value.as_str()) => {}
                Some(value) => {
                    let advice = format!("write {value}, the `{name}` of Cargo.toml");
                    findings.push(Finding::new(path, 1, "address", advice));
                }
                None => {
                    let advice = format!("Cargo.toml has no `{name}`");
                    findings.push(Finding::new(path, 1, "address", advice));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::workspace::Published;

    #[test]
    fn other_address_is_found() {
        let values = ["install", "version", "security", "releases", "repository"];
        let values = values.map(|name| (name.to_owned(), format!("<{name}>")));
        let text = values.iter().map(|(_, value)| value.as_str()).collect::<String>();
        let texts = PLACES.iter().map(|(path, _)| ((*path).to_owned(), text.clone()));
        let mut published = Published { values: values.into(), texts: texts.collect() };
        let find = |published: &Published| {
            find(&Workspace { published: Some(published.clone()), ..Workspace::default() })
        };
        assert_eq!(find(&published), []);
        published.texts.insert("SECURITY.md".to_owned(), "<install>".to_owned());
        let advice = "write <security>, the `security` of Cargo.toml";
        assert_eq!(find(&published), [Finding::new("SECURITY.md", 1, "address", advice)]);
    }
}
