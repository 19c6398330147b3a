//! Translation of the command line's help. clap knows English only: here its commands get the messages of the
//! catalogue, including clap's own texts. Only help and usage errors pay for this.

use crate::cli::Cli;
use crate::cli::usage_error;
use crate::config::environment::ProcessEnv;
use crate::config::{self, GlobalFlags};
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory as _};
use sayso_core::i18n::own;
use sayso_core::{Lang, Message};
use std::ffi::OsString;

/// Returns the text to print if no command runs, such as help, the version or a usage error, and whether it is an
/// error. `error` is clap's result for this program's arguments.
pub(crate) fn text_for(error: clap::Error) -> (String, bool) {
    // Read again here: a command that runs pays for no copy of its arguments.
    let args: Vec<_> = std::env::args_os().collect();
    let flags = GlobalFlags { desk: None, lang: language_argument(&args) };
    let lang = config::resolve_leniently(&ProcessEnv::read(), &flags);
    let (args, error) = match strip_help_arguments(&args) {
        Some(args) => {
            let error = Cli::command().try_get_matches_from(&args).err().unwrap_or(error);
            (args, error)
        }
        None => (args, error),
    };
    let text = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let command = with_examples(translate_command(Cli::command(), lang), "", lang);
            let command = hide_global_options(command, lang);
            let command = with_first_line(command, Message::HelpTopics.plain(lang));
            help_of(command, args, lang).unwrap_or_else(|| error.render().to_string())
        }
        ErrorKind::DisplayVersion => error.render().to_string(),
        _ => {
            // clap's error has the placeholders of a usage in the language of the commands.
            let error = command_line(lang).try_get_matches_from(&args).err().unwrap_or(error);
            return (usage_error::describe(&error, &args, lang), true);
        }
    };
    (text, error.use_stderr())
}

/// Returns the arguments of `sayso help …` without `--lang` and help flags: clap's `help` accepts names of commands
/// only. Returns `None` if nothing is removed.
fn strip_help_arguments(args: &[OsString]) -> Option<Vec<OsString>> {
    let mut words = args.iter().enumerate().skip(1);
    let help = loop {
        let (at, word) = words.next()?;
        match word.to_str()? {
            "help" => break at + 1,
            "--lang" | "--desk" => drop(words.next()),
            word if !word.starts_with("--") => return None,
            _ => {}
        }
    };
    let (beginning, names) = args.split_at_checked(help)?;
    let mut new_args = beginning.to_vec();
    let mut names = names.iter();
    while let Some(word) = names.next() {
        match word.to_str() {
            Some("--lang") => drop(names.next()),
            Some("--help" | "-h") => {}
            Some(word) if word.starts_with("--lang=") => {}
            _ => new_args.push(word.clone()),
        }
    }
    if new_args.len() < args.len() { Some(new_args) } else { None }
}

/// Returns the whole command line with its help in a language.
pub(crate) fn command_line(lang: Lang) -> Command {
    match lang {
        Lang::En => Cli::command(),
        Lang::Zh => translate_command(Cli::command(), lang),
    }
}

/// Returns the help that these arguments ask for, in a language; `None` if they don't ask for help.
fn help_of(command: Command, args: Vec<OsString>, lang: Lang) -> Option<String> {
    let error = command.try_get_matches_from(args).err()?;
    if !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) {
        return None;
    }
    let help = usage_error::with_options_place(&error.render().to_string(), lang);
    Some(help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

/// Hides the global options from the help of subcommands, which points to that of the program instead.
fn hide_global_options(command: Command, lang: Lang) -> Command {
    command.mut_subcommands(|inner| {
        let inner = inner.mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
        hide_global_options(with_first_line(inner, Message::GlobalOptions.plain(lang)), lang)
    })
}

/// Examples of the commands, by their path without the program's name.
const EXAMPLES: &[(&str, &str)] = &[
    ("", "sayso ask 'Which database?' PostgreSQL SQLite"),
    ("inbox", "sayso inbox --plain"),
    ("ask", "sayso ask 'Deploy now?' && ./deploy.sh"),
    ("run", "sayso run -- rm -rf build"),
    ("wait", "sayso wait 9f3a2c11 --timeout 10m"),
    ("cancel", "sayso cancel 9f3a2c11"),
    ("answer", "sayso answer 9f3a2c11"),
    ("list", "sayso list --state open --json"),
    ("show", "sayso show 9f3a2c11"),
    ("link", "sayso link 9f3a2c11"),
    ("check", "sayso check request.json"),
    ("schema", "sayso schema auq --as zod"),
    ("doctor", "sayso doctor"),
    ("mcp", "sayso mcp --tools all"),
    ("setup", "sayso setup claude-code"),
    ("hook", "sayso hook claude-code"),
    ("token", "sayso token list"),
    ("token new", "sayso token new --role asker --account ci --out ci.token"),
    ("token list", "sayso token list --json"),
    ("token revoke", "sayso token revoke 01890a5d"),
    ("group", "sayso group list"),
    ("group add", "sayso group add ops ada bo"),
    ("group remove", "sayso group remove ops bo"),
    ("group list", "sayso group list"),
    ("desk", "sayso desk check"),
    ("desk check", "sayso desk check"),
    ("desk backup", "sayso desk backup copy.db"),
    ("desk restore", "sayso desk restore copy.db"),
    ("desk copy", "sayso desk copy sqlite:desk.db postgres://sayso@db/sayso"),
    ("desk migrate", "sayso desk migrate"),
    ("serve", "sayso serve --listen 127.0.0.1:8484"),
    ("agent", "sayso agent helper -- python3 agent.py"),
    ("completions", "sayso completions bash"),
];

/// Adds an example to the help of each command.
fn with_examples(command: Command, path: &str, lang: Lang) -> Command {
    let command = command.mut_subcommands(|inner| {
        let path = format!("{path} {}", inner.get_name());
        with_examples(inner, path.trim_start(), lang)
    });
    match EXAMPLES.iter().find(|(other_path, _)| *other_path == path) {
        Some((_, example)) => with_first_line(command, &Message::ExampleIs.render_with(lang, [own(example)])),
        None => command,
    }
}

/// Adds a line before the last part of a command's help.
fn with_first_line(command: Command, line: &str) -> Command {
    let last_part = match command.get_after_help() {
        Some(last_part) => format!("{line}\n\n{last_part}"),
        None => line.to_owned(),
    };
    command.after_help(last_part)
}

/// Returns the language that the arguments name at any position: clap stops at the first error or `--help`.
fn language_argument(args: &[OsString]) -> Option<String> {
    let mut words = args.iter().filter_map(|arg| arg.to_str()).take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == "--lang" {
            return words.next().map(str::to_owned);
        }
        if let Some(name) = word.strip_prefix("--lang=") {
            return Some(name.to_owned());
        }
    }
    None
}

/// Translates the help of a command and of its subcommands.
fn translate_command(mut command: Command, lang: Lang) -> Command {
    // clap adds `help` and its own flags when it builds a command. No other public method builds a single one.
    let _ = command.render_usage();
    let description = command.get_about().and_then(|text| translation_of(text, lang));
    let last_part = command.get_after_help().and_then(|text| translation_of(text, lang));
    let layout = help_template(&command, lang);
    let mut command = command
        .help_template(layout)
        .subcommand_value_name(Message::CommandPlace.plain(lang))
        .mut_args(|arg| translate_argument(arg, lang))
        .mut_subcommands(|inner| translate_command(inner, lang));
    if let Some(description) = description {
        command = command.about(description);
    }
    if let Some(last_part) = last_part {
        command = command.after_help(last_part);
    }
    command
}

/// Returns the translation of a message, found by its English text.
fn translation_of(english: &StyledStr, lang: Lang) -> Option<&'static str> {
    let english = english.to_string();
    let message = Message::ALL.iter().find(|message| message.plain(Lang::En) == english)?;
    Some(message.plain(lang))
}

/// Returns the template of a help text: clap's default with translated headings.
fn help_template(command: &Command, lang: Lang) -> String {
    let parts = [
        (command.has_subcommands(), Message::CommandsHead, "{subcommands}"),
        (command.get_positionals().next().is_some(), Message::ArgumentsHead, "{positionals}"),
        (command.get_arguments().any(|arg| !arg.is_positional()), Message::OptionsHead, "{options}"),
    ];
    let usage = Message::UsageIs.render_with(lang, ["{usage}"]);
    let mut template = format!("{{about-with-newline}}\n{usage}");
    for (is_used, head, place) in parts {
        if is_used {
            template.push_str(&format!("\n\n{}\n{place}", head.plain(lang)));
        }
    }
    template.push_str("{after-help}");
    template
}

/// Translates the help of an argument. Its default and possible values become part of the help, because clap would
/// describe them in English.
fn translate_argument(arg: Arg, lang: Lang) -> Arg {
    let Some(help) = arg.get_help().and_then(|help| translation_of(help, lang)) else { return arg };
    let long_help = arg.get_long_help().and_then(|help| translation_of(help, lang)).unwrap_or(help);
    let arg = if arg.get_value_names().is_some_and(|names| *names == [Message::CommandPlace.plain(Lang::En)])
    {
        arg.value_name(Message::CommandPlace.plain(lang))
    } else {
        arg
    };
    if !arg.get_action().takes_values() {
        return arg.help(help).long_help(long_help);
    }
    let values = ValueDescriptions::from_arg(&arg, lang);
    let list = values.as_list(lang);
    let mut remarks = Vec::new();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() {
        remarks.push(Message::DefaultIs.render_with(lang, [own(defaults.join(" "))]));
    }
    let mut short_parts = vec![help.to_owned()];
    short_parts.extend(remarks.clone());
    short_parts.extend(values.in_brackets(lang));
    // The long help has the list instead, if any value has a description.
    if list.is_none() {
        remarks.extend(values.in_brackets(lang));
    }
    let mut long_parts = vec![long_help.to_owned()];
    long_parts.extend(list);
    if !remarks.is_empty() {
        long_parts.push(remarks.join("\n"));
    }
    let arg = arg.help(short_parts.join(" ")).long_help(long_parts.join("\n\n"));
    arg.hide_default_value(true).hide_possible_values(true)
}

/// Possible values of an argument, with their descriptions.
struct ValueDescriptions(Vec<(String, Option<String>)>);

impl ValueDescriptions {
    fn from_arg(arg: &Arg, lang: Lang) -> Self {
        let mut values = Vec::new();
        for value in arg.get_possible_values() {
            if value.is_hide_set() {
                continue;
            }
            let description = value.get_help().map(|help| match translation_of(help, lang) {
                Some(translation) => translation.to_owned(),
                None => help.to_string(),
            });
            values.push((value.get_name().to_owned(), description));
        }
        Self(values)
    }

    /// Returns the names in one line, if there are any.
    fn in_brackets(&self, lang: Lang) -> Option<String> {
        let names: Vec<_> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        Some(Message::ValuesAre.render_with(lang, [own(names.join(", "))]))
    }

    /// Returns a line for each value, if any has a description.
    fn as_list(&self, lang: Lang) -> Option<String> {
        let longest = self.0.iter().map(|(name, _)| name.len()).max()?;
        if self.0.iter().all(|(_, description)| description.is_none()) {
            return None;
        }
        let mut text = Message::ValuesHead.plain(lang).to_owned();
        for (name, description) in &self.0 {
            text.push_str(&match description {
                Some(description) => {
                    format!("\n- {:width$} {description}", format!("{name}:"), width = longest + 1)
                }
                None => format!("\n- {name}"),
            });
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every command, as the words of its command line.
    fn command_words(command: &Command, typed: &[String]) -> Vec<Vec<String>> {
        let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help");
        let below =
            inner.flat_map(|inner| command_words(inner, &[typed, &[inner.get_name().to_owned()]].concat()));
        std::iter::once(typed.to_vec()).chain(below).collect()
    }

    fn all_commands() -> Vec<Vec<String>> {
        command_words(&Cli::command(), &["sayso".to_owned()])
    }

    /// Returns all English texts in the help of a command and its subcommands.
    fn help_texts(mut command: Command) -> Vec<String> {
        let _ = command.render_usage();
        let mut texts: Vec<_> = command
            .get_about()
            .into_iter()
            .chain(command.get_after_help())
            .map(ToString::to_string)
            .collect();
        for arg in command.get_arguments() {
            assert!(arg.get_help().is_some(), "{}: {arg}", command.get_name());
            texts.extend(arg.get_help().into_iter().chain(arg.get_long_help()).map(ToString::to_string));
            let values = arg.get_possible_values();
            texts.extend(values.iter().filter_map(|value| value.get_help()).map(ToString::to_string));
        }
        assert!(command.get_about().is_some(), "{}", command.get_name());
        texts.extend(command.get_subcommands().cloned().flat_map(help_texts));
        texts
    }

    #[test]
    fn every_help_text_has_a_translation() {
        let texts = help_texts(Cli::command());
        assert!(texts.len() > 100, "{texts:?}");
        for english in texts {
            let found: Vec<_> =
                Message::ALL.iter().filter(|message| message.plain(Lang::En) == english).collect();
            assert_eq!(found.len(), 1, "{english}: {found:?}");
            let chinese = found[0].plain(Lang::Zh);
            assert!(chinese != english && !chinese.is_ascii(), "{english}");
        }
    }

    fn own_help(line: Vec<OsString>) -> Option<String> {
        help_of(translate_command(Cli::command(), Lang::En), line, Lang::En)
    }

    #[test]
    fn template_matches_clap_default() {
        for command in all_commands() {
            for asked in ["-h", "--help"] {
                let line: Vec<OsString> =
                    command.iter().map(String::as_str).chain([asked]).map(Into::into).collect();
                let Err(claps) = Cli::command().try_get_matches_from(line.clone()) else {
                    // AUQ and AskUserQuestion have their own help.
                    assert!(own_help(line).is_none());
                    continue;
                };
                let claps = claps.render().to_string();
                let claps: Vec<_> = claps.lines().map(str::trim_end).collect();
                assert_eq!(own_help(line).unwrap(), claps.join("\n"), "{command:?} {asked}");
            }
        }
        let claps =
            Cli::command().try_get_matches_from(["sayso", "help", "help"]).unwrap_err().render().to_string();
        let line = ["sayso", "help", "help"].map(OsString::from).to_vec();
        assert_eq!(own_help(line).unwrap(), claps.trim_end());
    }

    #[test]
    fn every_command_has_an_example() {
        for command in all_commands() {
            let path = command[1..].join(" ");
            // They have manuals of their own, with examples.
            if matches!(path.as_str(), "AskUserQuestion" | "auq") || path.ends_with("help") {
                continue;
            }
            let (_, example) = EXAMPLES.iter().find(|(known, _)| *known == path).expect(&path);
            assert!(example.starts_with(&format!("sayso {path}")), "{path}: {example}");
            let line = example.split(" && ").next().unwrap();
            let mut words = Vec::new();
            for (at, part) in line.split('\'').enumerate() {
                match at % 2 {
                    0 => words.extend(part.split_whitespace().map(OsString::from)),
                    _ => words.push(part.into()),
                }
            }
            assert!(Cli::command().try_get_matches_from(&words).is_ok(), "{example}");
            for lang in [Lang::En, Lang::Zh] {
                let command = with_examples(translate_command(Cli::command(), lang), "", lang);
                let line = std::iter::once("sayso").chain(path.split_whitespace()).chain(["--help"]);
                let help = help_of(command, line.map(OsString::from).collect(), lang).unwrap();
                assert!(help.contains(&Message::ExampleIs.render_with(lang, [own(example)])), "{help}");
            }
        }
    }

    #[test]
    fn language_is_found_at_any_position() {
        let found = |line: &str| language_argument(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for line in ["sayso --lang zh list", "sayso list --help --lang zh", "sayso --nonsense --lang=zh"] {
            assert_eq!(found(line).as_deref(), Some("zh"), "{line}");
        }
        for line in ["sayso list", "sayso --lang", "sayso ask -- --lang zh", "--lan=zh"] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
