//! `sayso token`: accounts and tokens for access over the network.
//!
//! **Invariant:** the text of a token is written once, to standard output or to its own file, and nowhere else.

mod file;

use crate::cli::durations;
use crate::cli::{self, NewTokenArgs};
use crate::cli_session::{self, CliSession};
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use file::TokenFile;
use jiff::{SignedDuration, Timestamp};
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode, display};
use sayso_desk::browser_session::BrowserSessionRecord;
use sayso_desk::token::{TokenAudience, TokenRecord, TokenRequest, TokenRole, TokenSecret};
use sayso_terminal::short_form;
use serde::Serialize;
use std::fmt::Write as _;

pub(crate) fn run(session: &CliSession, args: cli::TokenCommand) -> Result<CommandExit, Problem> {
    match args {
        cli::TokenCommand::New(args) => create(session, &args),
        cli::TokenCommand::List { json } => list_tokens(session, json),
        cli::TokenCommand::Revoke { id } => revoke_token(session, &id),
    }
}

/// New token as JSON. If it is written to a file, `token` is omitted.
#[derive(Serialize)]
struct NewJson<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    about: &'t TokenRecord,
}

#[derive(Serialize)]
struct ListJson {
    tokens: Vec<TokenRecord>,
    sessions: Vec<SessionJson>,
}

/// Signed-in browser as JSON.
#[derive(Serialize)]
struct SessionJson {
    id: String,
    account: String,
    created_at: Timestamp,
    last_seen_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
}

impl From<BrowserSessionRecord> for SessionJson {
    fn from(session: BrowserSessionRecord) -> Self {
        let BrowserSessionRecord { id, account, created_at, last_seen_at, agent, .. } = session;
        Self { id, account, created_at, last_seen_at, agent }
    }
}

fn create(session: &CliSession, args: &NewTokenArgs) -> Result<CommandExit, Problem> {
    check_not_agent(session, args.role)?;
    let life =
        args.expires.as_deref().map(durations::parse_span).transpose()?.map(SignedDuration::from_millis);
    let request = TokenRequest {
        role: args.role,
        account: args.account.clone(),
        expires_in: life,
        audience: TokenAudience {
            default_names: args.default_audience.clone(),
            may_for: args.may_for.clone(),
        },
    };
    let Some(path) = &args.out else {
        let (token, secret) = session.desk_access.local()?.create_token(request)?;
        return print_token(session, &token, &secret, args.json);
    };
    // The file first: without it the token would be valid, but no one could use it.
    let desk = session.desk_access.local()?;
    let file = TokenFile::create(path)?;
    let (token, secret) = desk.create_token(request)?;
    if let Err(problem) = file.finish(&secret) {
        desk.revoke_token(&token.id)?;
        return Err(problem);
    }
    let shown = path.display().to_string();
    if args.json {
        let json = NewJson { token: None, file: Some(shown), about: &token };
        return Ok(print_output(&sayso_core::wire::json::write(&json)));
    }
    let parts = [token.id.as_str(), token.role.as_str(), &token.account, &shown];
    console::print_untrusted(&Message::TokenInFile.render_with(session.lang(), parts.map(own)));
    Ok(CommandExit::Done)
}

/// Refuses a token that can answer for a person if an agent makes it.
fn check_not_agent(session: &CliSession, role: TokenRole) -> Result<(), Problem> {
    match &session.agent {
        Some(agent) if role != TokenRole::Asker => {
            let hint = Message::AgentTokenHint.with([own(role)]);
            Err(Problem::new(ProblemCode::NotAllowed, Message::AgentToken.with([own(agent)])).with_hint(hint))
        }
        _ => Ok(()),
    }
}

/// Prints a token as data, with advice on standard error.
fn print_token(
    session: &CliSession,
    token: &TokenRecord,
    secret: &TokenSecret,
    json: bool,
) -> Result<CommandExit, Problem> {
    let lang = session.lang();
    console::print_message(
        &Message::TokenShownOnce
            .render_with(lang, [own(&token.id), own(token.role.as_str()), own(&token.account)]),
    );
    let printed = if json {
        console::print_data(&sayso_core::wire::json::write(&NewJson {
            token: Some(secret.reveal()),
            file: None,
            about: token,
        }))
    } else {
        console::print_data(secret.reveal())
    };
    if let Err(exit) = printed {
        // The token was not printed, and can't be printed again.
        session.desk_access.local()?.revoke_token(&token.id)?;
        return Ok(exit);
    }
    console::print_message(&Message::TokenHowTo.render_with(lang, [own(&token.id), own(&token.account)]));
    Ok(CommandExit::Done)
}

fn list_tokens(session: &CliSession, json: bool) -> Result<CommandExit, Problem> {
    let desk = session.desk_access.local()?;
    let (tokens, sessions) = (desk.tokens()?, desk.browser_sessions()?);
    if json {
        let sessions = sessions.into_iter().map(SessionJson::from).collect();
        return Ok(print_output(&sayso_core::wire::json::write(&ListJson { tokens, sessions })));
    }
    if tokens.is_empty() && sessions.is_empty() {
        console::print_message(Message::NoTokens.plain(session.lang()));
        return Ok(CommandExit::Done);
    }
    let (now, lang) = (cli_session::now(), session.lang());
    let mut lines = String::new();
    for token in &tokens {
        write_line(&mut lines, token, now, lang);
    }
    if !sessions.is_empty() {
        // Writing to a `String` can't fail, here and below.
        let _ = writeln!(lines, "{}", Message::SessionsHeading.plain(lang));
    }
    for session in &sessions {
        let agent = display::escape_line(session.agent.as_deref().unwrap_or("-"));
        let age = durations::format_age(session.last_seen_at, now);
        let account = display::escape_line(&session.account);
        let _ = writeln!(lines, "{}  {age:>3}  {account}  {agent}", session.id);
    }
    Ok(print_output(&lines))
}

/// Formats one token as a line: the account comes last, because it may be of any width.
fn write_line(lines: &mut String, token: &TokenRecord, now: Timestamp, lang: Lang) {
    let state = match token.revoked_at {
        Some(_) => Message::TokenStateRevoked,
        None if token.is_valid(now) => Message::TokenStateValid,
        None => Message::TokenStateExpired,
    };
    let state = state.plain(lang);
    let end = if token.is_valid(now) { token.expires_at } else { None };
    let left = end.map(|end| {
        let left = short_form::short_remaining(end.duration_since(now));
        format!("  [{}]", Message::ExpiresIn.render_with(lang, [own(left)]))
    });
    // Writing to a `String` can't fail.
    let _ = writeln!(
        lines,
        "{}  {:<7}  {state:<7}  {:>3}  {}{}",
        token.id,
        token.role.as_str(),
        durations::format_age(token.created_at, now),
        display::escape_line(&token.account),
        left.unwrap_or_default(),
    );
}

fn revoke_token(session: &CliSession, id: &str) -> Result<CommandExit, Problem> {
    let desk = session.desk_access.local()?;
    if let Some(browser) = desk.browser_session(id)? {
        desk.end_browser_session(id)?;
        console::print_untrusted(
            &Message::SessionEnded.render_with(session.lang(), [own(id), own(&browser.account)]),
        );
        return Ok(CommandExit::Done);
    }
    let token = desk.revoke_token(id)?;
    console::print_message(
        &Message::TokenRevoked.render_with(session.lang(), [own(&token.id), own(&token.account)]),
    );
    Ok(CommandExit::Done)
}
