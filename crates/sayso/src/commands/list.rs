//! `sayso list`: waiting asks, or past ones.

use crate::ages;
use crate::cli::{List, State};
use crate::console;
use crate::console::print;
use crate::exit::Exit;
use crate::progress_bar::ProgressBar;
use crate::session::{self, Session};
use sayso_core::row::{Row, Standing};
use sayso_core::{Code, Lang, Message, Problem, display, limits};
use sayso_desk::{Page, Query, query::Place};
use sayso_terminal::short;
use serde::Serialize;
use std::fmt::Write as _;

/// Most characters of a title in a list, so that a long one can't fill the screen.
const TITLE_CHARS: usize = 120;

#[derive(Serialize)]
struct PageJson<'p> {
    asks: &'p [Row],
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

pub(super) fn run(session: &Session, args: &List) -> Result<Exit, Problem> {
    let wrong_place = |text: &str| Problem::new(Code::InvalidSetting, Message::NoSuchPlace.with([text]));
    let after =
        args.after.as_deref().map(|text| Place::parse(text).ok_or_else(|| wrong_place(text))).transpose()?;
    let query = Query { states: states(args.state), search: args.search.clone(), after, ..Query::default() };
    let page = up_to(session, query, args.limit)?;
    if args.json {
        let json = PageJson { asks: &page.rows, next: page.next.map(|next| next.to_string()) };
        return Ok(print(&sayso_core::wire::json::write(&json)));
    }
    let nothing = match (args.state, args.search.is_some()) {
        (State::Pending, false) => Message::NothingWaits,
        (State::All, false) => Message::NothingAsked,
        (State::All, true) | (State::Done, _) => Message::NoAskFits,
        _ => Message::NothingThere,
    };
    Ok(table(session, &page, nothing))
}

/// Returns at most this many rows, from as many pages as needed; one page without a limit.
fn up_to(session: &Session, mut query: Query, limit: Option<u64>) -> Result<Page, Problem> {
    let Some(limit) = limit else { return indexed_page(session, &query) };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut rows = Vec::new();
    loop {
        query.rows = Some(limit.saturating_sub(rows.len()).min(limits::LIST_ROWS));
        let page = indexed_page(session, &query)?;
        rows.extend(page.rows);
        query.after = page.next;
        if page.next.is_none() || rows.len() >= limit {
            return Ok(Page { rows, ..page });
        }
    }
}

/// Returns a page; for a search, indexes all asks first. That takes seconds after hundreds of thousands of new asks,
/// so a progress bar is shown.
pub(super) fn indexed_page(session: &Session, query: &Query) -> Result<Page, Problem> {
    let (bar, mut total) = (ProgressBar::default(), 0);
    let page = Page::of_whole_index(session.desk()?, query, &mut |left| {
        total = total.max(left);
        bar.show(total - left, total);
    });
    bar.clear();
    page
}

/// Prints the waiting asks and how to answer, for plain `sayso`.
pub(super) fn overview(session: &Session) -> Result<Exit, Problem> {
    let page = session.desk()?.list(&Query::default())?;
    let exit = table(session, &page, Message::NothingWaits);
    let lang = session.lang();
    let said = if page.rows.is_empty() { Message::TryAsking } else { Message::AnswerOne };
    console::say(said.plain(lang));
    Ok(exit)
}

fn states(state: State) -> Vec<Standing> {
    match state {
        State::Pending => Vec::new(),
        State::Open => vec![Standing::Open],
        State::Submitted => vec![Standing::Submitted],
        State::Answered => vec![Standing::Answered],
        State::Declined => vec![Standing::Declined],
        State::Cancelled => vec![Standing::Cancelled],
        State::Expired => vec![Standing::Expired],
        State::Done => Standing::ended().collect(),
        State::All => Standing::ALL.to_vec(),
    }
}

fn table(session: &Session, page: &Page, nothing: Message) -> Exit {
    let lang = session.lang();
    if page.rows.is_empty() {
        console::say(nothing.plain(lang));
        if matches!(nothing, Message::NothingWaits | Message::NothingAsked) {
            console::say(&Message::DeskIs.say(lang, [session.desk_name()]));
        }
        return Exit::Done;
    }
    let home = session.environment.get("HOME").unwrap_or_default();
    let mut lines = String::new();
    for row in &page.rows {
        line(&mut lines, row, home, lang);
    }
    let exit = print(&lines);
    if let Some(next) = page.next {
        console::say(&Message::MoreRows.say(lang, [next]));
    }
    exit
}

/// Formats one ask as a line: the title comes last, because it may be long and of any width.
fn line(lines: &mut String, row: &Row, home: &str, lang: Lang) {
    if row.damaged {
        // Writing to a `String` can't fail.
        let _ = writeln!(lines, "{}  {}", row.id.handle(), Message::RowDamaged.plain(lang));
        return;
    }
    let age = ages::since(row.created_at, session::now());
    let draft =
        if row.answered > 0 && row.state.is_pending() { format!("{}/", row.answered) } else { String::new() };
    let count = Message::QuestionsShort.say(lang, [format!("{draft}{}", row.asked)]);
    let state = state(row.state).plain(lang);
    // Chinese is padded with full-width spaces.
    let state = if lang == Lang::Zh { format!("{state:\u{3000}<3}") } else { format!("{state:<9}") };
    let (asker, folder) = sayso_terminal::asker_and_folder(&row.shown_asker(), home, lang);
    let mut notes = vec![asker];
    notes.extend(folder);
    if row.state.is_pending() && !row.attached {
        notes.push(Message::AskerGone.plain(lang).to_owned());
    }
    if let Some(deadline) = row.deadline.filter(|_| row.state.is_pending()) {
        let left = short::left(deadline.duration_since(session::now()));
        notes.push(Message::ExpiresIn.say(lang, [left]));
    }
    // Writing to a `String` can't fail.
    let _ = writeln!(
        lines,
        "{}  {state}  {age:>3}  {count:>5}  {}  [{}]",
        row.id.handle(),
        short::cut(&display::line(&row.title), TITLE_CHARS),
        display::line(&notes.join(" · ")),
    );
}

/// Returns the status of an ask in one word.
pub(super) const fn state(standing: Standing) -> Message {
    match standing {
        Standing::Open => Message::StillOpen,
        Standing::Submitted => Message::IsSubmitted,
        Standing::Answered => Message::IsAnswered,
        Standing::Declined => Message::IsDeclined,
        Standing::Cancelled => Message::IsCancelled,
        Standing::Expired => Message::IsExpired,
    }
}
