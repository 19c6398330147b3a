//! Language of messages.

use super::{Flags, Layer, Origin, Setting, USER_FILE, folders, project_file, read_toml};
use crate::environment::Environment;
use sayso_core::{Code, Lang, Message, Problem};
use serde::Deserialize;
use std::path::PathBuf;

/// Returns the layers that set the language, highest priority first.
pub(super) fn layers(flags: &Flags, environment: &Environment, user: Layer, project: Layer) -> [Layer; 4] {
    let flag = flags.lang.clone().map(|name| (name, Origin::Flag("--lang")));
    let variable =
        environment.get("SAYSO_LANG").map(|name| (name.to_owned(), Origin::Variable("SAYSO_LANG")));
    [flag, variable, user, project]
}

/// Returns the language for messages that are printed before other settings count. An invalid layer is skipped.
pub(crate) fn spoken(environment: &Environment, flags: &Flags) -> Lang {
    #[derive(Default, Deserialize)]
    struct Named {
        language: Option<String>,
    }
    let in_file =
        |file: PathBuf| -> Layer { Some((read_toml::<Named>(&file).ok()?.language?, Origin::File(file))) };
    let user = folders().ok().and_then(|(config, _)| in_file(config.join(USER_FILE)));
    let named = layers(flags, environment, user, project_file().and_then(in_file));
    let known = named.into_iter().flatten().find_map(|(name, _)| parse(&name).ok());
    known.unwrap_or_else(|| of_locale(environment).value)
}

/// Parses the name of a language.
///
/// # Errors
/// Fails if there is none of that name.
pub(super) fn parse(text: &str) -> Result<Lang, Problem> {
    let unknown = || Problem::new(Code::InvalidSetting, Message::LanguageUnknown.with([text]));
    Lang::of_code(text).ok_or_else(unknown)
}

/// Returns the language of the user's locale.
pub(super) fn of_locale(environment: &Environment) -> Setting<Lang> {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let set = names.into_iter().find_map(|name| Some((name, environment.get(name)?)));
    let value = set.and_then(|(_, locale)| Lang::of_code(locale.get(..2)?)).unwrap_or_default();
    Setting { value, origin: set.map_or(Origin::Default, |(name, _)| Origin::Variable(name)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locale_sets_the_language() {
        let of = |environment: Environment| {
            let found = of_locale(&environment);
            (found.value, found.origin.to_string())
        };
        let zh = ("LANG", "zh_CN.UTF-8");
        assert_eq!(of(Environment::from([zh])), (Lang::Zh, "LANG".to_owned()));
        assert_eq!(of(Environment::from([zh, ("LC_ALL", "C")])), (Lang::En, "LC_ALL".to_owned()));
        assert_eq!(of(Environment::default()), (Lang::En, "default".to_owned()));
    }
}
