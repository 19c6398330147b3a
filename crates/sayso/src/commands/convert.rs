//! `sayso convert`: translates a request to another dialect, and reports losses.

use crate::cli::Convert;
use crate::console::print;
use crate::exit::Exit;
use crate::session::Session;
use crate::{console, request};
use sayso_core::wire::json;
use sayso_core::{Code, Lang, Message, Problem, Questionnaire, Text, display};
use sayso_dialects::{Dialect, Limits, Lost, Translated, interaction};
use serde::Serialize;
use serde_json::value::RawValue;

/// Translation in the JSON of `--json`.
#[derive(Serialize)]
struct Converted<'t> {
    from: &'static str,
    to: &'static str,
    request: &'t RawValue,
    lost: &'t [Lost],
    warnings: &'t [Problem],
}

pub(super) fn run(session: &Session, args: &Convert) -> Result<Exit, Problem> {
    let given = request::get(args.request.as_deref())?;
    let from = request::dialect(session, args.from.as_deref(), &given.text)?;
    let to = Target::named(&args.to)?;
    let read = match request::read(session, from, &given.text) {
        Ok(read) => read,
        Err(problems) => {
            let problem = from.request_problem(problems);
            return Err(match request::other_dialects(session, args.from.as_deref(), from) {
                Some(others) => problem.hint(others),
                None => problem,
            });
        }
    };
    if !args.json {
        read.warnings.iter().for_each(|warning| console::warn(warning, session.lang()));
    }
    let (Translated { text, lost }, refused) = to.translate(session, &read.questionnaire);
    if args.json && refused.is_none() {
        let request: &RawValue = serde_json::from_str(&text).map_err(|_| to.cannot_be_asked(Vec::new()))?;
        return Ok(print(&json::write(&Converted {
            from: from.name(),
            to: to.name(),
            request,
            lost: &lost,
            warnings: &read.warnings,
        })));
    }
    lost.iter().for_each(|lost| console::say(&display::line(&said(lost, session.lang()))));
    match refused {
        Some(problems) => Err(to.cannot_be_asked(problems)),
        None => Ok(print(&text)),
    }
}

/// Target of a translation: a dialect, or the format that can only be written.
#[derive(Clone, Copy)]
enum Target {
    Dialect(Dialect),
    A2ui,
}

/// Name of the format that can only be written.
const A2UI: &str = "a2ui";

impl Target {
    fn named(name: &str) -> Result<Self, Problem> {
        if name.eq_ignore_ascii_case(A2UI) { Ok(Self::A2ui) } else { Dialect::named(name).map(Self::Dialect) }
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
        session: &Session,
        questionnaire: &Questionnaire,
    ) -> (Translated, Option<Vec<Problem>>) {
        match self {
            Self::Dialect(dialect) => {
                let translated = dialect.request(questionnaire, &request::limits(session));
                let refused = dialect.read(&translated.text, &Limits::NONE).err();
                (translated, refused)
            }
            Self::A2ui => match interaction::a2ui_translated(questionnaire) {
                Ok(translated) => (translated, None),
                Err(problems) => (Translated { text: String::new(), lost: Vec::new() }, Some(problems)),
            },
        }
    }

    /// Returns the problem of a result without questions, or of one that is too long.
    fn cannot_be_asked(self, refused: Vec<Problem>) -> Problem {
        let too_large = refused.into_iter().find(|problem| problem.code == Code::TooLarge);
        let nothing = || Problem::new(Code::InvalidRequest, Message::NothingToAsk.with([self.name()]));
        too_large.unwrap_or_else(nothing)
    }
}

/// Formats a loss as a line.
fn said(lost: &Lost, lang: Lang) -> String {
    let words = |text: &Text| text.render(lang).trim_end_matches(['.', '。']).to_owned();
    let what = words(&lost.what);
    let place = lost.path.bracketed();
    match &lost.instead {
        Some(instead) => Message::LostInstead.say(lang, [place, what, words(instead)]),
        None => Message::Lost.say(lang, [place, what]),
    }
}
