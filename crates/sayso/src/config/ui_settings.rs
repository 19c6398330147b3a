//! User interface on a person's terminal: settings of the table `[screen]` in the user's file, and of the
//! environment.

use super::environment::ProcessEnv;
use super::sources::SettingSources;
use super::table::{self, NO_COLOR};
use super::{Setting, SettingOrigin};
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use sayso_terminal::tui::{StyleRole, Theme};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Table `[screen]` as written.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct ScreenTable {
    theme: Option<String>,
    plain: Option<bool>,
    mouse: Option<bool>,
    submit: Option<SubmitPlace>,
    notify: Option<String>,
}

/// Place from which a lone question is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SubmitPlace {
    /// Its own page.
    Page,
    /// A review, as for several questions.
    Review,
}

impl SubmitPlace {
    /// Returns its name in a file.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Review => "review",
        }
    }
}

/// Settings of the user interface.
#[derive(Debug, Clone)]
pub(crate) struct UiSettings {
    /// Name of a theme; without one it follows the terminal.
    pub(crate) theme: Setting<Option<String>>,
    /// Line-by-line prompt instead of the full screen.
    pub(crate) plain: Setting<bool>,
    /// Use of the mouse.
    pub(crate) mouse: Setting<bool>,
    /// Place from which a lone question is sent.
    pub(crate) submit: Setting<SubmitPlace>,
    /// Command that notifies of new asks; their number is its last argument.
    pub(crate) notify: Setting<Option<String>>,
    /// Folder of the user's own themes.
    themes_folder: PathBuf,
}

impl UiSettings {
    /// Reads the settings.
    pub(super) fn read(sources: &SettingSources<'_>, written: ScreenTable) -> Self {
        let theme = match sources.values(&table::THEME, written.theme, None).next() {
            Some((_, origin @ SettingOrigin::Variable(NO_COLOR))) => {
                Setting { value: Some("mono".to_owned()), origin }
            }
            Some((name, origin)) => Setting { value: Some(name), origin },
            None => None.into(),
        };
        let plain = match sources.variable(&table::PLAIN) {
            Some((value, origin)) => Setting { value: value != "0", origin },
            None => sources.user_or(written.plain, false),
        };
        Self {
            theme,
            plain,
            mouse: sources.user_or(written.mouse, true),
            submit: sources.user_or(written.submit, SubmitPlace::Page),
            notify: sources.user_or(written.notify.map(Some), None),
            themes_folder: sources.user_file.parent().unwrap_or(Path::new("")).join("themes"),
        }
    }

    /// Returns the theme, and whether it follows the terminal's background.
    ///
    /// # Errors
    /// Fails if there is no such theme, or its file is invalid.
    pub(crate) fn resolve_theme(
        &self,
        environment: &ProcessEnv,
        lang: Lang,
    ) -> Result<(Theme, bool), Problem> {
        let Some(name) = &self.theme.value else {
            let is_dark = environment.get("COLORFGBG").and_then(sayso_terminal::tty::background);
            let theme = if is_dark == Some(false) { Theme::LIGHT } else { Theme::DARK };
            return Ok((adapt_to_locale(theme, environment), is_dark.is_none()));
        };
        let theme = match Theme::from_name(name) {
            Some(theme) => theme,
            None => self.load_theme(name, lang)?,
        };
        Ok((adapt_to_locale(theme, environment), false))
    }

    /// Loads a theme of the user's own: `NAME.toml` with `base`, `ascii`, and a style for each role it changes.
    fn load_theme(&self, name: &str, lang: Lang) -> Result<Theme, Problem> {
        let file = self.themes_folder.join(format!("{name}.toml"));
        let invalid = |why: String| {
            let args = [own("theme"), own(file.display()), own(why)];
            Problem::new(ProblemCode::InvalidSetting, Message::InvalidSetting.with(args))
                .with_hint(Message::ThemesKnown.with([own(Theme::NAMES.join(", "))]))
        };
        // The name must be a file in that folder.
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(invalid(Message::NoTheme.plain(lang).to_owned()));
        }
        let text = std::fs::read_to_string(&file).map_err(|error| invalid(error.to_string()))?;
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| invalid(error.message().to_owned()))?;
        let base = table.get("base").map_or(Some("dark"), toml::Value::as_str);
        let base =
            base.and_then(Theme::from_name).ok_or_else(|| invalid(Message::NoBase.plain(lang).to_owned()))?;
        let mut theme = base;
        let mut is_ascii = false;
        for (key, value) in &table {
            let role = StyleRole::ALL.into_iter().find(|(name, _)| name == key);
            match (role, value) {
                (Some((_, role)), toml::Value::String(words)) => {
                    theme =
                        theme.with_style(role, words).map_err(|word| invalid(format!("{key}: {word}")))?;
                }
                (None, toml::Value::Boolean(value)) if key == "ascii" => is_ascii = *value,
                (None, _) if key == "base" => {}
                // A typo is reported, so that it can be found.
                _ => return Err(invalid(Message::NoRole.render_with(lang, [own(key)]))),
            }
        }
        Ok(if is_ascii { theme.in_ascii() } else { theme })
    }
}

/// Restricts the theme to ASCII if the locale isn't UTF-8, or on the console of Linux, whose font lacks our signs. A
/// locale that is not set is taken for UTF-8, as is `LANG=C`, which containers set without a thought.
fn adapt_to_locale(theme: Theme, environment: &ProcessEnv) -> Theme {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| environment.get(name));
    let is_utf8 = locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        let is_c = locale == "c" || locale == "posix";
        locale.contains("utf-8") || locale.contains("utf8") || is_c && environment.get("LC_ALL").is_none()
    });
    let is_console = environment.get("TERM") == Some("linux");
    if is_utf8 && !is_console { theme } else { theme.in_ascii() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn console_and_c_locale_get_ascii() {
        let is_ascii = |name, value| {
            let theme = adapt_to_locale(Theme::DARK, &ProcessEnv::from([(name, value)]));
            format!("{theme:?}") == format!("{:?}", Theme::DARK.in_ascii())
        };
        for (name, value, expected) in [
            ("TERM", "linux", true),
            ("LC_ALL", "C", true),
            ("LC_ALL", "POSIX", true),
            ("LANG", "de_DE.ISO-8859-1", true),
            ("LANG", "C", false),
            ("LC_ALL", "C.UTF-8", false),
            ("TERM", "xterm", false),
        ] {
            assert_eq!(is_ascii(name, value), expected, "{name}={value}");
        }
    }
}
