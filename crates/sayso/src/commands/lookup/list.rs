//! `sayso list`: waiting asks, or past ones.

use crate::cli::durations;
use crate::cli::{ListArgs, StateArg};
use crate::cli_session::{self, CliSession};
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::{AskSummary, Audience, model::ask_summary::AskStatus};
use sayso_core::{Lang, Message, Problem, ProblemCode, display, limits};
use sayso_desk::{AskPage, AskQuery, ListScope, query::PageCursor};
use sayso_terminal::short_form;
use serde::Serialize;
use std::fmt::Write as _;

/// Most characters of a title in a list, so that a long one can't fill the screen.
const TITLE_CHARS: usize = 120;

#[derive(Serialize)]
struct PageJson<'p> {
    asks: Vec<RowJson<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Number of asks that are left out.
    #[serde(skip_serializing_if = "is_zero")]
    for_others: usize,
}

#[derive(Serialize)]
struct RowJson<'p> {
    #[serde(flatten)]
    row: &'p AskSummary,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    for_others: bool,
}

impl<'p> PageJson<'p> {
    fn new(page: &'p AskPage, scope: &ListScope) -> Self {
        let rows = page.rows.iter();
        Self {
            asks: rows.map(|row| RowJson { row, for_others: !scope.is_for_person(row) }).collect(),
            next: page.next.map(|next| next.to_string()),
            for_others: page.for_others,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub(crate) fn run(session: &CliSession, args: &ListArgs) -> Result<CommandExit, Problem> {
    let mut cursor = None;
    if let Some(text) = &args.after {
        cursor = PageCursor::parse(text);
        if cursor.is_none() {
            let message = Message::NoSuchPlace.with([own(text)]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message));
        }
    }
    let scope = session.list_scope(args.all)?;
    let query = AskQuery {
        states: status_filter(args.state),
        search: args.search.clone(),
        after: cursor,
        ..AskQuery::default()
    };
    let page = page_up_to(session, &scope, query, args.limit)?;
    if args.json {
        return Ok(print_output(&sayso_core::wire::json::write(&PageJson::new(&page, &scope))));
    }
    let empty_message = match (args.state, args.search.is_some()) {
        (StateArg::Pending, false) => Message::NothingWaits,
        (StateArg::All, false) => Message::NothingAsked,
        (StateArg::All, true) | (StateArg::Done, _) => Message::NoAskFits,
        _ => Message::NothingThere,
    };
    Ok(print_table(session, &scope, &page, empty_message))
}

/// Returns at most this many rows, from as many pages as needed; without a limit one page, or the first with a row.
pub(crate) fn page_up_to(
    session: &CliSession,
    scope: &ListScope,
    query: AskQuery,
    limit: Option<u64>,
) -> Result<AskPage, Problem> {
    let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let mut query = AskQuery { all: scope.all, ..query };
    let mut rows = Vec::new();
    let mut for_others = 0;
    loop {
        if let Some(limit) = limit {
            query.rows = Some(limit.saturating_sub(rows.len()).min(limits::LIST_ROWS));
        }
        let page = scope.filter(session.desk()?.list(&query)?);
        rows.extend(page.rows);
        for_others += page.for_others;
        query.after = page.next;
        if page.next.is_none() || rows.len() >= limit.unwrap_or(1) {
            return Ok(AskPage { rows, for_others, ..page });
        }
    }
}

/// Prints the waiting asks and how to answer, for plain `sayso`.
pub(crate) fn print_overview(session: &CliSession, scope: &ListScope) -> Result<CommandExit, Problem> {
    let page = page_up_to(session, scope, AskQuery::default(), None)?;
    let exit = print_table(session, scope, &page, Message::NothingWaits);
    let lang = session.lang();
    let message = if page.rows.is_empty() { Message::TryAsking } else { Message::AnswerOne };
    console::print_message(message.plain(lang));
    Ok(exit)
}

fn status_filter(state: StateArg) -> Vec<AskStatus> {
    match state {
        StateArg::Pending => Vec::new(),
        StateArg::Open => vec![AskStatus::Open],
        StateArg::Submitted => vec![AskStatus::Submitted],
        StateArg::Answered => vec![AskStatus::Answered],
        StateArg::Declined => vec![AskStatus::Declined],
        StateArg::Cancelled => vec![AskStatus::Cancelled],
        StateArg::Expired => vec![AskStatus::Expired],
        StateArg::Done => AskStatus::settled().collect(),
        StateArg::All => AskStatus::ALL.to_vec(),
    }
}

/// Prints how many asks for others are left out.
fn print_others(page: &AskPage, lang: Lang) {
    if page.for_others > 0 {
        console::print_message(&Message::OthersLeftOut.render_with(lang, [page.for_others]));
    }
}

fn print_table(
    session: &CliSession,
    scope: &ListScope,
    page: &AskPage,
    empty_message: Message,
) -> CommandExit {
    let lang = session.lang();
    if page.rows.is_empty() {
        console::print_message(empty_message.plain(lang));
        print_others(page, lang);
        if matches!(empty_message, Message::NothingWaits | Message::NothingAsked) {
            console::print_message(&Message::DeskIs.render_with(lang, [own(session.desk_access.name())]));
        }
        return CommandExit::Done;
    }
    let home = session.environment.get("HOME").unwrap_or_default();
    let mut lines = String::new();
    for row in &page.rows {
        write_line(&mut lines, row, scope, home, lang);
    }
    let exit = print_output(&lines);
    print_others(page, lang);
    if let Some(next) = page.next {
        console::print_message(&Message::MoreRows.render_with(lang, [own(next)]));
    }
    exit
}

/// Formats one ask as a line: its act or title comes last, because it may be long and of any width.
fn write_line(lines: &mut String, row: &AskSummary, scope: &ListScope, home: &str, lang: Lang) {
    if row.damaged {
        // Writing to a `String` can't fail.
        let _ = writeln!(lines, "{}  {}", row.id.short_id(), Message::RowDamaged.plain(lang));
        return;
    }
    let age = durations::format_age(row.created_at, cli_session::now());
    let draft =
        if row.answered > 0 && row.state.is_pending() { format!("{}/", row.answered) } else { String::new() };
    let count = Message::QuestionsShort.render_with(lang, [own(format!("{draft}{}", row.asked))]);
    let state = status_name(row.state, row.approved).plain(lang);
    // Chinese is padded with full-width spaces.
    let state = if lang == Lang::Zh { format!("{state:\u{3000}<3}") } else { format!("{state:<9}") };
    let (asker, folder) = sayso_terminal::asker_and_folder(&row.shown_asker(), home, lang);
    let mut notes = vec![asker];
    notes.extend(folder);
    notes.extend(audience_note(row.audience.as_ref(), scope.is_for_person(row), lang));
    if row.state.is_pending() && !row.attached {
        notes.push(Message::AskerGone.plain(lang).to_owned());
    }
    if row.approved == Some(true) && !row.delivered {
        notes.push(Message::IsNotTaken.plain(lang).to_owned());
    }
    if let Some(deadline) = row.deadline
        && row.state.is_pending()
    {
        let time_left = short_form::short_remaining(deadline.duration_since(cli_session::now()));
        notes.push(Message::ExpiresIn.render_with(lang, [own(time_left)]));
    }
    // Writing to a `String` can't fail.
    let _ = writeln!(
        lines,
        "{}  {state}  {age:>3}  {count:>5}  {}  [{}]",
        row.id.short_id(),
        short_form::truncate_chars(&sayso_terminal::row_name(row, lang), TITLE_CHARS),
        display::escape_composed(&notes.join(" · ")),
    );
}

/// Returns whom an ask is for, if that is not everyone. It is not escaped.
pub(super) fn audience_note(audience: Option<&Audience>, is_for_person: bool, lang: Lang) -> Option<String> {
    let audience = audience?;
    if is_for_person && audience.is_members() {
        return None;
    }
    let message = if is_for_person { Message::IsFor } else { Message::IsForOthers };
    Some(message.render_with(lang, [own(audience)]))
}

/// Returns the status of an ask in one word; `approved` is the consent, if it asked for some.
pub(super) const fn status_name(status: AskStatus, approved: Option<bool>) -> Message {
    match (status, approved) {
        (AskStatus::Open, _) => Message::StillOpen,
        (AskStatus::Submitted, _) => Message::IsSubmitted,
        (AskStatus::Answered, Some(true)) => Message::IsAllowed,
        (AskStatus::Answered, Some(false)) => Message::IsAnsweredNo,
        (AskStatus::Answered, None) => Message::IsAnswered,
        (AskStatus::Declined, _) => Message::IsDeclined,
        (AskStatus::Cancelled, _) => Message::IsCancelled,
        (AskStatus::Expired, _) => Message::IsExpired,
    }
}
