//! Language of messages.

use super::environment::ProcessEnv;
use super::files::{USER_FILE, read_toml, user_folders};
use super::sources::SettingSources;
use super::table::LANGUAGE;
use super::{GlobalFlags, Setting, SettingOrigin};
use sayso_core::i18n::foreign;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use serde::Deserialize;
use std::path::Path;

/// Returns the language for messages that are printed before other settings count. An invalid layer is skipped.
pub(crate) fn resolve_leniently(environment: &ProcessEnv, flags: &GlobalFlags) -> Lang {
    #[derive(Default, Deserialize)]
    struct LanguageFile {
        language: Option<String>,
    }
    let in_file = |file: &Path| read_toml::<LanguageFile>(file).ok()?.language;
    let user_file = user_folders().map(|(config, _)| config.join(USER_FILE)).unwrap_or_default();
    let sources = SettingSources { flags, environment, user_file: &user_file, project_file: None };
    let mut named = sources.values(&LANGUAGE, in_file(&user_file), None);
    let known = named.find_map(|(name, _)| parse_language(&name).ok());
    known.unwrap_or_else(|| from_locale(environment).value)
}

/// Parses the name of a language.
///
/// # Errors
/// Fails if there is none of that name.
pub(super) fn parse_language(text: &str) -> Result<Lang, Problem> {
    let unknown =
        || Problem::new(ProblemCode::InvalidSetting, Message::LanguageUnknown.with([foreign(text)]));
    Lang::from_code(text).ok_or_else(unknown)
}

/// Returns the language of the user's locale.
pub(super) fn from_locale(environment: &ProcessEnv) -> Setting<Lang> {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let set = names.into_iter().find_map(|name| Some((name, environment.get(name)?)));
    let value = set.and_then(|(_, locale)| Lang::from_code(locale.get(..2)?)).unwrap_or_default();
    Setting { value, origin: set.map_or(SettingOrigin::Default, |(name, _)| SettingOrigin::Variable(name)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locale_sets_the_language() {
        let of = |environment: ProcessEnv| {
            let found = from_locale(&environment);
            (found.value, found.origin.to_string())
        };
        let zh = ("LANG", "zh_CN.UTF-8");
        assert_eq!(of(ProcessEnv::from([zh])), (Lang::Zh, "LANG".to_owned()));
        assert_eq!(of(ProcessEnv::from([zh, ("LC_ALL", "C")])), (Lang::En, "LC_ALL".to_owned()));
        assert_eq!(of(ProcessEnv::default()), (Lang::En, "default".to_owned()));
    }
}
