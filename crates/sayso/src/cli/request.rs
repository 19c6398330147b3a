//! Request given on the command line: a file, standard input, or the JSON itself.

use crate::cli::{AskArgs, durations};
use crate::cli_session::CliSession;
use sayso_core::i18n::{foreign, own};
use sayso_core::{LocalizedText, Message, Problem, ProblemCode, limits};
use sayso_dialects::plain_words::{self, PlainQuestion};
use sayso_dialects::{AskUserQuestionLimits, Dialect, DialectLimits, EXAMPLE, ParsedRequest};
use std::io::Read as _;
use std::path::Path;

/// Text of a request, and whether it was read from standard input.
pub(crate) struct RequestText {
    pub(crate) text: String,
    pub(crate) from_stdin: bool,
}

/// Reads the text of a request.
///
/// # Errors
/// Fails if it is missing, can't be read, is too large or isn't text.
pub(crate) fn read_request_text(argument: Option<&str>) -> Result<RequestText, Problem> {
    read_bounded_text(limits::REQUEST_BYTES, argument)
}

/// Reads the text of answers, which may be longer than a request.
///
/// # Errors
/// Fails as [`read_request_text`] does.
pub(crate) fn read_answers_text(argument: &str) -> Result<RequestText, Problem> {
    read_bounded_text(limits::BODY_BYTES, Some(argument))
}

fn read_bounded_text(most_bytes: usize, argument: Option<&str>) -> Result<RequestText, Problem> {
    let argument = argument.unwrap_or_default();
    if argument.trim().is_empty() {
        let problem = Problem::new(ProblemCode::MissingRequest, Message::RequestEmpty);
        return Err(problem.with_hint(Message::RequestExample.with([EXAMPLE])));
    }
    if argument == "-" {
        let bytes = read_bytes("-", std::io::stdin().lock(), most_bytes)?;
        return Ok(RequestText { text: into_text(bytes)?, from_stdin: true });
    }
    if plain_words::is_single_quoted_json(argument) {
        let problem = Problem::new(ProblemCode::InvalidJson, Message::SingleQuotedJson);
        return Err(problem.with_hint(Message::SingleQuotedJsonHint));
    }
    if argument.trim_start().starts_with(['{', '[']) {
        return Ok(RequestText { text: argument.to_owned(), from_stdin: false });
    }
    match read_file(Path::new(argument), most_bytes) {
        Ok(text) => Ok(RequestText { text, from_stdin: false }),
        Err(problem) => Err(hint_for_plain_words(problem, argument)),
    }
}

/// Adds a hint if there is no such file: the argument may be a question that does not look like one.
fn hint_for_plain_words(problem: Problem, argument: &str) -> Problem {
    if problem.code != ProblemCode::UnreadableFile || Path::new(argument).exists() {
        return problem;
    }
    let words = argument.trim();
    let mark = if plain_words::is_question(words) { "" } else { "?" };
    let quoted = format!("'{}{mark}'", words.replace('\'', r"'\''"));
    problem.with_hint(Message::AskInWords.with([own(quoted)]))
}

/// Returns the question of a command line in words; `None` if it names a file or gives a request.
///
/// # Errors
/// Fails if options for words come with a file or a request.
pub(crate) fn question_in_words(args: &AskArgs) -> Result<Option<PlainQuestion>, Problem> {
    let argument = args.request.as_deref().unwrap_or_default();
    let is_request = argument == "-"
        || argument.trim_start().starts_with(['{', '['])
        || plain_words::is_single_quoted_json(argument)
        || argument.trim().is_empty();
    match option_for_words(args) {
        Some(option) if is_request => {
            return Err(Problem::new(ProblemCode::InvalidSetting, Message::WordsOnly.with([own(option)])));
        }
        Some(_) => {}
        None => {
            if is_request || Path::new(argument).exists() || !plain_words::is_question(argument) {
                return Ok(None);
            }
        }
    }
    if args.dialect.is_some() {
        return Err(Problem::new(ProblemCode::InvalidSetting, Message::WordsNotFormat));
    }
    Ok(Some(PlainQuestion {
        prompt: argument.to_owned(),
        options: args.options.clone(),
        multi: args.multi,
        other: args.other,
        text: args.text,
    }))
}

/// Returns the first argument that only a question in words has: a flag or an option to pick.
fn option_for_words(args: &AskArgs) -> Option<&str> {
    for (flag, is_set) in [("--multi", args.multi), ("--other", args.other), ("--text", args.text)] {
        if is_set {
            return Some(flag);
        }
    }
    args.options.first().map(String::as_str)
}

fn read_file(path: &Path, most_bytes: usize) -> Result<String, Problem> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| unreadable_problem(&name, &error))?;
    into_text(read_bytes(&name, file, most_bytes)?)
}

fn read_bytes(name: &str, source: impl std::io::Read, most_bytes: usize) -> Result<Vec<u8>, Problem> {
    let most = u64::try_from(most_bytes).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    if let Err(error) = source.take(most.saturating_add(1)).read_to_end(&mut bytes) {
        return Err(unreadable_problem(name, &error));
    }
    if bytes.len() > most_bytes {
        let message = Message::InputTooLarge.with([own(name), own(most_bytes)]);
        return Err(Problem::new(ProblemCode::TooLarge, message));
    }
    Ok(bytes)
}

fn into_text(bytes: Vec<u8>) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|_| Problem::new(ProblemCode::NotText, Message::RequestNotText))
}

fn unreadable_problem(name: &str, error: &std::io::Error) -> Problem {
    Problem::new(ProblemCode::UnreadableFile, Message::UnreadableFile.with([own(name), own(error)]))
}

/// Returns the dialect of a request: the named one, the configured one, or the detected one.
///
/// # Errors
/// Fails if it is ambiguous.
pub(crate) fn choose_dialect(
    session: &CliSession,
    name: Option<&str>,
    text: &str,
) -> Result<Dialect, Problem> {
    if let Some(name) = name {
        return Dialect::from_name(name);
    }
    match Dialect::detect(text, session.settings.dialect.value) {
        // No dialect was named, so the request is invalid.
        Err(problem) if problem.code == ProblemCode::UnknownDialect => {
            Err(Problem { code: ProblemCode::InvalidRequest, ..problem })
        }
        dialect => dialect,
    }
}

/// Returns a text that names the other dialects, for a request that is invalid in the detected one. Returns `None` if
/// the dialect was named.
pub(crate) fn other_dialects(
    session: &CliSession,
    name: Option<&str>,
    dialect: Dialect,
) -> Option<LocalizedText> {
    let is_named = name.is_some() || session.settings.dialect.value == Some(dialect);
    if is_named || !dialect.reports_guess() {
        return None;
    }
    let others = Dialect::ALL.into_iter().filter(|other| *other != dialect);
    let names: Vec<_> = others.map(Dialect::name).collect();
    Some(Message::OtherFormats.with([own(names.join(", "))]))
}

/// Returns the limits on requests from the environment and the settings.
pub(crate) fn request_limits(session: &CliSession) -> DialectLimits {
    let environment = &session.environment;
    DialectLimits {
        ask_user_question: AskUserQuestionLimits::from_values(|name| {
            environment.get(name).map(str::to_owned)
        }),
        auq: session.settings.auq.value,
    }
}

/// Returns the time limit from the environment, for command lines without such an option, in milliseconds.
///
/// # Errors
/// Fails if it is no time limit: an ask that silently waits forever is not what was meant.
pub(crate) fn time_limit_from_env(session: &CliSession) -> Result<Option<i64>, Problem> {
    const NAME: &str = "ASK_TIMEOUT";
    let text = session.environment.get(NAME).unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    match durations::parse_limit_in_seconds(text) {
        Ok(limit) => Ok(Some(limit)),
        Err(problem) => {
            let message = Message::BadTimeLimit.with([own(NAME), foreign(text)]);
            Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(problem.message))
        }
    }
}

/// Reads a request in a dialect, with the configured limits.
///
/// # Errors
/// Returns every problem of the request.
pub(crate) fn read_request(
    session: &CliSession,
    dialect: Dialect,
    text: &str,
) -> Result<ParsedRequest, Vec<Problem>> {
    dialect.read(text, &request_limits(session))
}
