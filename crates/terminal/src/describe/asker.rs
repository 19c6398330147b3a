//! Descriptions of askers.

use super::{brief, short_form};
use sayso_core::Lang;
use sayso_core::model::actor::ShownAsker;

/// Returns the asker's name: the verified account before the claimed name, which `short` truncates.
pub(crate) fn asker_name(asker: &ShownAsker<'_>, short: impl FnOnce(&str) -> String, lang: Lang) -> String {
    asker.name(|name| short(&brief(name)), lang)
}

/// Returns the asker's folder, abbreviated relative to the person's `home`.
pub(crate) fn asker_folder(asker: &ShownAsker<'_>, home: &str) -> Option<String> {
    asker.folder(|folder| short_form::short_folder(folder, home)).map(|folder| brief(&folder))
}

/// Returns the asker and its folder as a list shows them.
pub fn asker_and_folder(asker: &ShownAsker<'_>, home: &str, lang: Lang) -> (String, Option<String>) {
    (asker_name(asker, str::to_owned, lang), asker_folder(asker, home))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verified_account_precedes_claims() {
        let text_of = |name: &str, account: Option<&str>| {
            let asking =
                ShownAsker { name, folder: Some("/home/ada/x"), account, program: Some("deploy.sh") };
            let name = asker_name(&asking, |name| name.chars().take(8).collect(), Lang::En);
            format!("{name} in {}", asker_folder(&asking, "/home/ada").unwrap())
        };
        assert_eq!(text_of("claude", None), "claude in ~/x");
        assert_eq!(text_of("claude", Some("claude")), "claude in \"/home/ada/x\"");
        let claimed = "ci⟦U+001B⟧ (says it is \"the oper\") in \"/home/ada/x\"";
        assert_eq!(text_of("the operations team", Some("ci\u{1b}")), claimed);
        assert_eq!(text_of("a\"b", Some("ci")), "ci (says it is \"a'b\") in \"/home/ada/x\"");
        for unnamed in [" ", "a program", "an agent"] {
            assert_eq!(text_of(unnamed, None), "deploy.s (a guess) in ~/x");
            assert_eq!(text_of(unnamed, Some("ci")), "ci in \"/home/ada/x\"");
        }
    }
}
