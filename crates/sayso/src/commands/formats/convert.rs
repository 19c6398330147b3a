//! `sayso convert`: translates a request to another dialect, and reports losses.

use crate::cli::ConvertArgs;
use crate::cli::request;
use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use sayso_core::wire::json;
use sayso_core::{Lang, LocalizedText, Message, Problem, ProblemCode, Questionnaire, display};
use sayso_dialects::{Dialect, DialectLimits, TranslatedRequest, TranslationLoss, interaction};
use serde::Serialize;
use serde_json::value::RawValue;

/// Translation in the JSON of `--json`.
#[derive(Serialize)]
struct ConvertJson<'t> {
    from: &'static str,
    to: &'static str,
    request: &'t RawValue,
    lost: &'t [TranslationLoss],
    warnings: &'t [Problem],
}

pub(crate) fn run(session: &CliSession, args: &ConvertArgs) -> Result<CommandExit, Problem> {
    let input = request::read_request_text(args.request.as_deref())?;
    let from = request::choose_dialect(session, args.from.as_deref(), &input.text)?;
    let to = ConvertTarget::parse(&args.to)?;
    let read = match request::read_request(session, from, &input.text) {
        Ok(read) => read,
        Err(problems) => {
            let problem = from.request_problem(problems);
            return Err(match request::other_dialects(session, args.from.as_deref(), from) {
                Some(others) => problem.with_hint(others),
                None => problem,
            });
        }
    };
    if !args.json {
        read.warnings.iter().for_each(|warning| console::print_warning(warning, session.lang()));
    }
    let (TranslatedRequest { text, lost }, refused) = to.translate(session, &read.questionnaire);
    if args.json && refused.is_none() {
        let request: &RawValue = serde_json::from_str(&text).map_err(|_| to.refusal(Vec::new()))?;
        return Ok(print_output(&json::write(&ConvertJson {
            from: from.name(),
            to: to.name(),
            request,
            lost: &lost,
            warnings: &read.warnings,
        })));
    }
    lost.iter()
        .for_each(|lost| console::print_message(&display::escape_line(&loss_line(lost, session.lang()))));
    match refused {
        Some(problems) => Err(to.refusal(problems)),
        None => Ok(print_output(&text)),
    }
}

/// Target of a translation: a dialect, or the format that can only be written.
#[derive(Clone, Copy)]
enum ConvertTarget {
    Dialect(Dialect),
    A2ui,
}

/// Name of the format that can only be written.
const A2UI: &str = "a2ui";

impl ConvertTarget {
    fn parse(name: &str) -> Result<Self, Problem> {
        if name.eq_ignore_ascii_case(A2UI) {
            Ok(Self::A2ui)
        } else {
            Dialect::from_name(name).map(Self::Dialect)
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Dialect(dialect) => dialect.name(),
            Self::A2ui => A2UI,
        }
    }

    /// Translates the request to this format. Returns the problems of the result if it can't be asked.
    fn translate(
        self,
        session: &CliSession,
        questionnaire: &Questionnaire,
    ) -> (TranslatedRequest, Option<Vec<Problem>>) {
        match self {
            Self::Dialect(dialect) => {
                let translated = dialect.write_request(questionnaire, &request::request_limits(session));
                let refused = dialect.read(&translated.text, &DialectLimits::NONE).err();
                (translated, refused)
            }
            Self::A2ui => match interaction::translate_to_a2ui(questionnaire) {
                Ok(translated) => (translated, None),
                Err(problems) => {
                    (TranslatedRequest { text: String::new(), lost: Vec::new() }, Some(problems))
                }
            },
        }
    }

    /// Returns the problem of a result without questions, or of one that is too long.
    fn refusal(self, refused: Vec<Problem>) -> Problem {
        let too_large = refused.into_iter().find(|problem| problem.code == ProblemCode::TooLarge);
        let nothing = || Problem::new(ProblemCode::InvalidRequest, Message::NothingToAsk.with([self.name()]));
        too_large.unwrap_or_else(nothing)
    }
}

/// Formats a loss as a line.
fn loss_line(lost: &TranslationLoss, lang: Lang) -> String {
    let words = |text: &LocalizedText| text.render(lang).trim_end_matches(['.', '。']).to_owned();
    let what = words(&lost.what);
    let place = lost.path.to_js_path();
    match &lost.replacement {
        Some(instead) => Message::LostInstead.render_with(lang, [place, what, words(instead)]),
        None => Message::Lost.render_with(lang, [place, what]),
    }
}
