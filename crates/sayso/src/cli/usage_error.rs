//! Usage errors in messages of the catalogue, in the form of all errors. clap formats some details in English; these
//! are recognized by their text.

use crate::cli::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Error};
use sayso_core::i18n::own;
use sayso_core::{Lang, LocalizedText, Message, Problem, ProblemCode};
use std::error::Error as _;
use std::ffi::OsString;

/// clap's last line for a command that has help.
const CLAP_HELP_LINE: &str = "For more information, try '--help'.";

/// Returns the error, suggestions, the usage and where to find help.
pub(crate) fn describe(error: &Error, args: &[OsString], lang: Lang) -> String {
    let clap_text = error.render().to_string();
    let Some(sentence) = error_message(error, lang) else {
        return clap_text.replacen("error: ", "sayso: ", 1);
    };
    let mut lines = vec![sentence];
    match known_mistake(error, args) {
        Some(Mistake::Command(name)) => lines.push(Message::DidYouMean.render_with(lang, [own(name)])),
        Some(Mistake::Consent) => lines.push(Message::AnswerHow.plain(lang).to_owned()),
        None => lines.extend(suggestions(error, lang)),
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = with_options_place(&usage.to_string(), lang);
        lines.push(translate(&usage, &[("Usage: {0}", Message::UsageIs)], lang).unwrap_or(usage));
    }
    // Only clap knows whether the command has help.
    if clap_text.contains(CLAP_HELP_LINE) {
        lines.push(Message::MoreInHelp.render_with(lang, [own(command_path(args))]));
    }
    Problem::new(ProblemCode::InvalidSetting, LocalizedText::Verbatim(lines.join("\n"))).render_for_cli(lang)
}

/// Commands of other programs, with ours that does the same.
const OTHER_COMMANDS: [(&str, &str); 6] = [
    ("status", "list"),
    ("ls", "list"),
    ("pending", "list"),
    ("version", "--version"),
    ("question", "ask"),
    ("reply", "answer"),
];

/// Mistake whose remedy clap does not find.
enum Mistake {
    /// This command was meant.
    Command(String),
    /// An answer was to be given by an option.
    Consent,
}

fn known_mistake(error: &Error, args: &[OsString]) -> Option<Mistake> {
    if error.kind() == ErrorKind::UnknownArgument {
        let argument = single_value(error, ContextKind::InvalidArg)?;
        let is_consent = matches!(argument, "--yes" | "-y" | "--no" | "--approve" | "--accept");
        let is_mistake = is_consent && command_path(args) == "sayso answer";
        return if is_mistake { Some(Mistake::Consent) } else { None };
    }
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let word = single_value(error, ContextKind::InvalidSubcommand)?;
    if let Some((_, name)) = OTHER_COMMANDS.iter().find(|(other, _)| *other == word) {
        return Some(Mistake::Command((*name).to_owned()));
    }
    // clap's similarity overlooks exchanged letters in short words.
    for command in Cli::command().get_subcommands() {
        if sorted_letters(command.get_name()) == sorted_letters(word) {
            return Some(Mistake::Command(command.get_name().to_owned()));
        }
    }
    None
}

fn sorted_letters(word: &str) -> Vec<char> {
    let mut letters: Vec<_> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns the command that the arguments name, with its parents.
fn command_path(args: &[OsString]) -> String {
    let mut command = &Cli::command();
    let mut path = vec![command.get_name()];
    let mut words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    while let Some(word) = words.next() {
        if matches!(word, "--desk" | "--lang") {
            words.next();
        } else if let Some(inner) = command.find_subcommand(word) {
            path.push(inner.get_name());
            command = inner;
        } else if !word.starts_with('-') {
            break;
        }
    }
    path.join(" ")
}

/// Replaces clap's placeholder for options in a usage, which can't be configured.
pub(crate) fn with_options_place(usage: &str, lang: Lang) -> String {
    usage.replacen(Message::OptionsPlace.plain(Lang::En), Message::OptionsPlace.plain(lang), 1)
}

/// Returns the error in one sentence.
fn error_message(error: &Error, lang: Lang) -> Option<String> {
    let arg = || single_value(error, ContextKind::InvalidArg);
    let value = || single_value(error, ContextKind::InvalidValue);
    Some(match error.kind() {
        ErrorKind::ArgumentConflict => conflict_message(error, lang)?,
        ErrorKind::InvalidValue => {
            let message = match value()? {
                "" => Message::ValueNeeded.render_with(lang, [own(arg()?)]),
                value => Message::ValueWrong.render_with(lang, [own(value), own(arg()?)]),
            };
            message + &valid_values(error, ContextKind::ValidValue, lang)
        }
        ErrorKind::ValueValidation => match error.source() {
            Some(why) => {
                let why = why.to_string();
                let why = translate(&why, &REASONS, lang).unwrap_or(why);
                Message::ValueWrongWhy.render_with(lang, [own(value()?), own(arg()?), own(why)])
            }
            None => Message::ValueWrong.render_with(lang, [own(value()?), own(arg()?)]),
        },
        ErrorKind::TooManyValues => Message::ValueUnexpected.render_with(lang, [own(value()?), own(arg()?)]),
        ErrorKind::UnknownArgument => Message::ArgUnexpected.render_with(lang, [own(arg()?)]),
        ErrorKind::MissingRequiredArgument => Message::ArgsMissing
            .render_with(lang, [own(multiple_values(error, ContextKind::InvalidArg).join(", "))]),
        ErrorKind::InvalidSubcommand => Message::CommandUnknown
            .render_with(lang, [own(single_value(error, ContextKind::InvalidSubcommand)?)]),
        ErrorKind::MissingSubcommand => {
            let message = Message::CommandNeeded
                .render_with(lang, [own(single_value(error, ContextKind::InvalidSubcommand)?)]);
            message + &valid_values(error, ContextKind::ValidSubcommand, lang)
        }
        ErrorKind::InvalidUtf8 => Message::LineNotUtf8.plain(lang).to_owned(),
        _ => return None,
    })
}

/// Reasons for an invalid value, in the words of the standard library and clap, with their messages.
const REASONS: [(&str, Message); 5] = [
    ("invalid digit found in string", Message::WhyNoDigit),
    ("cannot parse integer from empty string", Message::WhyNoNumber),
    ("number too large to fit in target type", Message::WhyTooLarge),
    ("{0} is not in {1}", Message::WhyNotWithin),
    (Message::WhyNoAddress.plain(Lang::En), Message::WhyNoAddress),
];

/// clap's tips, with their messages.
const TIPS: [(&str, Message); 3] = [
    ("to pass '{0}' as a value, use '{1}'", Message::TipAsValue),
    ("subcommand '{0}' exists; to use it, remove the '--' before it", Message::TipDashes),
    ("'{0}' exists", Message::DidYouMean),
];

fn conflict_message(error: &Error, lang: Lang) -> Option<String> {
    let arg = single_value(error, ContextKind::InvalidArg)?;
    let others = multiple_values(error, ContextKind::PriorArg);
    Some(match others.as_slice() {
        [] => return None,
        [other] if *other == arg => Message::ArgTwice.render_with(lang, [own(arg)]),
        [other] => Message::ArgConflict.render_with(lang, [own(arg), own(other)]),
        others => Message::ArgConflicts.render_with(lang, [own(arg), own(others.join(", "))]),
    })
}

/// Returns suggestions of what was meant.
fn suggestions(error: &Error, lang: Lang) -> Vec<String> {
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let mut tips = Vec::new();
    for kind in kinds {
        let names = multiple_values(error, kind);
        if !names.is_empty() {
            tips.push(Message::DidYouMean.render_with(lang, [own(names.join(", "))]));
        }
    }
    if let Some(ContextValue::StyledStrs(clap_tips)) = error.get(ContextKind::Suggested) {
        for tip in clap_tips {
            let tip = tip.to_string();
            tips.push(translate(&tip, &TIPS, lang).unwrap_or(tip));
        }
    }
    tips
}

fn single_value(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn multiple_values(error: &Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the list of valid values.
fn valid_values(error: &Error, kind: ContextKind, lang: Lang) -> String {
    match multiple_values(error, kind).as_slice() {
        [] => String::new(),
        names => {
            let space = if lang == Lang::Zh { "" } else { " " };
            format!("{space}{}", Message::ThereAre.render_with(lang, [own(names.join(", "))]))
        }
    }
}

/// Translates an English sentence that matches one of these templates.
fn translate(english: &str, templates: &[(&str, Message)], lang: Lang) -> Option<String> {
    for (template, message) in templates {
        if let Some(values) = template_values(template, english) {
            return Some(message.render_with(lang, values.into_iter().map(own)));
        }
    }
    None
}

/// Returns the values of a template's placeholders in a sentence. They must be in the template's order.
fn template_values<'a>(template: &str, sentence: &'a str) -> Option<Vec<&'a str>> {
    let mut fixed_parts = template.split(['{', '}']).step_by(2).peekable();
    let mut rest = sentence.strip_prefix(fixed_parts.next()?)?;
    let mut values = Vec::new();
    while let Some(part) = fixed_parts.next() {
        let is_last = fixed_parts.peek().is_none();
        let (value, next_rest) =
            if is_last { (rest.strip_suffix(part)?, "") } else { rest.split_once(part)? };
        values.push(value);
        rest = next_rest;
    }
    if rest.is_empty() { Some(values) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Invalid command lines, each with another kind of error.
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

    fn error_for(line: &str) -> Error {
        let words = std::iter::once("sayso").chain(line.split(' '));
        Cli::command().try_get_matches_from(words).unwrap_err()
    }

    #[test]
    fn every_error_kind_has_a_message() {
        for line in WRONG {
            let error = error_for(line);
            for lang in [Lang::En, Lang::Zh] {
                assert!(error_message(&error, lang).is_some(), "{line}");
                let message = describe(&error, &[], lang);
                assert!(message.starts_with("sayso: ") && !message.contains("error:"), "{line}: {message}");
                assert!(
                    !["tip:", " exists", "found"].iter().any(|word| message.contains(word)),
                    "{line}: {message}"
                );
            }
        }
    }

    #[test]
    fn mistakes_are_explained() {
        for (line, remedy) in [
            ("status", "Did you mean list?"),
            ("version", "Did you mean --version?"),
            ("aks", "Did you mean ask?"),
            ("aks Deploy?", "Did you mean ask?"),
            ("swho", "Did you mean show?"),
            ("lst", "Did you mean list?"),
            ("answer --yes", "sayso answer ID asks you here"),
            ("answer 1234 --yes", "sayso answer ID asks you here"),
        ] {
            let args: Vec<_> = std::iter::once("sayso").chain(line.split(' ')).map(OsString::from).collect();
            let message = describe(&error_for(line), &args, Lang::En);
            assert!(message.contains(remedy) && !message.contains("--desk?"), "{line}: {message}");
        }
    }

    #[test]
    fn template_values_are_extracted() {
        assert_eq!(template_values("to pass '{0}' as '{1}'", "to pass 'a' as 'b c'"), Some(vec!["a", "b c"]));
        assert_eq!(template_values("{0} is not in {1}", "9 is not in 0..=4"), Some(vec!["9", "0..=4"]));
        assert_eq!(template_values("nothing", "nothing"), Some(vec![]));
        assert_eq!(template_values("nothing", "nothing more"), None);
        assert_eq!(template_values("'{0}' exists", "subcommand 'a' exists"), None);
    }
}
