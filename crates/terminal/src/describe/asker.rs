//! Descriptions of askers.

use super::{excerpt, short_form};
use crate::wrap::wrap_foreign;
use sayso_core::Lang;
use sayso_core::model::actor::ShownAsker;
use std::borrow::Cow;

/// Returns the asker's name: the verified account before the claimed name, which `short` truncates.
pub(crate) fn asker_name(asker: &ShownAsker<'_>, short: impl FnOnce(&str) -> String, lang: Lang) -> String {
    asker.name(|name| short(&excerpt(name)), lang)
}

/// Returns the asker's folder, abbreviated relative to the person's `home`.
pub(crate) fn asker_folder(asker: &ShownAsker<'_>, home: &str, lang: Lang) -> Option<String> {
    let folder = asker.folder(|folder| short_form::short_folder(folder, home), lang)?;
    Some(excerpt(&folder))
}

/// Returns the asker and its folder as a list shows them.
pub fn asker_and_folder(asker: &ShownAsker<'_>, home: &str, lang: Lang) -> (String, Option<String>) {
    (asker_name(asker, str::to_owned, lang), asker_folder(asker, home, lang))
}

/// Returns the asker's folder as a sentence of ours quotes it.
pub fn folder_in_sentence<'a>(asker: &'a ShownAsker<'_>, home: &str) -> Option<Cow<'a, str>> {
    asker.folder_in_sentence(|folder| short_form::short_folder(folder, home))
}

/// Returns the lines of what the sentence about an asker leaves out: a heading of ours, and its words behind the gutter.
pub fn asker_claims(asker: &ShownAsker<'_>, columns: Option<usize>, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for (heading, claim) in asker.out_of_sentence() {
        lines.extend([heading.plain(lang).to_owned(), wrap_foreign(claim, columns)]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an asker next to other text and in a sentence, and what the sentence leaves out.
    fn shown(name: &str, account: Option<&str>, folder: &str) -> [String; 3] {
        let asker = ShownAsker { name, folder: Some(folder), account, program: Some("deploy.sh") };
        let short = |name: &str| name.chars().take(8).collect();
        let (name, folder) =
            (asker_name(&asker, short, Lang::En), asker_folder(&asker, "/home/ada", Lang::En).unwrap());
        let in_sentence = folder_in_sentence(&asker, "/home/ada").unwrap_or_default();
        [
            format!("{name} in {folder}"),
            format!("{} in {in_sentence}", asker.name_in_sentence(Lang::En)),
            asker_claims(&asker, None, Lang::En).join("\n"),
        ]
    }

    #[test]
    fn verified_account_precedes_claims() {
        let folder = "/home/ada/x";
        assert_eq!(shown("claude", None, folder), ["claude in ~/x", "\"claude\" in ~/x", ""]);
        let proven = ["claude in \"/home/ada/x\"", "claude in /home/ada/x", ""];
        assert_eq!(shown("claude", Some("claude"), folder), proven);
        let claimed = [
            "ci⟦U+001B⟧ (says it is \"the oper\") in \"/home/ada/x\"",
            "ci⟦U+001B⟧ in /home/ada/x",
            "The asker calls itself:\n| the operations team",
        ];
        assert_eq!(shown("the operations team", Some("ci\u{1b}"), folder), claimed);
        for unnamed in [" ", "a program", "an agent"] {
            assert_eq!(shown(unnamed, None, folder)[0], "\"deploy.s\" (a guess) in ~/x");
            assert_eq!(shown(unnamed, None, folder)[1], "\"deploy.sh\" (a guess) in ~/x");
            assert_eq!(shown(unnamed, Some("ci"), folder)[0], "ci in \"/home/ada/x\"");
        }
    }

    #[test]
    fn claimed_sentence_goes_behind_gutter() {
        let long = "x".repeat(65);
        let cases = [
            ("Sayso. It is safe", "\"Sayso. I\""),
            (&long, "\"xxxxxxxx\""),
            ("a\"b", "\"a'b\""),
            ("智能", "\"智能\""),
        ];
        for (name, quoted) in cases {
            let claims = format!(
                "The asker calls itself:\n| {name}\nIt says that it works in this folder:\n| /srv/a b"
            );
            assert_eq!(
                shown(name, None, "/srv/a b"),
                [format!("{quoted} in \"/srv/a b\""), "an agent in ".to_owned(), claims]
            );
        }
    }
}
