//! `sayso token`: accounts and tokens for access over the network.
//!
//! **Invariant:** the text of a token is written once, to standard output or to its own file, and nowhere else.

mod file;

use crate::ages;
use crate::cli::{self, NewToken};
use crate::console;
use crate::console::print;
use crate::exit::Exit;
use crate::session::{self, Session};
use file::TokenFile;
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Code, Lang, Message, Problem, display};
use sayso_desk::token::{Role, Secret, Token};
use sayso_terminal::short;
use serde::Serialize;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: cli::Token) -> Result<Exit, Problem> {
    match args {
        cli::Token::New(args) => new(session, &args),
        cli::Token::List { json } => list(session, json),
        cli::Token::Revoke { id } => revoke(session, &id),
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
    about: &'t Token,
}

#[derive(Serialize)]
struct ListJson {
    tokens: Vec<Token>,
}

fn new(session: &Session, args: &NewToken) -> Result<Exit, Problem> {
    may_be_made_here(session, args.role)?;
    let life = args.expires.as_deref().map(ages::parse_span).transpose()?.map(SignedDuration::from_millis);
    let Some(path) = &args.out else {
        let (token, secret) = session.local_desk()?.new_token(args.role, &args.account, life)?;
        return show(session, &token, &secret, args.json);
    };
    // The file first: without it the token would be valid, but no one could use it.
    let desk = session.local_desk()?;
    let file = TokenFile::begin(path)?;
    let (token, secret) = desk.new_token(args.role, &args.account, life)?;
    if let Err(problem) = file.finish(&secret) {
        desk.revoke(&token.id)?;
        return Err(problem);
    }
    let shown = path.display().to_string();
    if args.json {
        let json = NewJson { token: None, file: Some(shown), about: &token };
        return Ok(print(&sayso_core::wire::json::write(&json)));
    }
    let parts = [token.id.as_str(), token.role.as_str(), &token.account, &shown];
    console::say_safely(&Message::TokenInFile.say(session.lang(), parts));
    Ok(Exit::Done)
}

/// Refuses a token that can answer for a person if an agent makes it.
fn may_be_made_here(session: &Session, role: Role) -> Result<(), Problem> {
    match &session.agent {
        Some(agent) if role != Role::Asker => {
            let hint = Message::AgentTokenHint.with([role]);
            Err(Problem::new(Code::NotAllowed, Message::AgentToken.with([agent])).hint(hint))
        }
        _ => Ok(()),
    }
}

/// Prints a token as data, with advice on standard error.
fn show(session: &Session, token: &Token, secret: &Secret, json: bool) -> Result<Exit, Problem> {
    let lang = session.lang();
    console::say(&Message::TokenShownOnce.say(lang, [&token.id, token.role.as_str(), &token.account]));
    let printed = if json {
        console::data(&sayso_core::wire::json::write(&NewJson {
            token: Some(secret.reveal()),
            file: None,
            about: token,
        }))
    } else {
        console::data(secret.reveal())
    };
    if let Err(exit) = printed {
        // The token was not printed, and can't be printed again.
        session.local_desk()?.revoke(&token.id)?;
        return Ok(exit);
    }
    console::say(&Message::TokenHowTo.say(lang, [&token.id, &token.account]));
    Ok(Exit::Done)
}

fn list(session: &Session, json: bool) -> Result<Exit, Problem> {
    let tokens = session.local_desk()?.tokens()?;
    if json {
        return Ok(print(&sayso_core::wire::json::write(&ListJson { tokens })));
    }
    if tokens.is_empty() {
        console::say(Message::NoTokens.plain(session.lang()));
        return Ok(Exit::Done);
    }
    let (now, lang) = (session::now(), session.lang());
    let mut lines = String::new();
    for token in &tokens {
        line(&mut lines, token, now, lang);
    }
    Ok(print(&lines))
}

/// Formats one token as a line: the account comes last, because it may be of any width.
fn line(lines: &mut String, token: &Token, now: Timestamp, lang: Lang) {
    let state = match token.revoked_at {
        Some(_) => Message::TokenStateRevoked,
        None if token.is_valid(now) => Message::TokenStateValid,
        None => Message::TokenStateExpired,
    };
    let state = state.plain(lang);
    let left = token.expires_at.filter(|_| token.is_valid(now)).map(|end| {
        let left = short::left(end.duration_since(now));
        format!("  [{}]", Message::ExpiresIn.say(lang, [left]))
    });
    // Writing to a `String` can't fail.
    let _ = writeln!(
        lines,
        "{}  {:<6}  {state:<7}  {:>3}  {}{}",
        token.id,
        token.role.as_str(),
        ages::since(token.created_at, now),
        display::line(&token.account),
        left.unwrap_or_default(),
    );
}

fn revoke(session: &Session, id: &str) -> Result<Exit, Problem> {
    let token = session.local_desk()?.revoke(id)?;
    console::say(&Message::TokenRevoked.say(session.lang(), [&token.id, &token.account]));
    Ok(Exit::Done)
}
