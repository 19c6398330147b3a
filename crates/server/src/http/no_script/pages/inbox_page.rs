//! Page with the list of asks: what waits, and what has ended.

use crate::http::middleware::call::ApiCall;
use crate::http::no_script::NoScriptState;
use crate::http::no_script::form::form_data::FormData;
use crate::http::no_script::frame::{PageFrame, render};
use crate::http::no_script::view::agent_text::one_line;
use crate::http::no_script::visit::Visit;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::model::outcome::format_record_time;
use sayso_core::{AskSummary, Lang, Message, Problem};
use sayso_desk::query::PageCursor;
use sayso_desk::{AskPage, AskQuery};
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;

/// Rows of a page.
const ROWS: usize = 50;
/// Name of the list of what has ended.
const HISTORY: &str = "history";

/// Page with the list of asks.
#[derive(Debug, Template)]
#[template(path = "inbox.html")]
struct InboxPage {
    frame: PageFrame,
    is_history: bool,
    /// Words of the filter. They are in no address.
    search: String,
    rows: Vec<RowView>,
    nothing: &'static str,
    /// Position of the next rows.
    next: Option<String>,
}

/// Row of the list.
#[derive(Debug)]
struct RowView {
    id: String,
    title: String,
    from: String,
    is_unread: bool,
    at: String,
    facts: Vec<String>,
}

/// Rows to show.
#[derive(Debug, Default, Deserialize)]
struct ListParams {
    tab: Option<String>,
    after: Option<String>,
    #[serde(skip)]
    search: String,
}

pub(crate) async fn show(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, async |visit, call| show_list(visit, call.parse_query()?).await).await
}

pub(crate) async fn filter(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, show_filtered).await
}

async fn show_filtered(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    let form = FormData::parse(call.text()?)?;
    let field = |name| form.find(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let params = ListParams {
        tab: field("tab"),
        after: field("after"),
        search: form.text("search").trim().to_owned(),
    };
    show_list(visit, params).await
}

async fn show_list(visit: &Visit, params: ListParams) -> Result<Response, Problem> {
    let is_history = params.tab.as_deref() == Some(HISTORY);
    let place = |text: &str| PageCursor::parse(text).ok_or_else(|| Problem::invalid_value("after", text));
    let query = AskQuery {
        states: if is_history { AskStatus::settled().collect() } else { Vec::new() },
        search: Some(params.search.clone()).filter(|words| !words.is_empty()),
        after: params.after.as_deref().map(place).transpose()?,
        rows: Some(ROWS),
        reader: visit.caller.reader.clone(),
        ..AskQuery::default()
    };
    let listed =
        visit.plain.context.with_desk(move |desk| AskPage::list_when_indexed(desk, &query, &mut |_| ()));
    let AskPage { rows, next, .. } = listed.await?;
    let nothing = match (params.search.is_empty(), is_history) {
        (false, _) => Message::NothingFits,
        (true, true) => Message::NothingEnded,
        (true, false) => Message::PageNothing,
    };
    let page = InboxPage {
        frame: visit.frame(),
        is_history,
        search: params.search,
        rows: rows.iter().map(|row| RowView::new(row, visit.lang)).collect(),
        nothing: nothing.plain(visit.lang),
        next: next.map(|next| next.to_string()),
    };
    render(StatusCode::OK, &page)
}

impl RowView {
    fn new(row: &AskSummary, lang: Lang) -> Self {
        let asker = row.shown_asker();
        let folder = asker.folder(Cow::Borrowed).map(|folder| one_line(&folder));
        let from = [Some(asker.name(one_line, lang)), folder];
        let title =
            if row.damaged { Message::PageDamaged.plain(lang).to_owned() } else { one_line(&row.title) };
        let is_open = row.state == AskStatus::Open;
        Self {
            id: row.id.to_string(),
            title,
            from: from.into_iter().flatten().collect::<Vec<_>>().join(" · "),
            is_unread: is_open && !row.seen,
            at: format_record_time(if is_open { row.created_at } else { row.changed_at }),
            facts: facts(row, lang),
        }
    }
}

fn facts(row: &AskSummary, lang: Lang) -> Vec<String> {
    let mut facts = Vec::new();
    let state = match row.state {
        AskStatus::Open => {
            if row.drafted {
                facts.push(Message::PageProgress.render_with(lang, [row.answered, row.asked]));
            }
            let ends = row.deadline.map(|at| Message::PageEnds.render_with(lang, [format_record_time(at)]));
            facts.extend(ends);
            facts.extend(row.attached.then(|| Message::PageAgentWaits.plain(lang).to_owned()));
            return facts;
        }
        AskStatus::Submitted => Message::PageStateSubmitted,
        AskStatus::Answered => Message::PageStateAnswered,
        AskStatus::Declined => Message::PageStateDeclined,
        AskStatus::Cancelled => Message::PageStateCancelled,
        AskStatus::Expired => Message::PageStateExpired,
    };
    facts.push(state.plain(lang).to_owned());
    if row.state == AskStatus::Answered && !row.delivered {
        facts.push(Message::PageNotFetched.plain(lang).to_owned());
    }
    facts
}
