//! Sizes, languages and themes in which every screen must work.

use super::StageConfig;
use crate::tui::widgets::theme::Theme;
use sayso_core::i18n::own;
use sayso_core::{Lang, Message};

/// Sizes: a large screen, the usual one, and a narrow one.
const LOOK_SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (40, 15)];

/// Themes; `NO_COLOR` means `mono`.
const LOOK_THEMES: [&str; 3] = ["dark", "mono", "ascii"];

/// Returns every size in both languages and in colour, without colours and in ASCII. A failed test prints the one that
/// it came to as its last line.
#[expect(clippy::print_stdout, reason = "a failed test names its look")]
pub(in crate::tui::tests) fn looks() -> impl Iterator<Item = StageConfig> {
    let sizes = LOOK_SIZES.into_iter();
    let with_lang = sizes.flat_map(|size| [Lang::En, Lang::Zh].map(|lang| (size, lang)));
    with_lang.flat_map(|(size, lang)| {
        LOOK_THEMES.into_iter().map(move |name| {
            println!("{}x{} {lang:?} {name}", size.0, size.1);
            StageConfig { size, lang, theme: Theme::from_name(name).unwrap(), ..StageConfig::default() }
        })
    })
}

impl StageConfig {
    /// Returns a message as this screen shows it.
    pub(in crate::tui::tests) fn words(&self, message: Message) -> String {
        self.theme.adapt_text(message.plain(self.lang)).into_owned()
    }

    /// Returns a message with its parameters as this screen shows it.
    pub(in crate::tui::tests) fn words_with<const N: usize>(
        &self,
        message: Message,
        parameters: [&str; N],
    ) -> String {
        self.theme.adapt_text(&message.render_with(self.lang, parameters.map(own))).into_owned()
    }

    /// Returns the beginning of a message, up to its first parameter.
    pub(in crate::tui::tests) fn lead(&self, message: Message) -> String {
        let words = self.words(message);
        words.split('{').next().unwrap().trim_end().to_owned()
    }

    pub(in crate::tui::tests) fn is_narrow(&self) -> bool {
        self.size.0 < 60
    }
}
