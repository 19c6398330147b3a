//! What is wrong with a command line, in other languages than English: clap's account of it, in sentences of the
//! catalogue. In English they are clap's to the letter.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use sayso_core::{Lang, Message};
use std::error::Error as _;

/// What stands between the parts of a message that belong together, and before what is listed.
const INDENT: &str = "\n  ";

/// What is wrong, what was probably meant, how the command is used and where there is more; none where the catalogue has
/// no sentence for it.
pub(crate) fn told(error: &Error, lang: Lang) -> Option<String> {
    let mut parts = vec![Message::WrongLine.say(lang, [sentence(error, lang)?])];
    let tips: Vec<_> = tips(error, lang).into_iter().map(|tip| Message::LineTip.say(lang, [tip])).collect();
    if !tips.is_empty() {
        parts.push(format!("  {}", tips.join(INDENT)));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = with_options_place(&usage.to_string(), lang);
        parts.push(retold(&usage, &[Message::UsageIs], lang).unwrap_or(usage));
    }
    // Whether the command has a help is known to clap alone.
    if error.render().to_string().contains(Message::MoreInHelp.plain(Lang::En)) {
        parts.push(Message::MoreInHelp.plain(lang).to_owned());
    }
    Some(parts.join("\n\n"))
}

/// A usage with our word for the place of options, for which clap takes none from us.
pub(crate) fn with_options_place(usage: &str, lang: Lang) -> String {
    usage.replacen(Message::OptionsPlace.plain(Lang::En), Message::OptionsPlace.plain(lang), 1)
}

/// What is wrong.
fn sentence(error: &Error, lang: Lang) -> Option<String> {
    let arg = || one(error, ContextKind::InvalidArg);
    let value = || one(error, ContextKind::InvalidValue);
    Some(match error.kind() {
        ErrorKind::ArgumentConflict => conflict(error, lang)?,
        ErrorKind::InvalidValue => {
            let said = match value()? {
                "" => Message::ValueNeeded.say(lang, [arg()?]),
                value => Message::ValueWrong.say(lang, [value, arg()?]),
            };
            said + &in_brackets(error, ContextKind::ValidValue, Message::ValuesAre, lang)
        }
        ErrorKind::ValueValidation => match error.source() {
            Some(why) => {
                let why = why.to_string();
                let why = retold(&why, &WHYS, lang).unwrap_or(why);
                Message::ValueWrongWhy.say(lang, [value()?, arg()?, &why])
            }
            None => Message::ValueWrong.say(lang, [value()?, arg()?]),
        },
        ErrorKind::TooManyValues => Message::ValueUnexpected.say(lang, [value()?, arg()?]),
        ErrorKind::UnknownArgument => Message::ArgUnexpected.say(lang, [arg()?]),
        ErrorKind::MissingRequiredArgument => {
            listed(Message::ArgsMissing.plain(lang), &several(error, ContextKind::InvalidArg))
        }
        ErrorKind::InvalidSubcommand => {
            Message::CommandUnknown.say(lang, [one(error, ContextKind::InvalidSubcommand)?])
        }
        ErrorKind::MissingSubcommand => {
            let said = Message::CommandNeeded.say(lang, [one(error, ContextKind::InvalidSubcommand)?]);
            said + &in_brackets(error, ContextKind::ValidSubcommand, Message::CommandsAre, lang)
        }
        ErrorKind::InvalidUtf8 => Message::LineNotUtf8.plain(lang).to_owned(),
        _ => return None,
    })
}

/// Reasons why a value is wrong, as the standard library and clap say them.
const WHYS: [Message; 5] = [
    Message::WhyNoDigit,
    Message::WhyNoNumber,
    Message::WhyTooLarge,
    Message::WhyNotWithin,
    Message::WhyNoAddress,
];

fn conflict(error: &Error, lang: Lang) -> Option<String> {
    let arg = one(error, ContextKind::InvalidArg)?;
    let others = several(error, ContextKind::PriorArg);
    Some(match others.as_slice() {
        [] => return None,
        [other] if *other == arg => Message::ArgTwice.say(lang, [arg]),
        [other] => Message::ArgConflict.say(lang, [arg, other]),
        others => listed(&Message::ArgConflicts.say(lang, [arg]), others),
    })
}

/// What was probably meant.
fn tips(error: &Error, lang: Lang) -> Vec<String> {
    let similar = [
        (ContextKind::SuggestedSubcommand, Message::SimilarCommand, Message::SimilarCommands),
        (ContextKind::SuggestedArg, Message::SimilarArg, Message::SimilarArg),
        (ContextKind::SuggestedValue, Message::SimilarValue, Message::SimilarValue),
    ];
    let similar = similar.into_iter().filter_map(|(kind, singular, plural)| {
        let names = several(error, kind);
        let message = if names.len() == 1 { singular } else { plural };
        let quoted: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
        (!names.is_empty()).then(|| message.say(lang, [quoted.join(", ")]))
    });
    let mut tips: Vec<_> = similar.collect();
    if let Some(ContextValue::StyledStrs(ready)) = error.get(ContextKind::Suggested) {
        const READY: [Message; 3] = [Message::TipAsValue, Message::TipDashes, Message::TipElsewhere];
        let ready = ready.iter().map(ToString::to_string);
        tips.extend(ready.map(|tip| retold(&tip, &READY, lang).unwrap_or(tip)));
    }
    tips
}

fn one(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn several(error: &Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// What could stand there, on a line of its own.
fn in_brackets(error: &Error, kind: ContextKind, message: Message, lang: Lang) -> String {
    match several(error, kind).as_slice() {
        [] => String::new(),
        names => format!("{INDENT}{}", message.say(lang, [names.join(", ")])),
    }
}

fn listed(head: &str, names: &[&str]) -> String {
    std::iter::once(head).chain(names.iter().copied()).collect::<Vec<_>>().join(INDENT)
}

/// A sentence that comes ready in English, in a language, where it is one of these.
fn retold(english: &str, known: &[Message], lang: Lang) -> Option<String> {
    known.iter().find_map(|message| Some(message.say(lang, places(message.plain(Lang::En), english)?)))
}

/// What stands in the places of a template, in a sentence that was made of it. The places stand in their order.
fn places<'a>(template: &str, sentence: &'a str) -> Option<Vec<&'a str>> {
    let mut between = template.split(['{', '}']).step_by(2);
    let mut rest = sentence.strip_prefix(between.next()?)?;
    let mut found = Vec::new();
    let mut between = between.peekable();
    while let Some(words) = between.next() {
        let is_last = between.peek().is_none();
        let (place, after) = if is_last { (rest.strip_suffix(words)?, "") } else { rest.split_once(words)? };
        found.push(place);
        rest = after;
    }
    rest.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory as _;

    /// Lines that are wrong, each in another way.
    const WRONG: [&str; 30] = [
        "frobnicate",
        "lst",
        "--nonsense",
        "ask --nonsense",
        "ask --her",
        "ask --here --elsewhere {}",
        "ask --here --here {}",
        "ask --here --elsewhere --no-wait {}",
        "wait",
        "token new",
        "list --state confused",
        "list --state pendin",
        "list --state",
        "answer x --reason why",
        "list extra",
        "token --desk x",
        "token frob",
        "serve --rate x",
        "serve --rate 99999999999",
        "serve --rate 99999999999999999999999",
        "serve --rate=",
        "serve --listen x",
        "show --plain=yes",
        "show --json=yes x",
        "--state x list",
        "-- list",
        "help frob",
        "help help x",
        "completions tcl",
        "schema auq --as zo",
    ];

    fn error(line: &str) -> Error {
        let words = std::iter::once("sayso").chain(line.split(' '));
        Cli::command().try_get_matches_from(words).unwrap_err()
    }

    #[test]
    fn in_english_it_is_what_clap_says() {
        for line in WRONG {
            let error = error(line);
            let claps = error.render().to_string();
            assert_eq!(told(&error, Lang::En).as_deref(), Some(claps.trim_end()), "{line}");
        }
    }

    #[test]
    fn what_stands_in_the_places_of_a_sentence_is_found() {
        assert_eq!(places("to pass '{0}' as '{1}'", "to pass 'a' as 'b c'"), Some(vec!["a", "b c"]));
        assert_eq!(places("{0} is not in {1}", "9 is not in 0..=4"), Some(vec!["9", "0..=4"]));
        assert_eq!(places("nothing", "nothing"), Some(vec![]));
        assert_eq!(places("nothing", "nothing more"), None);
        assert_eq!(places("'{0}' exists", "subcommand 'a' exists"), None);
    }
}
