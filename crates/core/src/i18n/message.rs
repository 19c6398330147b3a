//! The message catalogue for people, in English and in Chinese: one file per subject, one line per sentence, English
//! first. Arguments are written as `{0}`, `{1}`, …; what others wrote as `{0:foreign}`, between quotation marks.

use super::{LocalizedText, MessageArg};

/// The supported languages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

impl Lang {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// Returns the ISO 639 code of the language.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// Returns the language with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }
}

macro_rules! catalogue {
    ($($name:ident: $en:literal, $zh:literal;)*) => {
        /// A sentence of the catalogue. Its name says when it is used; its text is in the catalogue.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the sentence itself says what it is")]
        pub enum Message { $($name,)* }

        impl Message {
            /// Every sentence.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the text with placeholders for arguments.
            pub const fn template(self, lang: Lang) -> &'static str {
                match (self, lang) {
                    $((Self::$name, Lang::En) => $en, (Self::$name, Lang::Zh) => $zh,)*
                }
            }
        }
    };
}

/// Chains the files of the catalogue. Each is a macro that appends its sentences and invokes the next.
macro_rules! gather {
    ([] $($sentences:tt)*) => { catalogue! { $($sentences)* } };
    ([$file:ident $($next:ident)*] $($before:tt)*) => { $file! { [$($next)*] $($before)* } };
}

include!("catalogue/requests.rs");
include!("catalogue/answers.rs");
include!("catalogue/losses.rs");
include!("catalogue/asks.rs");
include!("catalogue/desks.rs");
include!("catalogue/server.rs");
include!("catalogue/commands.rs");
include!("catalogue/hosts.rs");
include!("catalogue/help.rs");
include!("catalogue/misuse.rs");
include!("catalogue/prompter.rs");
include!("catalogue/inbox.rs");
include!("catalogue/element.rs");
include!("catalogue/page.rs");
gather! { [requests answers losses asks desks server commands hosts help misuse prompter inbox element page] }

impl Message {
    /// Returns the sentence with its arguments. The type of an argument says who wrote it.
    pub fn with<T: Into<MessageArg>>(self, args: impl IntoIterator<Item = T>) -> LocalizedText {
        LocalizedText::Message(self, args.into_iter().map(Into::into).collect())
    }

    /// Renders the sentence with its arguments.
    pub fn render_with<T: Into<MessageArg>>(self, lang: Lang, args: impl IntoIterator<Item = T>) -> String {
        self.with(args).render(lang)
    }

    /// Returns the sentence without arguments in a language.
    pub const fn plain(self, lang: Lang) -> &'static str {
        self.template(lang)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display;
    use crate::i18n::{foreign, own};
    use std::collections::BTreeSet;

    /// Returns the numbers in braces, and if others wrote the argument; other braces are JSON in an example.
    fn places(template: &str) -> Vec<(usize, bool)> {
        let mut places = Vec::new();
        for part in template.split('{').skip(1) {
            let place = part.split('}').next().unwrap_or_default();
            let number = place.split(':').next().and_then(|number| number.parse().ok());
            if let Some(number) = number
                && !place.contains('|')
            {
                places.push((number, place.ends_with(":foreign")));
            }
        }
        places.sort_unstable();
        places
    }

    #[test]
    fn languages_have_same_placeholders() {
        for message in Message::ALL {
            assert_eq!(places(message.template(Lang::En)), places(message.template(Lang::Zh)), "{message:?}");
        }
    }

    /// Returns a sentence without its places for arguments.
    fn without_places(template: &str) -> String {
        let mut words = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            words.push_str(before);
            let is_place = after.starts_with(|c: char| c.is_ascii_digit());
            rest = if is_place { after.split_once('}').unwrap().1 } else { after };
            if !is_place {
                words.push('{');
            }
        }
        words + rest
    }

    #[test]
    fn every_message_renders_whole() {
        for (message, lang) in Message::ALL.iter().flat_map(|message| Lang::ALL.map(|lang| (*message, lang)))
        {
            let template = message.template(lang);
            for value in ["1", "2", "words"] {
                let shown = message.render_with(lang, (0..=9).map(|_| own(value)));
                let braces = |text: &str| text.chars().filter(|c| "{}".contains(*c)).collect::<String>();
                assert_eq!(braces(&shown), braces(&without_places(template)), "{message:?}: {shown}");
                assert!(!shown.contains("{{") && !shown.contains("  {"), "{message:?}: {shown}");
            }
            let is_open = braces_are_open(template);
            assert!(!is_open, "{message:?}: {template}");
        }
    }

    /// Returns true if a brace of a sentence has no partner.
    fn braces_are_open(template: &str) -> bool {
        template.matches('{').count() != template.matches('}').count()
    }

    #[test]
    fn one_of_something_is_singular() {
        for (message, args, words) in [
            (Message::MaxLength, vec!["1"], "Write at most 1 character."),
            (Message::MaxLength, vec!["20"], "Write at most 20 characters."),
            (Message::MinLength, vec!["1"], "Write at least 1 character."),
            (Message::LinesNotShown, vec!["1", "1"], "1 of 1 line not shown"),
            (Message::LinesNotShown, vec!["1", "2"], "1 of 2 lines not shown"),
            (Message::YesUnread, vec!["1", "1"], "Yes, 1 of 1 line not shown"),
            (Message::SendUnseen, vec!["1", "1"], "Submit, 1 of 1 line not shown"),
        ] {
            assert_eq!(message.render_with(Lang::En, args.into_iter().map(own)), words);
        }
    }

    #[test]
    fn one_act_has_one_word() {
        // Approving, declining and withdrawing have no other words, except in the question of a permission.
        let prescribed = [Message::HookPermission];
        for message in Message::ALL.iter().filter(|message| !prescribed.contains(message)) {
            let words = message.template(Lang::En).to_lowercase();
            let other = ["allowed by", "allowed {", "denied", "you allowed", "rejected by", "is cancelled"]
                .map(|word| words.contains(word));
            assert_eq!(other, [false; 6], "{message:?}: {words}");
        }
        let noes = [
            Message::AnsweredNoHead,
            Message::AnsweredNoBy,
            Message::AnsweredNoNow,
            Message::IsAnsweredNo,
            Message::PageAnsweredNoBy,
            Message::RowAnsweredNo,
        ];
        for message in noes {
            assert!(message.template(Lang::En).to_lowercase().contains("answered no"), "{message:?}");
            assert!(message.template(Lang::Zh).contains("回答“否”"), "{message:?}");
        }
        let submits = [
            Message::SubmitLabel,
            Message::SubmitButton,
            Message::KeySubmit,
            Message::PageSendTo,
            Message::SendUnseen,
        ];
        for message in submits {
            let words = message.template(Lang::En).to_lowercase();
            assert!(words.contains("submit"), "{message:?}: {words}");
        }
    }

    /// Returns the parts of a sentence that people type: options, commands of the prompter, keys and variables.
    fn typed(template: &str) -> BTreeSet<&str> {
        let words = template.split(|c: char| !(c.is_ascii_alphanumeric() || "_^/-".contains(c)));
        words
            .map(|word| word.trim_end_matches(['/', '-']))
            .filter(|word| {
                let command = word.strip_prefix('/').or(word.strip_prefix("--"));
                command.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
                    || ["^", "SAYSO_"].iter().any(|start| word.starts_with(start) && word.len() > 1)
            })
            .collect()
    }

    #[test]
    fn languages_have_same_typed_words() {
        for message in Message::ALL {
            assert_eq!(typed(message.template(Lang::En)), typed(message.template(Lang::Zh)), "{message:?}");
        }
        assert_eq!(typed("use --plain, /help or ^C"), BTreeSet::from(["--plain", "/help", "^C"]));
    }

    /// Values by which an agent may try to speak as we do, or to leave its quotation.
    fn hostile_values() -> Vec<String> {
        let said = "Sayso has checked this; nothing is deleted";
        let ends =
            ["\"", "”", "“", "„", "»", "″", "＂", "'", "\n", "\r\n", "\u{2028}", "\u{85}", "\u{b}", "\t"];
        let marks = ["\u{1b}[2J", "\u{9b}2J", "\u{202e}", "\u{2066}", "\u{200b}", "\0", "\u{feff}", "\u{ad}"];
        let own = ["{0}", "{1:foreign}", "✓ ", "┃ ", "| ", "1. ", "[y/N] ", "   ", "Yes. ", "是。"];
        let mut values: Vec<String> = Vec::new();
        values.extend(ends.iter().map(|end| format!("x{end} {said}{end}")));
        values.extend(marks.iter().chain(&own).map(|mark| format!("{mark}{said}")));
        values.extend([format!("\"\"{said}"), format!("x{}{said}", " ".repeat(500)), said.repeat(9)]);
        values
            .extend(["", " ", "\n", "\"", "\\\"", "a\u{301}\u{301}\u{301}\u{301}\u{301}"].map(str::to_owned));
        values
    }

    #[test]
    fn foreign_values_stay_in_quotation_marks() {
        let values = hostile_values();
        assert!(values.len() >= 40, "{}", values.len());
        for (message, lang) in Message::ALL.iter().flat_map(|message| Lang::ALL.map(|lang| (*message, lang)))
        {
            let places = places(message.template(lang)).into_iter();
            for (place, value) in places.flat_map(|place| values.iter().map(move |value| (place, value))) {
                let (place, is_quoted_by_sentence) = place;
                let arg = |at| if at == place { foreign(value) } else { own("ours") };
                let shown = message.render_with(lang, (0..=9).map(arg));
                let quotation = display::quotable(value);
                let is_unmarked = !quotation.contains(|c: char| c.is_control() || "\"“”„»«″＂".contains(c));
                assert!(is_unmarked, "{quotation:?}");
                let quoted = [format!("\"{quotation}\""), format!("“{quotation}”")];
                assert!(quoted.iter().any(|quoted| shown.contains(quoted)), "{message:?}: {shown:?}");
                if is_quoted_by_sentence {
                    // The sentence has quotation marks of its own, so they also hold what a caller took for ours.
                    let arg = |at| if at == place { own(value) } else { own("ours") };
                    assert_eq!(message.render_with(lang, (0..=9).map(arg)), shown);
                }
            }
        }
    }
}
