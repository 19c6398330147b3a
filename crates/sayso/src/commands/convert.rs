//! `sayso convert`: says a request in another dialect, and what of it could not be said there.

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

/// The translation, as `--json` prints it.
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

/// Formats that a request can be said in: the dialects, and one that is only written.
#[derive(Clone, Copy)]
enum Target {
    Dialect(Dialect),
    A2ui,
}

/// The name of the format that is only written.
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

    /// The request in this format, and what is wrong with it where it cannot be asked.
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

    /// What is left may be nothing that can be asked, or longer in the other words than a request may be.
    fn cannot_be_asked(self, refused: Vec<Problem>) -> Problem {
        let too_large = refused.into_iter().find(|problem| problem.code == Code::TooLarge);
        let nothing = || Problem::new(Code::InvalidRequest, Message::NothingToAsk.with([self.name()]));
        too_large.unwrap_or_else(nothing)
    }
}

/// A loss in a line.
fn said(lost: &Lost, lang: Lang) -> String {
    let words = |text: &Text| text.render(lang).trim_end_matches(['.', '。']).to_owned();
    let what = words(&lost.what);
    let place = lost.path.bracketed();
    match &lost.instead {
        Some(instead) => Message::LostInstead.say(lang, [place, what, words(instead)]),
        None => Message::Lost.say(lang, [place, what]),
    }
}
