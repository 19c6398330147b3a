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
    let argument = argument.filter(|argument| !argument.trim().is_empty()).ok_or_else(|| {
        let missing = Problem::new(ProblemCode::MissingRequest, Message::RequestEmpty);
        missing.with_hint(Message::RequestExample.with([EXAMPLE]))
    })?;
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
    let text = read_file(Path::new(argument), most_bytes)
        .map_err(|problem| hint_for_plain_words(problem, argument))?;
    Ok(RequestText { text, from_stdin: false })
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
    let given = args.request.as_deref().unwrap_or_default();
    let flags = [("--multi", args.multi), ("--other", args.other), ("--text", args.text)];
    let mut options = args.options.iter().map(String::as_str);
    let for_words =
        flags.into_iter().find(|(_, is_set)| *is_set).map(|(flag, _)| flag).or_else(|| options.next());
    let is_request = given == "-"
        || given.trim_start().starts_with(['{', '['])
        || plain_words::is_single_quoted_json(given)
        || given.trim().is_empty();
    let is_file = || for_words.is_none() && Path::new(given).exists();
    if is_request || is_file() || for_words.is_none() && !plain_words::is_question(given) {
        return match for_words {
            Some(word) => {
                Err(Problem::new(ProblemCode::InvalidSetting, Message::WordsOnly.with([own(word)])))
            }
            None => Ok(None),
        };
    }
    if args.dialect.is_some() {
        return Err(Problem::new(ProblemCode::InvalidSetting, Message::WordsNotFormat));
    }
    Ok(Some(PlainQuestion {
        prompt: given.to_owned(),
        options: args.options.clone(),
        multi: args.multi,
        other: args.other,
        text: args.text,
    }))
}

fn read_file(path: &Path, most_bytes: usize) -> Result<String, Problem> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| unreadable_problem(&name, &error))?;
    into_text(read_bytes(&name, file, most_bytes)?)
}

fn read_bytes(name: &str, source: impl std::io::Read, most_bytes: usize) -> Result<Vec<u8>, Problem> {
    let most = u64::try_from(most_bytes).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    source
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable_problem(name, &error))?;
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
    named: Option<&str>,
    text: &str,
) -> Result<Dialect, Problem> {
    match named {
        Some(name) => Dialect::from_name(name),
        // No dialect was named, so the request is invalid.
        None => Dialect::detect(text, session.settings.dialect.value).map_err(|problem| match problem.code {
            ProblemCode::UnknownDialect => Problem { code: ProblemCode::InvalidRequest, ..problem },
            _ => problem,
        }),
    }
}

/// Returns a text that names the other dialects, for a request that is invalid in the detected one. Returns `None` if
/// the dialect was named.
pub(crate) fn other_dialects(
    session: &CliSession,
    named: Option<&str>,
    dialect: Dialect,
) -> Option<LocalizedText> {
    let is_named = named.is_some() || session.settings.dialect.value == Some(dialect);
    let others = Dialect::ALL.into_iter().filter(|other| *other != dialect).map(Dialect::name);
    let is_by_shape = !is_named && dialect.reports_guess();
    is_by_shape.then(|| Message::OtherFormats.with([own(others.collect::<Vec<_>>().join(", "))]))
}

/// Returns the limits on requests from the environment and the settings.
pub(crate) fn request_limits(session: &CliSession) -> DialectLimits {
    let from_environment = |name: &str| session.environment.get(name).map(str::to_owned);
    DialectLimits {
        ask_user_question: AskUserQuestionLimits::from_values(from_environment),
        auq: session.settings.auq.value,
    }
}

/// Returns the time limit from the environment, for command lines without such an option, in milliseconds.
///
/// # Errors
/// Fails if it is no time limit: an ask that silently waits forever is not what was meant.
pub(crate) fn time_limit_from_env(session: &CliSession) -> Result<Option<i64>, Problem> {
    const NAME: &str = "ASK_TIMEOUT";
    let Some(text) = session.environment.get(NAME).filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    durations::parse_limit_in_seconds(text).map(Some).map_err(|problem| {
        let message = Message::BadTimeLimit.with([own(NAME), foreign(text)]);
        Problem::new(ProblemCode::InvalidSetting, message).with_hint(problem.message)
    })
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
