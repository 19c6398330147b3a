//! `sayso convert`: says a request in another dialect, and what of it could not be said there.

use crate::cli::Convert;
use crate::console::print;
use crate::exit::Exit;
use crate::session::Session;
use crate::{console, request};
use sayso_core::wire::json;
use sayso_core::{Code, Lang, Message, Problem, Text, display};
use sayso_dialects::{Dialect, Limits, Lost, Translated};
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
    let to = Dialect::named(&args.to)?;
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
    let Translated { text, lost } = to.request(&read.questionnaire, &request::limits(session));
    let refused = to.read(&text, &Limits::NONE).err();
    if args.json && refused.is_none() {
        let request: &RawValue = serde_json::from_str(&text).map_err(|_| cannot_be_asked(to, Vec::new()))?;
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
        Some(problems) => Err(cannot_be_asked(to, problems)),
        None => Ok(print(&text)),
    }
}

/// What is left may be nothing that can be asked, or longer in the other words than a request may be.
fn cannot_be_asked(dialect: Dialect, refused: Vec<Problem>) -> Problem {
    let too_large = refused.into_iter().find(|problem| problem.code == Code::TooLarge);
    let nothing = || Problem::new(Code::InvalidRequest, Message::NothingToAsk.with([dialect.name()]));
    too_large.unwrap_or_else(nothing)
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
