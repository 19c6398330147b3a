//! Language of messages.

use super::environment::ProcessEnv;
use super::files::{USER_FILE, read_toml, user_folders};
use super::sources::SettingSources;
use super::table::LANGUAGE;
use super::{GlobalFlags, Setting, SettingOrigin};
use sayso_core::i18n::foreign;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use serde::Deserialize;

/// Returns the language for messages that are printed before other settings count. An invalid layer is skipped.
pub(crate) fn resolve_leniently(environment: &ProcessEnv, flags: &GlobalFlags) -> Lang {
    #[derive(Default, Deserialize)]
    struct LanguageFile {
        language: Option<String>,
    }
    let user_file = user_folders().map(|(config, _)| config.join(USER_FILE)).unwrap_or_default();
    let LanguageFile { language } = read_toml(&user_file).unwrap_or_default();
    let sources = SettingSources { flags, environment, user_file: &user_file, project_file: None };
    for (name, _) in sources.values(&LANGUAGE, language, None) {
        if let Ok(lang) = parse_language(&name) {
            return lang;
        }
    }
    from_locale(environment).value
}

/// Parses the name of a language.
///
/// # Errors
/// Fails if there is none of that name.
pub(super) fn parse_language(text: &str) -> Result<Lang, Problem> {
    match Lang::from_code(text) {
        Some(lang) => Ok(lang),
        None => {
            Err(Problem::new(ProblemCode::InvalidSetting, Message::LanguageUnknown.with([foreign(text)])))
        }
    }
}

/// Returns the language of the user's locale.
pub(super) fn from_locale(environment: &ProcessEnv) -> Setting<Lang> {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        if let Some(locale) = environment.get(name) {
            let lang = locale.get(..2).and_then(Lang::from_code);
            return Setting { value: lang.unwrap_or_default(), origin: SettingOrigin::Variable(name) };
        }
    }
    Lang::default().into()
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
